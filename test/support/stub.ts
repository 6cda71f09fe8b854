import { type Context, Layer } from "effect"

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/**
 * A service of which only some methods are there: `stub(Keys)({ list: () => Effect.succeed([]) })`.
 * What is used and not there fails with the service's name and the method's.
 */
export const stub =
  <I, S extends object>(tag: Context.Tag<I, S>) =>
  (methods: Partial<S>): Layer.Layer<I> => {
    const missing = (name: PropertyKey) => {
      throw new Error(`${tag.key} has no "${String(name)}" in this test: give it to stub(…)`)
    }
    const service = new Proxy(methods, {
      get: (target, name, receiver) => (name in target ? Reflect.get(target, name, receiver) : missing(name))
    })
    const isService = (value: unknown): value is S => isObject(value)
    return isService(service) ? Layer.succeed(tag, service) : Layer.die(new Error(`${tag.key} cannot be stubbed`))
  }
