/** The types of `property-network/testing`, as a consumer's compiler sees them. */
import { assert, describe, it } from "@effect/vitest"
import type { Effect } from "effect"
import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import type * as Declared from "property-network/testing"
import type * as Actual from "../../src/testing/PropertyNetwork.ts"

const root = resolve(import.meta.dirname, "../..")

// The declaration is written by hand: what the module gives must be what it says, member by member.
type Assert<Actual extends Declared, Declared> = [Actual, Declared]
export type Conforms = [
  Assert<Actual.Tenant, Declared.Tenant>,
  Assert<Actual.Running, Declared.Running>,
  Assert<Actual.Started, Declared.Started>,
  Assert<typeof Actual.start, typeof Declared.start>,
  Assert<typeof Actual.baseUrl, typeof Declared.baseUrl>,
  Assert<Effect.Success<typeof Actual.PropertyNetwork>, Effect.Success<typeof Declared.PropertyNetwork>>,
  Assert<Declared.Running, Actual.Running>,
  Assert<Declared.Started, Actual.Started>
]

const consumer = `
import { Effect } from "effect"
import { PropertyNetwork, start } from "property-network/testing"

const service = await start()
const answer: Response = await service.fetch(\`\${service.baseUrl}/api/v1/auth/me\`, {
  headers: { authorization: \`Bearer \${service.token}\` }
})
await service.advance("35 hours")
await service.stop()
export const status: number = answer.status
export const program: Effect.Effect<string> = Effect.map(PropertyNetwork, ({ token }) => token).pipe(
  Effect.provide(PropertyNetwork.layerTest)
)
`

describe("property-network/testing", () => {
  it("compiles in a strict project that does not compile the sources of its packages", async () => {
    const folder = await mkdtemp(join(tmpdir(), "property-network-consumer-"))
    try {
      await mkdir(join(folder, "node_modules/@types"), { recursive: true })
      await symlink(root, join(folder, "node_modules/property-network"))
      await symlink(join(root, "node_modules/effect"), join(folder, "node_modules/effect"))
      await symlink(join(root, "node_modules/@types/node"), join(folder, "node_modules/@types/node"))
      await writeFile(join(folder, "package.json"), '{"type": "module"}')
      await writeFile(join(folder, "consumer.ts"), consumer)
      const tsc = join(root, "node_modules/typescript-native/bin/tsc")
      const settings = "--strict --noEmit --skipLibCheck --module nodenext --target es2022 --types node consumer.ts"
      const { stdout } = await promisify(execFile)(process.execPath, [tsc, ...settings.split(" ")], {
        cwd: folder
      }).catch((error: { readonly stdout: string }) => error)
      assert.strictEqual(stdout, "")
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
