-- Models registered while the service runs; their folders lie in MODELS_DIR of every instance.
-- A removed one keeps its row: its folder may still be there, and must not be served.
create table models (
  name text primary key,
  account_id text references accounts (id),
  description text not null,
  release_date text not null,
  checksum text not null,
  registered_at timestamptz not null default clock_timestamp(),
  removed_at timestamptz
);

create index models_by_account on models (account_id);
