/** `npm run bench:neighbours`: what a quiet tenant notices of attacks by its neighbours. See bench/README.md. */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Option, Redacted, type Scope } from "effect"
import { Command, Flag } from "effect/cli"
import { randomBytes } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import * as Machine from "../Machine.ts"
import * as Programs from "../Programs.ts"
import { duration, quantile, say, count, table } from "../Report.ts"
import * as Service from "../Service.ts"
import * as Bulk from "../data/Bulk.ts"
import { make as populate, type Population, sizes } from "./Population.ts"
import * as Quiet from "./Quiet.ts"
import { type Attack, attacks, type Target } from "./attacks.ts"

const flags = {
  only: Flag.String("only").pipe(
    Flag.withDescription("Only this attack, or these, separated by commas"),
    Flag.optional
  ),
  seconds: Flag.Int("seconds").pipe(Flag.withDescription("How long each attack lasts"), Flag.withDefault(12)),
  small: Flag.Boolean("small").pipe(
    Flag.withDescription("Only see that it works: little data, whose figures mean nothing and are not kept"),
    Flag.withDefault(false)
  ),
  list: Flag.Boolean("list").pipe(Flag.withDescription("Only name the attacks"), Flag.withDefault(false))
}

/** What one attack did. */
interface Line {
  readonly name: string
  readonly summary: string
  readonly quiet: Quiet.Figures
  /** Seconds from the attack's end until the quiet tenant's requests took about as long as before; at most 60. */
  readonly back: number
  /** Of the API, at most, in bytes. */
  readonly resident: number
  /** Of the API, in shares of one processor. */
  readonly processor: number
  /** The answers to the attacker. */
  readonly statuses: { readonly [status: string]: number }
}

/** A whole run. */
interface Run {
  readonly date: string
  readonly commit: string
  readonly machine: Machine.Machine
  readonly seconds: number
  readonly alone: Quiet.Figures
  readonly lines: ReadonlyArray<Line>
}

const goals = { timesAlone: 10, backSeconds: 2, megabytes: 500 }

/** The goals that an attack missed. */
const missedBy = ({ back, quiet, resident }: Line, alone: Quiet.Figures): ReadonlyArray<string> => [
  ...(quiet.failures > 0 ? ["failures"] : []),
  ...(quiet.p95 > goals.timesAlone * alone.p95 ? ["p95"] : []),
  ...(back > goals.backSeconds ? ["back"] : []),
  ...(resident / 1e6 > goals.megabytes ? ["memory"] : [])
]

const answers = (statuses: Line["statuses"]) =>
  Object.entries(statuses)
    .map(([status, times]) => `${count(times)} × ${status}`)
    .join(", ")

/** One line as text. */
const described = (line: Line, alone: Quiet.Figures): string =>
  `${line.name}: p50 ${duration(line.quiet.p50)}, p95 ${duration(line.quiet.p95)}, ${line.quiet.failures} of ${line.quiet.requests} failed, ` +
  `back after ${line.back.toFixed(1)} s, ${Math.round(line.resident / 1e6)} MB, processor ${line.processor.toFixed(2)}; ` +
  `attacker: ${answers(line.statuses)}; missed: ${missedBy(line, alone).join(", ") || "nothing"}`

/** The document. */
const markdown = ({ alone, commit, date, lines, machine, seconds }: Run): string =>
  [
    "# A quiet tenant beside attacks",
    "",
    "`npm run bench:neighbours`: [README.md](../README.md#neighbours) says what each line is.",
    "",
    `On ${date}, ${commit}, ${machine.processor}, ${machine.cores} cores, Postgres ${machine.postgres}, Node ${machine.node}. Each attack lasts ${seconds} s.`,
    "",
    ...table(
      [
        "attack",
        "what it sends",
        "p50",
        "p95",
        "failures",
        "back after",
        "memory",
        "processor",
        "answers to the attacker",
        "missed"
      ],
      [
        ["none", "", duration(alone.p50), duration(alone.p95), alone.failures, "", "", "", "", ""],
        ...lines.map((line) => [
          line.name,
          line.summary,
          duration(line.quiet.p50),
          duration(line.quiet.p95),
          line.quiet.failures,
          `${line.back.toFixed(1)} s`,
          `${Math.round(line.resident / 1e6)} MB`,
          line.processor.toFixed(2),
          answers(line.statuses),
          missedBy(line, alone).join(", ")
        ])
      ],
      2
    ),
    ""
  ].join("\n")

