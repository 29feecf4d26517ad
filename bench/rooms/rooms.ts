/** `rooms`: what a data room with much in it costs, beside one with little. See bench/README.md. */
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import * as Id from "../../src/core/Id.ts"
import * as Counting from "../Counting.ts"
import * as Bulk from "../data/Bulk.ts"
import * as Rooms from "../data/rooms.ts"
import * as Teams from "../data/teams.ts"
import { count, median } from "../Figures.ts"
import { ask, connect, type Cost, cursorOf, sendFor } from "../growth/Requests.ts"
import type { Line, Measured, Measurement, Options } from "../Measurement.ts"
import { interleave, ratioOf } from "../Rounds.ts"
import * as Service from "../Service.ts"

const limits = { ratio: 1.2 }
const little: Rooms.Size = { documents: 20, questions: 50 }
const pageSize = 25
const prospects = 400

const settingsOf = ({ quick }: Options) =>
  quick
    ? { much: { documents: 200, questions: 500 }, pace: { warmUp: 0.2, seconds: 0.2, rounds: 2 } }
    : { much: { documents: 2_000, questions: 5_000 }, pace: { warmUp: 2, seconds: 1, rounds: 9 } }

const works = {
  room: "a room with all of its documents",
  questions: `the first page of the questions of a room, ${pageSize} a page`,
  end: "the last page of them, by its cursor"
}

type Name = keyof typeof works

const names = Object.keys(works) as ReadonlyArray<Name>

const textOf = ({ documents, questions }: Rooms.Size) =>
  `${count(documents)} documents and ${count(questions)} questions`

/** Rejects answers without what they should have: their figures would mean nothing. */
const check = async ({ documents }: Rooms.Size, answer: (name: Name) => Promise<string>) => {
  const room = JSON.parse(await answer("room")) as {
    readonly documents: ReadonlyArray<unknown>
    readonly members: ReadonlyArray<unknown>
  }
  if (room.documents.length !== documents || room.members.length === 0) {
    throw new Error(`The room has ${room.documents.length} documents and ${room.members.length} members`)
  }
  for (const name of ["questions", "end"] as const) {
    const { data, page } = JSON.parse(await answer(name)) as {
      readonly data: ReadonlyArray<unknown>
      readonly page: { readonly nextCursor: string | null }
    }
    if (data.length !== pageSize || (page.nextCursor === null) !== (name === "end")) {
      throw new Error(`The page ${name} has ${data.length} questions, and ${page.nextCursor} follows`)
    }
  }
}

/** A service with a database of its own and a room of this size, and how many statements each request makes. */
const stage = Effect.fnUntraced(function* (size: Rooms.Size) {
  const secretKey = new Uint8Array(randomBytes(32))
  const service = yield* Service.make({ SECRET_KEY: Buffer.from(secretKey).toString("base64") })
  const [team] = yield* Teams.withProjects({ url: service.url, rows: [prospects] }).pipe(
    Effect.provide(Service.store(service))
  )
  const { project = "", tokens: [token = ""] = [] } = team ?? {}
  const room = yield* Effect.scoped(
    Effect.gen(function* () {
      const session = yield* Bulk.session(service.url)
      const uuid = yield* Rooms.add(session, Id.toUuid("project", project) ?? "", size)
      yield* session.query("vacuum analyze")
      yield* session.query("checkpoint")
      return Id.fromUuid("room", uuid)
    })
  )
  const pool = yield* connect(service.origin)
  const path = `/api/v1/projects/${project}/rooms/${room}`
  const list = { path: `${path}/questions`, token, pageSize }
  const cursor = yield* cursorOf(pool, list, Math.ceil(size.questions / pageSize))
  const paths: { readonly [Of in Name]: string } = {
    room: path,
    questions: `${list.path}?page_size=${pageSize}`,
    end: `${list.path}?page_size=${pageSize}&cursor=${cursor}`
  }
  const requestOf = (name: Name) => ({ method: "GET" as const, path: paths[name], token, expected: 200 })
  yield* Effect.promise(() => check(size, (name) => ask(pool, requestOf(name))))
  const statements = yield* Effect.scoped(
    Effect.gen(function* () {
      const counted = yield* Counting.make(service.url, secretKey)
      const of = (name: Name) =>
        // The least of several, because the process has statements of its own now and then.
        Effect.map(Effect.replicateEffect(counted("GET", paths[name], token), 3), (costs) =>
          Math.min(...costs.map((cost) => cost.statements))
        )
      return { room: yield* of("room"), questions: yield* of("questions"), end: yield* of("end") }
    })
  )
  return { pool, requestOf, statements }
})

type Stage = Effect.Success<ReturnType<typeof stage>>

const measureOne = Effect.fnUntraced(function* (few: Stage, many: Stage, name: Name, options: Options) {
  const { much, pace } = settingsOf(options)
  const found = yield* interleave(
    {
      few: (seconds: number) => sendFor(few.pool, seconds, () => few.requestOf(name), 1),
      many: (seconds: number) => sendFor(many.pool, seconds, () => many.requestOf(name), 1)
    },
    pace
  )
  const each = (costs: ReadonlyArray<Cost>) => costs.map(({ p50 }) => p50)
  const figure = (costs: ReadonlyArray<Cost>) => `${median(each(costs)).toFixed(2)} ms`
  const line: Line = {
    name: name === "room" ? "rooms" : `rooms-${name}`,
    work: `${works[name]}, p50 of one request at a time, with ${textOf(much)}`,
    beside: textOf(little),
    ours: figure(found.many),
    theirs: figure(found.few),
    ratio: ratioOf(each(found.many), each(found.few)),
    // The documents of a room are all in its answer, which grows with them.
    ...(name === "room" ? {} : { target: { most: limits.ratio } })
  }
  return line
})

const statementsLine = (few: Stage, many: Stage): Line => {
  const sumOf = ({ statements }: Stage) => names.reduce((sum, name) => sum + statements[name], 0)
  const figure = ({ statements }: Stage) => names.map((name) => statements[name]).join(", ")
  const ratio = sumOf(many) / sumOf(few)
  return {
    name: "rooms-statements",
    work: "the statements of these three requests",
    beside: textOf(little),
    ours: figure(many),
    theirs: figure(few),
    ratio: { median: ratio, least: ratio, greatest: ratio },
    target: { most: 1 },
    details: { many: many.statements, few: few.statements }
  }
}

/** The cost of a data room with 2,000 documents and 5,000 questions, compared with a small one. */
export const rooms: Measurement = {
  name: "rooms",
  summary: "a data room of 2,000 documents and 5,000 questions beside one of 20 and 50",
  run: (options) =>
    Effect.gen(function* () {
      const [few, many] = [yield* stage(little), yield* stage(settingsOf(options).much)]
      const lines = yield* Effect.forEach(names, (name) => measureOne(few, many, name, options))
      const measured: Measured = { lines: [...lines, statementsLine(few, many)] }
      return measured
    })
}
