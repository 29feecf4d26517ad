/**
 * `npm run bench:begin`: how many changes can begin per second, with the lock of all teams that `begin_change` had before, and with those
 * of buckets of teams. Both take turns on one Postgres, driven by pgbench. See bench/README.md.
 */
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import pg from "pg"
import { EmbeddedPostgres } from "../../src/platform/db/EmbeddedPostgres.ts"
import * as Migrations from "../../src/platform/db/Migrations.ts"
import { count, table } from "../Figures.ts"
import * as pgbench from "../limit/pgbench.ts"
import * as Machine from "../Machine.ts"
import type { Spread } from "../Measurement.ts"
import { interleave, paceOf, ratioOf, spreadOf } from "../Rounds.ts"
import { folder } from "../TemporaryFolder.ts"

const flags = {
  quick: Flag.Boolean("quick").pipe(
    Flag.withDescription("Two short rounds, to see that it works"),
    Flag.withDefault(false)
  )
}

const run = promisify(execFile)

/** The function as it was, of 0002_changes.sql, under another name and with a sequence of its own. */
const former = `
  create sequence former_change_time_ms minvalue 0 start 0;
  select setval('former_change_time_ms', 0);
  create function former_begin_change(at timestamptz default null, out transaction_id xid8, out changed_at timestamptz)
  language plpgsql as $$
  declare
    ms bigint;
  begin
    begin
      perform pg_advisory_xact_lock(7065002);
      transaction_id := pg_current_xact_id();
      ms := greatest(
        floor(extract(epoch from coalesce(at, clock_timestamp())) * 1000)::bigint,
        (select last_value from former_change_time_ms)
      );
      perform setval('former_change_time_ms', ms);
      raise sqlstate 'PN001' using message = 'lets go of the lock';
    exception when sqlstate 'PN001' then
      null;
    end;
    changed_at := to_timestamp(ms / 1000) + (ms % 1000) * interval '1 millisecond';
  end
  $$`

/** The function as it is, without the lock that it shares with processes of the release before: what that lock costs. */
const alone = `
  do $$
  begin
    execute replace(replace(
      pg_get_functiondef('begin_change(uuid, timestamptz)'::regprocedure),
      'public.begin_change', 'public.begin_change_alone'
    ), 'perform pg_advisory_xact_lock_shared(7065001);', '');
  end
  $$`

// Ten thousand teams. The expression is computed for each, also where it is not needed.
const team = String.raw`\set team random(0, 9999)
`
const teamId = "lpad(to_hex(:team::int), 32, '0')::uuid"

const scripts = {
  former: `${team}select former_begin_change(null), ${teamId};`,
  buckets: `${team}select begin_change(${teamId}, null);`,
  alone: `${team}select begin_change_alone(${teamId}, null);`
}

const prepare = (url: string) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(former)
    await client.query(alone)
    await client.end()
  })

const rates = (values: Spread): string =>
  `${count(Math.round(values.median))} (${count(Math.round(values.least))}–${count(Math.round(values.greatest))})`

const ratio = (values: Spread): string =>
  `${values.median.toFixed(2)} (${values.least.toFixed(2)}–${values.greatest.toFixed(2)})`

const measure = Effect.fnUntraced(function* (quick: boolean) {
  const found = yield* Effect.promise(() => pgbench.find())
  if (found === undefined) return yield* Effect.fail(new Error("pgbench is not installed"))
  const program = found
  const [data, files] = [yield* folder, yield* folder]
  const { url } = yield* EmbeddedPostgres.start({ dataDir: data, settings: { max_connections: "200" } })
  yield* Migrations.run(Redacted.make(url))
  yield* prepare(url)
  const begins = (name: keyof typeof scripts, connections: number) => (seconds: number) =>
    Effect.promise(async () => {
      const file = join(files, `${name}.sql`)
      await writeFile(file, scripts[name])
      const { stdout } = await run(
        program,
        [
          "--no-vacuum",
          "--protocol=prepared",
          `--client=${connections}`,
          "--jobs=2",
          `--time=${seconds}`,
          "-f",
          file,
          url
        ],
        // What is measured is the function, not the disk: no commit waits for it.
        { env: { ...process.env, PGOPTIONS: "-c synchronous_commit=off" } }
      )
      return Number(/tps = ([\d.]+)/.exec(stdout)?.[1] ?? Number.NaN)
    })
  const pace = quick ? paceOf({ quick }) : { warmUp: 1, seconds: 2, rounds: 5 }
  const rows: Array<ReadonlyArray<string | number>> = []
  for (const connections of [1, 4, 16, 64]) {
    yield* Console.error(`${connections} connections`)
    const { alone, buckets, former } = yield* interleave(
      {
        former: begins("former", connections),
        buckets: begins("buckets", connections),
        alone: begins("alone", connections)
      },
      pace
    )
    rows.push([
      connections,
      rates(spreadOf(former)),
      rates(spreadOf(buckets)),
      ratio(ratioOf(buckets, former)),
      ratio(ratioOf(alone, buckets))
    ])
  }
  const { cores, postgres, processor } = yield* Effect.promise(() => Machine.describe())
  yield* Console.log(
    [
      "# Changes that begin per second",
      "",
      `\`npm run bench:begin\` on ${yield* Effect.promise(() => Machine.commit())}, Postgres ${postgres}, ${processor}, ${cores} cores: medians of ${pace.rounds} rounds of ${pace.seconds} s, which take turns, with least and greatest. Client and server share the machine. No commit waits for the disk. *Former* has one lock for all teams; *now*, 10,000 teams share 64. *Without the shared lock* is what it will be when processes of the release before no longer run.`,
      "",
      ...table(["Connections", "Former", "Now", "Now : former", "Without the shared lock : now"], rows)
    ].join("\n")
  )
})

const begin = Command.make("begin", flags, ({ quick }) => Effect.scoped(measure(quick))).pipe(
  Command.withDescription("Measure how many changes begin per second")
)

NodeRuntime.runMain(Command.run(begin, { version: "" }).pipe(Effect.provide(NodeServices.layer)))
