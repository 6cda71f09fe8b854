import { Args, Command, Options } from "@effect/cli"
import { FileSystem } from "@effect/platform"
import { Console, Effect, Either, Exit, Option, Ref, Schema, Stream } from "effect"
import { Decision, DecisionSpec } from "#schema/Decision"
import { text as limited } from "#schema/Field"
import { InternalClient } from "#schema/InternalClient"
import { Limits } from "#schema/Limits"
import { accountId, accountOption } from "./account.ts"
import { json, print } from "./Output.ts"
import { progress } from "./Progress.ts"
import { readText } from "./readText.ts"
import { slices } from "./slices.ts"

/** A command that could not do what it was asked; the message says what is missing. */
class Undecided extends Schema.TaggedError<Undecided>()("Undecided", { message: Schema.String }) {}

const encoded = Schema.encodeSync(Decision)

const Text = limited(Limits.text)
const Line = Schema.parseJson(Schema.Union(Text, Schema.Struct({ text: Text })))
const textOf = (line: typeof Line.Type) => (typeof line === "string" ? line : line.text)

/** The texts of a JSONL file, of which empty lines are none, with the number of each line. */
const textsOf = Effect.fnUntraced(function* (file: string) {
  const lines = (yield* readText(file)).split("\n").map((line, i) => [line, i + 1] as const)
  return yield* Effect.forEach(
    lines.filter(([line]) => line.trim() !== ""),
    ([line, number]) =>
      Schema.decode(Line)(line).pipe(
        Effect.mapBoth({
          onSuccess: (read) => ({ text: textOf(read), line: number }),
          onFailure: () =>
            new Undecided({
              message: `Line ${number} is neither a text nor {"text": …}, of at most ${Limits.text} characters`
            })
        })
      )
  )
})

/** Whether two paths lead to one file; where there is none yet, they do not. */
const isSame = Effect.fnUntraced(function* (one: string, other: string) {
  const fs = yield* FileSystem.FileSystem
  const same = Effect.zipWith(fs.realPath(one), fs.realPath(other), (first, second) => first === second)
  return yield* Effect.orElseSucceed(same, () => false)
})

const spec = {
  template: Options.text("template").pipe(
    Options.withAlias("t"),
    Options.withDescription("A ready-made decision"),
    Options.optional
  ),
  type: Options.choice("type", ["choice", "yes_no", "score"]).pipe(Options.optional),
  question: Options.text("question").pipe(Options.withAlias("q"), Options.optional),
  options: Options.text("option").pipe(
    Options.withAlias("o"),
    Options.withDescription("An option or level, lowest first; give it several times"),
    Options.repeated
  ),
  model: Options.text("model").pipe(Options.withAlias("m"), Options.optional)
}

const given = (name: string, value: Option.Option<string>) =>
  Option.match(value, { onNone: () => ({}), onSome: (text) => ({ [name]: text }) })

const many = Effect.fn(function* (account: string, read: DecisionSpec, file: string, out: Option.Option<string>) {
  const client = yield* InternalClient
  const fs = yield* FileSystem.FileSystem
  if (Option.isSome(out) && (yield* isSame(file, out.value)))
    return yield* new Undecided({
      message: "--out is the file of the texts, which the answers would replace; name another file for them"
    })
  const texts = yield* textsOf(file)
  // A file that cannot be written is known before anything is paid for.
  if (Option.isSome(out)) yield* Effect.scoped(fs.open(out.value, { flag: "a" }))
  const results = yield* Ref.make(new Map<number, unknown>())
  const failed = yield* Ref.make(0)
  const bar = yield* progress(texts.length)
  const ask = Effect.gen(function* () {
    let from = 0
    for (const slice of slices(texts.map(({ text }) => text))) {
      const first = from
      yield* client.DecideMany({ account, spec: read, texts: slice }).pipe(
        Stream.runForEach(({ index, outcome }) =>
          Effect.gen(function* () {
            const answer = Either.match(outcome, {
              onLeft: (error) => ({ error: error._tag, message: error.message }),
              onRight: encoded
            })
            const at = first + index
            yield* Ref.update(results, (all) => all.set(at, { index: at, line: texts[at]?.line, ...answer }))
            if (Either.isLeft(outcome)) yield* Ref.update(failed, (n) => n + 1)
            yield* bar.step
          })
        )
      )
      from += slice.length
    }
  })
  const write = Effect.fnUntraced(function* (complete: boolean) {
    yield* bar.end
    const sorted = [...(yield* Ref.get(results))].sort(([a], [b]) => a - b).map(([, line]) => JSON.stringify(line))
    const printed = sorted.length > 0 ? Console.log(sorted.join("\n")) : Effect.void
    // What the file held before is kept where a run failed that has nothing to put in its place.
    if (Option.isNone(out) || (sorted.length === 0 && !complete)) return yield* printed
    yield* Effect.tapError(fs.writeFileString(out.value, sorted.map((line) => `${line}\n`).join("")), () => printed)
  })
  // What was decided is paid for: it is written, whatever ends the rest.
  yield* Effect.uninterruptibleMask((restore) =>
    Effect.exit(restore(ask)).pipe(
      Effect.tap((exit) => write(Exit.isSuccess(exit))),
      Effect.flatten
    )
  )
  if ((yield* Ref.get(failed)) > 0)
    return yield* new Undecided({ message: `${yield* Ref.get(failed)} texts were not decided` })
})

/** `svc decide`: asks about one text, or about each line of a JSONL file; fails where one got no answer, after it has written the others. */
export const decide = Command.make(
  "decide",
  {
    account: accountOption,
    ...spec,
    file: Options.file("file", { exists: "yes" }).pipe(
      Options.withAlias("f"),
      Options.withDescription('A JSONL file: a text or {"text": …} on each line'),
      Options.optional
    ),
    out: Options.file("out").pipe(Options.withDescription("Where to write the JSONL of answers"), Options.optional),
    json,
    text: Args.text({ name: "text" }).pipe(Args.optional)
  },
  ({ account, template, type, question, options, model, file, out, json, text }) =>
    Effect.gen(function* () {
      const client = yield* InternalClient
      const owner = yield* accountId(account)
      const read = yield* Schema.decodeUnknown(DecisionSpec)({
        ...given("template", template),
        ...given("type", type),
        ...given("question", question),
        ...given("model", model),
        ...(options.length === 0 ? {} : { options: [...options] })
      })
      const unclear = new Undecided({ message: "Give a text, or a file of texts with --file" })
      if (Option.isSome(file)) return yield* Option.isSome(text) ? unclear : many(owner, read, file.value, out)
      if (Option.isNone(text)) return yield* unclear
      if (Option.isSome(out))
        return yield* new Undecided({ message: "--out is for the answers about a file; give the texts with --file" })
      const decision = yield* client.Decide({ account: owner, spec: read, text: text.value })
      yield* print(json, Decision, decision, ({ probabilities }) =>
        Object.entries(probabilities)
          .sort(([, a], [, b]) => b - a)
          .slice(0, 12)
          .map(([answer, probability]) => ({ answer, probability: probability.toFixed(4) }))
      )
    })
).pipe(Command.withDescription("Decide about a text, or about every line of a file"))
