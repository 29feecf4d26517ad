/** The commands `room open|close|grant|revoke|upload|documents|list`. */
import * as Id from "../../../src/core/Id.ts"
import * as fixture from "./fixture.ts"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Database } from "../../../src/platform/db/Database.ts"
import { type AccessEvent, accessEvents, accessStates, accessTransitions } from "../../../src/deals/access/rules.ts"
import { type RoomStatus, roomStatuses } from "../../../src/deals/access/Access.ts"
import { type RoomEvent, transitions } from "../../../src/deals/rooms/rules.ts"
import { investor } from "../offers/OffersClient.ts"
import { allowLoopback, runToEnd } from "../../support/Admin.ts"
import { scratch } from "../../support/scratch.ts"
import { TestService } from "../../support/TestService.ts"

interface Answer {
  readonly [member: string]: unknown
  readonly id: string
  readonly status: RoomStatus
  readonly error: { readonly code: string; readonly detail: string }
}

/** A file of this machine, and the settings of an installation beside it. */
const localFile = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(scratch, "property-network-room-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
).pipe(
  Effect.tap((folder) => Effect.promise(() => writeFile(join(folder, "rent-roll.csv"), "unit;rent"))),
  Effect.map((folder) => ({ path: join(folder, "rent-roll.csv"), env: { ...allowLoopback, DATA_DIR: folder } }))
)

/** A broker with a project, and what its commands about rooms answer. */
const make = Effect.gen(function* () {
  const sql = yield* Database
  const tenant = yield* fixture.make()
  const { env, path: file } = yield* localFile
  const room = <A = Answer>(as: string, ...args: ReadonlyArray<string>) =>
    Effect.map(runToEnd(["room", ...args, "--as", as, "--json"], env), ({ ok, out }) => {
      const [answer = ""] = out.split("\n").slice(-1)
      return { ok, answer: JSON.parse(answer) as A }
    })
  const run = <A = Answer>(...args: ReadonlyArray<string>) =>
    Effect.map(room<A>(tenant.email, ...args), ({ answer }) => answer)
  return {
    ...tenant,
    file,
    room,
    run,
    /** The code of a refusal. */
    refusalOf: (as: string, ...args: ReadonlyArray<string>) =>
      Effect.map(room(as, ...args), ({ answer, ok }) => (ok ? "ok" : answer.error.code)),
    /** Puts a room into a state. */
    put: (id: string, status: RoomStatus) =>
      Effect.orDie(sql`
        update rooms set status = ${status},
          winding_down_at = case when ${status} = 'winding_down' then now() end,
          closed_at = case when ${status} = 'closed' then now() end
        where id = ${Id.toUuid("room", id) ?? ""}`),
    /** Lets 15 days pass for the rooms that wind down. */
    letPass: Effect.orDie(sql`
      update rooms set winding_down_at = winding_down_at - interval '15 days' where team_id = ${tenant.teamId}`),
    /** Puts the end of the access of prospects into the past. */
    letEnd: (ids: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        const uuids = ids.flatMap((id) => Id.toUuid("prospect", id) ?? [])
        yield* sql`update prospects set access_expires_at = now() - interval '1 second' where id = any(${uuids}::uuid[])`
        yield* sql`
          update room_access set expires_at = now() - interval '1 second'
          where prospect_id = any(${uuids}::uuid[]) and revoked_at is null`
      }).pipe(Effect.orDie)
  }
})

const flagsOf = (ids: ReadonlyArray<string>) => ids.flatMap((id) => ["--prospect", id])

