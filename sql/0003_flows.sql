-- Definitions are json, not jsonb: jsonb sorts the keys of an object, and the levels of a score go lowest first.
-- longest_path belongs to published_version; admission reserves it before a run.
create table flows (
  id text primary key,
  account_id text not null references accounts (id),
  slug text not null,
  name text not null,
  description text,
  draft json not null,
  revision integer not null default 1,
  latest_version integer not null default 0,
  published_version integer,
  published_revision integer,
  longest_path integer,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (account_id, slug)
);

create table flow_versions (
  flow_id text not null references flows (id) on delete cascade,
  version integer not null,
  revision integer not null,
  name text not null,
  description text,
  definition json not null,
  questions integer not null,
  outcomes json not null,
  longest_path integer not null,
  published_at timestamptz not null default clock_timestamp(),
  primary key (flow_id, version)
);

create trigger flow_versions_never_change before update on flow_versions for each row execute function refuse_change();

create function keep_with_flow() returns trigger language plpgsql as $$
begin
  if exists (select 1 from flows f where f.id = old.flow_id) then
    raise exception 'a version stays as long as its flow';
  end if;
  return old;
end $$;

create trigger flow_versions_stay before delete on flow_versions for each row execute function keep_with_flow();
