/** Matches over HTTP. rules.test.ts has the criteria one by one. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { costs } from "../../../src/market/matches/Match.ts"
import { faultsOf } from "../../support/faults.ts"
import { type Reply, TestService } from "../../support/TestService.ts"
import * as MatchesClient from "./MatchesClient.ts"

const munich = { coordinates: { latitude: 48.1385, longitude: 11.5309 } }
const salzburg = { coordinates: { latitude: 47.8, longitude: 13.04 } }
const aroundMunich = { near: { latitude: 48.1372, longitude: 11.5755 }, radius: 60_000 }

const priceOf = (value: number) => ({ pricing: { askingPrice: { value, currency: "EUR" } } })
const upTo = (max: number) => ({ investmentSize: { min: null, max, currency: "EUR", scale: "million" } })

layer(TestService.layer, { excludeTestServices: true })("Matches", (it) => {
  it.effect("are the mandates that want a property, best first, with the reasons", () =>
    Effect.gen(function* () {
      const { mandate, matches, property } = yield* MatchesClient.make()
      const office = yield* property({
        ...munich,
        ...priceOf(46_500_000),
        country: "DE",
        categories: ["office"],
        tags: ["multi_tenant", "partly_vacant"]
      })
      const hotels = yield* mandate({ categories: ["hotel"] })
      const some = yield* mandate({ ...upTo(45), positiveTags: ["partly_vacant", "waterfront"], ...aroundMunich })
      const all = yield* mandate({ ...upTo(50), categories: ["office", "hotel"], country: "DE" })

      const { body, headers, status } = yield* matches("properties", office)
      assert.strictEqual(status, 200)
      assert.isNull(headers.get("link"))
      assert.deepStrictEqual(body.page, { nextCursor: null, pageSize: 50, hasMore: false })
      assert.isTrue(body.isComplete)
      assert.deepStrictEqual(
        body.data.map(({ id, score }) => [id, score]),
        [
          [all, 100],
          [some, 60]
        ]
      )
      assert.notInclude(
        body.data.map(({ id }) => id),
        hotels
      )
      const [best, second] = body.data
      assert.strictEqual(best?.name, "Office")
      assert.strictEqual(best?.status, "active")
      assert.deepStrictEqual(
        best?.criteria.map(({ criterion }) => criterion),
        Object.keys(costs)
      )
      assert.deepStrictEqual(
        second?.criteria.filter(({ result, wanted }) => result !== "unknown" || wanted !== null),
        [
          { criterion: "geography", result: "met", wanted: aroundMunich, found: munich.coordinates },
          {
            criterion: "investmentSize",
            result: "partly",
            wanted: { min: null, max: 45, currency: "EUR", scale: "million" },
            found: { value: 46_500_000, currency: "EUR" }
          },
          {
            criterion: "positiveTags",
            result: "partly",
            wanted: ["partly_vacant", "waterfront"],
            found: ["multi_tenant", "partly_vacant"]
          }
        ]
      )
    })
  )

  it.effect("are the same from both sides", () =>
    Effect.gen(function* () {
      const { createAll, matches } = yield* MatchesClient.make()
      const properties = yield* createAll("properties", [
        { name: "1", ...munich, country: "DE", categories: ["office"], tags: ["waterfront"], ...priceOf(5e6) },
        { name: "2", ...salzburg, country: "AT", categories: ["hotel", "retail"], ...priceOf(8e6) },
        { name: "3", country: "DE", categories: ["land"], tags: ["portfolio"] },
        { name: "4", ...munich, ...priceOf(5.4e6), yearBuilt: 1990 },
        { name: "5", ...salzburg },
        { name: "6", country: "ES" },
        { name: "7" }
      ])
      const square = (west: number, south: number) => ({
        type: "Polygon",
        coordinates: [
          [
            [west, south],
            [west + 1, south],
            [west + 1, south + 1],
            [west, south + 1],
            [west, south]
          ]
        ]
      })
      const mandates = yield* createAll("mandates", [
        { name: "1", ...aroundMunich, ...upTo(5) },
        { name: "2", country: "DE" },
        { name: "3", country: "AT", categories: ["hotel"] },
        { name: "4", geography: square(12.5, 47.5), ...upTo(7.5) },
        { name: "5", geography: square(11, 48), country: "DE", yearBuilt: { min: 2000, max: null } },
        { name: "6", negativeTags: ["portfolio"] },
        { name: "7", categories: ["land", "office"], positiveTags: ["waterfront"] },
        { name: "8", geography: square(11, 48), country: "AT" },
        { name: "9", status: "paused" },
        { name: "10", validUntilUtc: "2020-01-01" }
      ])
      const pairs = new Map<string, unknown>()
      for (const property of properties) {
        const { body } = yield* matches("properties", property, "?min_score=0")
        for (const { criteria, id, score } of body.data) pairs.set(`${property} ${id}`, { score, criteria })
      }
      const reversed = new Map<string, unknown>()
      for (const mandate of mandates) {
        const { body } = yield* matches("mandates", mandate, "?min_score=0")
        for (const { criteria, id, score } of body.data) reversed.set(`${id} ${mandate}`, { score, criteria })
      }
      assert.deepStrictEqual(
        [...reversed].sort(([a], [b]) => (a < b ? -1 : 1)),
        [...pairs].sort(([a], [b]) => (a < b ? -1 : 1))
      )
      // By hand: which mandates each property fits.
      const fits = properties.map((property) =>
        mandates.flatMap((mandate, index) => (pairs.has(`${property} ${mandate}`) ? [index + 1] : [])).join(" ")
      )
      assert.deepStrictEqual(fits, [
        "1 2 5 6 7",
        "3 4 6",
        "1 2 4 5 7",
        "1 2 5 6 7",
        "3 4 6 7",
        "6 7",
        "1 2 3 4 5 6 7 8"
      ])
    })
  )

  it.effect("of a property without coordinates go by its country, as far as that is known", () =>
    Effect.gen(function* () {
      const { mandate, matches, property } = yield* MatchesClient.make()
      const [german, unknown] = [yield* property({ country: "DE" }), yield* property()]
      const wanted = yield* mandate(aroundMunich)
      const resultOf = (id: string) =>
        Effect.map(matches("properties", id), ({ body }) =>
          body.data.map((one) => [one.id, one.criteria.find(({ criterion }) => criterion === "geography")?.result])
        )
      assert.deepStrictEqual(yield* resultOf(german), [[wanted, "unknown"]])
      assert.deepStrictEqual(yield* resultOf(unknown), [[wanted, "unknown"]])
      assert.deepStrictEqual(yield* resultOf(yield* property({ country: "ES" })), [])
    })
  )

  it.effect("of a property beside the outline of its country include the mandates for that country", () =>
    Effect.gen(function* () {
      const { mandate, matches, property } = yield* MatchesClient.make()
      // Germany's exclusive economic zone in the North Sea.
      const offshore = { latitude: 54.9, longitude: 6.1 }
      const [germany, anywhere] = [yield* mandate({ country: "DE" }), yield* mandate()]
      const idsOf = (id: string) => Effect.map(matches("properties", id), ({ body }) => body.data.map((one) => one.id))
      const [platform, nowhere] = [
        yield* property({ country: "DE", coordinates: offshore }),
        yield* property({ coordinates: offshore })
      ]
      assert.deepStrictEqual(yield* idsOf(platform), [germany, anywhere])
      assert.deepStrictEqual(yield* idsOf(nowhere), [anywhere])
      const { body } = yield* matches("mandates", germany)
      assert.deepStrictEqual(
        body.data.map(({ id }) => id),
        [platform]
      )
    })
  )

  it.effect("have at least the score that is asked for: 50 unless the request says otherwise", () =>
    Effect.gen(function* () {
      const { mandate, property, scores } = yield* MatchesClient.make()
      const tower = yield* property({ ...priceOf(10e6), yearBuilt: 1900 })
      const [cheap, new_, cheapAndNew] = [
        yield* mandate(upTo(5)),
        yield* mandate({ yearBuilt: { min: 2000, max: null } }),
        yield* mandate({ ...upTo(5), yearBuilt: { min: 2000, max: null } })
      ]
      assert.deepStrictEqual(yield* scores("properties", tower), [[new_, 80]])
      assert.deepStrictEqual(yield* scores("properties", tower, "?min_score=80"), [[new_, 80]])
      assert.deepStrictEqual(yield* scores("properties", tower, "?min_score=81"), [])
      assert.deepStrictEqual(yield* scores("properties", tower, "?min_score=0"), [
        [new_, 80],
        [cheap, 40],
        [cheapAndNew, 20]
      ])
      assert.deepStrictEqual(yield* scores("mandates", cheap, "?min_score=40"), [[tower, 40]])
    })
  )

  it.effect(
    "with a country hold what says that it is there, and else what is off its coast and in no other country",
    () =>
      Effect.gen(function* () {
        const { createAll, scores } = yield* MatchesClient.make()
        const at = (latitude: number, longitude: number) => ({ coordinates: { latitude, longitude } })
        const properties = {
          // A quay of Copenhagen on reclaimed land, 3 km beside the outline of the country.
          danishQuay: { country: "DK", ...at(55.7105, 12.6285) },
          quay: at(55.7105, 12.6285),
          offSkagen: at(57.9, 10.6),
          atSea: at(57.4, 9.0),
          malmo: at(55.59, 13.02),
          swedishOnTheWrongSide: { country: "SE", ...at(55.7, 12.4) },
          danish: { country: "DK" },
          swedish: { country: "SE" },
          anywhere: {}
        }
        const ids = yield* createAll(
          "properties",
          Object.entries(properties).map(([name, members]) => ({ name, ...members }))
        )
        const nameOf = new Map(Object.keys(properties).map((name, index) => [ids[index], name]))
        const [byCountry = "", byLocation = "", byGroup = "", union = "", polygon = "", quayCircle = ""] =
          yield* createAll("mandates", [
            { name: "Denmark", country: "DK" },
            { name: "Dänemark", location: "Dänemark" },
            { name: "Benelux", location: "Benelux" },
            { name: "Nordics", location: "Nordics" },
            {
              name: "Square",
              geography: {
                type: "Polygon",
                coordinates: [
                  [
                    [12, 55.6],
                    [12.6, 55.6],
                    [12.6, 55.8],
                    [12, 55.8],
                    [12, 55.6]
                  ]
                ]
              }
            },
            { name: "Quay", near: { latitude: 55.7105, longitude: 12.6285 }, radius: 300 }
          ])
        const fitting = (id: string) =>
          Effect.map(scores("mandates", id), (found) => found.map(([one]) => nameOf.get(one) ?? "").sort())
        const danish = ["anywhere", "danish", "danishQuay", "offSkagen", "quay"]
        assert.deepStrictEqual(yield* fitting(byCountry), danish)
        assert.deepStrictEqual(yield* fitting(byLocation), danish)
        assert.deepStrictEqual(yield* fitting(byGroup), ["anywhere"])
        assert.deepStrictEqual(yield* fitting(union), [...danish, "malmo", "swedish", "swedishOnTheWrongSide"].sort())
        // What a client drew stays exact: 12.6285 is beside it.
        assert.deepStrictEqual(yield* fitting(polygon), ["anywhere", "danish", "swedish", "swedishOnTheWrongSide"])
        assert.deepStrictEqual(yield* fitting(quayCircle), ["anywhere", "danish", "danishQuay", "quay", "swedish"])
        // From the other side.
        for (const [index, id] of ids.entries()) {
          const wanted = (yield* scores("properties", id)).map(([mandate]) => mandate)
          for (const mandate of [byCountry, byLocation, byGroup, union, polygon, quayCircle]) {
            const names = yield* fitting(mandate)
            assert.strictEqual(wanted.includes(mandate), names.includes(Object.keys(properties)[index] ?? ""))
          }
        }
      })
  )

  it.effect("are read page by page, each once and in order", () =>
    Effect.gen(function* () {
      const { baseUrl, request } = yield* TestService
      const { createAll, matches, property, token } = yield* MatchesClient.make()
      const tower = yield* property({ ...munich, yearBuilt: 1990 })
      const near = (radius: number) => ({ near: { latitude: 48.5, longitude: 11.9 }, radius })
      // It is 48.6 km away: inside the boxes of all, and inside the circles of few. So some pages end early.
      yield* createAll(
        "mandates",
        Array.from({ length: 150 }, (_, n) => ({
          name: `Mandate ${n}`,
          ...near(n < 20 || n % 20 === 0 ? 55_000 : 48_000),
          ...(n % 3 === 0 ? { yearBuilt: { min: 1980 + (n % 4) * 5, max: null } } : {})
        }))
      )
      const { body: whole } = yield* matches("properties", tower, "?page_size=500&min_score=0")
      assert.lengthOf(whole.data, 27)
      const all: Array<string> = []
      let path: string | undefined = `/api/v1/properties/${tower}/matches?min_score=0&page_size=7`
      const lengths: Array<number> = []
      while (path !== undefined) {
        const reply: Reply<typeof whole> = yield* request<typeof whole>("GET", path, { token })
        assert.strictEqual(reply.status, 200)
        lengths.push(reply.body.data.length)
        all.push(...reply.body.data.map(({ id }) => id))
        const { hasMore, nextCursor } = reply.body.page
        assert.strictEqual(hasMore, nextCursor !== null)
        const next: string | undefined = /<([^>]*)>/.exec(reply.headers.get("link") ?? "")?.[1]
        assert.strictEqual(next !== undefined, hasMore)
        path = next?.slice(baseUrl.length)
      }
      assert.strictEqual(Math.max(...lengths), 7)
      assert.isTrue(lengths.slice(0, -1).some((length) => length < 7))
      assert.deepStrictEqual(
        all,
        whole.data.map(({ id }) => id)
      )
    })
  )

  it.effect("of a mandate that is not active, or no longer valid, are none", () =>
    Effect.gen(function* () {
      const { delete: remove, mandate, patch, property, scores } = yield* MatchesClient.make()
      const [tower, wanted] = [yield* property(), yield* mandate()]
      assert.deepStrictEqual(yield* scores("mandates", wanted), [[tower, 100]])
      for (const change of [{ status: "paused" }, { status: "closed" }, { validUntilUtc: "2026-01-01T00:00:00Z" }]) {
        yield* patch("mandates", wanted, change)
        assert.deepStrictEqual(yield* scores("mandates", wanted), [])
        assert.deepStrictEqual(yield* scores("properties", tower), [])
        yield* patch("mandates", wanted, { status: "active", validUntilUtc: null })
      }
      assert.deepStrictEqual(yield* scores("properties", tower), [[wanted, 100]])
      yield* remove("properties", tower)
      assert.deepStrictEqual(yield* scores("mandates", wanted), [])
    })
  )

  it.effect("are those of the caller's team, of records that live", () =>
    Effect.gen(function* () {
      const { delete: remove, mandate, matches, property, scores } = yield* MatchesClient.make()
      const others = yield* MatchesClient.make()
      const [tower, wanted] = [yield* property(), yield* mandate()]
      const [theirTower, theirs] = [yield* others.property(), yield* others.mandate()]
      assert.deepStrictEqual(yield* scores("properties", tower), [[wanted, 100]])
      assert.deepStrictEqual(yield* scores("mandates", wanted), [[tower, 100]])
      yield* remove("properties", tower)
      yield* remove("mandates", wanted)
      for (const [kind, id] of [
        ["properties", tower],
        ["mandates", wanted],
        ["properties", theirTower],
        ["mandates", theirs],
        ["mandates", theirTower],
        ["properties", "nothing"]
      ] as const) {
        const { status, text } = yield* matches(kind, id)
        assert.strictEqual(status, 404, `${kind} ${id}`)
        assert.include(JSON.parse(text), { code: "not_found" })
      }
    })
  )

  it.effect("need an approved broker, from either side", () =>
    Effect.gen(function* () {
      for (const options of [{ broker: null, investor: "active" }, { broker: "pending" }] as const) {
        const { matches } = yield* MatchesClient.make(options)
        for (const kind of ["properties", "mandates"] as const) {
          const { status, text } = yield* matches(kind, "unknown")
          assert.strictEqual(status, 403)
          assert.include(JSON.parse(text), { code: "capability_required", capability: "broker" })
        }
      }
    })
  )

  it.effect("reject a score that is no score, and a cursor of another list", () =>
    Effect.gen(function* () {
      const { createAll, mandate, matches, property } = yield* MatchesClient.make()
      const [tower, other] = [yield* property(), yield* property()]
      yield* createAll("mandates", [{ name: "1" }, { name: "2" }])
      for (const score of ["-1", "101", "50.5", "high", "", "050"]) {
        const reply = yield* matches("properties", tower, `?min_score=${score}`)
        assert.strictEqual(reply.status, 400, score)
        assert.match(faultsOf(reply).join(), /^query \/min_score \w+$/)
      }
      const { body } = yield* matches("properties", tower, "?page_size=1")
      const cursor = body.page.nextCursor ?? ""
      const statusOf = (query: string, id = tower) =>
        Effect.map(matches("properties", id, query), ({ status }) => status)
      assert.strictEqual(yield* statusOf(`?page_size=1&cursor=${cursor}`), 200)
      assert.strictEqual(yield* statusOf(`?page_size=1&cursor=${cursor}&min_score=50`), 200)
      assert.strictEqual(yield* statusOf(`?page_size=1&cursor=${cursor}&min_score=40`), 400)
      assert.strictEqual(yield* statusOf(`?page_size=1&cursor=${cursor}`, other), 400)
      assert.strictEqual((yield* matches("mandates", yield* mandate(), `?cursor=${cursor}`)).status, 400)
    })
  )
})
