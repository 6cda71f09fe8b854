create table accounts (
  id text primary key,
  email text not null unique,
  password_hash text not null,
  plan text not null default 'prepaid',
  balance_micros bigint not null default 0,
  reserved_micros bigint not null default 0,
  created_at timestamptz not null default now(),
  constraint balance_covers_reservations check (reserved_micros between 0 and balance_micros)
);

-- The one-minute window lives beside the key: counting a request locks nothing else.
create table keys (
  id text primary key,
  account_id text not null references accounts (id),
  name text not null,
  hash bytea not null unique,
  last_four text not null,
  rate_limit integer check (rate_limit > 0),
  window_opened_at timestamptz,
  window_count integer not null default 0,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);

create index keys_by_account on keys (account_id, created_at);
