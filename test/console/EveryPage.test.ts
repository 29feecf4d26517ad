/**
 * Every page of the console, as people of each kind meet it by its links, with texts that try to become more than text (EveryKind.ts).
 * A route of `src/Pages.ts` that no link leads to needs an address in `unlinked`.
 */
import * as Chromium from "../support/Chromium.ts"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { BrowserContext, Page } from "playwright-core"
import { vi } from "vitest"
import { pages as routes } from "../../src/Pages.ts"
import { quickFaultsOf, recordErrors } from "../support/PageFaults.ts"
import { times } from "../support/campaign.ts"
import { options, TestService } from "../support/TestService.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { Sessions } from "../../src/identity/signIn/Sessions.ts"
import { everyKind, planted, type Someone } from "./EveryKind.ts"
import { answerTo, type Met, sizeOf, walk } from "./Walk.ts"

const paths = routes.filter(({ method }) => method === "GET").map(({ path }) => path)

/** The addresses to which no link leads: where people begin, and what scripts ask for. */
const unlinked = ({ team }: Someone): ReadonlyArray<string> => [
  "/console",
  `/console/${team}`,
  "/console/account",
  // What the reference, the palette and the map of a mandate ask for.
  "/console/docs/session",
  `/console/${team}/find?q=person`,
  `/console/${team}/mandates/map?west=5&east=15&south=45&north=55&scale=40`,
  `/console/${team}/mandates/place?location=Munich`
]

/** What people of each kind have met. */
class Walked extends Context.Service<
  Walked,
  {
    readonly people: ReadonlyArray<Someone>
    readonly stranger: Someone
    readonly met: ReadonlyArray<Met>
    readonly outward: ReadonlySet<string>
  }
>()("test/console/EveryPage/Walked") {
  static readonly layer = Layer.effect(
    Walked,
    Effect.gen(function* () {
      const { baseUrl } = yield* TestService
      const { deepAddressesOf, people, stranger } = yield* everyKind
      return yield* Effect.promise(async () => {
        const walks = []
        for (const person of people) {
          walks.push(await walk(baseUrl, paths, person, [...unlinked(person), ...deepAddressesOf(person)]))
        }
        return {
          people,
          stranger,
          met: walks.flatMap(({ pages }) => pages),
          outward: new Set(walks.flatMap(({ outward }) => [...outward]))
        }
      })
    })
  ).pipe(Layer.provideMerge(TestService.layerOwn))
}

const where = ({ address, from, person }: Met) => `${address}, to which ${from} leads the ${person.name}`

/** One of those that differ in ids alone. */
const firstOfEach = (met: ReadonlyArray<Met>): ReadonlyArray<Met> => [
  ...new Map(met.map((one) => [one.address.replaceAll(/_01[0-9a-z]{24}/g, ""), one])).values()
]

const shown = ({ headers, text }: Met) => text !== "" && headers.get("location") === null

/** The largest page of each route and of each view of it, as one person has it. */
const representative = (met: ReadonlyArray<Met>): ReadonlyArray<Met> => {
  const largest = new Map<string, Met>()
  for (const one of met.filter(shown)) {
    const views = [...new URL(one.address, "http://own.invalid").searchParams.keys()].filter((name) =>
      ["open", "tab", "view"].includes(name)
    )
    const key = [one.route, ...views].join(" ")
    if (one.text.length > (largest.get(key)?.text.length ?? 0)) largest.set(key, one)
  }
  return [...largest.values()]
}

/** Goes to a page of the console as its links do: this page becomes that one. */
const goTo = async (page: Page, address: string) => {
  await page.evaluate(
    `new Promise((resolve, reject) => {
      document.addEventListener("console:shown", resolve, { once: true })
      navigation.navigate(${JSON.stringify(address)}).finished.catch(reject)
    })`
  )
}

const forms = routes.filter(({ method }) => method === "POST")

const isOfOperators = (path: string) => /^\/console\/operation(?:\/|$)/.test(path)

const tokenOf = (text: string) => /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ""

