/** The committed client is that of the committed OpenAPI document and of its sources, and works where it is installed. */
import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { type Document, operationsOf, schemaOf } from "../../client/generate.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

const tsc = join(root, "node_modules/typescript-native/bin/tsc")

const run = (cwd: string, ...args: ReadonlyArray<string>) =>
  promisify(execFile)(process.execPath, args, { cwd }).then(
    ({ stdout }) => stdout,
    ({ stderr, stdout }: { readonly stdout: string; readonly stderr: string }) => assert.fail(stdout + stderr)
  )

const inFolder = async (work: (folder: string) => Promise<void>) => {
  const folder = await mkdtemp(join(tmpdir(), "property-network-client-"))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const textsIn = async (folder: string) => {
  const names = (await readdir(folder)).sort()
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), "utf8")] as const))
  )
}

describe("The committed client", () => {
  it("is generated from openapi.json (npm run openapi)", async () => {
    const document = JSON.parse(await readFile(join(root, "openapi.json"), "utf8")) as Document
    assert.strictEqual(await readFile(join(root, "client/src/operations.ts"), "utf8"), operationsOf(document))
    assert.isTrue((await readFile(join(root, "client/schema.d.ts"), "utf8")) === (await schemaOf(document)))
  })

  it("is compiled from its sources (npm run openapi)", () =>
    inFolder(async (folder) => {
      await run(root, tsc, "-p", "client", "--outDir", folder)
      assert.deepStrictEqual(await textsIn(join(root, "client/dist")), await textsIn(folder))
    }))

  it("type-checks and runs in a project that installed it, with and without skipLibCheck", () =>
    inFolder(async (folder) => {
      await mkdir(join(folder, "node_modules"))
      await symlink(root, join(folder, "node_modules/property-network"))
      await writeFile(join(folder, "package.json"), '{"type":"module"}')
      const program = `
        import { createClient, isProblem, type Schemas, verifyMessage } from "property-network/client"

        const client = createClient({
          baseUrl: "http://127.0.0.1",
          token: "pnp_1",
          fetch: async () => Response.json({ id: "contact_1", etag: "v1" }, { status: 201 })
        })

        const created = await client.contacts.create({ body: { firstName: "Anna" } })
        const id: string = created.id
        const contact: Schemas["Contact"] = created
        // @ts-expect-error A contact has no such member.
        created.wouldAnswer
        // @ts-expect-error The path is required.
        const unnamed = () => client.contacts.get()
        // @ts-expect-error A GET takes no idempotency key.
        const keyed = () => client.contacts.get({ path: { id }, idempotencyKey: "k" })
        export const rename = async (firstName: string) => {
          try {
            return await client.contacts.update({ path: { id }, ifMatch: contact.etag, body: { firstName } })
          } catch (error) {
            if (isProblem(error, "precondition_failed")) return error.problem.currentEtag
            throw error
          }
        }
        export const codeOf = (error: unknown): string | undefined => {
          // @ts-expect-error There is no such code.
          if (isProblem(error, "nope")) return undefined
          if (!isProblem(error)) return undefined
          return error.problem.code === "duplicate" ? error.problem.candidates[0]?.id : error.problem.detail
        }
        export const sync = async (since: string | null, after: number | undefined): Promise<[string | null, number?]> => {
          const delta = client.contacts.list.delta(since)
          for await (const { id } of delta) console.log(id)
          const events = client.changes.list.all({ query: { after } })
          for await (const { caused_by } of events) console.log(caused_by?.event)
          return events.nextAfter === undefined ? [delta.nextSince] : [delta.nextSince, events.nextAfter]
        }
        export const found = async () => {
          for await (const { email } of client.contacts.search.all({ body: { query: "berg" } })) console.log(email)
        }
        export const upsert = async (): Promise<ReadonlyArray<string>> => {
          const { results } = await client.contacts.batchUpsert({ body: { items: [{ firstName: "Anna" }] } })
          return results.map((receipt) => (receipt.status === "failed" ? receipt.problem.detail : receipt.etag))
        }
        export const subscribe = async (url: string): Promise<ReadonlyArray<string>> => {
          const request = { body: { url, events: ["contact.*" as const] } }
          const { result } = await client.dryRun.webhooks.create(request)
          // @ts-expect-error A dry run shows no secret.
          result.secret
          const created = await client.webhooks.create(request)
          const webhook: Schemas["Webhook"] = created
          const replaced = await client.webhooks.rotateSecret({ path: { id: webhook.id } })
          return [created.secret, replaced.secret]
        }
        export const onMessage = (body: string, headers: Headers) => {
          const { event } = verifyMessage(body, headers, "whsec_")
          if (event.caused_by !== undefined) return event.caused_by.resource_id
          if (event.event === "contact.updated") return event.changed_fields
          return event.resource_id
        }
        export const names = async () => {
          for await (const { name } of client.contacts.list.all({ query: { page_size: 10 } })) console.log(name)
          for await (const { name } of client.projects.list.delta(null)) console.log(name)
          for await (const { seq } of client.changes.list.all()) console.log(seq)
          const report = await client.dryRun.contacts.delete({ path: { id } })
          const status: number = report.wouldAnswer
          // @ts-expect-error A test delivery is sent.
          client.dryRun.webhooks.test
          return [status, unnamed, keyed]
        }
        console.log(id)
      `
      await writeFile(join(folder, "program.ts"), program)
      for (const skipLibCheck of [true, false]) {
        const compilerOptions = {
          strict: true,
          exactOptionalPropertyTypes: true,
          skipLibCheck,
          module: "nodenext",
          target: "es2023",
          lib: ["es2023", "dom"],
          types: [],
          noEmit: true
        }
        await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }))
        await run(folder, tsc)
      }
      assert.strictEqual(await run(folder, "program.ts"), "contact_1\n")
    }))
})
