-- Turns reservations into charges for what was answered; the rest goes back. A reservation that is gone charges
-- nothing; repeating a charge that went through changes nothing and is settled. `sent` are requests charged earlier
-- whose answers have been handed to their clients: their charges are final.
create or replace function settle(instance text, charges jsonb, sent text[]) returns table (place integer, settled boolean) language plpgsql as $$
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
          perform leave_place(held.account_id, charge.request_id, false);
        else
          -- The place of this answer may have gone to an equal request: until that is answered, and where it fails, this one stays.
          update answers a set status = charge.status, headers = charge.headers, body = charge.body, replayed = false, created_at = moment
            where a.account_id = held.account_id and a.replay_key = held.replay_key and (a.request_id = charge.request_id or a.body is null);
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
