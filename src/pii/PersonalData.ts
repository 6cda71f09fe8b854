import { identifiers } from "./Identifiers.ts"

/** How sure it is that a text with an identifier of a person holds personal data. */
const SURE = 0.97

/**
 * The probabilities of yes and no that a text holds personal data: the model's, but at least .97 for yes where a detector
 * finds an identifier. A detector never lowers it: names, addresses and health are for the model alone.
 */
export const withIdentifiers = (text: string, probabilities: ReadonlyArray<number>): ReadonlyArray<number> => {
  const yes = probabilities[0] ?? 0
  return yes >= SURE || identifiers(text).next().done === true ? probabilities : [SURE, 1 - SURE]
}
