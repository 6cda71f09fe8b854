/** One thing a client wants answered, however often it has to ask; only once where it has no Idempotency-Key. */
export interface Job {
  readonly key: string
  readonly keyed: boolean
  readonly text: string
  attempts: number
  answer?: string
}

/** What clients saw while one fault went on. */
export interface Seen {
  readonly jobs: ReadonlyArray<Job>
  requests: number
  /** 503 and 529. */
  unavailable: number
  /** Connections that were refused, reset or given up. */
  broken: number
  /** Other statuses than 200, 503 and 529, and how often. */
  readonly other: Map<number, number>
  /** When requests that were answered with 200 began and ended. */
  readonly answered: Array<readonly [begun: number, ended: number]>
}

const clients = 8
/** Those of them that send no Idempotency-Key and never ask again. */
const plain = 2
const patience = 10_000
const longest = 120_000

const post = (base: string, apiKey: string, { key, keyed, text }: Job) =>
  fetch(`${base}/v1/decide`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, ...(keyed ? { "idempotency-key": key } : {}) },
    body: JSON.stringify({ template: "spam", text, cache: false }),
    // Who gives up may miss an answer that is on its way; without a key nobody could tell.
    signal: AbortSignal.timeout(keyed ? patience : longest)
  }).then(async (response) => ({ status: response.status, body: await response.text() }))

/** The id under which an answer was charged. */
export const requestIdOf = (answer: string): string => {
  const body: unknown = JSON.parse(answer)
  return typeof body === "object" && body !== null && "request_id" in body ? String(body.request_id) : ""
}

/** Clients that ask one instance after another until each job is answered, always under the job's Idempotency-Key; a few of them without one where `once`. */
export const startLoad = (bases: ReadonlyArray<string>, apiKey: string, once: boolean) => {
  const jobs: Array<Job> = []
  const seen: Seen = { jobs, requests: 0, unavailable: 0, broken: 0, other: new Map(), answered: [] }
  let stopping = false
  let turn = 0

  const attempt = async (job: Job) => {
    const begun = performance.now()
    job.attempts++
    seen.requests++
    try {
      const { status, body } = await post(bases[turn++ % bases.length] ?? "", apiKey, job)
      if (status === 200) {
        job.answer = body
        seen.answered.push([begun, performance.now()])
      } else if (status === 503 || status === 529) seen.unavailable++
      else seen.other.set(status, (seen.other.get(status) ?? 0) + 1)
    } catch {
      seen.broken++
    }
  }

  const client = async (keyed: boolean) => {
    while (!stopping) {
      const key = crypto.randomUUID()
      const job: Job = { key, keyed, text: `Is this one of many? ${key}`, attempts: 0 }
      jobs.push(job)
      const begun = performance.now()
      for (
        let pause = 20;
        job.answer === undefined && performance.now() - begun < longest;
        pause = Math.min(500, pause * 2)
      ) {
        await attempt(job)
        await Bun.sleep(job.answer === undefined ? pause : 20)
        if (!keyed) break
      }
    }
  }

  const running = Array.from({ length: clients }, (_, i) => client(!once || i >= plain))
  return {
    seen,
    /** Begins no new job and waits for those that are begun. */
    stop: async () => {
      stopping = true
      await Promise.all(running)
    },
    /** Milliseconds from `moment` to the first answer to a request that began after it; waits for that. */
    answeredAfter: async (moment: number) => {
      const giveUp = moment + 60_000
      while (performance.now() < giveUp) {
        const first = seen.answered.find(([begun]) => begun >= moment)
        if (first !== undefined) return first[1] - moment
        await Bun.sleep(10)
      }
      return Number.POSITIVE_INFINITY
    }
  }
}

/** Asks once more for what had to be asked for repeatedly; how many get another answer than the one they had. */
export const askedAgain = async (base: string, apiKey: string, jobs: ReadonlyArray<Job>) => {
  let different = 0
  for (const job of jobs.filter(({ keyed, attempts, answer }) => keyed && attempts > 1 && answer !== undefined)) {
    const { status, body } = await post(base, apiKey, job)
    if (status !== 200 || body !== job.answer) different++
  }
  return different
}
