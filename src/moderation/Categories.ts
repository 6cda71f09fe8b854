import type { Category } from "#schema/Category"
import type { ModerationCategory } from "../models/Manifest.ts"

/**
 * How a model is asked whether a text belongs to a category, and the score from which it does; for models whose
 * manifest has no wording and threshold of its own. No model is trained on texts of
 * `sexual/minors`: its answer is near that of `sexual`, so its score counts the answer to `ofMinors` too.
 */
export const categories: Readonly<Record<Category, ModerationCategory>> = {
  harassment: { question: "Does the text insult, bully or harass a person?", threshold: 0.5 },
  "harassment/threatening": { question: "Does the text harass a person and threaten them with harm?", threshold: 0.5 },
  hate: { question: "Does the text attack or demean people because of a group they belong to?", threshold: 0.5 },
  "hate/threatening": {
    question: "Does the text call for harm or violence against a group of people?",
    threshold: 0.5
  },
  illicit: { question: "Does the text ask for or give help with a crime or other wrongdoing?", threshold: 0.5 },
  "illicit/violent": {
    question: "Does the text ask for or give help with weapons, explosives or violent crime?",
    threshold: 0.5
  },
  "self-harm": { question: "Does the text promote, depict or express suicide or self-injury?", threshold: 0.5 },
  "self-harm/intent": { question: "Does the writer say that they want to kill or hurt themselves?", threshold: 0.5 },
  "self-harm/instructions": {
    question: "Does the text ask for or give instructions for suicide or self-injury?",
    threshold: 0.5
  },
  sexual: { question: "Is the text sexually explicit or meant to arouse?", threshold: 0.5 },
  "sexual/minors": { question: "Is a child or a teenager sexualised?", threshold: 0.5 },
  violence: { question: "Does the text threaten, plan, praise or depict violence?", threshold: 0.5 },
  "violence/graphic": { question: "Does the text describe injury, blood or death in graphic detail?", threshold: 0.5 }
}

/** What else is asked for `sexual/minors`: its score is the product of both answers. */
export const ofMinors: ModerationCategory = { question: "Is this about children or teenagers?", threshold: 0.5 }