/** An address of the route of a form, with ids that somebody has met. */
const addressOf = (path: string, person: Someone, met: ReadonlyArray<Met>): string => {
  const values = new Map<string, string>()
  for (const { address, person: who, route = "" } of met) {
    const segments = address.split(/[?#]/)[0]?.split("/") ?? []
    for (const [index, segment] of route.split("/").entries()) {
      if (segment.startsWith(":") && who === person) values.set(segment, segments[index] ?? "")
    }
  }
  return path.replaceAll(/:[^/]+/g, (name) => values.get(name) ?? "x")
}

// Nobody waits for one page as long; all of them, on a busy machine, take longer than a test usually may.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/**
 * Every how many pages one is looked at in dark colours, too. These are the stylesheet's, which no page has for itself; pages with an
 * appearance of their own are seen in both by test/console/InBrowser.memory.test.ts.
 */
const inDarkEvery = times("DARK_EVERY", 4, 1)

/** How many pages are looked at side by side. */
const tabs = 2

describe("Every page", () => {
  layer(Walked.layer, { excludeTestServices: true })((it) => {
    it.effect("is met by links from the start page, and no link leads to nothing", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { met, outward, people } = yield* Walked
        const unmet = paths.filter((path) => !met.some(({ route }) => route === path))
        assert.deepStrictEqual(
          [
            ...unmet.map((path) => `Nobody meets ${path}: link to it, or name an address in \`unlinked\``),
            ...firstOfEach(met.filter(({ status }) => ![200, 303].includes(status))).map(
              (one) => `${one.status}: ${where(one)}`
            )
          ],
          []
        )
        const answers = yield* Effect.promise(async () => {
          const own = [...outward].filter((href) => href.startsWith("/"))
          const found = []
          for (const href of own)
            found.push([href, (await answerTo(baseUrl, people[0] ?? { session: "" }, href)).status])
          return found
        })
        assert.deepStrictEqual(
          answers.filter(([, status]) => status !== 200 && status !== 303),
          []
        )
      })
    )

    it.effect("shows all texts as text, and no secret, and says who may keep it", () =>
      Effect.gen(function* () {
        const { met } = yield* Walked
        const pages = met.filter(shown)
        const faults = pages.flatMap((one) => [
          // Within the quotes of an attribute it is text.
          ...(/<[^<>]*\sdata-planted/.test(one.text.replaceAll(/"[^"]*"/g, '""'))
            ? [`has planted HTML: ${where(one)}`]
            : []),
          ...(/\b(?:pn[a-z]|whsec)_[\w+/=-]{30,}/.test(one.text) ? [`shows a secret: ${where(one)}`] : []),
          ...(one.headers.get("content-security-policy")?.includes("require-trusted-types-for 'script'") === true
            ? []
            : [`has no policy: ${where(one)}`]),
          ...(/^(?:private, no-cache|no-store)$/.test(one.headers.get("cache-control") ?? "")
            ? []
            : [`may be kept by others: ${where(one)}`])
        ])
        assert.deepStrictEqual(faults, [])
        const meant = planted.slice(0, 20).replaceAll('"', "&quot;").replaceAll(">", "&gt;").replaceAll("<", "&lt;")
        assert.isAbove(pages.filter(({ text }) => text.includes(meant)).length, pages.length / 2)
      })
    )

    it.effect("and every form refuses what does not come from a page of this browser, and changes nothing", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { met, people } = yield* Walked
        const sql = yield* Database
        const [broker, investor, operator] = people
        if (broker === undefined || investor === undefined || operator === undefined)
          return assert.fail("nobody is there")
        const tables = yield* sql<{ readonly name: string }>`
          select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
        // What is written of each request, whatever becomes of it.
        const contents = tables
          .filter(({ name }) => !["rate_windows", "sessions", "request_log"].includes(name))
          .map(
            ({ name }) =>
              sql`select ${name}::text as name, count(*)::int as rows, max(xmin::text::bigint)::text as latest from ${sql(name)}`
          )
        const state = sql`select * from (${sql.join(" union all ", false)(contents)}) as all_tables order by name`
        const before = yield* state
        const own = { "sec-fetch-site": "same-origin", origin: "null" }
        const answers = yield* Effect.promise(async () => {
          const tokens = new Map<Someone, string>()
          for (const person of people)
            tokens.set(person, tokenOf((await answerTo(baseUrl, person, "/console/account")).text))
          const found: Array<string> = []
          const send = async (path: string) => {
            const person = isOfOperators(path) ? operator : broker
            const address = addressOf(path, person, met)
            for (const [what, sender, token, headers] of [
              ["without a token", person, undefined, own],
              ["with the token of another browser", person, tokens.get(investor), own],
              ["from another site", person, tokens.get(person), { ...own, "sec-fetch-site": "cross-site" }],
              ["from another origin", person, tokens.get(person), { origin: "https://attacker.example" }]
            ] as const) {
              const asFields = await answerTo(baseUrl, sender, address, { token, headers })
              const { status, text } =
                asFields.status === 415
                  ? await answerTo(baseUrl, sender, address, { token, headers, isFile: true })
                  : asFields
              const says = /req_\w+/.test(text) && text.includes('href="/help/foreign-form"')
              if (status !== 403 || !says) found.push(`${path} ${what}: ${status}`)
            }
          }
          await Promise.all(forms.map(({ path }) => send(path)))
          return found
        })
        assert.deepStrictEqual(answers, [])
        assert.deepStrictEqual(yield* state, before)
      })
    )

    it.effect("and nobody meets a page of another team, or of operators, or does what it does", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { met, people, stranger } = yield* Walked
        const [broker, , operator] = people
        if (broker === undefined || operator === undefined) return assert.fail("nobody is there")
        const faults = yield* Effect.promise(async () => {
          const found: Array<string> = []
          const expect404 = async (person: Someone, address: string, token?: string) => {
            const { status } = await answerTo(
              baseUrl,
              person,
              address,
              token === undefined ? undefined : { token, headers: { "sec-fetch-site": "same-origin" } }
            )
            if (status !== 404)
              found.push(`${token === undefined ? "GET" : "POST"} ${address} as ${person.name}: ${status}`)
          }
          const token = tokenOf((await answerTo(baseUrl, stranger, "/console/account")).text)
          for (const { address, person, route = "" } of met) {
            if (person === broker && route.includes("/:team")) {
              await expect404(stranger, address)
              // The ids of records of one team in the address of another one, of someone who may do all there.
              if (route.split(":").length > 2) await expect404(stranger, address.replace(broker.team, stranger.team))
            }
            if (person === operator && isOfOperators(route)) await expect404(broker, address)
          }
          for (const { path } of forms) {
            if (path.includes("/:team")) await expect404(stranger, addressOf(path, broker, met), token)
            if (isOfOperators(path)) await expect404(stranger, addressOf(path, operator, met), token)
          }
          return found
        })
        assert.deepStrictEqual(faults, [])
      })
    )

    it.effect("and a list of fifty rows is loaded with 30 KB, and the next page with 5 KB", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { met } = yield* Walked
        const lists = new Map(
          met
            .filter(({ address, text }) => /\srel="next"/.test(text) && !/[?&](?:cursor|before|open)=/.test(address))
            .map((one) => [one.route, one])
        )
        assert.isAbove(lists.size, 0)
        const sizes = yield* Effect.promise(() =>
          Promise.all(
            [...lists.values()].map(async ({ address, person, text }) => {
              const loaded = [...text.matchAll(/<(?:link|script|img)\s[^>]*?(?:href|src)="([^"]+)"/g)].map(
                ([, src = ""]) => src
              )
              const sent = await Promise.all(
                [...new Set([address, ...loaded])].map((one) => sizeOf(baseUrl, person, one))
              )
              const next = /<a\s[^>]*?rel="next"\s+href="([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? ""
              return {
                address,
                first: sent.reduce((sum, size) => sum + size, 0),
                next: await sizeOf(baseUrl, person, next, text)
              }
            })
          )
        )
        assert.deepStrictEqual(
          sizes.filter(({ first, next }) => first > 30 * 1024 || next > 5 * 1024),
          []
        )
      })
    )

    describe.skipIf(Chromium.missing !== undefined)("in a browser", () => {
      it.layer(Chromium.layer)((it) => {
        it.effect("is free of errors, fits, is accessible in both themes, and has no element of a text", () =>
          Effect.gen(function* () {
            const { baseUrl } = yield* TestService
            const { met } = yield* Walked
            const queue = representative(met).toSorted((a, b) => a.person.name.localeCompare(b.person.name))
            const contexts = new Map<Someone, BrowserContext>()
            const errors: Array<ReadonlyArray<string>> = []
            for (const { person } of queue) {
              if (contexts.has(person)) continue
              const context = yield* Chromium.open()
              errors.push(recordErrors(context))
              yield* Effect.promise(() =>
                context.addCookies([{ name: "pn_session", value: person.session, url: baseUrl }])
              )
              contexts.set(person, context)
            }
            const faults: Array<string> = []
            let looked = 0
            const look = async () => {
              let tab: { readonly person: Someone; readonly page: Page } | undefined
              for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
                const { address, person } = next
                if (tab?.person === person) await goTo(tab.page, address)
                else {
                  await tab?.page.close()
                  const page = await contexts.get(person)?.newPage()
                  if (page === undefined) throw new Error("There is no context")
                  await page.goto(`${baseUrl}${address}`)
                  tab = { person, page }
                }
                faults.push(
                  ...(await quickFaultsOf(tab.page, { inDark: looked++ % inDarkEvery === 0 })).map(
                    (fault) => `${address}: ${fault}`
                  )
                )
              }
              await tab?.page.close()
            }
            yield* Effect.promise(() => Promise.all(Array.from({ length: tabs }, look)))
            assert.deepStrictEqual(faults, [])
            assert.deepStrictEqual(errors.flat(), [])
          })
        )
      })
    })

    it.effect(
      "but says what went wrong: unknown, too many requests, a fault of the service; and who is out is out",
      () =>
        Effect.gen(function* () {
          const { baseUrl } = yield* TestService
          const sql = yield* Database
          const { begin, endAll } = yield* Sessions
          const { people } = yield* Walked
          const person = people[0]
          if (person === undefined) return assert.fail("nobody is there")
          const session = yield* begin(person.userId, { userAgent: undefined, address: null })
          const ask = (address: string) => Effect.promise(() => answerTo(baseUrl, { session }, address))
          const isPageOf = (status: number, code: string, page: Effect.Success<ReturnType<typeof ask>>) => {
            assert.strictEqual(page.status, status)
            assert.match(page.headers.get("content-type") ?? "", /^text\/html/)
            assert.include(page.text, code)
            assert.include(page.text, page.headers.get("x-request-id") ?? "none")
            assert.include(page.headers.get("content-security-policy") ?? "", "default-src 'none'")
          }
          for (const address of [
            "/console/nothing",
            `/console/${person.team}/nothing`,
            "/console/team_x",
            "/console/operation"
          ]) {
            isPageOf(404, "not_found", yield* ask(address))
          }
          yield* sql`alter table memberships rename to memberships_away`
          const fault = yield* Effect.ensuring(
            ask("/console/account"),
            Effect.orDie(sql`alter table memberships_away rename to memberships`)
          )
          isPageOf(500, "internal_error", fault)
          yield* sql`update rate_windows set requests = ${options.rateLimits.session}`
          const limited = yield* ask("/console/account")
          isPageOf(429, "rate_limited", limited)
          assert.isAbove(Number(limited.headers.get("retry-after")), 0)
          yield* sql`delete from rate_windows`
          assert.strictEqual((yield* ask("/console/account")).status, 200)
          yield* endAll(person.userId)
          for (const address of ["/console/account", `/console/${person.team}`]) {
            const out = yield* ask(address)
            assert.deepStrictEqual([out.status, out.headers.get("location")?.startsWith("/signin?next=")], [303, true])
          }
        })
    )
  })
})
