import { Either } from "effect"
import type { FlowFault } from "#schema/FlowFault"
import type { AskNode, Condition, FlowEdge } from "#schema/FlowGraph"
import type { QuestionType } from "#schema/Question"
import { type Plan, unnamed } from "./Plan.ts"
import type { Question } from "./Question.ts"
import { called, fault, few, type Rule } from "./Rule.ts"
import { namedBy } from "./Walk.ts"

interface Asking {
  readonly node: AskNode
  readonly question: Either.Either<Question, ReadonlyArray<string>>
  readonly leaving: ReadonlyArray<FlowEdge>
}

/** A rule that looks at one question with the edges that leave it. */
const ofEach =
  (rule: (asking: Asking) => ReadonlyArray<FlowFault>): Rule =>
  ({ nodes, questions, leaving }: Plan) =>
    [...questions].flatMap(([id, question]) => {
      const node = nodes.get(id)
      return node?.kind === "ask" ? rule({ node, question, leaving: leaving(id) }) : []
    })

/** What a request may leave empty, but nobody who draws means to. */
const unwritten = ({ spec: { template, question = "", options = [] } }: Question): ReadonlyArray<string> => [
  ...(template === undefined && question.trim() === "" ? ["its question has no text"] : []),
  ...(options.some(({ name }) => name.trim() === "") ? ["one of its options has no name"] : [])
]

const specs = ofEach(({ node, question }) =>
  Either.match(question, { onLeft: (sentences) => sentences, onRight: unwritten }).map((sentence) =>
    fault("bad_spec", `${called(node)} cannot be asked: ${sentence}.`, { node: node.id })
  )
)

const kindOf: Record<QuestionType, "option" | "answer" | "levels"> = {
  choice: "option",
  yes_no: "answer",
  score: "levels"
}

const options = ofEach(({ node, question, leaving }) => {
  if (Either.isLeft(question)) return []
  const { type, answers } = question.right
  return leaving.flatMap(({ id, when }) => {
    const bad = (how: string) => [fault("bad_option", `The edge '${id}' ${how}.`, { node: node.id, edge: id })]
    const names = namedBy(when)
    if (names.length > 0 && !(kindOf[type] in when))
      return bad(`has to name its answer as '${kindOf[type]}', since the question is of type '${type}'`)
    const strange = names.filter((name) => !answers.includes(name))
    return strange.length === 0 ? [] : bad(`names ${few(strange)}, but the question's answers are ${few(answers)}`)
  })
})

const claims = (when: Condition): ReadonlyArray<string> => {
  if ("confidence_below" in when) return [`confidence_below ${when.confidence_below}`]
  return "otherwise" in when ? ["otherwise"] : [...new Set(namedBy(when))].map((name) => `the answer '${name}'`)
}

const duplicates = ofEach(({ node, leaving }) => {
  const seen = new Set<string>()
  return leaving.flatMap(({ id, when }) => {
    const again = claims(when).filter((claim) => seen.has(claim))
    for (const claim of claims(when)) seen.add(claim)
    const message = `The edge '${id}' takes ${few(again)}, which another edge of the question takes already.`
    return again.length === 0 ? [] : [fault("duplicate_edge", message, { node: node.id, edge: id })]
  })
})

const waysOn = ofEach(({ node, question, leaving }) => {
  if (Either.isLeft(question) || leaving.some(({ when }) => "otherwise" in when)) return []
  const answers = unnamed(question.right, leaving)
  const message = `${called(node)} has no way on for ${few(answers)}; add one, or an otherwise.`
  return answers.length === 0 ? [] : [fault("missing_way", message, { node: node.id, answers })]
})

/** What holds of each question: it can be asked, and each of its answers has one way on. */
export const branchRules: ReadonlyArray<Rule> = [specs, options, duplicates, waysOn]
