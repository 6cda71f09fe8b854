-- One call admits many requests: it authenticates, counts, replays or reserves each, in the order given.
-- Rows are locked in the order of their ids first (keys, accounts, days of usage), so that calls never wait for each
-- other in a circle; never `for update`, which the checks of foreign keys would wait for.
create function admit(instance text, requests jsonb) returns table (
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

    if request.replay_key is not null and wanted > 0 then
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
          on conflict on constraint answers_pkey do update set request_hash = excluded.request_hash, request_id = excluded.request_id,
            instance_id = excluded.instance_id, status = null, headers = null, body = null, replayed = false, created_at = clock_timestamp();
      end if;
    end if;
    return next;
  end loop;

  insert into usage_days as u (account_id, key_id, day, requests)
    select c ->> 'account', c ->> 'key', (moment at time zone 'utc')::date, count(*) from jsonb_array_elements(counted) c
    group by 1, 2 order by 1, 2
    on conflict on constraint usage_days_pkey do update set requests = u.requests + excluded.requests;
end $$;

-- Returns reservations of one account, which the caller has locked, and lets their retries do the work anew.
create function give_back(requests text[]) returns void language sql as $$
  with returned as (
    delete from reservations r where r.request_id = any (requests) returning r.request_id, r.micros, r.account_id, r.replay_key
  ), forgotten as (
    delete from answers a using returned r
    where a.account_id = r.account_id and a.replay_key = r.replay_key and a.request_id = r.request_id and a.body is null
  )
  update accounts a set reserved_micros = a.reserved_micros - r.micros
  from (select account_id, sum(micros) as micros from returned group by account_id) r where a.id = r.account_id
$$;

-- Turns reservations into charges for what was answered; the rest goes back. A reservation that is gone charges
-- nothing; repeating a charge that went through changes nothing and is settled. `sent` are requests charged earlier
-- whose answers have been handed to their clients: their charges are final.
create function settle(instance text, charges jsonb, sent text[]) returns table (place integer, settled boolean) language plpgsql as $$
declare
  charge record;
  held reservations%rowtype;
  moment timestamptz;
  cost bigint;
  used jsonb := '[]';
begin
  perform 1 from accounts a where a.id in (
      select r.account_id from reservations r where r.request_id in (select c ->> 'request_id' from jsonb_array_elements(charges) c))
    order by a.id for no key update;
  moment := clock_timestamp();

  for charge in
    select c.position::integer as position, x.* from jsonb_array_elements(charges) with ordinality c (item, position),
      jsonb_to_record(c.item) as x (request_id text, account text, decisions integer, price bigint, status integer, headers jsonb, body text)
    order by c.position
  loop
    place := charge.position - 1;
    select * into held from reservations r where r.request_id = charge.request_id and r.instance_id = instance and not r.charged;
    settled := found;
    if not settled then
      settled := exists (select 1 from ledger l where l.account_id = charge.account and l.kind = 'charge' and l.reference = charge.request_id)
        and not exists (select 1 from ledger l where l.account_id = charge.account and l.kind = 'refund' and l.reference = charge.request_id);
    else
      if charge.decisions > 0 and (held.replay_key is null or charge.body is null) then
        update reservations r set micros = 0, charged = true where r.request_id = held.request_id;
      else
        delete from reservations r where r.request_id = held.request_id;
      end if;
      cost := least(held.micros, charge.decisions * charge.price);
      update accounts a set reserved_micros = a.reserved_micros - held.micros, balance_micros = a.balance_micros - cost where a.id = held.account_id;
      if charge.decisions > 0 then
        insert into ledger (account_id, kind, micros, decisions, key_id, reference, created_at)
          values (held.account_id, 'charge', -cost, charge.decisions, held.key_id, charge.request_id, moment);
        used := used || jsonb_build_object('account', held.account_id, 'key', coalesce(held.key_id, ''), 'decisions', charge.decisions, 'cost', cost);
      end if;
      if held.replay_key is not null then
        if charge.body is null then
          delete from answers a where a.account_id = held.account_id and a.replay_key = held.replay_key and a.request_id = charge.request_id;
        else
          update answers a set status = charge.status, headers = charge.headers, body = charge.body, created_at = moment
            where a.account_id = held.account_id and a.replay_key = held.replay_key and a.request_id = charge.request_id;
        end if;
      end if;
    end if;
    return next;
  end loop;

  insert into usage_days as u (account_id, key_id, day, decisions, cost_micros)
    select c ->> 'account', c ->> 'key', (moment at time zone 'utc')::date, sum((c ->> 'decisions')::bigint), sum((c ->> 'cost')::bigint)
    from jsonb_array_elements(used) c group by 1, 2 order by 1, 2
    on conflict on constraint usage_days_pkey do update
      set decisions = u.decisions + excluded.decisions, cost_micros = u.cost_micros + excluded.cost_micros;

  -- Their accounts are not locked here: what a sweep holds is left to it.
  delete from reservations r where r.request_id in (
    select s.request_id from reservations s where s.request_id = any (sent) and s.instance_id = instance and s.charged
    for update skip locked);
end $$;

-- Undoes requests that got no answer though it is unknown what became of them here: what is held goes back, what was
-- charged is refunded, a stored answer is forgotten, unless a retry has got it from another instance meanwhile.
-- A charge that comes later finds nothing left to charge.
create function undo(requests jsonb) returns void language plpgsql as $$
declare
  undone record;
  charged ledger%rowtype;
begin
  perform 1 from accounts a where a.id in (
      select coalesce(r.account_id, x.account) from jsonb_to_recordset(requests) as x (request_id text, account text)
      left join reservations r on r.request_id = x.request_id)
    order by a.id for no key update;

  for undone in select x.* from jsonb_to_recordset(requests) as x (request_id text, account text) order by x.account, x.request_id
  loop
    perform give_back(array_agg(r.request_id)) from reservations r where r.request_id = undone.request_id;
    select * into charged from ledger l where l.account_id = undone.account and l.kind = 'charge' and l.reference = undone.request_id;
    continue when not found or exists (select 1 from answers a
      where a.account_id = charged.account_id and a.request_id = charged.reference and a.replayed);
    insert into ledger (account_id, kind, micros, decisions, key_id, reference)
      values (charged.account_id, 'refund', -charged.micros, charged.decisions, charged.key_id, charged.reference)
      on conflict do nothing;
    continue when not found;
    update accounts a set balance_micros = a.balance_micros - charged.micros where a.id = charged.account_id;
    update usage_days u set decisions = u.decisions - charged.decisions, cost_micros = u.cost_micros + charged.micros
      where u.account_id = charged.account_id and u.key_id = coalesce(charged.key_id, '')
        and u.day = (charged.created_at at time zone 'utc')::date;
    delete from answers a where a.account_id = charged.account_id and a.request_id = charged.reference;
  end loop;
end $$;

-- Credits an account once per reference and returns the new balance; a repeated reference changes nothing.
create function credit(account text, amount bigint, reference text) returns bigint language plpgsql as $$
declare
  balance bigint;
begin
  perform 1 from accounts a where a.id = account for no key update;
  insert into ledger (account_id, kind, micros, reference) values (account, 'credit', amount, credit.reference) on conflict do nothing;
  if found then
    update accounts a set balance_micros = a.balance_micros + amount where a.id = account;
  end if;
  select a.balance_micros into balance from accounts a where a.id = account;
  return balance;
end $$;

-- Keeps this instance's reservations alive, gives back those that it knows nothing of, undoes the requests of instances
-- that are gone, forgets old answers. Returns the database's time, for the next call: what was reserved before the
-- previous call ended and is not among `known` now is nobody's, such as a request whose admission got lost on its way back.
create function sweep(instance text, lease interval, answers_kept interval, known text[], since timestamptz)
returns timestamptz language plpgsql as $$
declare
  held record;
  moment timestamptz := clock_timestamp();
begin
  insert into instances as i (id) values (instance) on conflict (id) do update set seen_at = clock_timestamp();
  for held in
    select r.account_id,
      array_agg(r.request_id) filter (where r.instance_id = instance) as ours,
      jsonb_agg(jsonb_build_object('request_id', r.request_id, 'account', r.account_id)) filter (where r.instance_id <> instance) as theirs
    from reservations r left join instances i on i.id = r.instance_id
    where case when r.instance_id = instance then r.created_at < since and r.request_id <> all (known)
      else r.created_at < moment - lease and coalesce(i.seen_at < moment - lease, true) end
    group by r.account_id order by r.account_id
  loop
    perform 1 from accounts a where a.id = held.account_id for no key update;
    perform give_back(held.ours);
    perform undo(held.theirs);
  end loop;
  delete from answers a where (a.account_id, a.replay_key) in (
    select o.account_id, o.replay_key from answers o where o.created_at < moment - answers_kept and o.body is not null
    limit 10000 for update skip locked);
  delete from instances i where i.seen_at < moment - interval '1 day';
  return moment;
end $$;
