-- A session is known by the hash of its cookie; its end moves on while it is used, up to a last day.
create table sessions (
  hash bytea primary key,
  account_id text not null references accounts (id),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);

create index sessions_by_account on sessions (account_id);
create index sessions_by_end on sessions (expires_at);

-- Tries at a password, or accounts made, in a window of time; the scope is a hash of who tried what from where.
create table attempts (
  scope bytea primary key,
  opened_at timestamptz not null,
  count integer not null
);

create index attempts_by_age on attempts (opened_at);
