import { type Draft, firstDraft, option, question } from "./draft.ts"

const through = async (bytes: Uint8Array<ArrayBuffer>, transform: CompressionStream | DecompressionStream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer())

/** The address of the playground with the draft in its hash; a draft has no secret in it, and a hash is not sent to the server. */
export const linkTo = async (draft: Draft): Promise<string> => {
  const questions = draft.questions.map(({ key: _, options, ...rest }) => ({
    ...rest,
    options: options.map(({ name, description }) => ({ name, description }))
  }))
  const packed = await through(
    new TextEncoder().encode(JSON.stringify({ ...draft, questions })),
    new CompressionStream("deflate-raw")
  )
  const hash = btoa(String.fromCharCode(...packed))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")
  return `${location.origin}/console/playground#${hash}`
}

const isRecord = (input: unknown): input is Record<string, unknown> =>
  typeof input === "object" && input !== null && !Array.isArray(input)
const text = (input: unknown, otherwise = "") => (typeof input === "string" ? input : otherwise)
const items = (input: unknown) => (Array.isArray(input) ? input.filter(isRecord) : [])
const oneOf = <Value extends string>(input: unknown, first: Value, ...others: ReadonlyArray<Value>): Value =>
  others.find((value) => value === input) ?? first

const read = (input: unknown): Draft | undefined => {
  if (!isRecord(input)) return undefined
  return {
    stateKind: oneOf(input.stateKind, "text", "json"),
    state: text(input.state),
    model: text(input.model, "svc-auto"),
    cache: input.cache !== false,
    asking: oneOf(input.asking, "questions", "template"),
    template: text(input.template, "support_intent"),
    questions: items(input.questions)
      .slice(0, 32)
      .map((one) =>
        question(text(one.id), {
          type: oneOf(one.type, "choice", "noul", "score"),
          instructions: text(one.instructions),
          yes: text(one.yes),
          no: text(one.no),
          options: items(one.options)
            .slice(0, 255)
            .map(({ name, description }) => option(text(name), text(description)))
        })
      )
  }
}

/** The draft that the page's address holds, else the first one. */
export const draftInAddress = async (): Promise<Draft> => {
  const hash = location.hash.slice(1)
  if (hash === "") return firstDraft()
  try {
    const bytes = Uint8Array.from(atob(hash.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0))
    const json: unknown = JSON.parse(
      new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")))
    )
    return read(json) ?? firstDraft()
  } catch {
    return firstDraft()
  }
}
