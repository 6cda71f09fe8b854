import { expect, test } from "bun:test"
import { join } from "node:path"
import { Schema } from "effect"

const root = join(import.meta.dir, "..")
const Compose = Schema.Struct({
  services: Schema.Struct({
    service: Schema.Struct({
      environment: Schema.Record({ key: Schema.String, value: Schema.Union(Schema.String, Schema.Number) })
    })
  })
})

/** What the service would sign in with, under the environment that compose gives it. */
const signIn = async (env: Readonly<Record<string, string>>) => {
  const source = `
    import { Client } from "pg"
    const { user, password, host, port, database } = new Client({ connectionString: process.env.DATABASE_URL })
    console.log(JSON.stringify({ user, password, host, port, database }))`
  const child = Bun.spawn([process.execPath, "-e", source], { cwd: root, env, stdout: "pipe", stderr: "inherit" })
  return JSON.parse(await new Response(child.stdout).text())
}

test("The service of compose.yaml signs in with any password, also one that would end an address", async () => {
  const password = "ab/c+d#e?f@g:h%20i="
  const { services } = Schema.decodeUnknownSync(Compose)(
    Bun.YAML.parse(await Bun.file(join(root, "compose.yaml")).text())
  )
  const env = Object.fromEntries(
    Object.entries(services.service.environment).map(([name, value]) => [
      name,
      String(value).replace(/\$\{POSTGRES_PASSWORD:[^}]*\}/g, () => password)
    ])
  )
  expect(await signIn(env)).toEqual({
    user: "decisions",
    password,
    host: "postgres",
    port: 5432,
    database: "decisions"
  })
})
