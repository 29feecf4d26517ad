/**
 * `npm run test:upgrade [-- REF]`: two API processes and a worker of an earlier commit serve while the migrations since then are applied,
 * and are then replaced by those of today. No request may fail, and every event must arrive. Needs the history of git.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Service from "../Service.ts"
import * as Installation from "./Installation.ts"
import * as Traffic from "./Traffic.ts"
import { Console, Effect, Option } from "effect"
import { Argument, Command } from "effect/cli"
import { execFile, execFileSync } from "node:child_process"
import { readdirSync, symlinkSync } from "node:fs"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { OrphanGuard } from "../../src/process/Program.ts"
import { count, say, table } from "../Report.ts"
import { folder } from "../Service.ts"

const root = resolve(import.meta.dirname, "../..")

/** The latest migration of the baseline: what a release before the first tag is upgraded from. */
const baseline = "0012_cells.sql"

const git = (...args: ReadonlyArray<string>) =>
  Effect.try({
    try: () => execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim(),
    catch: () => new Error(`Needs the history of git, a full clone: \`git ${args.join(" ")}\` fails.`)
  })

/** The latest release before this commit, by its tag; before there is one, the last commit that had no migration after the baseline. */
const earlierRelease = Effect.gen(function* () {
  const tag = yield* Effect.option(git("describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^"))
  if (Option.isSome(tag)) return tag.value
  const next = readdirSync(join(root, "sql"))
    .filter((name) => /^\d{4}_/.test(name) && name > baseline)
    .sort()
    .at(0)
  const added = (yield* git("log", "--diff-filter=A", "--format=%H", "--", `sql/${next}`)).split("\n").at(-1) ?? ""
  return yield* git("rev-parse", "--short", `${added}^`)
})

/** The files of a commit in a folder of their own, with the dependencies of today. */
const checkout = Effect.fnUntraced(function* (ref: string) {
  const files = yield* folder
  yield* git("rev-parse", "--verify", `${ref}^{commit}`)
  execFileSync("sh", ["-c", `git archive "$0" | tar -x -C "$1"`, ref, files], { cwd: root })
  symlinkSync(join(root, "node_modules"), join(files, "node_modules"))
  return files
})

/** Runs `migrate`, and returns the lines that it prints. Meanwhile the clients of this process go on. */
const migrate = (folder: string, url: string) =>
  Effect.promise(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ["src/admin.ts", "migrate"], {
      cwd: folder,
      env: { ...process.env, DATABASE_URL: url }
    })
    return stdout.trim()
  })

const run = Effect.fnUntraced(function* (ref: string) {
  const url = yield* Installation.postgres
  const environment = { ...Installation.environmentOf(url), DRAIN_SECONDS: "1" }
  const folder = yield* checkout(ref)
  yield* say(`${ref}: ${(yield* migrate(folder, url)).split("\n").at(-1)}`)
  const old = [
    yield* Installation.startApi(environment, 0, { folder }),
    yield* Installation.startApi(environment, 0, { folder })
  ]
  const oldWorker = yield* Installation.startWorker(environment, { folder })
  return yield* Effect.gen(function* () {
    const subscribed = yield* Installation.teams(4, old[0]?.url ?? "")
    let targets = old.map((api) => api.url)
    let turn = 0
    const traffic = Traffic.start({
      base: () => targets[turn++ % targets.length] ?? "",
      teams: subscribed.map(({ team }) => team),
      pause: 5,
      timeout: 20_000,
      persistent: false
    })
    const phases: Array<ReadonlyArray<string>> = []
    let answered = 0
    let failed = 0
    const phase = (name: string) => {
      phases.push([name, count(traffic.answered() - answered), String(traffic.failures.length - failed)])
      answered = traffic.answered()
      failed = traffic.failures.length
    }
    yield* Effect.sleep("3 seconds")
    phase(`${ref} alone`)
    yield* say(yield* migrate(root, url))
    yield* Effect.sleep("4 seconds")
    phase("while and after the migrations are applied")
    const renewed = [yield* Installation.startApi(environment, 0), yield* Installation.startApi(environment, 0)]
    yield* Installation.startWorker(environment)
    targets = [...targets, ...renewed.map((api) => api.url)]
    yield* Effect.sleep("4 seconds")
    phase("both releases together")
    targets = renewed.map((api) => api.url)
    const codes = yield* Effect.forEach([...old.map(({ program }) => program), oldWorker], ({ stop }) => stop, {
      concurrency: "unbounded"
    })
    yield* Effect.sleep("3 seconds")
    yield* Effect.promise(() => traffic.stop())
    phase("today's alone")
    const open = yield* Installation.untilDelivered(subscribed, 30)
    const accounts = yield* Installation.accountsOf(subscribed, traffic.created())
    const faults = [...(yield* Effect.promise(() => traffic.faults())), ...accounts.faults]
    yield* Console.log(table(["Processes", "Requests", "Failed"], phases).join("\n"))
    yield* Console.log(
      `\nThe slowest request took ${traffic.slowest()} ms. ${count(accounts.delivered)} of ${count(accounts.events)} events were delivered.`
    )
    const wrong = [
      ...Traffic.summary(traffic.failures),
      ...faults,
      ...(open === 0 ? [] : [`${open} deliveries are open.`]),
      ...codes.flatMap((code) => (code === 0 ? [] : [`A process of ${ref} ended with ${code}.`]))
    ]
    if (wrong.length > 0) return yield* Effect.fail(new Error(`\n${wrong.slice(0, 30).join("\n")}`))
  }).pipe(Effect.provide(Service.store({ url: Installation.redacted(url) })))
})

const config = {
  ref: Argument.String("ref").pipe(
    Argument.withDescription(
      "The commit or tag of the earlier release; by default the latest release, or the baseline before there is one"
    ),
    Argument.optional
  )
}

const command = Command.make("test:upgrade", config, ({ ref }) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* OrphanGuard.watch
      yield* run(Option.isSome(ref) ? ref.value : yield* earlierRelease)
    })
  )
).pipe(Command.withDescription("Migrate under the load of an earlier release, and replace its processes"))

NodeRuntime.runMain(Command.run(command, { version: "1" }).pipe(Effect.provide(NodeServices.layer)))
