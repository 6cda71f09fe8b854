/** Which of many words begin at a place of a text. Edges lie in one open hash table of typed arrays, keyed by node and character. */
export class Trie {
  readonly #from: Int32Array
  readonly #char: Uint16Array
  readonly #to: Int32Array
  readonly #mask: number
  /** For each node the number of the word that ends there, or -1. */
  readonly #word: Int32Array
  #nodes = 1

  constructor(words: ReadonlyArray<string>) {
    const most = words.reduce((sum, word) => sum + word.length, 1)
    const slots = 2 ** Math.ceil(Math.log2(2 * most))
    this.#from = new Int32Array(slots).fill(-1)
    this.#char = new Uint16Array(slots)
    this.#to = new Int32Array(slots)
    this.#mask = slots - 1
    this.#word = new Int32Array(most).fill(-1)
    words.forEach((word, number) => {
      let node = 0
      for (let i = 0; i < word.length; i++) node = this.#step(node, word.charCodeAt(i))
      this.#word[node] = number
    })
  }

  /** Calls back with the number and the end of every word that begins at `start`, shortest first. */
  prefixes(text: string, start: number, found: (word: number, end: number) => void): void {
    let node = 0
    for (let end = start; end < text.length; ) {
      const slot = this.#slot(node, text.charCodeAt(end++))
      if (this.#from[slot] === -1) return
      node = this.#to[slot] ?? 0
      const word = this.#word[node] ?? -1
      if (word >= 0) found(word, end)
    }
  }

  #step(node: number, char: number): number {
    const slot = this.#slot(node, char)
    if (this.#from[slot] === -1) {
      this.#from[slot] = node
      this.#char[slot] = char
      this.#to[slot] = this.#nodes++
    }
    return this.#to[slot] ?? 0
  }

  #slot(node: number, char: number): number {
    const hash = Math.imul(node, 0x9e3779b1) ^ Math.imul(char + 1, 0x85ebca6b)
    let slot = (hash ^ (hash >>> 15)) & this.#mask
    while (this.#from[slot] !== -1 && (this.#from[slot] !== node || this.#char[slot] !== char))
      slot = (slot + 1) & this.#mask
    return slot
  }
}
