import { Tokenizer } from "@huggingface/tokenizers"
import { Effect } from "effect"

/** Text to token ids, without special tokens. */
export type Encode = (text: string) => ReadonlyArray<number>

/** Reads a Hugging Face `tokenizer.json`. Its truncation and padding are ignored: nothing is cut. */
export const loadTokenizer = (file: string): Effect.Effect<Encode> =>
  Effect.promise(async () => {
    const tokenizer = new Tokenizer(await Bun.file(file).json(), {})
    return (text) => tokenizer.encode(text, { add_special_tokens: false }).ids
  })
