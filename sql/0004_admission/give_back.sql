-- Returns reservations of one account, which the caller has locked, and lets their retries do the work anew.
create or replace function give_back(requests text[]) returns void language plpgsql as $$
declare
  held reservations%rowtype;
begin
  for held in delete from reservations r where r.request_id = any (requests) returning r.*
  loop
    update accounts a set reserved_micros = a.reserved_micros - held.micros where a.id = held.account_id;
    if held.replay_key is not null then
      perform leave_place(held.account_id, held.request_id, false);
    end if;
  end loop;
end $$;
