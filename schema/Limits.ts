/** The limits of the interface. Lengths count code points. */
export const Limits = {
  text: 32_000,
  question: 2_000,
  options: { least: 2, most: 255 },
  /** A question-set question may have one option or level only. */
  criteria: { least: 1, most: 255 },
  batch: 64,
  questionsPerSet: 32,
  questionsPerBatch: 256,
  /** A state that is not text counts as the text it is rendered to. */
  renderedState: 64_000,
  /** Instructions, descriptions and option names of a question set, rendered. */
  renderedPart: 8_000,
  moderationInputs: 32,
  moderationDecisions: 8,
  usageDays: { least: 1, most: 90, standard: 30 },
  activeKeys: 25,
  /** `path` counts the questions of the longest way through a flow, `definition` its characters as JSON. */
  flow: {
    perAccount: 100,
    nodes: 100,
    edges: 1_000,
    path: 32,
    definition: 256 * 1024,
    slug: 64,
    id: 64,
    name: 200,
    description: 2_000
  },
  jsonDepth: 200,
  /** Lets through 64 texts of 32,000 characters, each written as a `\uXXXX\uXXXX` pair. */
  bodyBytes: 32 * 1024 * 1024,
  /** Of whoever has shown neither a key nor a session nor a token. */
  strangerBytes: 64 * 1024
} as const
