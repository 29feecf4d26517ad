/**
 * Takes the pictures of README.md: `node run.mjs docs/pictures.ts`. It starts the service with its demo data in a scratch folder, signs in by
 * the printed link in a real browser, and writes each page in light and in dark to docs/pictures/.
 */
import * as Chromium from "../test/support/Chromium.ts"
import { Effect, Schedule } from "effect"
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"

const target = join(import.meta.dirname, "pictures")

/** The pages, by the names of their pictures: their addresses below the team's. */
const pages: Readonly<Record<string, string>> = { start: "", contacts: "/contacts", webhooks: "/webhooks" }

/** The board of the demo project with the most investors. */
const boardOf = async (page: Page, base: string) => {
  await page.goto(`${base}/projects`)
  const href = await page.getByRole("link", { name: "Hafenquartier" }).first().getAttribute("href")
  return `/projects/${/project_\w+/.exec(href ?? "")?.[0] ?? ""}/prospects/board`
}

/** The service on new demo data, until the scope ends: its address, and the path of the link that signs in. */
const service = Effect.gen(function* () {
  const dataDir = mkdtempSync(join(tmpdir(), "property-network-pictures-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 })))
  const child = spawn(process.execPath, ["run.mjs", "src/main.ts"], {
    cwd: join(import.meta.dirname, ".."),
    env: { ...process.env, DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "error" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = new Promise((resolve) => child.once("exit", resolve))
  yield* Effect.addFinalizer(() =>
    Effect.promise(() => {
      child.kill("SIGTERM")
      return ended
    })
  )
  let output = ""
  child.stdout.on("data", (text: Buffer) => (output += text.toString()))
  const link = yield* Effect.suspend(() => {
    const [, found] = /(http\S+\/signin\/password\?link=\S+)/.exec(output) ?? []
    return found === undefined || existsSync(join(dataDir, "demo-unfinished"))
      ? Effect.fail("The service is not ready.")
      : Effect.succeed(new URL(found))
  }).pipe(Effect.retry({ schedule: Schedule.spaced("200 millis"), times: 300 }))
  return link
})

const signIn = async (page: Page, link: URL) => {
  await page.goto(link.href)
  await page.fill("#password", "pictures of the console")
  await page.click("main button[type=submit]")
  await page.waitForURL(/\/console\/team_/)
  return page.url()
}

const program = Effect.gen(function* () {
  const link = yield* service
  const context = yield* Chromium.open({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" })
  yield* Effect.promise(async () => {
    const page = await context.newPage()
    const base = await signIn(page, link)
    const all = { ...pages, board: await boardOf(page, base) }
    for (const [name, path] of Object.entries(all)) {
      await page.goto(base + path)
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme })
        await page.screenshot({ path: join(target, `${name}-${colorScheme}.png`) })
      }
    }
  })
})

await Effect.runPromise(Effect.scoped(program).pipe(Effect.provide(Chromium.layerDrawing)))
