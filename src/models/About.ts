import { type Context, Effect, identity } from "effect"
import type { Language } from "../language/Language.ts"

/** What a request without a model of its own is about. */
export interface About {
  readonly state: string
  /** What is asked about it, with the options as the model reads them; those in another language than English are not for the English model either. */
  readonly questions?: ReadonlyArray<{ readonly wording: string; readonly options: ReadonlyArray<string> }>
  /** ISO 639-1 hint of the caller; replaces looking at the state. */
  readonly lang?: string
}

/** Below this probability of English the model for many languages answers: it reads English too, the other reads nothing else. */
const SURE = 0.5
/** Below it questions are taken for another language; even short English ones mostly stay above. */
const FOREIGN = 0.01
/** The same for options: names say less than sentences, and English ones were never seen below but for codes like `ORG`, `PER`, `LOC`. */
const FOREIGN_NAMES = 0.06
/** Wordings and options without letters, or of a few that English has too, tell no language. */
const TELLS = /(?![a-zA-Z])\p{L}|(?:[a-zA-Z]\P{L}*){8}/u
/** Words of other scripts and pictures, of which the English model sees little or nothing: options of these are all alike to it. */
const UNSEEN =
  /(?:(?!\p{Script=Latin})\p{L}){2}|[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]|\p{Emoji_Presentation}/u
/** The share of letters of other scripts from which a text is not English, whatever stands around them. */
const MIXED = 0.1
/** Characters of options that are looked at for their language. */
const ENOUGH = 4_000

const count = (text: string, letters: RegExp) => text.match(letters)?.length ?? 0
const isMixed = (text: string) => {
  const others = count(text, /(?!\p{Script=Latin})\p{L}/gu)
  return others > 0 && others >= MIXED * (others + count(text, /\p{Script=Latin}/gu))
}

/** Whether the English model can read a request: what it is about, what is asked and what is offered. */
export const isEnglish = Effect.fn("About.isEnglish")(function* (
  language: Context.Tag.Service<Language>,
  { state, questions = [], lang }: About
) {
  const isForeign = (text: string, below: number) =>
    TELLS.test(text)
      ? Effect.map(language.probabilityOf("en", text), (english) => english < below)
      : Effect.succeed(false)
  const hinted = lang !== undefined && lang !== ""
  const read = hinted
    ? /^en(?![a-z])/i.test(lang)
    : !isMixed(state) && (yield* language.probabilityOf("en", state)) >= SURE
  const unseen = questions.some(({ wording, options }) => [wording, ...options].some((text) => UNSEEN.test(text)))
  if (!read || unseen) return false
  // Each by itself: beside English ones, a question in another language would pass for English.
  const foreign = yield* Effect.exists(
    questions.flatMap(({ wording, options }) => [
      isForeign(wording, FOREIGN),
      // Sorted, so that the order of the options chooses no model either.
      isForeign([...options].sort().join("\n").slice(0, ENOUGH), FOREIGN_NAMES)
    ]),
    identity
  )
  return !foreign
})
