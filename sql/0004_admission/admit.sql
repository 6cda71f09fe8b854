-- One call admits many requests: it authenticates, counts, replays or reserves each, in the order given.
-- Rows are locked in the order of their ids first (keys, accounts, days of usage), so that calls never wait for each
-- other in a circle; never `for update`, which the checks of foreign keys would wait for.
create or replace function admit(instance text, requests jsonb) returns table (
  place integer, outcome text, account_id text, key_id text, granted bigint, rate_limit integer, retry_after integer,
  answer_status integer, answer_headers jsonb, answer_body text
) language plpgsql as $$
declare
  request record;
  key keys%rowtype;
  stored answers%rowtype;
  moment timestamptz;
  available bigint;
  wanted bigint;
  needed bigint;
  counted jsonb := '[]';
begin
  perform 1 from keys k where k.hash in (select decode(r ->> 'hash', 'hex') from jsonb_array_elements(requests) r)
    order by k.id for no key update;
  perform 1 from accounts a where a.id in (
      select coalesce(r ->> 'account', k.account_id) from jsonb_array_elements(requests) r
      left join keys k on k.hash = decode(r ->> 'hash', 'hex')
      where (r ->> 'wanted')::bigint > 0 or r ->> 'flow' is not null)
    order by a.id for no key update;
  moment := clock_timestamp();

  for request in
    select r.position::integer as position, x.* from jsonb_array_elements(requests) with ordinality r (item, position),
      jsonb_to_record(r.item) as x (request_id text, hash text, account text, counted boolean, default_limit integer, wanted bigint,
        least bigint, price bigint, flow text, replay_key text, request_hash text, replays boolean)
    order by r.position
  loop
    place := request.position - 1;
    outcome := 'admitted'; account_id := request.account; key_id := null; granted := 0; rate_limit := null; retry_after := null;
    answer_status := null; answer_headers := null; answer_body := null;

    if request.hash is not null then
      select * into key from keys k where k.hash = decode(request.hash, 'hex') and k.revoked_at is null;
      if not found then
        outcome := 'unauthenticated'; return next; continue;
      end if;
      account_id := key.account_id; key_id := key.id; rate_limit := coalesce(key.rate_limit, request.default_limit);
      if request.counted then
        -- A window that lies ahead is of a clock that has been set back since.
        if key.window_opened_at is null or moment not between key.window_opened_at - interval '60 seconds'
            and key.window_opened_at + interval '60 seconds' - interval '1 microsecond' then
          key.window_opened_at := moment; key.window_count := 0;
        end if;
        if key.window_count >= rate_limit then
          outcome := 'rate_limited';
          retry_after := greatest(1, least(60, ceil(extract(epoch from key.window_opened_at + interval '60 seconds' - moment))));
          return next; continue;
        end if;
        update keys k set window_opened_at = key.window_opened_at, window_count = key.window_count + 1, last_used_at = moment where k.id = key.id;
      end if;
    elsif not exists (select 1 from accounts a where a.id = request.account) then
      outcome := 'unauthenticated'; return next; continue;
    end if;

    if request.counted then
      counted := counted || jsonb_build_object('account', account_id, 'key', coalesce(key_id, ''));
    end if;

    wanted := request.wanted; needed := coalesce(request.least, wanted);
    if request.flow is not null then
      select coalesce(max(f.longest_path), 0) into wanted from flows f
        where f.account_id = admit.account_id and f.slug = request.flow and f.published_version is not null;
      needed := wanted;
    end if;

    -- A flow that was renamed or unpublished since was there when it was paid for.
    if request.replay_key is not null and (wanted > 0 or request.flow is not null) then
      select * into stored from answers a where a.account_id = admit.account_id and a.replay_key = request.replay_key;
      if found and request.replays then
        if stored.request_hash <> request.request_hash then
          outcome := 'reused'; return next; continue;
        elsif stored.body is not null then
          outcome := 'replayed'; answer_status := stored.status; answer_headers := stored.headers; answer_body := stored.body;
          update answers a set replayed = true
            where a.account_id = admit.account_id and a.replay_key = request.replay_key and not a.replayed;
          return next; continue;
        elsif stored.request_id <> request.request_id then
          outcome := 'running'; return next; continue;
        end if;
      end if;
    end if;

    if wanted > 0 then
      select a.balance_micros - a.reserved_micros into available from accounts a where a.id = admit.account_id;
      granted := case when request.price = 0 then wanted else least(wanted, available / request.price) end;
      if granted < least(wanted, needed) then
        outcome := 'insufficient'; granted := 0; return next; continue;
      end if;
      if granted * request.price > 0 then
        update accounts a set reserved_micros = a.reserved_micros + granted * request.price where a.id = admit.account_id;
      end if;
      insert into reservations (request_id, account_id, key_id, instance_id, micros, replay_key)
        values (request.request_id, account_id, key_id, instance, granted * request.price, request.replay_key);
      if request.replay_key is not null then
        insert into answers as a (account_id, replay_key, request_hash, request_id, instance_id)
          values (account_id, request.replay_key, request.request_hash, request.request_id, instance)
          -- An equal request asked a second time is no retry; until it is answered, and where it fails, the answer of the first stays.
          on conflict on constraint answers_pkey do update set request_hash = excluded.request_hash, request_id = excluded.request_id,
            instance_id = excluded.instance_id, replayed = false, created_at = clock_timestamp(),
            status = case when a.request_hash = excluded.request_hash then a.status end,
            headers = case when a.request_hash = excluded.request_hash then a.headers end,
            body = case when a.request_hash = excluded.request_hash then a.body end;
      end if;
    end if;
    return next;
  end loop;

  insert into usage_days as u (account_id, key_id, day, requests)
    select c ->> 'account', c ->> 'key', (moment at time zone 'utc')::date, count(*) from jsonb_array_elements(counted) c
    group by 1, 2 order by 1, 2
    on conflict on constraint usage_days_pkey do update set requests = u.requests + excluded.requests;
end $$;
