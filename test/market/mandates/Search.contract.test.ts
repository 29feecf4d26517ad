import * as fc from "fast-check"
import * as Id from "../../../src/core/Id.ts"
import * as RecordsClient from "../../support/RecordsClient.ts"
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import type { Area, Box } from "../../../src/market/mandates/geography/Area.ts"
import { meets } from "../../../src/market/mandates/geography/geometry.ts"
import { MandateBoxesRepo, type Scanned } from "../../../src/market/mandates/MandatesRepo.ts"
import type { FoundMandate } from "../../../src/market/mandates/Mandate.ts"
import { Mandates, type Met, type SearchPosition } from "../../../src/market/mandates/Mandates.ts"
import { inTeam } from "../../../src/platform/db/Cells.ts"
import { Database } from "../../../src/platform/db/Database.ts"
import type { Page } from "../../../src/core/usecase/Page.ts"
import { faultsOf } from "../../support/faults.ts"
import { TestService } from "../../support/TestService.ts"
import { anyPlace, areaOfSent } from "./arbitraries.ts"

const make = Effect.gen(function* () {
  const client = yield* RecordsClient.make()
  const search = (json: object) =>
    client.request<Page<FoundMandate>>("POST", "/api/v1/mandates/search", { token: client.token, json })
  /** Creates mandates, a hundred at a time; their ids. */
  const createAll = (items: ReadonlyArray<object>) =>
    Effect.map(
      Effect.forEach(
        Array.from({ length: Math.ceil(items.length / 100) }, (_, index) =>
          items.slice(index * 100, index * 100 + 100)
        ),
        (some) => client.mandates.upsert(some.map((item, index) => ({ name: `Mandate ${index}`, ...item })))
      ),
      (replies) =>
        replies.flatMap(({ body }) => body.results.map(({ id, problem }) => id ?? assert.fail(JSON.stringify(problem))))
    )
  /** The names on all pages: on a busy machine, a page may end early. */
  const names = (json: object) =>
    Effect.gen(function* () {
      const found: Array<string | null> = []
      let cursor: string | null | undefined
      do {
        const { body } = yield* search({ ...json, ...(cursor === undefined || cursor === null ? {} : { cursor }) })
        found.push(...body.data.map(({ name }) => name))
        cursor = body.page.nextCursor
      } while (cursor !== null)
      return found
    })
  return { ...client, search, createAll, names }
})

const munich = { near: { latitude: 48.1372, longitude: 11.5755 }, radius: 20_000 }

const anywhere = { geography: undefined }

/** All mandates that meet an area, page by page, from a position on. */
const allMeeting = (teamId: string, area: Area, first: SearchPosition, limit: number) =>
  Effect.gen(function* () {
    const { meeting } = yield* Mandates
    const found: Array<Met> = []
    let from: SearchPosition | undefined = first
    while (from !== undefined) {
      const { met, next }: { readonly met: ReadonlyArray<Met>; readonly next: SearchPosition | undefined } =
        yield* inTeam(teamId)(meeting({ teamId }, { area, conditions: { status: "all" }, from, limit }))
      assert.isAtMost(met.length, limit)
      found.push(...met)
      from = next
    }
    return found.map(({ match, uuid }) => `${match} ${Id.fromUuid("mandate", uuid)}`)
  })