layer(TestService.layerOwn, { excludeTestServices: true })("The commands of rooms", (it) => {
  it.effect("open a room, give access, upload, and take it back, with the answers of the API", () =>
    Effect.gen(function* () {
      const { contact, file, projectId, prospects, room, rooms, run } = yield* make
      const maria = yield* investor()
      const { id: contactId } = yield* contact({ firstName: "Maria", email: maria.email })
      const { id: prospectId } = (yield* prospects.add({ contactId })).body
      const open = ["open", projectId, "--name", "Core", "--nda", "--default-access", "none", "--idempotency-key", "k1"]
      const opened = yield* run(...open)
      assert.deepInclude(opened, { projectId, name: "Core", status: "open", ndaRequired: true, defaultAccess: null })
      assert.deepStrictEqual(yield* run(...open), opened)
      assert.deepStrictEqual<unknown>(yield* run("list", projectId), (yield* rooms.list()).body.data)
      const { id } = opened
      assert.strictEqual((yield* room(maria.email, "documents", id)).answer.error.code, "not_found")
      assert.deepStrictEqual<unknown>(yield* run("grant", id, ...flagsOf([prospectId, "prospect_x"])), {
        granted: [{ prospectId, accessExpiryUtc: null }],
        failed: [
          {
            prospectId: "prospect_x",
            code: "not_found",
            detail: "There is no prospect with this id on the room's project."
          }
        ]
      })
      const upload = ["upload", id, file, "--content-type", "text/csv", "--idempotency-key", "k2"]
      const document = yield* run(...upload, "--path", "Leases/roll.csv")
      assert.deepInclude(document, { name: "roll.csv", path: "Leases/roll.csv", version: 1, contentType: "text/csv" })
      assert.deepStrictEqual(yield* run(...upload, "--path", "Leases/roll.csv"), document)
      assert.deepInclude(yield* run("upload", id, file), { path: "rent-roll.csv", version: 1 })
      const read = yield* room<ReadonlyArray<Answer>>(maria.email, "documents", id)
      assert.deepStrictEqual<unknown>(read.answer, (yield* rooms.get(id)).body.documents)
      assert.deepStrictEqual<unknown>(yield* run("revoke", id, ...flagsOf([prospectId])), {
        revoked: [{ prospectId }],
        failed: []
      })
      assert.strictEqual((yield* room(maria.email, "documents", id)).answer.error.code, "not_found")
      assert.strictEqual((yield* run("close", id)).status, "closed")
    })
  )

  it.effect("change nothing with --dry-run", () =>
    Effect.gen(function* () {
      const { file, projectId, prospect, rooms, run } = yield* make
      const { id: prospectId } = yield* prospect()
      const { id } = yield* rooms.open()
      const before = yield* rooms.get(id)
      const planned = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
        const { events, result } = yield* run(...args, "--dry-run")
        return { result, events: (events as ReadonlyArray<{ readonly event: string }>).map(({ event }) => event) }
      })
      const opening = yield* planned("open", projectId, "--name", "Other")
      assert.deepNestedInclude(opening, { "result.name": "Other", events: ["room.opened"] })
      const granting = yield* planned("grant", id, ...flagsOf([prospectId]), "--until", "3d")
      assert.deepNestedInclude(granting, { "result.granted[0].prospectId": prospectId })
      assert.include(granting.events, "room.access_granted")
      const uploading = yield* planned("upload", id, file)
      assert.deepNestedInclude(uploading, { "result.version": 1 })
      assert.include(uploading.events, "room.file_uploaded")
      const closing = yield* planned("close", id)
      assert.deepNestedInclude(closing, { "result.status": "closed", events: ["room.closed"] })
      assert.deepStrictEqual((yield* rooms.get(id)).body, before.body)
      assert.lengthOf((yield* rooms.list()).body.data, 1)
      yield* run("grant", id, ...flagsOf([prospectId]))
      const revoking = yield* planned("revoke", id, ...flagsOf([prospectId]))
      assert.deepStrictEqual<unknown>(revoking, {
        result: { revoked: [{ prospectId }], failed: [] },
        events: ["room.access_revoked"]
      })
      assert.lengthOf((yield* rooms.get(id)).body.members, 1)
    })
  )

  it.effect("name the flag of a fault, and refuse strangers and investors", () =>
    Effect.gen(function* () {
      const { file, projectId, prospect, refusalOf, rooms, run } = yield* make
      const [stranger, maria] = [yield* fixture.make(), yield* investor()]
      const { id: prospectId } = yield* prospect()
      const { id } = yield* rooms.open()
      const detailOf = (...args: ReadonlyArray<string>) => Effect.map(run(...args), ({ error }) => error.detail)
      assert.match(yield* detailOf("open", projectId, "--name", " "), /^--name: /)
      assert.match(yield* detailOf("open", projectId, "--name", "A", "--default-access", "0d"), /^--default-access: /)
      assert.match(yield* detailOf("grant", id, ...flagsOf([prospectId]), "--until", "soon"), /^--until: /)
      assert.match(yield* detailOf("upload", id, file, "--path", "a/../b"), /^--path: /)
      assert.match(yield* detailOf("upload", id, `${file}.gone`), /^FILE: /)
      const commands = [
        ["open", projectId, "--name", "Core"],
        ["grant", id, ...flagsOf([prospectId])],
        ["revoke", id, ...flagsOf([prospectId])],
        ["upload", id, file],
        ["close", id],
        ["list", projectId]
      ]
      for (const command of commands) {
        assert.strictEqual(yield* refusalOf(stranger.email, ...command), "not_found", command[0])
        assert.strictEqual(yield* refusalOf(maria.email, ...command), "capability_required", command[0])
      }
      assert.strictEqual(yield* refusalOf(stranger.email, "documents", id), "not_found")
      assert.strictEqual(yield* refusalOf(maria.email, "documents", id), "not_found")
    })
  )

  it.effect("give access to open rooms only, and upload to them only", () =>
    Effect.gen(function* () {
      const { file, prospect, put, refusalOf, email, rooms } = yield* make
      const { id: prospectId } = yield* prospect()
      for (const status of roomStatuses) {
        const { id } = yield* rooms.open()
        yield* put(id, status)
        const outcomes = yield* Effect.forEach(
          [
            ["grant", id, ...flagsOf([prospectId])],
            ["upload", id, file],
            ["revoke", id, ...flagsOf([prospectId])],
            ["documents", id]
          ],
          (command) => refusalOf(email, ...command)
        )
        const expected = status === "open" ? "ok" : "room_refused"
        assert.deepStrictEqual(outcomes, [expected, expected, "ok", "ok"], status)
      }
    })
  )

  const events: { readonly [event in RoomEvent]: true } = {
    close: true,
    project_closed: true,
    project_reopened: true,
    time_passed: true
  }

  for (const event of Object.keys(events) as ReadonlyArray<keyof typeof events>) {
    it.effect(`list rooms in the states that the table says after ${event}`, () =>
      Effect.gen(function* () {
        const { ask, letPass, projectId, put, rooms, run } = yield* make
        const ids = yield* Effect.forEach(roomStatuses, () => Effect.map(rooms.open(), ({ id }) => id))
        if (event === "project_reopened") yield* ask("POST", `/api/v1/projects/${projectId}/close`)
        yield* Effect.forEach(roomStatuses, (status, index) => put(ids[index] ?? "", status))
        if (event === "close") yield* Effect.forEach(ids, (id) => run("close", id))
        else if (event === "project_closed") yield* ask("POST", `/api/v1/projects/${projectId}/close`)
        else if (event === "project_reopened") yield* ask("POST", `/api/v1/projects/${projectId}/reopen`)
        else yield* letPass
        const listed = yield* run<ReadonlyArray<Answer>>("list", projectId)
        assert.deepStrictEqual(
          listed.map(({ status }) => status),
          roomStatuses.map((status) => transitions[status][event])
        )
      })
    )
  }

  it.effect("lead access from every state to where the table says", () =>
    Effect.gen(function* () {
      const { letEnd, prospects, rooms, run, several } = yield* make
      const { id } = yield* rooms.open()
      const cases = accessStates.flatMap((from) => accessEvents.map((event) => ({ from, event })))
      const ids = yield* several(cases.length)
      const those = (is: (one: (typeof cases)[number]) => boolean) =>
        ids.filter((_, index) => is(cases[index] ?? { from: "none", event: "clear" }))
      const on = (event: AccessEvent) => those((one) => one.event === event)
      const members = Effect.map(rooms.get(id), ({ body }) => body.members.map(({ prospectId }) => prospectId))
      yield* run("grant", id, ...flagsOf(those(({ from }) => from !== "none")), "--until", "30d")
      yield* run("revoke", id, ...flagsOf(those(({ from }) => from === "revoked")))
      yield* letEnd(those(({ from }) => from === "expired"))
      assert.sameMembers(
        yield* members,
        those(({ from }) => from === "active")
      )

      yield* run("grant", id, ...flagsOf(on("grant")), "--until", "3d")
      const revoked = yield* run("revoke", id, ...flagsOf(on("revoke")))
      yield* letEnd(on("end_passed"))
      yield* Effect.forEach(on("extend"), (prospect) => prospects.patch(prospect, { accessExpiry: "60d" }))
      yield* Effect.forEach(on("clear"), (prospect) => prospects.patch(prospect, { accessExpiry: null }))
      assert.sameMembers(
        yield* members,
        those(({ event, from }) => accessTransitions[from][event] === "active")
      )
      // Only those who never had access are refused.
      assert.deepStrictEqual(
        (revoked["failed"] as ReadonlyArray<{ readonly prospectId: string; readonly code: string }>).map(
          ({ code, prospectId }) => [prospectId, code]
        ),
        those(({ event, from }) => event === "revoke" && from === "none").map((prospect) => [prospect, "no_access"])
      )
    })
  )
})
