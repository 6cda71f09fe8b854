import { expect } from "bun:test"
import { Effect, Layer, Option, Redacted, Tracer } from "effect"
import { InternalClient } from "#schema/InternalClient"
import { TestApp, testApp } from "#test/support/app"
import { withLayer } from "#test/support/effect"

const token = "0123456789abcdef0123456789abcdef"

/** Every span that was begun, by name and trace. */
const begun: Array<{ readonly name: string; readonly trace: string; readonly parent: string | undefined }> = []
let ids = 0

const tracer = Tracer.make({
  context: (run) => run(),
  span: (name, parent, context, links, startTime, kind) => {
    const traceId = Option.match(parent, { onNone: () => `trace ${++ids}`, onSome: (above) => above.traceId })
    begun.push({ name, trace: traceId, parent: Option.getOrUndefined(Option.map(parent, ({ spanId }) => spanId)) })
    const attributes = new Map<string, unknown>()
    return {
      _tag: "Span",
      name,
      parent,
      context,
      kind,
      traceId,
      attributes,
      spanId: `span ${++ids}`,
      sampled: true,
      links: [...links],
      status: { _tag: "Started", startTime },
      end: () => {},
      attribute: (key, value) => void attributes.set(key, value),
      event: () => {},
      addLinks: () => {}
    }
  }
})

const layer = Layer.unwrapEffect(
  Effect.map(TestApp, ({ base }) => InternalClient.layer({ url: `${base}/rpc`, token: Redacted.make(token) }))
).pipe(
  Layer.provideMerge(testApp({ settings: { internalTokens: [{ name: "test", token: Redacted.make(token) }] } })),
  Layer.provideMerge(Layer.setTracer(tracer))
)

withLayer(layer)("The spans of an internal call", (it) => {
  it("join the caller's trace, down to the model", () =>
    Effect.gen(function* () {
      const client = yield* InternalClient
      const { accountId: account } = yield* (yield* TestApp).customer()
      yield* client.Decide({ account, spec: { template: "spam" }, text: "hello" }).pipe(Effect.withSpan("mail arrives"))
      const trace = begun.find(({ name }) => name === "mail arrives")?.trace
      const joined = begun.filter((span) => span.trace === trace).map(({ name }) => name)
      expect(joined).toEqual(expect.arrayContaining(["RpcClient.Decide", "RpcServer.Decide", "Answers.ask"]))
    }))
})
