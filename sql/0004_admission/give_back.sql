-- Returns reservations of one account, which the caller has locked, and lets their retries do the work anew.
create or replace function give_back(requests text[]) returns void language sql as $$
  with returned as (
    delete from reservations r where r.request_id = any (requests) returning r.request_id, r.micros, r.account_id, r.replay_key
  ), forgotten as (
    delete from answers a using returned r
    where a.account_id = r.account_id and a.replay_key = r.replay_key and a.request_id = r.request_id and a.body is null
  )
  update accounts a set reserved_micros = a.reserved_micros - r.micros
  from (select account_id, sum(micros) as micros from returned group by account_id) r where a.id = r.account_id
$$;
