import { expect, test } from "bun:test"
import { dirname, join, relative } from "node:path"
import { Glob } from "bun"

const root = join(import.meta.dir, "..")
const aliases: Readonly<Record<string, string>> = { "#schema/": "schema/", "#src/": "src/" }

/** Every import of our own files, as [file, imported file] from the top of the project. */
const imports = async (): Promise<ReadonlyArray<readonly [string, string]>> => {
  const found: Array<readonly [string, string]> = []
  for (const file of [...new Glob("{src,schema}/**/*.{ts,tsx}").scanSync(root)]) {
    const text = await Bun.file(join(root, file)).text()
    for (const [, target = ""] of text.matchAll(/^(?:import|export)\b[^"']*?["']([^"']+)["']/gm)) {
      const alias = Object.keys(aliases).find((prefix) => target.startsWith(prefix))
      if (alias !== undefined) found.push([file, `${aliases[alias]}${target.slice(alias.length)}.ts`])
      else if (target.startsWith(".")) found.push([file, relative(root, join(root, dirname(file), target))])
      else found.push([file, target])
    }
  }
  return found
}

const all = await imports()
const broken = (rule: (from: string, to: string) => boolean) => all.filter(([from, to]) => rule(from, to))
const feature = (file: string) => file.split("/")[1] ?? ""

test("schema/ imports nothing of src/", () => {
  expect(broken((from, to) => from.startsWith("schema/") && to.startsWith("src/"))).toEqual([])
})

test("the console's browser code imports only schema/ and itself", () => {
  const app = "src/console/app/"
  expect(broken((from, to) => from.startsWith(app) && to.startsWith("src/") && !to.startsWith(app))).toEqual([])
})

test("repositories are known in their own feature alone", () => {
  expect(broken((from, to) => /^src\/.*Repo\.ts$/.test(to) && feature(from) !== feature(to))).toEqual([])
})

test("src/http is known to App, to the features' http.ts, to the console and the RPC interface; Settings reads proxies with it", () => {
  const allowed = /^src\/(http\/|console\/|rpc\/|App\.ts|Settings\.ts|[^/]+\/http\.ts$)/
  expect(broken((from, to) => to.startsWith("src/http/") && !allowed.test(from))).toEqual([])
})

test("a feature's http.ts is known to src/http alone", () => {
  expect(broken((from, to) => /^src\/[^/]+\/http\.ts$/.test(to) && !/^src\/(http\/|App\.ts)/.test(from))).toEqual([])
})

test("the database knows no feature", () => {
  expect(
    broken((from, to) => from.startsWith("src/database/") && /^src\/.+\//.test(to) && feature(to) !== "database")
  ).toEqual([])
})

test("only src/inference knows ONNX, only src/database knows PGlite", () => {
  expect(broken((from, to) => to.startsWith("onnxruntime") && !from.startsWith("src/inference/"))).toEqual([])
  expect(broken((from, to) => to.startsWith("@electric-sql/") && !from.startsWith("src/database/"))).toEqual([])
})

test("only Settings and the command line's Environment read the environment", async () => {
  const allowed = ["src/Settings.ts", "src/cli/Environment.ts"]
  const readers: Array<string> = []
  for (const file of new Glob("{src,schema}/**/*.ts").scanSync(root))
    if (
      !file.startsWith("src/console/app/") &&
      /\bConfig\.(string|integer|boolean|redacted|array|literal)\(|[\s(]process\.env\.|Bun\.env/.test(
        await Bun.file(join(root, file)).text()
      )
    )
      readers.push(file)
  expect(readers.sort()).toEqual(allowed)
})

test("services know nothing of HTTP: HttpApi is met in schema/, http.ts files, src/http and the console", async () => {
  const allowed = /^(schema\/|src\/http\/|src\/console\/|src\/rpc\/|src\/App\.ts|.*\/http\.ts$)/
  const users: Array<string> = []
  for (const file of new Glob("src/**/*.ts").scanSync(root))
    if (
      !allowed.test(file) &&
      /\bHttpApi|HttpServerRequest|HttpServerResponse/.test(await Bun.file(join(root, file)).text())
    )
      users.push(file)
  expect(users).toEqual([])
})

test("no SQL is built from input: raw text is written where it goes in, but for that of migrations", async () => {
  const built: Array<string> = []
  for (const file of new Glob("src/**/*.ts").scanSync(root))
    if (/\bsql\.unsafe\(|\bsql\.literal\(\s*[^"'`\s]/.test(await Bun.file(join(root, file)).text())) built.push(file)
  expect(built).toEqual(["src/database/Migrations.ts"])
})

test("no file imports itself by way of others", () => {
  const graph = new Map<string, Array<string>>()
  for (const [from, to] of all) graph.set(from, [...(graph.get(from) ?? []), to])
  const done = new Set<string>()
  const cycles: Array<string> = []
  const visit = (file: string, path: ReadonlyArray<string>) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(" → "))
    if (done.has(file) || path.includes(file)) return
    for (const next of graph.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) visit(file, [])
  expect(cycles).toEqual([])
})