const file = (name: string) => join(import.meta.dirname, name)

/** Keeps a whole run. */
const keep = async (run: Run): Promise<void> => {
  await writeFile(file("results.json"), `${JSON.stringify(run, null, 2)}\n`)
  await writeFile(file("results.md"), markdown(run))
}

/** How long the quiet tenant is at work before anything counts, in milliseconds. */
const warmUp = 3_000

/** After how many seconds the quiet tenant is given up. */
const patience = 60

interface Stage {
  readonly population: Population
  readonly contacts: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
}

/** A new API process, so that its memory is what this attack takes, and the quiet tenant at work. */
const begin = Effect.fnUntraced(function* ({ contacts, environment, population }: Stage, place: number) {
  const api = yield* Programs.start("src/server.ts", environment)
  const [, port] = yield* api.ready(/listens on port (\d+)/)
  const origin = `http://127.0.0.1:${port}`
  // Clients of their own, because rate limits outlast a process.
  const tokens = population.quiet.clients.slice(2 * place, 2 * place + 2).map(({ token }) => token)
  const quiet = yield* Effect.acquireRelease(
    Effect.sync(() => Quiet.begin(origin, tokens, contacts)),
    ({ stop }) => Effect.promise(stop)
  )
  yield* Effect.promise(() => sleep(warmUp))
  return { api, origin, quiet }
})

/** The seconds after `end` until two seconds in a row are about as before. */
const recovery = async (quiet: Quiet.Quiet, end: number, alone: Quiet.Figures): Promise<number> => {
  const limit = Math.max(3 * alone.p95, 50)
  const isCalm = (second: number) => {
    const found = quiet.answered(end + second * 1000, end + (second + 1) * 1000)
    const isFast =
      quantile(
        found.map(({ millis }) => millis),
        0.9
      ) <= limit
    return found.length >= 8 && isFast && found.every(({ status }) => status === 200 || status === 201)
  }
  for (let second = 0; second < patience; second++) {
    // Calm seconds are known when what was due in them is answered.
    await sleep(Math.max(0, end + (second + 2) * 1000 + limit + 50 - performance.now()))
    if (isCalm(second) && isCalm(second + 1)) {
      // Those that were sent during the attack may be answered later than those that were sent after it.
      const before = await quiet.between(0, end + second * 1000)
      const slow = before.filter(({ due, millis }) => due + millis > end && millis > limit)
      return Math.max(0, ...slow.map(({ due, millis }) => (due + millis - end) / 1000))
    }
  }
  return patience
}

const targetOf = (origin: string, attack: Attack, { fat, large }: Population, place: number): Target => {
  const { clients } = attack.team === "fat" ? fat : large
  const own = clients.slice(5 * place, 5 * place + attack.clients)
  const { company, contact, deleted, merged, property, rehearsed } = large
  return {
    origin,
    tokens: own.map(({ token }) => token),
    client: { id: own[0]?.id ?? "", secret: own[0]?.secret ?? "" },
    ids: { company, contact, deleted, merged, property, rehearsed }
  }
}

interface Answers {
  readonly statuses: Line["statuses"]
  /** How many requests were under way at the end. */
  readonly left: number
}

type Attacker = Programs.Helper<"go" | "stop", Answers>

/** Attacks for some seconds. Returns when it began and ended, and the answers. */
const attackFor = Effect.fnUntraced(function* (attacker: Attacker, seconds: number) {
  const from = performance.now()
  attacker.order("go")
  yield* Effect.sleep(seconds * 1000)
  const to = performance.now()
  const { left, statuses } = yield* attacker.ask("stop")
  return { from, to, statuses: left === 0 ? statuses : { ...statuses, unanswered: left } }
})

const attackerFile = join(import.meta.dirname, "attacker.ts")

