/** Somebody who uses the console: by the keyboard alone, or without a script. */
import { assert } from "@effect/vitest"
import type { Locator, Page } from "playwright-core"

/** How somebody uses it. */
export type Way = "by the keyboard alone" | "without a script"

/** The most stops of a page. */
const maxStops = 150

const isFocused = (control: Locator) =>
  control.evaluateAll((found) => found.some((one) => one === one.ownerDocument.activeElement))

/** What somebody does at a page. */
export const handsOf = (page: Page, way: Way) => {
  const { keyboard } = page
  const isKeyboard = way === "by the keyboard alone"
  /** Goes to a control: with the Tab key, or at once. */
  const to = async (control: Locator) => {
    await control.first().waitFor()
    if (!isKeyboard) return control.first().focus()
    for (let stops = 0; stops < maxStops; stops += 1) {
      await keyboard.press("Tab")
      if (await isFocused(control)) return
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
  /** Waits for a page that says this. With a script, one is somewhere on it: a next Tab does not begin at the browser's own controls. */
  const isAt = async (says: RegExp | string) => {
    await page.locator("#main").getByText(says).first().waitFor()
    if (isKeyboard) await page.locator(":focus").first().waitFor()
  }
  return { to, fill, press, isAt, keyboard }
}
