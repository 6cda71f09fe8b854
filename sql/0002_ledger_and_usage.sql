-- balance_micros of an account is the sum of its entries at every commit: nothing else may change it.
create table ledger (
  id bigint generated always as identity primary key,
  account_id text not null references accounts (id),
  kind text not null check (kind in ('credit', 'charge', 'refund')),
  micros bigint not null check (case kind when 'credit' then micros > 0 when 'refund' then micros >= 0 else micros <= 0 end),
  decisions integer not null default 0 check (decisions >= 0),
  key_id text references keys (id),
  reference text not null,
  created_at timestamptz not null default clock_timestamp(),
  unique (account_id, kind, reference)
);

create index ledger_by_account on ledger (account_id, created_at);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

create trigger ledger_is_append_only before update or delete on ledger for each row execute function refuse_change();
create trigger ledger_is_never_emptied before truncate on ledger for each statement execute function refuse_change();

create table usage_days (
  account_id text not null references accounts (id),
  key_id text not null,
  day date not null,
  requests bigint not null default 0,
  decisions bigint not null default 0,
  cost_micros bigint not null default 0,
  primary key (account_id, day, key_id)
);

-- A running instance; what a dead one has reserved is given back.
create table instances (
  id text primary key,
  seen_at timestamptz not null default clock_timestamp()
);

-- Once charged, a reservation holds nothing; it stays until the answer has been sent, unless that is kept for a retry:
-- an instance that dies in between leaves a charge without an answer, which is refunded.
create table reservations (
  request_id text primary key,
  account_id text not null references accounts (id),
  key_id text,
  instance_id text not null,
  micros bigint not null check (micros >= 0),
  charged boolean not null default false,
  replay_key text,
  created_at timestamptz not null default clock_timestamp()
);

create index reservations_by_instance on reservations (instance_id);

-- Answers kept for retries; body is null while the first attempt runs, replayed once a retry has got it.
create table answers (
  account_id text not null references accounts (id),
  replay_key text not null,
  request_hash text not null,
  request_id text not null,
  instance_id text not null,
  status integer,
  headers jsonb,
  body text,
  replayed boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  primary key (account_id, replay_key)
);

create index answers_by_age on answers (created_at);
