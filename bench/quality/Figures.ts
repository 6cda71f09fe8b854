import { bagOfWords, majority } from "./Baselines.ts"
import type { Answered } from "./Case.ts"
import { accuracy, brier, calibrationError, changed, macroF1, scoreError, sureness } from "./Metrics.ts"

/** All that is measured of some answers; shares are of 1, undefined where nothing could be measured. */
export const figures = (answers: ReadonlyArray<Answered>) => ({
  questions: answers.length,
  accuracy: accuracy(answers),
  macro_f1: macroF1(answers),
  brier: brier(answers),
  ece: calibrationError(answers),
  sureness: sureness(answers),
  score_error: scoreError(answers),
  changed: changed(answers),
  majority: majority(answers),
  bag_of_words: bagOfWords(answers)
})
export type Figures = ReturnType<typeof figures>
