import {
  FetchHttpClient,
  HttpApiClient,
  HttpApiError,
  HttpClient,
  HttpClientError,
  HttpClientRequest,
  HttpClientResponse
} from "@effect/platform"
import { Cause, Data, Duration, Effect, Exit, FiberRef, ParseResult } from "effect"
import { ConsoleApi } from "#schema/ConsoleApi"
import { accountHeader, guardHeader, NotSignedIn } from "#schema/console/Access"
import { StandardError } from "#schema/ErrorBodies"
import { InvalidRequest } from "#schema/Errors"
import { FlowConflict } from "#schema/FlowDraft"
import { details } from "#schema/Validation"
import { lines, wrong } from "./wrong.ts"

/** An answer that is not the wanted one, in words for the person at the screen; with the request's id where there was an answer. */
export class Failure extends Data.Error<{
  readonly message: string
  readonly requestId: string | null
  /** The revision that a flow has by now, where the request was based on an older one. */
  readonly conflict?: number
}> {}

/** What went wrong, in words; a fault of the page itself has no better ones. */
export const asFailure = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure({ message: "Something went wrong in this page. Reload it.", requestId: null })

/** The id under which the service knows the request of this fiber. */
const requestId = FiberRef.unsafeMake<string | null>(null)

let account: string | undefined

/** From now on the pages show this account, and ask the service on its behalf alone. */
export const actFor = (id: string | undefined) => {
  account = id
}

const client = HttpApiClient.make(ConsoleApi, {
  transformClient: (http) =>
    http.pipe(
      HttpClient.mapRequest(HttpClientRequest.setHeader(guardHeader, "1")),
      HttpClient.mapRequest((request) =>
        account === undefined ? request : HttpClientRequest.setHeader(request, accountHeader, account)
      ),
      HttpClient.tap(({ headers }) => FiberRef.set(requestId, headers["x-request-id"] ?? null)),
      HttpClient.withTracerDisabledWhen(() => true)
    )
}).pipe(Effect.provide(FetchHttpClient.layer), Effect.runSync)

/** The service as the console's pages ask it, derived from its interface. */
export type Api = typeof client

const words = (error: unknown, answered: boolean): Effect.Effect<string> => {
  if (error instanceof HttpApiError.HttpApiDecodeError) return Effect.succeed(lines(details(error.issues, "body")))
  if (error instanceof InvalidRequest) return Effect.succeed(lines(error.detail))
  if (error instanceof HttpClientError.ResponseError)
    return HttpClientResponse.schemaBodyJson(StandardError)(error.response).pipe(
      Effect.map(({ detail }) => detail.message),
      Effect.orElseSucceed(() => `The service answered ${error.response.status}.`)
    )
  if (error instanceof HttpClientError.RequestError)
    return Effect.succeed("The service cannot be reached. Check the connection and try again.")
  if (ParseResult.isParseError(error))
    return Effect.succeed(answered ? "The service has changed since this page was loaded. Reload it." : wrong(error))
  return Effect.succeed(error instanceof Error ? error.message : String(error))
}

let sessionEnded: () => void = () => {}

/** Called when the service no longer knows the session. */
export const onSessionEnd = (listener: () => void) => {
  sessionEnded = listener
}

/** How long models may take for what they are paid for: the service itself gives up after four minutes. */
export const untilAnswered = Duration.minutes(5)

/** Asks the service; rejects with `Failure`. Gives up when `signal` aborts, and where no answer comes within `patience`. */
export const call = async <A, E>(
  ask: (api: Api) => Effect.Effect<A, E>,
  {
    signal,
    patience = Duration.minutes(1)
  }: { readonly signal?: AbortSignal; readonly patience?: Duration.Duration } = {}
): Promise<A> => {
  const asked = ask(client).pipe(
    Effect.tapError((error) => Effect.sync(() => error instanceof NotSignedIn && sessionEnded())),
    Effect.catchAll((error) =>
      Effect.gen(function* () {
        const id = yield* FiberRef.get(requestId)
        return yield* new Failure({
          message: yield* words(error, id !== null),
          requestId: id,
          ...(error instanceof FlowConflict ? { conflict: error.revision } : {})
        })
      })
    ),
    // A connection may be lost without a sign.
    Effect.timeoutFail({
      duration: patience,
      onTimeout: () =>
        new Failure({ message: "The service does not answer. Check the connection and try again.", requestId: null })
    })
  )
  const exit = await Effect.runPromiseExit(asked, signal === undefined ? {} : { signal })
  if (Exit.isSuccess(exit)) return exit.value
  throw Cause.squash(exit.cause)
}
