import { Config } from "effect"

/** The internal interface of the running service. */
export const serviceUrl = Config.string("SVC_URL").pipe(Config.withDefault("http://localhost:8080/rpc"))

/** Token of an internal service, as `INTERNAL_TOKEN` lists it there. */
export const serviceToken = Config.redacted("SVC_TOKEN")

/** Password of an account that is made or changed. */
export const password = Config.redacted("SVC_PASSWORD")

/** Address of the hub that models are fetched from. */
export const hubUrl = Config.string("HUB_URL")

/** Token for the hub; public models need none. */
export const hubToken = Config.option(Config.redacted("HUB_TOKEN"))
