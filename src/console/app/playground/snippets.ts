import { asked, askPayload, type Draft, type DraftQuestion, isNested, stateOf } from "./draft.ts"

/** The languages that a request is shown in. */
export const languages = [
  ["curl", "curl"],
  ["typescript", "TypeScript"],
  ["python", "Python"]
] as const
/** One of them, by its id. */
export type SnippetLanguage = (typeof languages)[number][0]

const indented = (value: unknown, depth: number) =>
  JSON.stringify(value, null, 2).replaceAll("\n", `\n${"  ".repeat(depth)}`)

const body = (draft: Draft): readonly [path: string, body: Record<string, unknown>] => {
  const cache = draft.cache ? {} : { cache: false }
  if (draft.asking === "template")
    return ["/v1/decide", { template: draft.template, text: draft.state, model: draft.model, ...cache }]
  const { state, model, questions } = askPayload(draft)
  return ["/v1/systemone", { state, model, questions: Object.fromEntries(questions), ...cache }]
}

const curl = (draft: Draft) => {
  const [path, json] = body(draft)
  return `curl ${location.origin}${path} \\
  -H "Authorization: Bearer $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '${indented(json, 1).replaceAll("'", "'\\''")}'`
}

const key = (id: string) => (/^[A-Za-z_$][\w$]*$/.test(id) ? id : JSON.stringify(id))

const built = (one: DraftQuestion) => {
  const { instructions = null, criteria } = asked(one)
  const parts = [instructions, ...(criteria === undefined ? [] : [criteria])].map((part) => indented(part, 2))
  return `${one.type}(${parts.join(", ")})`
}

const typescript = (draft: Draft) => {
  if (draft.asking === "template") {
    const [path, json] = body(draft)
    return `const response = await fetch("${location.origin}${path}", {
  method: "POST",
  headers: { Authorization: \`Bearer \${process.env.API_KEY}\`, "Content-Type": "application/json" },
  body: JSON.stringify(${indented(json, 1)})
})
const { decision, confidence } = await response.json()
console.log(decision, confidence)`
  }
  const used = [...new Set(draft.questions.map(({ type }) => type))].sort()
  const fields = { choice: "choice", noul: "noul", score: "score" }
  const state = indented(stateOf(draft), 1)
  const digits =
    indented(JSON.parse(state), 1) === state
      ? ""
      : "// JavaScript rounds a number as long as one of the state here: send it as a text, or ask in another language.\n"
  const cache = draft.cache ? "" : "// The SDK has no option for the cache: this may be answered from it.\n"
  return `import { TypeSafeClient, ${used.join(", ")} } from "@typesafe-ai/sdk"

const client = new TypeSafeClient({ baseURL: "${location.origin}", apiKey: process.env.API_KEY })
${digits}${cache}const { answers } = await client.systemOne({
  model: ${JSON.stringify(draft.model)},
  state: ${state},
  questions: {
${draft.questions.map((one) => `    ${key(one.id)}: ${built(one)}`).join(",\n")}
  }
})
${draft.questions.map(({ id, type }) => `console.log(answers${/^[A-Za-z_$][\w$]*$/.test(id) ? `.${id}` : `[${JSON.stringify(id)}]`}.${fields[type]})`).join("\n")}`
}

const pythonic = (value: unknown, depth: number): string => {
  const pad = "    ".repeat(depth + 1)
  const end = `\n${"    ".repeat(depth)}`
  if (value === null) return "None"
  if (typeof value === "boolean") return value ? "True" : "False"
  const json = JSON.stringify(value)
  // A number that keeps its digits is an object until it is written.
  if (typeof value !== "object" || !isNested(json)) return json
  const entries = Array.isArray(value)
    ? value.map((item) => pythonic(item, depth + 1))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${pythonic(item, depth + 1)}`)
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"]
  return entries.length === 0
    ? open + close
    : `${open}\n${entries.map((entry) => pad + entry).join(",\n")}${end}${close}`
}

const python = (draft: Draft) => {
  const [path, json] = body(draft)
  return `import os
import requests

response = requests.post(
    "${location.origin}${path}",
    headers={"Authorization": f"Bearer {os.environ['API_KEY']}"},
    json=${pythonic(json, 1)},
)
response.raise_for_status()
print(response.json()${draft.asking === "template" ? '["decision"]' : '["answers"]'})`
}

const write: Record<SnippetLanguage, (draft: Draft) => string> = { curl, typescript, python }

/** The draft as a program that asks the same; the key is read from the environment. */
export const snippet = (language: SnippetLanguage, draft: Draft): string => {
  try {
    return write[language](draft)
  } catch {
    return "The state is not valid JSON yet."
  }
}
