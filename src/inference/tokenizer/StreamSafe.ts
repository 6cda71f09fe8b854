/**
 * Text whose normal form takes no longer the more marks stand in a row: those beyond the thirtieth are held apart by a joiner, as in
 * Unicode's stream-safe format (UAX 15). Without it, sorting 30,000 marks of one letter takes seconds.
 * The two marks of half width are no marks by their category, but become some.
 */
export const streamSafe = (text: string): string =>
  text.replace(/[\p{M}\uff9e\uff9f]{30}(?=[\p{M}\uff9e\uff9f])/gu, "$&\u034f")
