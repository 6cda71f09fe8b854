import { HttpApi } from "@effect/platform"
import { ModerationsApi } from "./Moderation.ts"
import { OpenAiUndecodable } from "./OpenAiErrors.ts"

/** The part of OpenAI's interface that OpenAI's clients find here; a request that cannot be read is answered 400. */
export class OpenAiApi extends HttpApi.make("openai").add(ModerationsApi).prefix("/v1") {
  static override readonly errorSchema = OpenAiUndecodable
}
