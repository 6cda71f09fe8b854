import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/** Accounts whose books are wrong: the balance is the sum of the entries, what is held the sum of the reservations. */
export const wrongBooks = Effect.flatMap(
  SqlClient,
  (sql) => sql`
    select a.id, a.balance_micros, a.reserved_micros from accounts a
    where a.balance_micros <> (select coalesce(sum(micros), 0) from ledger l where l.account_id = a.id)
      or a.reserved_micros <> (select coalesce(sum(micros), 0) from reservations r where r.account_id = a.id)
      or (select coalesce(sum(-micros), 0) from ledger l where l.account_id = a.id and l.kind <> 'credit')
        <> (select coalesce(sum(cost_micros), 0) from usage_days u where u.account_id = a.id)`
)
