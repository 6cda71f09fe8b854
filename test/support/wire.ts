/** What a client sent and got: a `fetch` to hand to it, and the exchanges so far. */
export const recorder = (
  around: (send: () => Promise<Response>, attempt: number) => Promise<Response> = (send) => send()
) => {
  const sent: Array<{ readonly url: string; readonly headers: Headers; readonly status: number | undefined }> = []
  const record = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const headers = new Headers(init?.headers)
    let status: number | undefined
    try {
      const response = await around(async () => {
        const answer = await fetch(url, init)
        status = answer.status
        return answer
      }, sent.length)
      return response
    } finally {
      sent.push({ url: String(url), headers, status })
    }
  }
  return { fetch: record, sent }
}
