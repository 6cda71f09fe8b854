import type { InferenceSession } from "onnxruntime-node"
import type { Ids } from "../Tokens.ts"

/** The rows of a run in the numbers that its graph takes. */
export interface Seen {
  readonly inputs: InferenceSession.FeedsType
  readonly text: ReadonlyArray<Ids>
  /** A wording or an option where it is asked about the text. */
  readonly branch: (row: Ids) => Ids
  /** The same, read alone. */
  readonly alone: (row: Ids) => Ids
}
