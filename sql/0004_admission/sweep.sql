-- Keeps this instance's reservations alive, gives back those that it knows nothing of, undoes the requests of instances
-- that are gone, forgets old answers. Returns the database's time, for the next call: what was reserved before the
-- previous call ended and is not among `known` now is nobody's, such as a request whose admission got lost on its way back.
create or replace function sweep(instance text, lease interval, answers_kept interval, known text[], since timestamptz)
returns timestamptz language plpgsql as $$
declare
  held record;
  lost text[];
  moment timestamptz := clock_timestamp();
begin
  insert into instances as i (id) values (instance) on conflict (id) do update set seen_at = clock_timestamp();
  lost := array(
    select r.request_id from reservations r left join instances i on i.id = r.instance_id
    where case when r.instance_id = instance then r.created_at < since and since <= moment and r.request_id <> all (known)
      else r.created_at < moment - lease and coalesce(i.seen_at < moment - lease, true) end);
  -- All accounts before the first day of usage: the order in which `admit` locks.
  perform 1 from accounts a where a.id in (select r.account_id from reservations r where r.request_id = any (lost))
    order by a.id for no key update;
  for held in
    select r.account_id,
      array_agg(r.request_id) filter (where r.instance_id = instance) as ours,
      jsonb_agg(jsonb_build_object('request_id', r.request_id, 'account', r.account_id)) filter (where r.instance_id <> instance) as theirs
    from reservations r where r.request_id = any (lost)
    group by r.account_id order by r.account_id
  loop
    perform give_back(held.ours);
    perform undo(held.theirs);
  end loop;
  delete from answers a where (a.account_id, a.replay_key) in (
    select o.account_id, o.replay_key from answers o where o.created_at < moment - answers_kept and o.body is not null
    limit 10000 for update skip locked);
  delete from instances i where i.seen_at < moment - interval '1 day';
  -- What is of later than now was written before the clock was set back. It ages from now on; who lives renews its lease meanwhile.
  update instances i set seen_at = moment where i.id in (
    select s.id from instances s where s.seen_at > moment + lease for update skip locked);
  update reservations r set created_at = moment where r.request_id in (
    select s.request_id from reservations s where s.created_at > moment + lease for update skip locked);
  return moment;
end $$;
