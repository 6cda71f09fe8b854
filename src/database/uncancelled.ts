import type { Pool } from "pg"

/**
 * Lets statements end by themselves that are given up. The driver would have them cancelled, over another connection and by the number of the
 * process that serves theirs: by then that may serve somebody else's statement.
 */
export const uncancelled = (pool: Pool): Pool =>
  pool
    .on("connect", (client) => {
      Object.defineProperty(client, "processID", { value: undefined })
    })
    // An idle connection that breaks is replaced; without a listener the process would end.
    .on("error", () => {})
