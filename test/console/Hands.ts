/** Somebody who uses the console: by the keyboard alone, or without a script. */
import * as Chromium from "../support/Chromium.ts"
import * as Id from "../../src/core/Id.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Locator, Page } from "playwright-core"
import { Sessions } from "../../src/identity/signIn/Sessions.ts"
import { recordErrors } from "../support/PageFaults.ts"
import { TestService } from "../support/TestService.ts"
import { aPerson } from "./people.ts"

/** How somebody uses it. */
export type Way = "by the keyboard alone" | "without a script"

/** The most stops of a page. */
const maxStops = 150

// To find a control by its role and name, the browser looks at the whole page: once, and not again at each stop.
const seek = (control: Locator) => control.evaluateAll((found) => void Object.assign(globalThis, { sought: found }))

/** Whether the focus is at what is sought; undefined if that is not there any more. */
const isReached = (page: Page) =>
  page.evaluate<boolean | undefined>(
    "globalThis.sought?.some((one) => one.isConnected) ? sought.includes(document.activeElement) : undefined"
  )

/** What somebody does at a page. */
export const handsOf = (page: Page, way: Way) => {
  const { keyboard } = page
  const isKeyboard = way === "by the keyboard alone"
  /** Goes to a control: with the Tab key, or at once. */
  const to = async (control: Locator) => {
    await control.first().waitFor()
    if (!isKeyboard) return control.first().focus()
    await seek(control)
    for (let stops = 0; stops < maxStops; stops += 1) {
      await keyboard.press("Tab")
      let there = await isReached(page)
      if (there === undefined) {
        await seek(control)
        there = await isReached(page)
      }
      if (there === true) return
    }
    assert.fail(`Tab does not reach ${control.toString()} on ${page.url()}`)
  }
  /** Fills a field, in place of what is in it. */
  const fill = async (label: string, text: string) => {
    const field = page.getByLabel(label, { exact: true })
    if (!isKeyboard) return field.fill(text)
    await to(field)
    await keyboard.press("ControlOrMeta+A")
    await keyboard.type(text)
  }
  /** Presses a link or a button. */
  const press = async (role: "button" | "link", name: RegExp | string) => {
    const control = page.getByRole(role, typeof name === "string" ? { name, exact: true } : { name })
    if (!isKeyboard) return control.first().click()
    await to(control)
    await keyboard.press("Enter")
  }
  /** With a script, one is somewhere on a page: a next Tab does not begin at the browser's own controls. */
  const isSomewhere = async () => {
    if (isKeyboard) await page.locator(":focus").first().waitFor()
  }
  /** Waits for a page that says this. */
  const isAt = async (says: RegExp | string) => {
    await page.locator("#main").getByText(says).first().waitFor()
    await isSomewhere()
  }
  /** Waits for a page with this title. */
  const isOn = async (title: string) => {
    await page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor()
    await isSomewhere()
  }
  /** Waits for a page that says what was done; with a script, there one is. */
  const isTold = async (note: string) => {
    await page
      .locator(isKeyboard ? "#notice:focus" : "#notice")
      .filter({ hasText: note })
      .waitFor()
  }
  /** Goes by a link to the page with this title. */
  const go = async (link: RegExp | string, title: string) => {
    await press("link", link)
    await isOn(title)
  }
  /** Ticks a box. */
  const tick = async (label: string | RegExp) => {
    await to(page.getByLabel(label, { exact: true }))
    await keyboard.press("Space")
  }
  /** Opens or closes what is folded under these words. */
  const unfold = async (words: string) => {
    await to(page.locator("summary").filter({ hasText: new RegExp(`^\\s*${words}\\s*$`) }))
    await keyboard.press("Enter")
  }
  /** Chooses an option by its name. */
  const choose = async (label: string, option: string) => {
    const field = page.getByLabel(label, { exact: true })
    if (!isKeyboard) return void (await field.selectOption({ label: option }))
    await to(field)
    await keyboard.type(option)
  }
  /** Chooses a file. */
  const upload = async (label: RegExp | string, file: { name: string; mimeType: string; buffer: Buffer }) => {
    const field = page.getByLabel(label)
    if (!isKeyboard) return field.setInputFiles(file)
    const chosen = page.waitForEvent("filechooser")
    await to(field)
    await keyboard.press("Enter")
    await (await chosen).setFiles(file)
  }
  return { to, fill, press, isAt, isOn, isTold, go, tick, unfold, choose, upload, keyboard }
}

/** A browser for somebody who uses the console in this way. */
export const openFor = (way: Way) =>
  Effect.tap(
    Chromium.open({ viewport: { width: 1280, height: 800 }, javaScriptEnabled: way !== "without a script" }),
    (context) => Effect.sync(() => context.setDefaultTimeout(8000))
  )

/** A page of the console in a browser in which somebody is signed in: their user (UUID), and their team, as addresses have it. */
export const seatedAs = Effect.fnUntraced(function* (
  way: Way,
  { team, userId }: { readonly userId: string; readonly team: string }
) {
  const { baseUrl } = yield* TestService
  const { begin } = yield* Sessions
  const session = yield* begin(userId, { userAgent: undefined, address: null })
  const context = yield* openFor(way)
  const errors = recordErrors(context)
  const page = yield* Effect.promise(async () => {
    await context.addCookies([{ name: "pn_session", value: session, url: baseUrl }])
    return context.newPage()
  })
  return { context, page, base: `${baseUrl}/console/${team}`, errors, ...handsOf(page, way) }
})

/** A person, and a page of the console in a browser in which they are signed in. */
export const seated = Effect.fnUntraced(function* (way: Way) {
  const person = yield* aPerson
  const userId = Id.toUuid("user", person.user.id) ?? ""
  return { ...person, userId, ...(yield* seatedAs(way, { userId, team: person.team.id })) }
})
