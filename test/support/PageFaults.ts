/** What is wrong with pages in a browser: errors that it reports, layout, accessibility, and use by keyboard. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { BrowserContext, CDPSession, Page } from "playwright-core"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const inPage = readFileSync(join(import.meta.dirname, "inPage.js"), "utf8")

/**
 * Records the errors of all pages of a context: of scripts, of the console (to which the browser reports what a
 * Content-Security-Policy blocked), and of requests. That a page itself is answered with an error status is none.
 */
export const recordErrors = (context: BrowserContext): ReadonlyArray<string> => {
  const errors: Array<string> = []
  const visited = new Set<string>()
  context.on("response", (response) => {
    const request = response.request()
    // The script of the console asks for a page as a page, too.
    if (request.isNavigationRequest() || request.headers()["accept"] === "text/html") visited.add(response.url())
  })
  // A stream of events ends when one leaves its page, what the policy blocks is said on the console, and pages may lead to nowhere.
  context.on("requestfailed", (request) => {
    const failure = request.failure()?.errorText
    const isFault = failure !== "net::ERR_ABORTED" && failure !== "csp" && !request.isNavigationRequest()
    if (isFault) errors.push(`${request.url()}: ${failure}`)
  })
  context.on("weberror", (error) => errors.push(`${error.page()?.url()}: ${error.error().message}`))
  context.on("console", (message) => {
    const { url } = message.location()
    const isStatusOfPage = visited.has(url) && message.text().startsWith("Failed to load resource")
    if (["error", "warning"].includes(message.type()) && !isStatusOfPage) errors.push(`${url}: ${message.text()}`)
  })
  return errors
}

interface Violation {
  readonly id: string
  readonly help: string
  readonly nodes: ReadonlyArray<{ readonly target: ReadonlyArray<string> }>
}

interface Focused {
  readonly control: string
  readonly index: number
  readonly fault?: string
}

const violations = async (page: Page, looked: string) => {
  const found = await page.evaluate<ReadonlyArray<Violation>>(looked)
  return found.map(
    ({ help, id, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => target.join(" ")).join(", ")})`
  )
}

/** Whether Tab reaches every control, in the order of the document, and shows where the focus is. */
const keyboardFaults = async (page: Page) => {
  const controls = await page.evaluate<ReadonlyArray<string>>("inPage.controls()")
  const visits: Array<Focused> = []
  for (let press = 0; press < 2 * controls.length + 2; press += 1) {
    await page.keyboard.press("Tab")
    const focused = await page.evaluate<Focused | undefined>("inPage.focused()")
    // After the last control, the focus leaves the page, and comes back to the first.
    if (focused !== undefined && focused.index === visits[0]?.index) break
    // The parts of a date field are stops of one control.
    if (focused !== undefined && focused.index !== visits.at(-1)?.index) visits.push(focused)
  }
  const first = visits[0]?.index ?? 0
  const expected = [...controls.slice(first), ...controls.slice(0, first)].join(", ")
  const order = visits.map(({ control }) => control).join(", ")
  return [
    ...visits.flatMap(({ control, fault }) => (fault === undefined ? [] : [`${control} ${fault}`])),
    ...(order === expected ? [] : [`Tab goes to ${order}; not ${expected}`])
  ]
}

/** Makes a page ready for being looked at. It stays so while the console goes from page to page by itself. */
const prepare = async (page: Page): Promise<void> => {
  const isReady = await page.evaluate<boolean>("globalThis.inPage !== undefined")
  if (!isReady) await page.evaluate(`${axe};${inPage};undefined`)
}

const sessions = new WeakMap<Page, Promise<CDPSession>>()

/** Switches touch on or off. */
const touch = async (page: Page, enabled: boolean): Promise<void> => {
  const devTools = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, devTools)
  await (await devTools).send("Emulation.setTouchEmulationEnabled", { enabled })
}

const atDesk = async (page: Page, inDark: boolean): Promise<ReadonlyArray<string>> => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const light = [
    ...(await page.evaluate<ReadonlyArray<string>>("inPage.look()")),
    ...(await violations(page, "inPage.inaccessible()"))
  ]
  if (inDark) await page.emulateMedia({ colorScheme: "dark" })
  const dark = inDark ? await violations(page, "inPage.contrast()") : []
  if (inDark) await page.emulateMedia({ colorScheme: "light" })
  return [...light.map((fault) => `1280 px, light: ${fault}`), ...dark.map((fault) => `1280 px, dark: ${fault}`)]
}

const atPhone = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.setViewportSize({ width: 320, height: 740 })
  await touch(page, true)
  const faults = [
    ...(await page.evaluate<ReadonlyArray<string>>("[...inPage.look(), ...inPage.touch()]")),
    ...(await violations(page, "inPage.targetSizes()"))
  ]
  await touch(page, false)
  return faults.map((fault) => `320 px: ${fault}`)
}

/**
 * What is wrong with the page that is shown, at 1,280 pixels in light colours, then in dark ones if `inDark`, and at 320 pixels by touch:
 * elements that no page may have, horizontal scrolling, what a finger can hardly hit, broken words, and what axe finds. Each is looked at
 * once: what the colours change in both, what the width changes at both. What is folded is opened. Of what repeats what is beside it, and
 * of texts with the same colours, axe looks at some. The page's scripts must not be switched off, and its colours be light.
 */
export const quickFaultsOf = async (page: Page, { inDark = true } = {}): Promise<ReadonlyArray<string>> => {
  await prepare(page)
  return [...(await atDesk(page, inDark)), ...(await atPhone(page))]
}

/** As {@link quickFaultsOf}, and controls that the keyboard does not reach or on which the focus cannot be seen. */
export const faultsOf = async (page: Page): Promise<ReadonlyArray<string>> => [
  ...(await quickFaultsOf(page)),
  ...(await keyboardFaults(page)).map((fault) => `keyboard: ${fault}`)
]
