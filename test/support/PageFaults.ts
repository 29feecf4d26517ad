/** What is wrong with pages in a browser: errors that it reports, layout, accessibility, and use by keyboard. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { BrowserContext, Page } from "playwright-core"

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
  context.on("weberror", (error) => errors.push(`${error.page()?.url()}: ${error.error().message}`))
  context.on("console", (message) => {
    const { url } = message.location()
    const isStatusOfPage = visited.has(url) && message.text().startsWith("Failed to load resource")
    if (["error", "warning"].includes(message.type()) && !isStatusOfPage) errors.push(`${url}: ${message.text()}`)
  })
  return errors
}

const appearances = [
  { width: 360, height: 740, colorScheme: "light" },
  { width: 1280, height: 800, colorScheme: "dark" }
] as const

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

const violations = async (page: Page) => {
  const found = await page.evaluate<ReadonlyArray<Violation>>(
    "axe.run({ resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }).then(({ violations }) => violations)"
  )
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
    if (focused !== undefined) visits.push(focused)
  }
  const first = visits[0]?.index ?? 0
  const expected = [...controls.slice(first), ...controls.slice(0, first)].join(", ")
  const order = visits.map(({ control }) => control).join(", ")
  return [
    ...visits.flatMap(({ control, fault }) => (fault === undefined ? [] : [`${control} ${fault}`])),
    ...(order === expected ? [] : [`Tab goes to ${order}; not ${expected}`])
  ]
}

/**
 * What is wrong with the page that is shown, at 360 and 1,280 pixels, the one in light and the other in dark colours: horizontal
 * scrolling, what axe finds, and controls that the keyboard does not reach or on which the focus cannot be seen. The page's
 * scripts must not be switched off.
 */
export const faultsOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  await page.evaluate(`${axe};${inPage};undefined`)
  const faults: Array<string> = []
  for (const { colorScheme, height, width } of appearances) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme })
    const overflowing = await page.evaluate<ReadonlyArray<string>>("inPage.overflowing()")
    const found = [
      ...overflowing.map((element) => `is wider than the window: ${element}`),
      ...(await violations(page)),
      ...(width === appearances[0].width ? await keyboardFaults(page) : [])
    ]
    faults.push(...found.map((fault) => `${width} px, ${colorScheme}: ${fault}`))
  }
  return faults
}
