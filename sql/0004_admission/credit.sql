-- Credits an account once per reference and returns the new balance; a repeated reference changes nothing.
create or replace function credit(account text, amount bigint, reference text) returns bigint language plpgsql as $$
declare
  balance bigint;
begin
  perform 1 from accounts a where a.id = account for no key update;
  insert into ledger (account_id, kind, micros, reference) values (account, 'credit', amount, credit.reference) on conflict do nothing;
  if found then
    update accounts a set balance_micros = a.balance_micros + amount where a.id = account;
  end if;
  select a.balance_micros into balance from accounts a where a.id = account;
  return balance;
end $$;
