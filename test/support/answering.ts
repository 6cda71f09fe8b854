import { Inference } from "#src/inference/Inference"

/**
 * A model that answers from a table: for each text the option, level, `yes` or `no` that gets most of the probability.
 * Texts that are not in the table leave every option as likely as any other.
 */
export const answering = (table: Readonly<Record<string, string>>) =>
  Inference.layerTest((state, question, option) => (question.options[option]?.name === table[state] ? 9 : 1))
