import { Headers, HttpClient, HttpClientRequest, type HttpClientResponse } from "@effect/platform"
import { Context, Effect, Either, Encoding, Layer, Option, Predicate, type Redacted, Schema } from "effect"
import { Inside } from "../models/Manifest.ts"
import { Broken } from "./Broken.ts"
import { HubFailed } from "./HubFailed.ts"

/** A file as the hub lists it: large ones by their SHA-256, all by their id in git. */
const Sibling = Schema.Struct({
  rfilename: Inside,
  size: Schema.Int,
  blobId: Schema.String,
  lfs: Schema.optional(Schema.NullOr(Schema.Struct({ sha256: Schema.String })))
})

const Info = Schema.Struct({
  sha: Schema.String.pipe(Schema.pattern(/^[0-9a-f]{7,64}$/)),
  lastModified: Schema.optionalWith(Schema.String, { default: () => "" }),
  siblings: Schema.Array(Sibling),
  // Written by hand, and not always as it should be.
  cardData: Schema.optional(
    Schema.NullOr(
      Schema.Struct({ license: Schema.optional(Schema.Unknown), language: Schema.optional(Schema.Unknown) })
    )
  )
})

/** A file of a model, and what it must be. */
export interface HubFile {
  readonly path: string
  readonly bytes: number
  /** SHA-256 of the content, or the SHA-1 that git has for it. */
  readonly hash: { readonly sha256: string } | { readonly git: string }
}

/** One state of a model on a hub. */
export interface HubModel {
  /** Address of the model, without the state. */
  readonly url: string
  readonly id: string
  readonly commit: string
  readonly released: string
  readonly licence: string
  readonly languages: ReadonlyArray<string>
  readonly files: ReadonlyArray<HubFile>
}

/** A model's place on a hub. */
export interface Address {
  /** The hub, such as `https://huggingface.co`. */
  readonly base: string
  /** `owner/model`. */
  readonly id: string
  readonly revision: string
}

/** The words of an entry that is one, or a list of them. */
const some = (entry: unknown): ReadonlyArray<string> => [entry].flat().filter(Predicate.isString)

/** Reads `owner/model` on the hub at `base`, or the address of a model's page. */
export const addressOf = (given: string, base: string, revision: string): Effect.Effect<Address, HubFailed> => {
  const name = "[\\w-][\\w.-]*"
  const page = new RegExp(`^(https?://[^/]+)/(${name}(?:/${name})?)(?:/tree/([^/]+))?/?$`).exec(given)
  if (page !== null) {
    const [, hub = base, id = "", tree = encodeURIComponent(revision)] = page
    return Effect.succeed({
      base: hub,
      id,
      revision: Either.getOrElse(Encoding.decodeUriComponent(tree), () => tree)
    })
  }
  return new RegExp(`^${name}(?:/${name})?$`).test(given)
    ? Effect.succeed({ base: base.replace(/\/+$/, ""), id: given, revision })
    : new HubFailed({ message: `${given} is no model of a hub; give owner/model, or the address of its page.` })
}

/** The hub that is meant where none is named, and a token for it. */
export interface Access {
  readonly hub: string
  readonly token: Option.Option<Redacted.Redacted>
}

/** A model hub with the interface of Hugging Face's. */
export class Hub extends Context.Tag("svc/Hub")<
  Hub,
  {
    readonly model: (address: Address) => Effect.Effect<HubModel, HubFailed>
    /** The content of a file from the byte `from` on; the response says by its status where it begins. Fails with what a retry may heal. */
    readonly open: (
      model: HubModel,
      path: string,
      from: number
    ) => Effect.Effect<HttpClientResponse.HttpClientResponse, HubFailed | Broken>
  }
>() {
  /** The token goes to its own hub alone. */
  static readonly layer = ({ hub, token }: Access) =>
    Layer.effect(
      Hub,
      Effect.gen(function* () {
        const client = yield* HttpClient.HttpClient
        const home = `${hub.replace(/\/+$/, "")}/`
        const get = Effect.fnUntraced(function* (url: string, headers: Record<string, string> = {}) {
          const request = HttpClientRequest.get(url).pipe(
            HttpClientRequest.setHeaders(headers),
            // Bytes are counted as they are: what is compressed on the way cannot be resumed.
            HttpClientRequest.setHeader("accept-encoding", "identity")
          )
          const authorized = Option.match(url.startsWith(home) ? token : Option.none(), {
            onNone: () => request,
            onSome: (secret) => HttpClientRequest.bearerToken(request, secret)
          })
          const response = yield* client
            .execute(authorized)
            .pipe(Effect.mapError(() => new Broken({ message: `${url} cannot be reached` })))
          const { status } = response
          if (status === 401 || status === 403)
            return yield* new HubFailed({
              message: `${url} is not there, or not open to everybody (HTTP ${status}); check the name, or accept its terms on the hub and set HUB_TOKEN to a token of yours, which ${home} alone gets.`
            })
          if (status === 404)
            return yield* new HubFailed({ message: `${url} is not there (HTTP 404); check the name.` })
          if (status === 429 || status >= 500) return yield* new Broken({ message: `${url} answered HTTP ${status}` })
          if (status >= 400 && status !== 416)
            return yield* new HubFailed({ message: `${url} answered HTTP ${status}.` })
          return response
        })

        return Hub.of({
          model: Effect.fn("Hub.model")(function* ({ base, id, revision }) {
            const url = `${base}/api/models/${id}/revision/${encodeURIComponent(revision)}?blobs=true`
            const info = yield* get(url).pipe(
              Effect.flatMap((response) => response.json),
              Effect.flatMap(Schema.decodeUnknown(Info)),
              Effect.catchTags({
                Broken: ({ message }) => new HubFailed({ message: `${message}; try again.` }),
                ResponseError: () => new HubFailed({ message: `${url} gave no JSON; is this a model hub?` }),
                ParseError: () => new HubFailed({ message: `${url} does not describe a model; is this a model hub?` })
              })
            )
            return {
              url: `${base}/${id}`,
              id,
              commit: info.sha,
              released: info.lastModified.slice(0, 10),
              licence: some(info.cardData?.license).join(", ") || "unknown",
              languages: some(info.cardData?.language),
              files: info.siblings.map(({ rfilename, size, blobId, lfs }) => ({
                path: rfilename,
                bytes: size,
                hash: lfs ? { sha256: lfs.sha256 } : { git: blobId }
              }))
            }
          }),
          open: ({ url, commit }, path, from) =>
            get(
              `${url}/resolve/${commit}/${path.split("/").map(encodeURIComponent).join("/")}`,
              from === 0 ? {} : { range: `bytes=${from}-` }
            )
        })
      })
    )
}

/** Where the content of a response begins in its file. */
export const beginOf = ({ status, headers }: HttpClientResponse.HttpClientResponse): number =>
  status === 206
    ? Number(/^bytes (\d+)-/.exec(Option.getOrElse(Headers.get(headers, "content-range"), () => ""))?.[1])
    : 0
