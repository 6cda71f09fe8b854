-- The place that a request has for its answer, or for the answer of an equal one before it, goes to an equal request that still runs,
-- and is forgotten where there is none. `answered` tells whether an answer is kept there, which goes with it.
create or replace function leave_place(account text, request text, answered boolean) returns void language plpgsql as $$
begin
  update answers a set request_id = r.request_id, instance_id = r.instance_id, status = null, headers = null, body = null, replayed = false
    from reservations r
    where a.account_id = account and a.request_id = request and (a.body is not null) = answered
      and r.account_id = a.account_id and r.replay_key = a.replay_key and r.request_id <> request and not r.charged;
  delete from answers a where a.account_id = account and a.request_id = request and (a.body is not null) = answered;
end $$;
