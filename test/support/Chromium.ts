/**
 * A real browser for the tests of pages. Each test file starts one, and each test opens contexts in it, which share neither
 * cookies nor storage:
 *
 *     describe.skipIf(Chromium.missing !== undefined)("Pages in a browser", () => {
 *       layer(Layer.merge(TestService.layer, Chromium.layer), { excludeTestServices: true })((it) => {
 *         it.effect("are shown", () => Effect.gen(function* () {
 *           const context = yield* Chromium.open({ viewport: { width: 360, height: 740 } })
 *           const page = yield* Effect.promise(() => context.newPage())
 *
 * `PageFaults.ts` looks for what is wrong with a page.
 *
 * On Linux on x64, the browser is the Chromium of the npm package `@sparticuz/chromium`, unpacked once into
 * `node_modules/.cache`. Elsewhere, or if `CHROME_PATH` names one, it is an installed Chrome or Chromium. Without any, the tests
 * are skipped (`missing` says why); with `CI=true` they fail.
 */
import { Context, Effect, Layer, type Scope } from "effect"
import { createReadStream, createWriteStream, existsSync, readFileSync } from "node:fs"
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { delimiter, join, resolve } from "node:path"
import { pipeline } from "node:stream/promises"
import { createBrotliDecompress } from "node:zlib"
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core"
import { extract } from "tar-fs"

const modules = resolve(import.meta.dirname, "../../node_modules")

/** A program, and what its environment needs. */
interface Program {
  readonly executablePath: string
  readonly env: Readonly<Record<string, string | undefined>>
}

const bundle = join(modules, "@sparticuz", "chromium")

// The package's own program is not used: it unpacks into folders that all users of the machine share, and its arguments switch
// web security off.
const unpack = async (folder: string): Promise<void> => {
  await mkdir(join(modules, ".cache"), { recursive: true })
  const unfinished = await mkdtemp(`${folder}-`)
  const read = (name: string) => createReadStream(join(bundle, "bin", `${name}.br`))
  await Promise.all([
    pipeline(read("al2023.tar"), createBrotliDecompress(), extract(unfinished)),
    pipeline(read("fonts.tar"), createBrotliDecompress(), extract(unfinished)),
    pipeline(
      read("chromium"),
      createBrotliDecompress(),
      createWriteStream(join(unfinished, "chromium"), { mode: 0o755 })
    )
  ])
  // The package's own configuration looks for fonts in folders of its own.
  await writeFile(
    join(unfinished, "fonts.conf"),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${join(folder, "fonts")}</dir><cachedir>${join(folder, "fonts-cache")}</cachedir></fontconfig>\n`
  )
  // Another process may have unpacked it meanwhile.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true, force: true }))
}

const bundled = async (): Promise<Program> => {
  const { version } = JSON.parse(readFileSync(join(bundle, "package.json"), "utf8")) as { readonly version: string }
  const folder = join(modules, ".cache", `chromium-${version}`)
  if (!existsSync(folder)) await unpack(folder)
  return {
    executablePath: join(folder, "chromium"),
    env: {
      LD_LIBRARY_PATH: [join(folder, "lib"), process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(delimiter),
      FONTCONFIG_FILE: join(folder, "fonts.conf")
    }
  }
}

const onPath = (name: string) => (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name))

const installed = (): string | undefined => {
  const places = {
    darwin: ["Google Chrome", "Chromium"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
    win32: ["ProgramFiles", "ProgramFiles(x86)", "LocalAppData"].map((name) =>
      join(process.env[name] ?? "C:\\", "Google", "Chrome", "Application", "chrome.exe")
    )
  }[process.platform as string]
  return [
    ...(places ?? []),
    ...["google-chrome", "google-chrome-stable", "chromium", "chromium-browser"].flatMap(onPath)
  ].find((path) => existsSync(path))
}

const find = (): (() => Promise<Program>) | undefined => {
  const named = process.env["CHROME_PATH"]
  if (named === undefined && process.platform === "linux" && process.arch === "x64") return bundled
  const executablePath = named ?? installed()
  return executablePath === undefined ? undefined : () => Promise.resolve({ executablePath, env: {} })
}

const program = find()

const absent = `There is no browser: the tests bring one for linux-x64, this is ${process.platform}-${process.arch}, and neither Chrome nor Chromium is installed. CHROME_PATH can name one.`

/** Why the tests that need a browser are skipped; undefined if they run. */
export const missing: string | undefined = program === undefined && process.env["CI"] !== "true" ? absent : undefined

// Vitest counts skipped tests without their reason.
if (missing !== undefined) process.stderr.write(`The tests in a browser are skipped. ${missing}\n`)

// Nobody looks at what the tests draw, so no memory is given for that; and no page runs long enough to repay that its scripts are optimized.
const unseen = ["--force-gpu-mem-available-mb=0", "--js-flags=--no-opt"]

const launch = async (args: Array<string>): Promise<Browser> => {
  if (program === undefined) throw new Error(absent)
  const { env, executablePath } = await program()
  // Without the sandbox, which containers cannot have. Nothing else, least of all web security, is switched off.
  return chromium.launch({ executablePath, chromiumSandbox: false, args, env: { ...process.env, ...env } })
}

/** The browser of a test file. */
export class Chromium extends Context.Service<Chromium, Browser>()("test/support/Chromium") {}

const layerWith = (args: Array<string>): Layer.Layer<Chromium> =>
  Layer.effect(
    Chromium,
    Effect.acquireRelease(
      Effect.promise(() => launch(args)),
      (browser) => Effect.promise(() => browser.close())
    )
  )

/** Starts the browser, which draws nothing. It ends with the scope, and with this process. */
export const layer = layerWith(unseen)

/** As {@link layer}, for pictures of pages. */
export const layerDrawing = layerWith([])

/** A new context, as if of another person: closed at the end of the scope. */
export const open = (
  options: BrowserContextOptions = {}
): Effect.Effect<BrowserContext, never, Chromium | Scope.Scope> =>
  Effect.flatMap(Chromium, (browser) =>
    Effect.acquireRelease(
      Effect.promise(() => browser.newContext(options)),
      (context) => Effect.promise(() => context.close())
    )
  )
