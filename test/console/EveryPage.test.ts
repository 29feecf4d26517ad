/**
 * Every page of the console, as people of each kind meet it by its links, with texts that try to become more than text (EveryKind.ts).
 * A route of `src/Pages.ts` that no link leads to needs an address in `unlinked`.
 */
import * as Chromium from "../support/Chromium.ts"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { BrowserContext, Page } from "playwright-core"
import { pages as routes } from "../../src/Pages.ts"
import { quickFaultsOf, recordErrors } from "../support/PageFaults.ts"
import { TestService } from "../support/TestService.ts"
import { everyKind, planted, type Someone } from "./EveryKind.ts"
import { answerTo, type Met, walk } from "./Walk.ts"

const paths = routes.filter(({ method }) => method === "GET").map(({ path }) => path)

/** The addresses to which no link leads: where people begin, and what scripts ask for. */
const unlinked = ({ team }: Someone): ReadonlyArray<string> => ["/console", `/console/${team}`, "/console/account"]

/** What people of each kind have met. */
class Walked extends Context.Service<
  Walked,
  { readonly people: ReadonlyArray<Someone>; readonly met: ReadonlyArray<Met>; readonly outward: ReadonlySet<string> }
>()("test/console/EveryPage/Walked") {
  static readonly layer = Layer.effect(
    Walked,
    Effect.gen(function* () {
      const { baseUrl } = yield* TestService
      const { people } = yield* everyKind
      return yield* Effect.promise(async () => {
        const walks = []
        for (const person of people) walks.push(await walk(baseUrl, paths, person, unlinked(person)))
        return {
          people,
          met: walks.flatMap(({ pages }) => pages),
          outward: new Set(walks.flatMap(({ outward }) => [...outward]))
        }
      })
    })
  ).pipe(Layer.provideMerge(TestService.layerOwn))
}

const where = ({ address, from, person }: Met) => `${address}, to which ${from} leads the ${person.name}`

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

/** How many pages are looked at side by side. */
const tabs = 3

describe("Every page", () => {
  layer(Walked.layer, { excludeTestServices: true })((it) => {
    it.effect("is met by links from the start page, and no link leads to nothing", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { met, outward, people } = yield* Walked
        assert.deepStrictEqual(
          paths.filter((path) => !met.some(({ route }) => route === path)),
          [],
          "routes that nobody meets: link to them, or name an address in `unlinked`"
        )
        assert.deepStrictEqual(
          met.filter(({ status }) => ![200, 303].includes(status)).map((one) => `${one.status}: ${where(one)}`),
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
                faults.push(...(await quickFaultsOf(tab.page)).map((fault) => `${address}: ${fault}`))
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
  })
})
