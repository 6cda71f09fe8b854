import { availableParallelism } from "node:os"
import { Config, ConfigError, Context, Either, Layer, Redacted } from "effect"
import { normalEmail } from "./accounts/Email.ts"
import { proxiesOf } from "./http/Proxies.ts"

// Effect's own integers take a setting that is there but empty for 0, which makes decisions free.
const within = (name: string, least: number, most: number) =>
  Config.string(name).pipe(
    Config.validate({
      message: `should be a whole number from ${least} to ${most}`,
      validation: (text) => /^\s*[+-]?\d+\s*$/.test(text) && Number(text) >= least && Number(text) <= most
    }),
    Config.map(Number)
  )
const whole = (name: string, standard: number, least: number, most: number) =>
  Config.withDefault(within(name, least, most), standard)

const postgresUrl = Config.string("DATABASE_URL").pipe(
  Config.validate({
    message: "should be an address like postgresql://user:password@host:5432/database",
    validation: (url) => /^postgres(ql)?:\/\/./.test(url)
  }),
  Config.map(Redacted.make)
)

const path = (name: string, standard: string) =>
  Config.string(name).pipe(
    Config.validate({ message: "should be a folder", validation: (text) => text !== "" }),
    Config.withDefault(standard)
  )

/** What stands between commas; nothing where a setting is there but empty. */
const list = (name: string) =>
  Config.string(name).pipe(
    Config.withDefault(""),
    Config.map((text) => (text.trim() === "" ? [] : text.split(",").map((one) => one.trim())))
  )

const tokens = (name: string) =>
  list(name).pipe(
    Config.mapOrFail((all) =>
      all.every((one) => /^[\w-]+:\S{24,}$/.test(one))
        ? Either.right(
            all.map((one) => ({
              name: one.slice(0, one.indexOf(":")),
              token: Redacted.make(one.slice(one.indexOf(":") + 1))
            }))
          )
        : Either.left(
            ConfigError.InvalidData(
              [name],
              "should be one or more of name:token, separated by commas, each token of 24 characters or more"
            )
          )
    )
  )

const proxies = (name: string) =>
  list(name).pipe(
    Config.mapOrFail((texts) =>
      Either.fromOption(proxiesOf(texts), () =>
        ConfigError.InvalidData([name], "should be addresses or networks like 10.0.0.0/8, separated by commas")
      )
    )
  )

/** Folder of model bundles. */
export const modelsDir = path("MODELS_DIR", "./models")

const settings = Config.all({
  /** TCP port of the HTTP interface; 0 takes a free one. */
  port: whole("PORT", 8080, 0, 65_535),
  /** Folder of the embedded database and of secrets made at the first start. */
  dataDir: path("DATA_DIR", "./.data"),
  /** A PostgreSQL server (15 or later) in place of the embedded one. */
  databaseUrl: Config.option(postgresUrl),
  modelsDir,
  /** Worker processes that run models. */
  workers: whole("WORKERS", availableParallelism(), 1, 256),
  /** Runs that may wait for a worker before callers are told to come back. */
  queueLimit: whole("QUEUE_LIMIT", 256, 1, 100_000),
  /** Seconds a model run on a short text may take before its worker counts as hung; longer texts and many options get more. */
  runSeconds: whole("RUN_SECONDS", 4, 1, 600),
  /** Price of one decision in micros of a US dollar. */
  priceMicros: whole("PRICE_MICROS", 15, 0, 1_000_000_000),
  /** Credit of a new account in micros. */
  startingMicros: whole("STARTING_MICROS", 1_000_000, 0, 100_000_000_000),
  /** Requests per key and minute where the key has no limit of its own. */
  rateLimit: whole("RATE_LIMIT", 600, 1, 1_000_000),
  /** Secret under which keys are hashed; made once into the data folder where absent. */
  keyPepper: Config.option(
    Config.string("KEY_PEPPER").pipe(
      Config.validate({
        message: "should be a secret, such as `openssl rand -hex 32` makes",
        validation: (text) => text !== ""
      }),
      Config.map(Redacted.make)
    )
  ),
  /** Answers kept in memory for repeated questions; 0 keeps none. */
  cacheEntries: whole("CACHE_ENTRIES", 50_000, 0, 10_000_000),
  /** Seconds an answer is kept. */
  cacheSeconds: whole("CACHE_SECONDS", 600, 1, 86_400),
  /** Seconds in which the body of a request has to arrive. */
  bodySeconds: whole("BODY_SECONDS", 60, 1, 3_600),
  /** Seconds that running requests get to finish after SIGTERM. */
  drainSeconds: whole("DRAIN_SECONDS", 25, 0, 3_600),
  /** Whether strangers may make accounts in the console. */
  signUp: Config.boolean("SIGN_UP").pipe(Config.withDefault(true)),
  /** E-mail addresses, separated by commas, of the accounts that may grant credits. */
  operatorEmails: list("OPERATOR_EMAILS").pipe(
    Config.map((emails): ReadonlySet<string> => new Set(emails.filter((one) => one !== "").map(normalEmail)))
  ),
  /** Proxies in front, whose `x-forwarded-for` says where a request comes from; nobody else's is believed. */
  trustedProxies: proxies("TRUSTED_PROXIES"),
  /** Tokens of internal services, `name:token` separated by commas; none leaves the RPC interface off. */
  internalTokens: tokens("INTERNAL_TOKEN"),
  /** TCP port of the RPC interface; on the port of the HTTP interface where absent. */
  rpcPort: Config.option(within("RPC_PORT", 1, 65_535)),
  /** `json` for machines, `pretty` for a terminal. */
  logFormat: Config.literal("json", "pretty")("LOG_FORMAT").pipe(Config.withDefault("pretty" as const))
})

/** Every setting of the service, read once from the environment. */
export class Settings extends Context.Tag("svc/Settings")<Settings, Config.Config.Success<typeof settings>>() {
  static readonly layer = Layer.effect(Settings, settings)
}