layer(TestService.layer, { excludeTestServices: true })("The search of mandates by place", (it) => {
  it.effect("finds what a comparison with each mandate finds, by the index and by walking, page by page", () =>
    Effect.gen(function* () {
      const { createAll, search, teamId } = yield* make
      const places: ReadonlyArray<object> = [...fc.sample(anyPlace, 150), {}, {}]
      const areas = places.map((place) => areaOfSent(place))
      const ids = yield* createAll(places)
      for (const [index, place] of fc.sample(anyPlace, 25).entries()) {
        const area = areaOfSent(place) ?? assert.fail("a place without area")
        const expected = areas.flatMap((own, at) =>
          own === undefined ? [`anywhere ${ids[at]}`] : meets(own, area) ? [`area ${ids[at]}`] : []
        )
        const hint = JSON.stringify(place)
        const limit = 1 + (index % 20)
        for (const way of ["short_walk", "index", "walk"] as const) {
          const found = yield* allMeeting(teamId, area, { after: undefined, way }, limit)
          assert.deepStrictEqual(found, expected, `${way} ${hint}`)
        }
        if (index > 4) continue
        const pages: Array<string> = []
        let cursor: string | null | undefined
        do {
          const { body, status, text } = yield* search({
            ...place,
            page_size: 7,
            ...(cursor === undefined || cursor === null ? {} : { cursor })
          })
          assert.strictEqual(status, 200, text)
          pages.push(...body.data.map(({ id, match }) => `${match} ${id}`))
          assert.strictEqual(body.page.hasMore, body.page.nextCursor !== null)
          cursor = body.page.nextCursor
        } while (cursor !== null)
        assert.deepStrictEqual(pages, expected, hint)
      }
    })
  )

  it.effect("takes what is off the coast of a country for a part of it, from either side", () =>
    Effect.gen(function* () {
      const { createAll, names } = yield* make
      const near = (latitude: number, longitude: number) => ({ near: { latitude, longitude }, radius: 300 })
      // The first is on reclaimed land of Copenhagen, beside the outline of Denmark.
      const [quay, atSea, malmo] = [near(55.7105, 12.6285), near(57.4, 9), near(55.59, 13.02)]
      yield* createAll([
        { name: "country", country: "DK" },
        { name: "location", location: "Denmark" },
        { name: "group", location: "Nordics" },
        { name: "Sweden", country: "SE" },
        { name: "quay", ...quay },
        { name: "at sea", ...atSea },
        { name: "Malmö", ...malmo }
      ])
      assert.deepStrictEqual(yield* names(quay), ["country", "location", "group", "Sweden", "quay"])
      assert.deepStrictEqual(yield* names(atSea), ["at sea"])
      assert.deepStrictEqual(yield* names(malmo), ["group", "Sweden", "Malmö"])
      assert.deepStrictEqual(yield* names({ location: "Dänemark" }), ["country", "location", "group", "Sweden", "quay"])
      assert.deepStrictEqual(yield* names({ location: "Nordics" }), [
        "country",
        "location",
        "group",
        "Sweden",
        "quay",
        "Malmö"
      ])
    })
  )

  it.effect("replaces the boxes of mandates, and leaves those that stay", () =>
    Effect.gen(function* () {
      const { teamId } = yield* make
      const repo = yield* MandateBoxesRepo
      const sql = yield* Database
      const [first = "", second = "", other = ""] = [randomUUID(), randomUUID(), randomUUID()].toSorted()
      const square = (west: number): Box => ({ west, south: 0, east: west + 1, north: 1 })
      const stored = inTeam(teamId)(
        sql<{ readonly mandate: string; readonly west: number; readonly place: string }>`
          select mandate_id as mandate, (box[1])[0]::int as west, ctid::text as place
          from mandate_boxes where team_id = ${teamId} order by mandate, west`
      )
      const replace = (...boxes: ReadonlyArray<readonly [mandate: string, ...west: ReadonlyArray<number>]>) =>
        inTeam(teamId)(
          repo.replace(
            teamId,
            boxes.map(([mandate, ...west]) => ({ mandate, boxes: west.map(square) }))
          )
        )
      yield* replace([first, 10, 20], [second, 10], [other, 10, 30])
      const before = yield* stored
      assert.deepStrictEqual(
        before.map(({ mandate, west }) => [mandate, west]),
        [
          [first, 10],
          [first, 20],
          [second, 10],
          [other, 10],
          [other, 30]
        ]
      )
      yield* replace([first, 20, 40], [second])
      const after = yield* stored
      assert.deepStrictEqual(
        after.map(({ mandate, west }) => [mandate, west]),
        [
          [first, 20],
          [first, 40],
          [other, 10],
          [other, 30]
        ]
      )
      assert.deepStrictEqual(after[0], before[1])
      assert.deepStrictEqual(after.slice(2), before.slice(3))
    })
  )

  it.effect("walks all boxes, wherever a scan ends within those of a mandate", () =>
    Effect.gen(function* () {
      const { teamId } = yield* make
      const repo = yield* MandateBoxesRepo
      const square = (x: number, y: number): Box => ({ west: x, south: y, east: x + 1, north: y + 1 })
      const sql = yield* Database
      const uuids = (yield* inTeam(teamId)(sql<{ readonly id: string }>`
        insert into mandates (id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, name, status)
        select new_uuid_v7(now()), ${teamId}::uuid, 1, pg_current_xact_id(), now(), now(), 'created', 'api', 'Square', 'active'
        from generate_series(1, 40)
        returning id`))
        .map(({ id }) => id)
        .toSorted()
      const boxes = uuids.map((mandate, index) => ({
        mandate,
        boxes: Array.from({ length: 1 + (index % 16) }, (_, part) => square(10 * (index % 4), 10 * part))
      }))
      yield* inTeam(teamId)(repo.replace(teamId, boxes))
      for (const wanted of [square(0, 0), square(10, 20), square(20, 140), square(30, 150), square(50, 0)]) {
        const expected = boxes
          .filter((one) => one.boxes.some(({ south, west }) => west === wanted.west && south === wanted.south))
          .map(({ mandate }) => mandate)
        for (const [maxBoxes, limit] of [17, 18, 19, 31, 1_000].flatMap((most) =>
          [1, 3, 50].map((few) => [most, few] as const)
        )) {
          const conditions = { status: "all", now: new Date(0) } as const
          const found: Array<string> = []
          let after: string | null | undefined
          do {
            const scan = { boxes: [wanted], conditions, after: after ?? undefined, limit, maxBoxes }
            const scanned: Scanned = yield* inTeam(teamId)(repo.walk(teamId, scan))
            found.push(...scanned.candidates.map(({ uuid }) => uuid))
            after = scanned.reached
          } while (after !== null)
          assert.deepStrictEqual(found, expected)
        }
      }
    })
  )

  it.effect("needs a place in one mode", () =>
    Effect.gen(function* () {
      const { search } = yield* make
      const asked = (body: object) => Effect.map(search(body), faultsOf)
      assert.deepStrictEqual(yield* asked({}), ["body  required"])
      assert.deepStrictEqual(yield* asked({ status: "active", country: "DE" }), ["body /country unknown_member"])
      assert.deepStrictEqual(yield* asked({ ...munich, location: "Munich" }), ["body /location geography_conflict"])
      assert.deepStrictEqual(yield* asked({ near: munich.near }), ["body /radius required"])
      assert.deepStrictEqual(yield* asked({ ...munich, categories: ["offices"], tags: ["sea_view"], status: "open" }), [
        "body /categories/0 not_allowed",
        "body /tags/0 not_allowed",
        "body /status not_allowed"
      ])
      assert.deepStrictEqual(yield* asked({ ...munich, page_size: 501 }), ["body /page_size out_of_range"])
    })
  )

  it.effect("finds active mandates that are still valid, unless it asks for others", () =>
    Effect.gen(function* () {
      const { createAll, names } = yield* make
      yield* createAll([
        { name: "Active" },
        { name: "Valid", validUntilUtc: "2999-01-01" },
        { name: "Expired", validUntilUtc: "2020-01-01" },
        { name: "Paused", status: "paused" },
        { name: "Closed", status: "closed" }
      ])
      assert.deepStrictEqual(yield* names(munich), ["Active", "Valid"])
      assert.deepStrictEqual(yield* names({ ...munich, status: "active" }), ["Active", "Valid", "Expired"])
      assert.deepStrictEqual(yield* names({ ...munich, status: "paused" }), ["Paused"])
      assert.deepStrictEqual(yield* names({ ...munich, status: "all" }), [
        "Active",
        "Valid",
        "Expired",
        "Paused",
        "Closed"
      ])
    })
  )

  it.effect("finds by uses and tags what wants one of them, and what leaves them open", () =>
    Effect.gen(function* () {
      const { createAll, names } = yield* make
      yield* createAll([
        { name: "Open" },
        { name: "Office", categories: ["office", "hotel"] },
        { name: "Water", positiveTags: ["waterfront"] },
        { name: "Dry", negativeTags: ["waterfront"] }
      ])
      assert.deepStrictEqual(yield* names({ ...munich, categories: ["hotel"] }), ["Open", "Office", "Water", "Dry"])
      assert.deepStrictEqual(yield* names({ ...munich, categories: ["land"] }), ["Open", "Water", "Dry"])
      assert.deepStrictEqual(yield* names({ ...munich, tags: ["waterfront"] }), ["Open", "Office", "Water"])
      assert.deepStrictEqual(yield* names({ ...munich, tags: ["portfolio"] }), ["Open", "Office", "Dry"])
      assert.deepStrictEqual(yield* names({ ...munich, tags: ["portfolio", "rail_access"], categories: ["land"] }), [
        "Open",
        "Dry"
      ])
    })
  )

  it.effect("finds those of one contact or company, or with an external reference, alone, whichever way it reads", () =>
    Effect.gen(function* () {
      const { companies, contacts, createAll, names, teamId } = yield* make
      const { id: contactId } = (yield* contacts.create({ firstName: "Anna" })).body
      const { id: companyId } = (yield* companies.create({ name: "Rossi" })).body
      const externalRefs = [{ namespace: "crm", externalId: "8812" }]
      const [, forAnna = "", away = ""] = yield* createAll([
        { name: "Own", ...munich },
        { name: "For Anna", ...munich, investor: { contactId } },
        { name: "For Anna, elsewhere", near: { latitude: 0, longitude: 0 }, radius: 1000, investor: { contactId } },
        { name: "For Rossi", investor: { companyId }, externalRefs }
      ])
      assert.notStrictEqual(away, "")
      assert.deepStrictEqual(yield* names({ ...munich, contact_id: contactId }), ["For Anna"])
      assert.deepStrictEqual(yield* names({ ...munich, company_id: companyId }), ["For Rossi"])
      assert.deepStrictEqual(yield* names({ ...munich, company_id: companyId, contact_id: contactId }), [])
      assert.deepStrictEqual(yield* names({ ...munich, external_ref: "crm:8812" }), ["For Rossi"])
      assert.deepStrictEqual(yield* names({ ...munich, external_ref: "crm:8812", contact_id: contactId }), [])
      assert.deepStrictEqual(yield* names({ ...munich, external_ref: "crm:8812", status: "closed" }), [])
      const { meeting } = yield* Mandates
      const area = areaOfSent(munich) ?? assert.fail("a place without area")
      for (const way of ["short_walk", "index", "walk"] as const) {
        const { met } = yield* inTeam(teamId)(
          meeting(
            { teamId },
            { area, conditions: { contact_id: contactId }, from: { after: undefined, way }, limit: 9 }
          )
        )
        assert.deepStrictEqual(
          met.map(({ uuid }) => Id.fromUuid("mandate", uuid)),
          [forAnna],
          way
        )
      }
    })
  )

  it.effect("follows changes of places and deletions, and sees nothing of other teams", () =>
    Effect.gen(function* () {
      const { createAll, mandates, names } = yield* make
      const stranger = yield* make
      yield* stranger.createAll([munich, anywhere])
      const [id = "", other = ""] = yield* createAll([
        { name: "Moving", ...munich },
        { name: "Gone", ...munich }
      ])
      assert.deepStrictEqual(yield* names(munich), ["Moving", "Gone"])
      yield* mandates.delete(other)
      yield* mandates.patch(id, { near: { latitude: 0, longitude: 0 } })
      assert.deepStrictEqual(yield* names(munich), [])
      yield* mandates.patch(id, { geography: null })
      assert.deepStrictEqual(yield* names(munich), ["Moving"])
    })
  )

  it.effect("takes the name of a place, and a country without a place for the whole country", () =>
    Effect.gen(function* () {
      const { createAll, mandates, names, search } = yield* make
      const [, austria = ""] = yield* createAll([
        { name: "Germany", country: "DE" },
        { name: "Austria", country: "AT" },
        { name: "Berlin", country: "DE", location: "Berlin" },
        { name: "Bavaria", location: "Bavaria" }
      ])
      assert.deepStrictEqual(yield* names({ location: "Munich" }), ["Germany", "Bavaria"])
      assert.deepStrictEqual(yield* names({ location: "Berlin" }), ["Germany", "Berlin"])
      assert.deepStrictEqual(yield* names({ location: "DACH" }), ["Germany", "Austria", "Berlin", "Bavaria"])
      assert.deepStrictEqual((yield* search({ location: "Munich" })).body.data[0]?.match, "area")
      assert.deepStrictEqual(faultsOf(yield* search({ location: "Frankfurt" })), ["body /location location_ambiguous"])
      yield* mandates.patch(austria, { country: "DE" })
      assert.deepStrictEqual(yield* names({ location: "Vienna" }), [])
      yield* mandates.patch(austria, { country: null })
      assert.deepStrictEqual(yield* names({ location: "Vienna" }), ["Austria"])
    })
  )

  it.effect("answers cursors that belong to one search of one team", () =>
    Effect.gen(function* () {
      const { createAll, search } = yield* make
      const stranger = yield* make
      yield* createAll([{}, {}, {}])
      const first = (yield* search({ ...munich, page_size: 2 })).body
      assert.deepStrictEqual([first.data.length, first.page.hasMore, first.page.pageSize], [2, true, 2])
      const cursor = first.page.nextCursor
      assert.strictEqual((yield* search({ ...munich, cursor, page_size: 1 })).body.data.length, 1)
      for (const reply of [
        yield* search({ ...munich, radius: 500, cursor }),
        yield* search({ ...munich, status: "active", cursor }),
        yield* search({ ...munich, categories: ["land"], cursor }),
        yield* stranger.search({ ...munich, cursor })
      ]) {
        assert.deepStrictEqual(
          [reply.status, (reply.body as unknown as { code: string }).code],
          [400, "invalid_cursor"]
        )
      }
    })
  )

  it.effect("ends a page early after 50 ms, and goes on from there", () =>
    Effect.gen(function* () {
      const { createAll, teamId } = yield* make
      const ids = yield* createAll(Array.from({ length: 30 }, () => munich))
      const { meeting } = yield* Mandates
      const real = yield* Clock.Clock
      let millis = 0
      // Each look at the clock takes 10 ms.
      const slow: typeof real = Object.assign(Object.create(real) as typeof real, {
        currentTimeMillis: Effect.sync(() => (millis += 10)),
        currentTimeMillisUnsafe: () => millis
      })
      const area = areaOfSent(munich) ?? assert.fail()
      const page = (from: SearchPosition) =>
        meeting({ teamId }, { area, conditions: {}, from, limit: 100 }).pipe(
          inTeam(teamId),
          Effect.provideService(Clock.Clock, slow)
        )
      const first = yield* page({ after: undefined, way: "short_walk" })
      assert.deepStrictEqual(
        first.met.map(({ uuid }) => Id.fromUuid("mandate", uuid)),
        ids.slice(0, 5) as ReadonlyArray<Id.Id<"mandate">>
      )
      const second = yield* page(first.next ?? assert.fail())
      assert.deepStrictEqual(
        second.met.map(({ uuid }) => Id.fromUuid("mandate", uuid)),
        ids.slice(5, 10) as ReadonlyArray<Id.Id<"mandate">>
      )
    })
  )

  it.effect("ends a page early after comparing 2,000 mandates, also by walking, and goes on from there", () =>
    Effect.gen(function* () {
      const { createAll, teamId } = yield* make
      const sql = yield* Database
      // Their boxes are everywhere, and their places far away.
      yield* inTeam(teamId)(sql`
        with made as (
          insert into mandates (
            id, team_id, version, transaction_id, created_at, updated_at, change_type, change_origin, name, status, near, radius
          )
          select new_uuid_v7(now() - interval '1 day'), ${teamId}::uuid, 1, pg_current_xact_id(), now(), now(), 'created', 'api', 'Far', 'active',
            '{"latitude": -40, "longitude": -70}'::jsonb, 1000
          from generate_series(1, 2100) returning id
        )
        insert into mandate_boxes (team_id, mandate_id, box)
        select ${teamId}::uuid, id, box(point(-180e7, -90e7), point(180e7, 90e7)) from made`)
      const [near = ""] = yield* createAll([munich])
      const { meeting } = yield* Mandates
      const real = yield* Clock.Clock
      const stopped: typeof real = Object.assign(Object.create(real) as typeof real, {
        currentTimeMillis: Effect.succeed(Date.now()),
        currentTimeMillisUnsafe: () => Date.now()
      })
      const area = areaOfSent(munich) ?? assert.fail()
      for (const way of ["short_walk", "index", "walk"] as const) {
        const page = (from: SearchPosition) =>
          meeting({ teamId }, { area, conditions: {}, from, limit: 100 }).pipe(
            inTeam(teamId),
            Effect.provideService(Clock.Clock, stopped)
          )
        const first = yield* page({ after: undefined, way })
        assert.deepStrictEqual([first.met, first.next?.way], [[], way === "walk" ? "walk" : "index"])
        const second = yield* page(first.next ?? assert.fail())
        assert.deepStrictEqual(second, {
          met: [{ uuid: Id.toUuid("mandate", near) ?? "", match: "area" }],
          next: undefined
        })
      }
    })
  )
})
