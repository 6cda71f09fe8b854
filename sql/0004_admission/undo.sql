-- Undoes requests that got no answer though it is unknown what became of them here: what is held goes back, what was
-- charged is refunded, a stored answer is forgotten, unless a retry has got it from another instance meanwhile.
-- A charge that comes later finds nothing left to charge.
create or replace function undo(requests jsonb) returns void language plpgsql as $$
declare
  undone record;
  charged ledger%rowtype;
begin
  perform 1 from accounts a where a.id in (
      select coalesce(r.account_id, x.account) from jsonb_to_recordset(requests) as x (request_id text, account text)
      left join reservations r on r.request_id = x.request_id)
    order by a.id for no key update;
  perform 1 from usage_days u where (u.account_id, u.key_id, u.day) in (
      select l.account_id, coalesce(l.key_id, ''), (l.created_at at time zone 'utc')::date
      from jsonb_to_recordset(undo.requests) as x (request_id text, account text)
      join ledger l on l.account_id = x.account and l.kind = 'charge' and l.reference = x.request_id)
    order by u.account_id, u.key_id, u.day for no key update;

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
    perform leave_place(charged.account_id, charged.reference, true);
  end loop;
end $$;
