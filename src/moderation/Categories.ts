import type { Category } from "#schema/Category"
import type { ModerationCategory } from "../models/Manifest.ts"

/**
 * How a model is asked whether a text belongs to a category, and the score from which it does; for models whose
 * manifest has no wording and threshold of its own. The question of `sexual/minors` is only whether a minor is
 * spoken of: no model is trained on such texts, the score follows from this answer and that of `sexual`.
 */
export const categories: Readonly<Record<Category, ModerationCategory>> = {
  harassment: { question: "Does the text insult, bully or attack a person?", threshold: 0.5 },
  "harassment/threatening": {
    question: "Does the text threaten a person with violence or serious harm?",
    threshold: 0.5
  },
  hate: {
    question:
      "Does the text express hatred of people for their race, religion, nationality, gender, sexual orientation or disability?",
    threshold: 0.5
  },
  "hate/threatening": {
    question: "Does the text threaten or call for violence against a group of people for who they are?",
    threshold: 0.5
  },
  illicit: { question: "Does the text ask for or give help with a crime, drugs, weapons or fraud?", threshold: 0.5 },
  "illicit/violent": {
    question: "Does the text ask for or give help with a violent crime, an attack or getting a weapon?",
    threshold: 0.5
  },
  "self-harm": { question: "Does the text promote, encourage or describe suicide or self-injury?", threshold: 0.5 },
  "self-harm/intent": { question: "Does the writer want to kill or injure themselves?", threshold: 0.5 },
  "self-harm/instructions": {
    question: "Does the text encourage somebody to kill or injure themselves, or say how to do it?",
    threshold: 0.5
  },
  sexual: { question: "Is the text sexually explicit or meant to arouse?", threshold: 0.5 },
  "sexual/minors": { question: "Does the text speak of a child or of somebody under 18?", threshold: 0.5 },
  violence: { question: "Does the text depict death, violence or physical injury?", threshold: 0.5 },
  "violence/graphic": { question: "Does the text depict violence or injuries in graphic detail?", threshold: 0.5 }
}
