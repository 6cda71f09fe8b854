/** The slug that a name suggests: its letters without their accents; empty where it has no Latin letter and no digit. */
export const slugOf = (name: string) =>
  name
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, 64)
    .replace(/-$/, "")
