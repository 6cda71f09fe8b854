create table flows (
  id text primary key,
  account_id text not null references accounts (id),
  slug text not null,
  name text not null,
  description text,
  draft jsonb not null,
  revision integer not null default 1,
  published_version integer,
  longest_path integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, slug)
);

create table flow_versions (
  flow_id text not null references flows (id),
  version integer not null,
  name text not null,
  description text,
  definition jsonb not null,
  longest_path integer not null,
  published_at timestamptz not null default now(),
  primary key (flow_id, version)
);

create trigger flow_versions_never_change before update or delete on flow_versions for each row execute function refuse_change();
