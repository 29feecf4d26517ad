/** The pages in a real browser, at the widths of a phone and of a desk. */
import * as Id from "../../src/core/Id.ts"
import * as Chromium from "../support/Chromium.ts"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Locator, Page } from "playwright-core"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Sessions } from "../../src/identity/signIn/Sessions.ts"
import { Teams } from "../../src/identity/teams/Teams.ts"
import { faultsOf, recordErrors } from "../support/PageFaults.ts"
import { TestService } from "../support/TestService.ts"
import { broker } from "../deals/console.ts"
import { aPerson, linkOf, password } from "./people.ts"
import { appAt, letAct, press, requestOf, signIn, site, verifier } from "./inBrowser.ts"

/** Moves the focus to a control with the Tab key. */
const tabTo = async (page: Page, control: Locator) => {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press("Tab")
    if ((await control.and(page.locator(":focus")).count()) === 1) return
  }
  assert.fail(`Tab does not reach ${control.toString()}`)
}

const isFine = async (page: Page, what: string) => assert.deepStrictEqual(await faultsOf(page), [], what)

describe.skipIf(Chromium.missing !== undefined)("In a browser", () => {
  layer(Layer.merge(TestService.layer, Chromium.layer), { excludeTestServices: true })((it) => {
    it.effect("the pages of sign-in are free of errors, fit, are accessible, and are operable by keyboard", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { email } = yield* aPerson
        const link = yield* linkOf(email)
        const context = yield* Chromium.open()
        const errors = recordErrors(context)
        yield* Effect.promise(async () => {
          const page = await context.newPage()
          await page.goto(`${baseUrl}/signin`)
          await page.getByRole("link", { name: "Sign in with id.example.com" }).waitFor()
          await isFine(page, "sign-in")
          await page.getByLabel("E-mail address").fill(email)
          await page.getByLabel("Password").fill("wrong")
          await press(page, "Sign in")
          await isFine(page, "refused sign-in")
          assert.match(await page.title(), /^Error: Sign in/)
          await page.goto(`${baseUrl}${link}`)
          await isFine(page, "new password")
          await page.getByLabel("New password").fill(email)
          await press(page, "Set the password and sign in")
          await isFine(page, "refused password")
          await page.goto(`${baseUrl}/signin/password?link=pnl_unknown`)
          await isFine(page, "refused link")
        })
        assert.deepStrictEqual(errors, [])
      })
    )

    it.effect("so are the account page and the consent page", () =>
      Effect.gen(function* () {
        const { baseUrl, request } = yield* TestService
        const { email } = yield* aPerson
        const link = yield* linkOf(email)
        const callback = "https://radar.example.com/callback"
        const app = yield* appAt("Deal <Radar>", callback, "http://127.0.0.1/cb")
        const registered = yield* request<{ readonly client_id: string }>("POST", "/openid/register", {
          json: { client_name: "Deal Radar", redirect_uris: [callback], token_endpoint_auth_method: "none" }
        })
        const context = yield* Chromium.open()
        const errors = recordErrors(context)
        yield* Effect.promise(async () => {
          const page = await signIn(context, baseUrl, link)
          await isFine(page, "account")
          await page.goto(`${baseUrl}/console/account/security`)
          await isFine(page, "security")
          await page.goto(`${baseUrl}/console/account/apps`)
          await isFine(page, "apps, none")
          await page.goto(`${baseUrl}/console/account/tokens`)
          await isFine(page, "tokens, none")
          await page.getByLabel("What is a new token for?").fill(" ")
          await press(page, "Create a token")
          await isFine(page, "refused token")
          await page.getByLabel("What is a new token for?").fill("Nightly import")
          await press(page, "Create a token")
          await isFine(page, "new token")
          await page.goto(requestOf(baseUrl, app.client_id, callback))
          await isFine(page, "consent")
          await page.goto(requestOf(baseUrl, app.client_id, "http://127.0.0.1:1234/cb"))
          await isFine(page, "consent for an app on this machine")
          await page.goto(requestOf(baseUrl, registered.body.client_id, callback))
          await page.getByText("The app gave itself this name").waitFor()
          await isFine(page, "consent for an app that registered itself")
          await page.goto(requestOf(baseUrl, "client_unknown", callback))
          await isFine(page, "refused app")
        })
        assert.deepStrictEqual(errors, [])
      })
    )

    it.effect("so are the account pages with tokens, connected apps and sessions", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const teams = yield* Teams
        const { begin } = yield* Sessions
        const [person, colleague] = [yield* aPerson, yield* aPerson]
        const place = { teamId: person.team.id, email: colleague.email }
        yield* asOperator(Effect.andThen(teams.invite({ ...place, role: "member" }), teams.accept(place)))
        const callback = "https://radar.example.com/callback"
        const [radar, agent] = [yield* appAt("Deal <Radar>", callback), yield* appAt("Agent", callback)]
        const context = yield* Chromium.open()
        const errors = recordErrors(context)
        const link = yield* linkOf(person.email)
        const page = yield* Effect.promise(() => signIn(context, baseUrl, link))
        for (const app of [radar, agent]) {
          yield* letAct(requestOf(baseUrl, app.client_id, callback), person, person.team, app === agent)
          yield* letAct(requestOf(baseUrl, app.client_id, callback), colleague, person.team, app === radar)
        }
        for (const [userAgent, address] of [
          ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "2001:db8::1"],
          ["curl/8.14.1", "203.0.113.7"],
          [undefined, null]
        ] as const) {
          yield* begin(Id.toUuid("user", person.user.id) ?? "", { userAgent, address })
        }
        yield* Effect.promise(async () => {
          await page.goto(`${baseUrl}/console/account/tokens`)
          for (const name of ["Nightly import", "Dashboard"]) {
            await page.getByLabel("What is a new token for?").fill(name)
            await press(page, "Create a token")
          }
          for (const [tab, count] of [
            ["tokens", 2],
            ["apps", 2],
            ["security", 4]
          ] as const) {
            await page.goto(`${baseUrl}/console/account/${tab}`)
            assert.strictEqual(await page.locator("tbody tr").count(), count, tab)
            await isFine(page, `${tab} with rows`)
          }
        })
        assert.deepStrictEqual(errors, [])
      })
    )

    it.effect("what was refused is marked, described, kept and in focus; what was made can be copied at once", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { email } = yield* aPerson
        const link = yield* linkOf(email)
        const context = yield* Chromium.open()
        yield* Effect.promise(async () => {
          const page = await context.newPage()
          const isCorrected = async (label: string, described: RegExp, value: string) => {
            const field = page.getByLabel(label)
            const ids = (await field.getAttribute("aria-describedby"))?.split(" ") ?? []
            const texts = await Promise.all(ids.map((id) => page.textContent(`#${id}`)))
            assert.match(texts.join(" "), described)
            assert.strictEqual(await field.getAttribute("aria-invalid"), "true")
            // A browser moves the focus at its next rendering.
            await field.and(page.locator(":focus")).waitFor()
            assert.strictEqual(await field.inputValue(), value)
            assert.match(await page.title(), /^Error: /)
          }
          await page.goto(`${baseUrl}${link}`)
          await page.getByLabel("New password").fill(email)
          await press(page, "Set the password and sign in")
          await isCorrected("New password", /little more than your name/, "")
          await page.getByLabel("New password").fill(password)
          await press(page, "Set the password and sign in")
          await press(page, "Sign out")
          await page.getByLabel("E-mail address").fill(email)
          await page.getByLabel("Password").fill("wrong")
          await press(page, "Sign in")
          await isCorrected("Password", /There is no account/, "")
          assert.strictEqual(await page.getByLabel("E-mail address").inputValue(), email)
          await page.getByLabel("Password").fill(password)
          await press(page, "Sign in")
          await page.waitForURL(/\/console\/team_/)
          await page.goto(`${baseUrl}/console/account/tokens`)
          await page.getByLabel("What is a new token for?").fill("  ")
          await press(page, "Create a token")
          await isCorrected("What is a new token for?", /Must not be blank/, "  ")
          await page.getByLabel("What is a new token for?").fill("Nightly import")
          await press(page, "Create a token")
          const token = page.getByLabel("New token", { exact: true })
          assert.match(await token.inputValue(), /^pnp_/)
          await page.locator("#notice:focus").waitFor()
          await page.reload()
          assert.strictEqual(await token.count(), 0)
          assert.strictEqual(await page.getByRole("button", { name: "Revoke Nightly import" }).count(), 1)
          await press(page, "Revoke Nightly import")
          await page.getByText("The token is revoked.").waitFor()
        })
      })
    )

    it.effect("a person without a team sees what they cannot do, and texts without spaces are broken", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const teams = yield* Teams
        const long = "W".repeat(200)
        const callback = "https://radar.example.com/callback"
        const app = yield* appAt(long, callback, "http://127.0.0.1/cb")
        const port = yield* site({ "/cb": { html: `<title>App</title><link rel="icon" href="data:,">` } })
        const { email, team } = yield* aPerson
        yield* asOperator(teams.remove({ teamId: team.id, email }))
        const context = yield* Chromium.open({ userAgent: long })
        const errors = recordErrors(context)
        const link = yield* linkOf(email)
        const second = yield* asOperator(teams.create({ name: long, plan: "plus" }))
        yield* Effect.promise(async () => {
          const page = await signIn(context, baseUrl, link)
          await isFine(page, "account without a team")
          await page.goto(requestOf(baseUrl, app.client_id, `http://127.0.0.1:${port}/cb`))
          await isFine(page, "consent without a team")
          await press(page, "Cancel")
          await page.waitForURL(/error=access_denied/)
          await page.close()
        })
        yield* asOperator(teams.invite({ teamId: second.id, email, role: "member" }))
        yield* asOperator(teams.accept({ teamId: second.id, email }))
        yield* Effect.promise(async () => {
          const page = await context.newPage()
          await page.goto(requestOf(baseUrl, app.client_id, callback))
          await isFine(page, "consent with long names")
          await page.goto(`${baseUrl}/console/account`)
          await isFine(page, "account with long names")
        })
        assert.deepStrictEqual(errors, [])
      })
    )

    it.effect("on a phone, the menu closes over the page that one chose in it", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { email } = yield* aPerson
        const context = yield* Chromium.open({ viewport: { width: 360, height: 740 } })
        const errors = recordErrors(context)
        const link = yield* linkOf(email)
        yield* Effect.promise(async () => {
          const page = await signIn(context, baseUrl, link)
          await page.getByRole("button", { name: "Menu" }).click()
          await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Webhooks" }).click()
          await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor()
          await page.getByRole("navigation", { name: "Console" }).waitFor({ state: "hidden" })
          await page.locator("#main:focus").waitFor()
        })
        assert.deepStrictEqual(errors, [])
      })
    )

    it.effect("on a phone, what was done is said below the bar, and another page begins at its beginning", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { base, browser } = yield* broker
        const context = yield* Chromium.open({ viewport: { width: 360, height: 480 } })
        yield* Effect.promise(async () => {
          const value = browser.jar.get("pn_session") ?? ""
          await context.addCookies([{ name: "pn_session", value, url: baseUrl }])
          const page = await context.newPage()
          await page.goto(`${baseUrl}${base}/contacts/new`)
          await page.getByLabel("Last name").fill("Ada")
          await press(page, "Create")
          await page.locator("#notice:focus").waitFor()
          assert.strictEqual(await page.evaluate("scrollY"), 0)
          await page.getByLabel("New note").fill("Called.")
          await press(page, "Add the note")
          await page.locator("#notice:focus").waitFor()
          const [scrolled, bar, notice] = await page.evaluate<[number, number, number]>(
            `[scrollY, document.querySelector(".bar").getBoundingClientRect().bottom, document.activeElement.getBoundingClientRect().top]`
          )
          assert.isAbove(scrolled, 0)
          assert.isAtLeast(notice, bar)
        })
      })
    )

    it.effect("signing in and letting an app act need neither scripts nor a mouse, and lead to the app", () =>
      Effect.gen(function* () {
        const { baseUrl, request } = yield* TestService
        const teams = yield* Teams
        const { email } = yield* aPerson
        const other = yield* asOperator(teams.create({ name: "Nord", plan: "plus" }))
        yield* asOperator(teams.invite({ teamId: other.id, email, role: "member" }))
        yield* asOperator(teams.accept({ teamId: other.id, email }))
        const link = yield* linkOf(email)
        const port = yield* site({
          "/callback": { html: `<title>App</title><link rel="icon" href="data:,">Back in the app` }
        })
        const app = yield* appAt("Radar", "http://127.0.0.1/callback")
        const context = yield* Chromium.open({ viewport: { width: 360, height: 740 }, javaScriptEnabled: false })
        const errors = recordErrors(context)
        const page = yield* Effect.promise(() => context.newPage())
        const { keyboard } = page
        const button = (name: string) => page.getByRole("button", { name })
        const redirectUri = `http://127.0.0.1:${port}/callback`
        const answer = yield* Effect.promise(async () => {
          await page.goto(`${baseUrl}${link}`)
          await tabTo(page, page.getByLabel("New password"))
          await keyboard.type(password)
          await keyboard.press("Enter")
          await page.waitForURL(/\/console\/team_/)
          await tabTo(page, button("Menu"))
          await keyboard.press("Enter")
          await tabTo(page, button("Sign out"))
          await keyboard.press("Enter")
          await page.waitForURL(`${baseUrl}/signin`)
          await page.goto(requestOf(baseUrl, app.client_id, redirectUri))
          await keyboard.press("Tab")
          await keyboard.press("Enter")
          // The first link skips the header. Its key press ends before the browser is there.
          await page.waitForURL(/#main$/)
          await tabTo(page, page.getByLabel("E-mail address"))
          await keyboard.type(email)
          await tabTo(page, page.getByLabel("Password"))
          await keyboard.type("wrong")
          await keyboard.press("Enter")
          await page.getByRole("alert").waitFor()
          // The focus is where the person corrects it, from a moment after the message is seen.
          await page.getByLabel("Password").and(page.locator(":focus")).waitFor()
          await keyboard.type(password)
          await keyboard.press("Enter")
          await page.getByRole("heading", { name: "Let Radar act for you?" }).waitFor()
          await tabTo(page, page.getByLabel("In the team"))
          await keyboard.type("Nord")
          await tabTo(page, page.getByLabel("Only let it read"))
          await keyboard.press("Space")
          await tabTo(page, button("Allow"))
          await keyboard.press("Enter")
          await page.waitForURL(`${redirectUri}?**`)
          assert.include((await page.textContent("body")) ?? "", "Back in the app")
          return Object.fromEntries(new URL(page.url()).searchParams)
        })
        assert.deepInclude(answer, { state: "s&t=1", iss: baseUrl })
        const issued = yield* request<{ readonly scope: string }>("POST", "/openid/token", {
          text: new URLSearchParams({
            grant_type: "authorization_code",
            client_id: app.client_id,
            code: answer["code"] ?? "",
            code_verifier: verifier,
            redirect_uri: redirectUri
          }).toString(),
          headers: { "content-type": "application/x-www-form-urlencoded" }
        })
        assert.deepStrictEqual([issued.status, issued.body.scope], [200, "api:read offline_access"])
        yield* Effect.promise(async () => {
          await page.goto(`${baseUrl}/console/account/apps`)
          assert.include((await page.textContent("tbody")) ?? "", "Nord")
          await tabTo(page, button("Disconnect Radar from Nord"))
          await keyboard.press("Enter")
          await page.getByText("No app acts in your name").waitFor()
        })
        assert.deepStrictEqual(errors, [])
      })
    )

    it.effect("nothing is seen of a page in a frame of another site", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { email } = yield* aPerson
        const app = yield* appAt("Radar", "https://radar.example.com/callback")
        const framed = requestOf(baseUrl, app.client_id, "https://radar.example.com/callback")
        const port = yield* site({
          "/inner": { html: "Shown" },
          "/outer": { html: `<iframe src="/inner"></iframe><iframe src="${framed.replaceAll("&", "&amp;")}"></iframe>` }
        })
        const context = yield* Chromium.open()
        const page = yield* Effect.flatMap(linkOf(email), (link) =>
          Effect.promise(() => signIn(context, baseUrl, link))
        )
        const texts = yield* Effect.promise(async () => {
          await page.goto(framed)
          await page.getByRole("button", { name: "Allow" }).waitFor()
          await page.goto(`http://127.0.0.1:${port}/outer`)
          return Promise.all(page.frames().map((frame) => frame.textContent("body")))
        })
        // In the place of the page, some browsers explain that it refused.
        assert.deepStrictEqual(texts.slice(0, 2), ["", "Shown"])
        assert.notMatch(texts[2] ?? "", /Radar|Allow/)
      })
    )

    it.effect("the place of a mandate is drawn by pointer, by touch and by keyboard, and is what the form sends", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { email, team } = yield* aPerson
        const link = yield* linkOf(email)
        const context = yield* Chromium.open({ hasTouch: true, viewport: { width: 1280, height: 900 } })
        const errors = recordErrors(context)
        yield* Effect.promise(async () => {
          const page = await signIn(context, baseUrl, link)
          await page.goto(`${baseUrl}/console/${team.id}/mandates/new`)
          await page.getByText("By numbers: a circle or corners").click()
          const map = page.getByRole("application", { name: "Map: draw the place" })
          const said = page.locator("#place-said")
          const value = (name: string) => page.locator(`[name="${name}"]`).inputValue()
          const tool = (name: string) => page.getByRole("button", { name, exact: true }).click()
          const { height, width, x, y } = (await map.boundingBox()) ?? { height: 0, width: 0, x: 0, y: 0 }
          const at = (right: number, down: number) => [x + width * right, y + height * down] as const

          await tool("Zoom in")
          await tool("Circle")
          await page.mouse.move(...at(0.5, 0.5))
          await page.mouse.down()
          await page.mouse.move(...at(0.52, 0.5))
          await page.mouse.up()
          assert.match(await said.innerText(), /^Circle around 47\.5° N, 10° E.*, radius [\d.]+ km\.$/)
          const radius = Number(await value("radius"))
          assert.isTrue(radius > 50_000 && radius < 150_000, String(radius))
          // The edge has a handle, as what is typed has its circle.
          await page.getByLabel("Circle: radius (m)").fill("99000000")
          await page.getByLabel("Circle: radius (m)").fill("200000")
          // Where it has come to rest.
          await map.locator("[data-hold*=edge]").hover()
          await page.mouse.down()
          await page.mouse.move(...at(-0.9, 0.5))
          await page.mouse.up()
          assert.strictEqual(await value("radius"), "500000", "the largest that there is")

          await tool("Area")
          for (const corner of [at(0.3, 0.3), at(0.4, 0.3), at(0.4, 0.5), at(0.9, 0.9)]) {
            await page.touchscreen.tap(...corner)
          }
          await tool("Undo the corner")
          await page.touchscreen.tap(...at(0.3, 0.3))
          assert.strictEqual(await said.innerText(), "Area with 3 corners closed. 1 in all.")
          assert.strictEqual(await value("radius"), "")
          const first = await value("geography")
          assert.strictEqual(first.split("\n").length, 3)

          await tool("Move")
          await page.mouse.move(...at(0.4, 0.5))
          await page.mouse.down()
          await page.mouse.move(...at(0.42, 0.55), { steps: 3 })
          await page.mouse.up()
          assert.notStrictEqual(await value("geography"), first)
          const span = async () =>
            Number(/matrix\((\S+)/.exec((await map.locator(".land").getAttribute("transform")) ?? "")?.[1])
          const before = await span()
          await page.mouse.wheel(0, -300)
          await page.waitForFunction(
            `Number(/matrix\\((\\S+)/.exec(document.querySelector(".land").getAttribute("transform"))[1]) > ${before}`
          )

          const { keyboard } = page
          await tool("Area")
          await map.focus()
          const keys =
            "Enter Enter ArrowRight ArrowRight Enter ArrowDown ArrowDown Shift+ArrowDown Enter ArrowLeft Enter Backspace c"
          for (const key of keys.split(" ")) await keyboard.press(key)
          assert.strictEqual(await said.innerText(), "Area with 3 corners closed. 2 in all.")
          assert.strictEqual((await value("geography")).split("\n\n").length, 2)
          await keyboard.press("Delete")
          assert.strictEqual(await said.innerText(), "Deleted. 1 left.")

          await page.getByLabel("Name", { exact: true }).fill("Drawn")
          const kept = await value("geography")
          await press(page, "Create")
          await page.getByRole("img", { name: "Map: the place of Drawn" }).waitFor()
          await page.getByRole("link", { name: "Edit", exact: true }).click()
          await map.waitFor()
          assert.sameMembers((await value("geography")).split("\n"), kept.split("\n"))

          // The way back and forth shows the pages that were there.
          await page.goBack()
          await page.getByRole("img", { name: "Map: the place of Drawn" }).waitFor()
          await page.goForward()
          await map.waitFor()
        })
        assert.deepStrictEqual(errors, [])
      })
    )

    it.effect("the investors of a project and a teaser are clean on paper: light, whole, with a head", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { base, browser, project, prospects, team } = yield* broker
        const { id } = yield* project()
        yield* prospects(id, ["Nordkapital", "Südgrund"])
        const context = yield* Chromium.open({ colorScheme: "dark", viewport: { width: 700, height: 1000 } })
        yield* Effect.promise(async () => {
          await context.addCookies([{ name: "pn_session", value: browser.jar.get("pn_session") ?? "", url: baseUrl }])
          const page = await context.newPage()
          await page.emulateMedia({ media: "print" })
          const year = String(new Date().getUTCFullYear())
          await page.goto(`${baseUrl}${base}/projects/${id}/prospects?interest=none`)
          const list = await page.locator("body").innerText()
          for (const shown of [
            "Quartier <Süd>",
            team.name,
            year,
            "/prospects?interest=none",
            "Nordkapital",
            "Südgrund"
          ]) {
            assert.include(list, shown)
          }
          assert.notMatch(list, /Menu|Sign out|Add|Filters|Apply|Columns|Overview|Saved/)
          assert.strictEqual(
            await page.locator("button:visible, input:visible, select:visible, nav:visible").count(),
            0
          )
          const styles = await page.evaluate(`(() => {
            const of = (selector) => getComputedStyle(document.querySelector(selector))
            return [
              of("thead").display, of("thead th").position, of("tbody tr").display, of("tbody tr").breakInside,
              of("html").colorScheme, of("h1").color
            ]
          })()`)
          assert.deepStrictEqual(styles, [
            "table-header-group",
            "static",
            "table-row",
            "avoid",
            "light",
            "rgb(20, 26, 38)"
          ])
          // With a script, one page is made another one.
          await page.emulateMedia({ media: "screen" })
          await page.getByRole("link", { name: "Teaser", exact: true }).click()
          await page.getByText("What the investor sees").waitFor()
          await page.emulateMedia({ media: "print" })
          const teaser = await page.locator("body").innerText()
          for (const shown of [team.name, year, "What the investor sees"]) assert.include(teaser, shown)
          assert.notMatch(teaser, /What it shows|Save and look|Publish\b|Overview/)
          // Investors do not see the name of the project, on a sheet that one hands over neither.
          assert.notInclude(`${teaser} ${await page.title()}`, "Quartier")
          await page.emulateMedia({ media: "screen" })
          assert.notInclude(await page.locator("body").innerText(), baseUrl)
        })
      })
    )

    it.effect("the API reference and the explanations of problems are shown, and need nothing that they forbid", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const context = yield* Chromium.open()
        const errors = recordErrors(context)
        yield* Effect.promise(async () => {
          const page = await context.newPage()
          await page.goto(`${baseUrl}/docs`)
          // The script has replaced the contents of its slot with the rendered document.
          await page.locator("#contents").waitFor({ state: "hidden" })
          await page.getByRole("navigation").getByText("Webhook management").waitFor()
          await page.goto(`${baseUrl}/help`)
          await page.getByRole("link", { name: "not_found" }).click()
          await page.getByRole("heading", { level: 1 }).waitFor()
        })
        assert.deepStrictEqual(errors, [])
      })
    )

    it.effect("a page with faults is noticed", () =>
      Effect.gen(function* () {
        const port = yield* site({
          "/": {
            html: `<!doctype html><html lang="en"><title>Faults</title><main><h1>Faults</h1>
              <p style="color:#999;background:#fff">Pale</p><div style="width:90rem">Wide</div>
              <button style="outline:none">First</button><button>Second</button><a href="#" tabindex="1">Third</a><button tabindex="-1">Fourth</button>
              <p style="width:8ch;word-break:break-all">The houses</p>
              <div><button class="tiny">1</button><button class="tiny">2</button></div></main>
              <style>.tiny { width: 12px; height: 12px; padding: 0; margin: 0; border: 0; color: #000; background: #fff }</style>
              <img alt="" src="/image.png"><script>nothing()</script></html>`,
            policy: "img-src 'none'"
          }
        })
        const context = yield* Chromium.open()
        const errors = recordErrors(context)
        const faults = yield* Effect.promise(async () => {
          const page = await context.newPage()
          await page.goto(`http://127.0.0.1:${port}/`)
          return faultsOf(page)
        })
        assert.match(
          errors.join("\n"),
          /Content Security Policy directive: "img-src 'none'".*\n.*nothing is not defined$/
        )
        assert.deepStrictEqual(
          faults.flatMap((fault) => /^(?:1280 px, light|keyboard): (.*)/.exec(fault)?.[1] ?? []),
          [
            "is wider than the window: div Wide",
            'is no element of a page: <p style="color:#999;background:#fff">Pale</p>',
            'is no element of a page: <div style="width:90rem">Wide</div>',
            'is no element of a page: <button style="outline:none">First</button>',
            'is no element of a page: <p style="width:8ch;word-break:break-all">The houses</p>',
            "is no element of a page: <script>nothing()</script>",
            "color-contrast: Elements must meet minimum color contrast ratio thresholds (p:nth-child(2))",
            "tabindex: Elements should not have tabindex greater than zero (a)",
            "target-size: All touch targets must be 24px large, or leave sufficient space (.tiny:nth-child(1), .tiny:nth-child(2))",
            "button First shows no focus",
            "Tab goes to a Third, button First, button Second, button 1, button 2; not a Third, button Fourth, button 1, button 2, button First, button Second"
          ]
        )
        const narrow = faults.join("\n")
        assert.match(narrow, /^320 px: is low for a finger \(\d+ px\): button First$/m)
        assert.match(narrow, /^320 px: breaks a word: houses$/m)
        assert.match(narrow, /^320 px: target-size: /m)
      })
    )
  })
})
