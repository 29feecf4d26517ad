/** `mandates-postgis`: searches of mandates by place, beside PostGIS with the same areas. See bench/README.md. */
import { Effect, Redacted } from "effect"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Binaries } from "../../src/platform/db/embedded/Binaries.ts"
import { EmbeddedPostgres } from "../../src/platform/db/EmbeddedPostgres.ts"
import { Gazetteer } from "../../src/market/mandates/gazetteer/Gazetteer.ts"
import type { Area } from "../../src/market/mandates/geography/Area.ts"
import { decodeArea } from "../../src/market/mandates/geography/encoding.ts"
import { geographyOf } from "../../src/market/mandates/geography/geographyOf.ts"
import * as Bulk from "../data/Bulk.ts"
import { median, quantile } from "../Figures.ts"
import { type Cost, sendFor } from "../growth/Requests.ts"
import type { Line, Measured, Measurement, Options } from "../Measurement.ts"
import { interleave, ratioOf } from "../Rounds.ts"
import { areaOfSearch, check, type Name, names, paceOf, requestOf, type Stage, stage } from "./stage.ts"

const rowsOf = ({ quick }: Options) => (quick ? 5_000 : 100_000)

/** The newest Postgres that Debian's packages installed with PostGIS; undefined without one. */
const findPostgis = Effect.promise(async (): Promise<Binaries | undefined> => {
  const list = (folder: string) => readdir(folder).catch((): ReadonlyArray<string> => [])
  const versions = (await list("/usr/lib/postgresql")).map(Number).filter(Number.isInteger)
  for (const version of versions.sort((one, other) => other - one)) {
    const extensions = await list(`/usr/share/postgresql/${version}/extension`)
    const program = (name: string) => `/usr/lib/postgresql/${version}/bin/${name}`
    if (extensions.includes("postgis.control")) {
      return { initdb: program("initdb"), pgCtl: program("pg_ctl"), postgres: program("postgres") }
    }
  }
  return undefined
})

const folder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "property-network-postgis-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

interface Placed {
  readonly id: string
  readonly country: string | null
  readonly geography: Uint8Array | null
}

const batch = 5_000

/** A PostGIS with the areas of the active mandates of a stage. */
const postgis = Effect.fnUntraced(function* (binaries: Binaries, { teamId, url }: Stage) {
  const gazetteer = yield* Gazetteer
  const server = yield* EmbeddedPostgres.start({ dataDir: yield* folder, binaries })
  const { query } = yield* Bulk.session(Redacted.make(server.url))
  const source = yield* Bulk.session(url)
  yield* query("create extension postgis")
  yield* query("create table areas (mandate_id uuid primary key, area geometry(geometry, 4326) not null)")
  const countries = new Map<string, Area | undefined>()
  const areaOf = Effect.fnUntraced(function* ({ country, geography }: Placed) {
    if (geography !== null) return decodeArea(geography)
    if (country === null) return undefined
    if (!countries.has(country)) countries.set(country, yield* gazetteer.territoryOf(country))
    return countries.get(country)
  })
  let after = "00000000-0000-0000-0000-000000000000"
  for (;;) {
    const rows = yield* source.query<Placed>(
      `select id, country, geography from mandates
      where team_id = $1 and status = 'active' and id > $2 order by id limit $3`,
      [teamId, after, batch]
    )
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
    const areas = yield* Effect.forEach(rows, (row) => Effect.map(areaOf(row), (area) => ({ id: row.id, area })))
    const placed = areas.flatMap(({ area, id }) => (area === undefined ? [] : [{ id, geography: geographyOf(area) }]))
    // GEOS refuses parts that overlap, which mean their union.
    yield* query(
      `insert into areas select id, st_makevalid(st_geomfromgeojson(geography), 'method=structure')
      from unnest($1::uuid[], $2::text[]) as rows (id, geography)`,
      [placed.map(({ id }) => id), placed.map(({ geography }) => JSON.stringify(geography))]
    )
  }
  yield* query("create index on areas using gist (area)")
  yield* query("vacuum analyze areas")
  return query
})

// As many as a page has, with what an answer needs of their places.
const search = `
  select mandate_id, st_asgeojson(area) from areas
  where st_intersects(area, st_geomfromgeojson($1)) order by mandate_id limit 51`

const queryFor = (query: Bulk.Session["query"], geography: string, seconds: number): Effect.Effect<Cost> =>
  Effect.gen(function* () {
    const times: Array<number> = []
    const begun = performance.now()
    for (let now = begun; now < begun + seconds * 1000;) {
      yield* query(search, [geography])
      const done = performance.now()
      times.push(done - now)
      now = done
    }
    return {
      each: (performance.now() - begun) / times.length,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
      requests: times.length
    }
  })

const millis = (value: number) => `${value.toFixed(1)} ms`

const p50s = (costs: ReadonlyArray<Cost>) => costs.map(({ p50 }) => p50)

const measureOne = Effect.fnUntraced(function* (
  one: Stage,
  query: Bulk.Session["query"],
  name: Name,
  options: Options
) {
  const geography = JSON.stringify(geographyOf(yield* areaOfSearch(name)))
  const found = yield* interleave(
    {
      ours: (seconds: number) => sendFor(one.pool, seconds, () => requestOf(one.token, name), 1),
      theirs: (seconds: number) => queryFor(query, geography, seconds)
    },
    paceOf(options)
  )
  const line: Line = {
    name: `mandates-postgis-${name}`,
    work: `the first page of a search of ${one.rows.toLocaleString("en-GB")} mandates by a ${name}, p50 of one request at a time`,
    beside: "the statement of PostGIS alone, without a service",
    ours: millis(median(p50s(found.ours))),
    theirs: millis(median(p50s(found.theirs))),
    ratio: ratioOf(p50s(found.ours), p50s(found.theirs))
  }
  return line
})

/** Searches of mandates beside PostGIS, where Debian's is installed. */
export const mandatesPostgis: Measurement = {
  name: "mandates-postgis",
  summary: "searches of mandates by place, beside PostGIS where Debian's is installed",
  run: (options) =>
    Effect.gen(function* () {
      const binaries = yield* findPostgis
      if (binaries === undefined) {
        const line: Line = {
          name: "mandates-postgis",
          work: "searches of mandates by place",
          ours: "–",
          theirs: "Debian's PostGIS is not installed"
        }
        const missing: Measured = { lines: [line] }
        return missing
      }
      const one = yield* stage(rowsOf(options))
      yield* check(one)
      const query = yield* postgis(binaries, one)
      const measured: Measured = {
        lines: yield* Effect.forEach(names, (name) => measureOne(one, query, name, options))
      }
      return measured
    }).pipe(Effect.provide(Gazetteer.layer))
}
