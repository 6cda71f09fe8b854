declare module "*.css" {}

interface JSON {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context?: { readonly source?: string }) => unknown
  ): unknown
  rawJSON?(text: string): object
}