const measure = (
  stage: Stage,
  attack: Attack,
  place: number,
  seconds: number,
  alone: Quiet.Figures
): Effect.Effect<Line, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { api, origin, quiet } = yield* begin(stage, place)
    const target = targetOf(origin, attack, stage.population, place)
    const attacker = yield* Programs.fork<"go" | "stop", Answers>(attackerFile, [attack.name, JSON.stringify(target)])
    yield* attacker.next
    let resident = 0
    const watch = setInterval(() => (resident = Math.max(resident, Programs.residentOf(api.pid))), 200)
    const before = Programs.secondsOf(api.pid) ?? 0
    const { from, statuses, to } = yield* attackFor(attacker, seconds)
    const processor = ((Programs.secondsOf(api.pid) ?? 0) - before) / ((to - from) / 1000)
    const back = yield* Effect.promise(() => recovery(quiet, to, alone))
    clearInterval(watch)
    const samples = yield* Effect.promise(() => quiet.between(from, to))
    const { name, summary } = attack
    const line: Line = { name, summary, quiet: Quiet.figuresOf(samples), back, resident, processor, statuses }
    return line
  })

/** Waits until the jobs that an attack has left are done, such as the steps of a merge: the next one is measured alone. */
const settle = Effect.fnUntraced(function* ({ url }: Service.Service) {
  const { query } = yield* Bulk.session(url)
  const due = query<{ due: boolean }>(
    "select exists (select from graphile_worker.jobs where run_at <= now() and attempts < max_attempts) as due"
  )
  for (;;) {
    const [found] = yield* due
    if (found?.due !== true) return
    yield* Effect.sleep("200 millis")
  }
}, Effect.scoped)

const measureAlone = (stage: Stage, seconds: number) =>
  Effect.gen(function* () {
    const { quiet } = yield* begin(stage, 0)
    return yield* Effect.promise(async () => {
      const from = performance.now()
      await sleep(seconds * 1000)
      return Quiet.figuresOf(await quiet.between(from, from + seconds * 1000))
    })
  })

const run = Effect.fnUntraced(function* (chosen: ReadonlyArray<Attack>, seconds: number, small: boolean) {
  const settings = { SECRET_KEY: randomBytes(32).toString("base64"), DATA_DIR: yield* Service.folder }
  const service = yield* Service.make(settings)
  const population = yield* populate(service.url, small ? sizes.small : sizes.full, (text) => say(`  ${text}`))
  yield* service.worker
  const token = population.quiet.clients.at(-1)?.token ?? ""
  const { body } = yield* Effect.promise(() => service.request("GET", "/api/v1/network/contacts?page_size=100", token))
  const stage: Stage = {
    population,
    contacts: (body["data"] as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id),
    environment: { DATABASE_URL: Redacted.value(service.url), PORT: "0", ...settings }
  }
  const alone = yield* Effect.scoped(measureAlone(stage, seconds))
  yield* say(`alone: p50 ${duration(alone.p50)}, p95 ${duration(alone.p95)}, ${alone.failures} failed`)
  const lines: Array<Line> = []
  for (const [index, attack] of chosen.entries()) {
    yield* say(`${attack.name} (${index + 1} of ${chosen.length}): ${attack.summary}`)
    const line = yield* Effect.scoped(measure(stage, attack, index + 1, seconds, alone))
    lines.push(line)
    yield* settle(service)
    yield* say(`  ${described(line, alone)}`)
  }
  return { alone, lines }
})

const neighbours = Command.make("neighbours", flags, ({ list, only, seconds, small }) =>
  Effect.gen(function* () {
    if (list) return yield* Console.log(attacks.map(({ name, summary }) => `${name.padEnd(20)} ${summary}`).join("\n"))
    const names = Option.map(only, (text) => text.split(","))
    const chosen = Option.match(names, {
      onNone: () => attacks,
      onSome: (names) => attacks.filter(({ name }) => names.includes(name))
    })
    if (chosen.length === 0) return yield* Console.error(`Attacks are ${attacks.map(({ name }) => name).join(", ")}`)
    const { alone, lines } = yield* run(chosen, seconds, small)
    const [machine, commit] = yield* Effect.promise(() => Promise.all([Machine.describe(), Machine.commit()]))
    const whole: Run = { date: new Date().toISOString().slice(0, 10), commit, machine, seconds, alone, lines }
    if (!small && Option.isNone(only)) yield* Effect.promise(() => keep(whole))
    yield* Console.log(markdown(whole))
    const isMissed = lines.some((line) => missedBy(line, alone).length > 0)
    if (!small && isMissed) yield* Effect.sync(() => (process.exitCode = 1))
  }).pipe(Effect.scoped)
).pipe(Command.withDescription("Measures a quiet tenant beside attacks of its neighbours"))

NodeRuntime.runMain(Command.run(neighbours, { version: "" }).pipe(Effect.provide(NodeServices.layer)))
