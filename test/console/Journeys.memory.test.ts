/** What people do in the console, by the keyboard alone, where the focus is somewhere after each step, and without a script. */
import * as Chromium from "../support/Chromium.ts"
import * as Id from "../../src/core/Id.ts"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Passwords } from "../../src/identity/signIn/Passwords.ts"
import { Sessions } from "../../src/identity/signIn/Sessions.ts"
import { Users } from "../../src/identity/users/Users.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { recordErrors } from "../support/PageFaults.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestService } from "../support/TestService.ts"
import { fanOut } from "../webhooks/fanOut.ts"
import { handsOf, openFor, seated, seatedAs, type Way } from "./Hands.ts"
import { aPerson, password } from "./people.ts"

/** A broker with the contacts Ada and Bea, and a page of the console in a browser in which they are signed in. */
const broker = Effect.fnUntraced(function* (way: Way) {
  const { request } = yield* TestService
  const tenant = yield* Tenant.make()
  const created = yield* Effect.forEach(["Ada", "Bea"], (lastName) =>
    request<{ readonly id: string }>("POST", "/api/v1/network/contacts", {
      token: tenant.token,
      json: { lastName }
    })
  )
  const contacts = created.map(({ body }) => body.id)
  return { ...tenant, contacts, ...(yield* seatedAs(way, tenant)) }
})

/** Something that happens in a team, with its deliveries, which nobody attempts. */
const anEventOf = Effect.fnUntraced(function* (teamId: string) {
  const sql = yield* Database
  const [made] = yield* sql<{ readonly transactionId: string; readonly at: Date }>`
    insert into events (id, transaction_id, team_id, message_id, type, resource_type, resource_id, occurred_at, body)
    select id, pg_current_xact_id(), ${teamId}, 'msg_' || id, 'contact.created', 'contact', id,
      date_trunc('milliseconds', clock_timestamp()), '{"event": "contact.created", "resource_type": "contact"}'
    from gen_random_uuid() as id
    returning transaction_id::text as "transactionId", occurred_at as at`
  if (made === undefined) return assert.fail("nothing happened")
  yield* fanOut({ teamId, transactionId: made.transactionId, at: made.at.toISOString() })
})

const ways: ReadonlyArray<Way> = ["by the keyboard alone", "without a script"]

describe.skipIf(Chromium.missing !== undefined).each(ways)("In the console %s", (way) => {
  layer(Layer.merge(TestService.layer, Chromium.layer), { excludeTestServices: true })((it) => {
    it.effect("a person signs in, makes a token, revokes it, and signs out everywhere", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { email } = yield* aPerson
        const passwords = yield* Passwords
        const { begin, list } = yield* Sessions
        const { link } = yield* asOperator(passwords.createLink(email))
        const context = yield* openFor(way)
        const errors = recordErrors(context)
        const page = yield* Effect.promise(() => context.newPage())
        const { fill, isAt, press } = handsOf(page, way)
        yield* Effect.promise(async () => {
          await page.goto(`${baseUrl}/signin/password?link=${link}`)
          await fill("New password", password)
          await press("button", "Set the password and sign in")
          await page.waitForURL(/\/console\/team_/)
          await press("button", "Sign out")
          await page.waitForURL(/\/signin$/)
          await fill("E-mail address", email)
          await fill("Password", password)
          await press("button", "Sign in")
          await page.waitForURL(/\/console\/team_/)
          await press("link", "Account")
          await isAt("Profile")
          await press("link", "Tokens")
          await fill("What is a new token for?", "Nightly import")
          await press("button", "Create a token")
          await isAt("The token was created.")
          assert.match(await page.getByLabel("New token", { exact: true }).inputValue(), /^pnp_/)
          await press("button", /^Revoke/)
          await isAt("You have no tokens")
        })
        const sql = yield* Database
        const [user] = yield* sql<{ readonly id: string }>`select id from users where email = ${email}`
        yield* begin(user?.id ?? "", { userAgent: "curl/8", address: null })
        yield* Effect.promise(async () => {
          await press("link", "Security")
          await isAt("Sessions")
          await press("button", "Sign out everywhere")
          await page.waitForURL(/\/signin/)
          await page.getByText("You are signed out in all browsers.").waitFor()
        })
        assert.deepStrictEqual(yield* list(user?.id ?? ""), [])
        assert.deepStrictEqual(errors, [])
      })
    )

    it.effect("a webhook is made, its failed delivery found and sent again, and its secret rotated", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const { base, errors, fill, isAt, keyboard, page, press, team, to } = yield* seated(way)
        const secretShown = () => page.locator("input.mono[readonly]").first().inputValue()
        const secret = yield* Effect.promise(async () => {
          await page.goto(base)
          await press("link", "Webhooks")
          await isAt("Add a webhook")
          await press("link", "Add a webhook")
          await fill("URL", "http://127.0.0.1:9/hook")
          await to(page.getByLabel("Everything"))
          await keyboard.press("Space")
          await press("button", "Create")
          await isAt(/Secret/)
          return secretShown()
        })
        assert.match(secret, /^whsec_/)
        const [webhook] = yield* sql<{ readonly id: string }>`
          select id from webhooks where team_id = ${Id.toUuid("team", team.id) ?? ""}`
        const at = `${base}/webhooks/${Id.fromUuid("webhook", webhook?.id ?? "")}`
        yield* Effect.promise(async () => {
          await page.goto(`${at}/settings`)
          await press("button", "Send a test event")
          await page.waitForURL(/\/test$/)
        })
        yield* anEventOf(Id.toUuid("team", team.id) ?? "")
        yield* sql`update deliveries set status = 'exhausted', attempt_count = 3 where webhook_id = ${webhook?.id ?? ""}`
        yield* Effect.promise(async () => {
          await press("link", "127.0.0.1:9")
          await isAt("1 row")
          await to(page.getByLabel("Outcome"))
          await keyboard.press("End")
          if (way === "without a script") await press("button", "Apply")
          await page.waitForURL(/status=/)
          await to(page.locator("[name=pick]"))
          await keyboard.press("Space")
          await press("button", /^Send again/)
          await page.locator("#notice").waitFor()
          if (way === "by the keyboard alone") await page.locator("#notice:focus").waitFor()
          await page.goto(`${at}/settings`)
          await press("button", /new secret|Rotate/i)
          await page.locator("input.mono[readonly]").first().waitFor()
          const rotated = await secretShown()
          assert.match(rotated, /^whsec_/)
          assert.notStrictEqual(rotated, secret)
        })
        const [delivery] = yield* sql<{ readonly status: string }>`
          select status from deliveries where webhook_id = ${webhook?.id ?? ""}`
        assert.strictEqual(delivery?.status, "pending")
        assert.deepStrictEqual(errors, [])
      })
    )

    it.effect("a member is invited and accepts", () =>
      Effect.gen(function* () {
        const { base, errors, fill, isAt, page, press, team } = yield* seated(way)
        const email = `guest.${team.id.slice(-8)}@example.com`
        const link = yield* Effect.promise(async () => {
          await page.goto(base)
          await press("link", "Members")
          await press("link", "Invite somebody")
          await fill("E-mail address", email)
          await press("button", "Make the link")
          await isAt(/link/i)
          return page.locator("input.mono[readonly]").inputValue()
        })
        const context = yield* openFor(way)
        const guest = yield* Effect.promise(() => context.newPage())
        const keys = handsOf(guest, way)
        yield* Effect.promise(async () => {
          await guest.goto(link)
          await keys.fill("Your first and last name", "Nora Gast")
          await keys.fill("Choose a password", password)
          await keys.press("button", "Create the account and join")
          await guest.waitForURL(/\/console/)
          await page.goto(`${base}/members`)
          await page.getByRole("link", { name: "Nora Gast" }).waitFor()
        })
        assert.deepStrictEqual(errors, [])
      })
    )

    it.effect("a client is made and cut off", () =>
      Effect.gen(function* () {
        const { base, errors, fill, isAt, page, press } = yield* seated(way)
        const { request } = yield* TestService
        const credentials = yield* Effect.promise(async () => {
          await page.goto(base)
          await press("link", "Clients and bots")
          await press("link", "Create a client")
          await fill("Name", "CRM sync")
          await fill("Name of the new bot", "Sync Bot")
          await press("button", "Create it")
          await page.locator("input.mono[readonly]").first().waitFor()
          const values = await page
            .locator("input.mono[readonly]")
            .evaluateAll((found) => found.map((one) => (one as unknown as { readonly value: string }).value))
          return {
            client_id: values.find((value) => value.startsWith("client_")) ?? "",
            client_secret: values.find((value) => !value.startsWith("client_")) ?? ""
          }
        })
        const issue = request("POST", "/openid/token", {
          text: new URLSearchParams({ grant_type: "client_credentials", ...credentials }).toString(),
          headers: { "content-type": "application/x-www-form-urlencoded" }
        })
        assert.strictEqual((yield* issue).status, 200)
        yield* Effect.promise(async () => {
          await page.goto(`${base}/clients/${credentials.client_id}`)
          await press("button", /^Revoke/)
          await isAt("Cancel")
          await press("button", /^Revoke/)
          await isAt(/revoked/i)
        })
        assert.strictEqual((yield* issue).status, 401)
        assert.deepStrictEqual(errors, [])
      })
    )

    it.effect("an operator approves a capability, and finds in the audit log who did it", () =>
      Effect.gen(function* () {
        const sql = yield* Database
        const users = yield* Users
        const { errors, isAt, page, press, team, user, userId } = yield* seated(way)
        yield* sql`update users set is_operator = true where id = ${userId}`
        const email = `wait.${team.id.slice(-8)}@example.com`
        const waiting = yield* asOperator(
          users.create({
            email,
            name: `Wanda ${team.id.slice(-8)}`,
            teamId: team.id,
            role: "member",
            broker: "pending"
          })
        )
        const { baseUrl } = yield* TestService
        yield* Effect.promise(async () => {
          await page.goto(`${baseUrl}/console/operation/approvals`)
          await press("button", `Approve Broker, ${waiting.name}`)
          await page.getByRole("button", { name: `Approve Broker, ${waiting.name}` }).waitFor({ state: "detached" })
          await isAt("Approvals")
          await page.goto(`${baseUrl}/console/operation/audit`)
          await page
            .getByRole("row", { name: /capabilit/ })
            .filter({ hasText: user.name })
            .first()
            .waitFor()
        })
        const [found] = yield* sql<{ readonly broker: string }>`select broker from users where email = ${email}`
        assert.strictEqual(found?.broker, "active")
        assert.deepStrictEqual(errors, [])
      })
    )

    it.effect("a page is found that says which keys act at once, and turns them off", () =>
      Effect.gen(function* () {
        const { base, contacts, errors, isAt, keyboard, page, press, to } = yield* broker(way)
        const isOn = way === "by the keyboard alone"
        const focused = (name: string) => page.getByRole("link", { name, exact: true }).and(page.locator(":focus"))
        yield* Effect.promise(async () => {
          await page.goto(`${base}/contacts`)
          if (isOn) {
            await keyboard.press("j")
            await focused("Ada").waitFor()
            await keyboard.press("j")
            await keyboard.press("j")
            await focused("Bea").waitFor()
            await keyboard.press("k")
            await keyboard.press("/")
            await keyboard.type("jke?")
            assert.strictEqual(await page.getByLabel("Search", { exact: true }).inputValue(), "jke?")
            await page.goto(`${base}/contacts`)
            await keyboard.press("j")
            await keyboard.press("e")
            await page.waitForURL(/\/edit$/)
            await page.locator("#field-firstName:focus").waitFor()
            await page.goto(`${base}/contacts`)
            await keyboard.press("j")
            await keyboard.press("?")
            await page.getByRole("dialog", { name: "Keyboard" }).getByText("Next row").waitFor()
            await keyboard.press("Escape")
            await focused("Ada").waitFor()
            await page.goto(`${base}/mandates/new`)
            await page.getByLabel("For the contact", { exact: true }).focus()
            await keyboard.type("ad")
            const suggested = page.locator("#field-investor-contactId-choices option")
            await suggested.first().waitFor({ state: "attached" })
            assert.deepStrictEqual(
              await suggested.evaluateAll((options) => options.map((one) => one.getAttribute("value"))),
              [`Ada (${contacts[0]})`]
            )
          }
          await page.getByRole("link", { name: "Keyboard", exact: true }).click()
          await isAt("Keys without Ctrl act at once")
          await to(page.getByLabel("Keys without Ctrl act at once"))
          await keyboard.press("Space")
          await press("button", "Save")
          await isAt("Saved.")
          assert.isFalse(await page.getByLabel("Keys without Ctrl act at once").isChecked())
          await page.goto(`${base}/contacts`)
          await keyboard.press("j")
          assert.strictEqual(await focused("Ada").count(), 0)
        })
        assert.deepStrictEqual(errors, [])
      })
    )

    it.effect(
      "several files are uploaded at once; one that is refused says why, and one can be cancelled and tried again",
      () =>
        Effect.gen(function* () {
          const { base, contacts, context, errors, page } = yield* broker(way)
          const fileOf = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(name) })
          const isListed = (name: string) =>
            page.locator("#files-list").getByRole("link", { name, exact: true }).first().waitFor()
          yield* Effect.promise(async () => {
            await page.goto(`${base}/contacts/${contacts[0]}`)
            const field = page.getByLabel("Files of at most 100 MB each")
            await field.setInputFiles(["rents.txt", "plan.txt"].map(fileOf))
            if (way === "without a script") {
              await page.getByRole("button", { name: "Upload" }).click()
              await page.getByText("2 files were uploaded.").waitFor()
              return Promise.all([isListed("rents.txt"), isListed("plan.txt")])
            }
            await Promise.all([isListed("rents.txt"), isListed("plan.txt")])
            const rowOf = (name: string) => page.locator(".uploads li").filter({ hasText: name })
            await field.setInputFiles([fileOf("n".repeat(201))])
            await rowOf("nnn")
              .getByText(/Code invalid_request, Request id req_/)
              .waitFor()
            // An upload that does not end by itself.
            await context.route("**/files/of/**", () => {})
            await field.setInputFiles([fileOf("slow.txt")])
            const asked = page.waitForEvent("dialog")
            const left = page.getByRole("link", { name: "Companies" }).click()
            await (await asked).dismiss()
            await left
            assert.match(page.url(), /contact_/)
            await page.getByRole("button", { name: "Cancel: slow.txt" }).click()
            await rowOf("slow.txt").getByText("Cancelled").waitFor()
            await context.unroute("**/files/of/**")
            await page.getByRole("button", { name: "Try again: slow.txt" }).click()
            await isListed("slow.txt")
            await page.getByRole("link", { name: "Companies" }).click()
            await page.waitForURL(/companies$/)
            return undefined
          })
          assert.deepStrictEqual(
            errors.filter((error) => !/400|ERR_FAILED|ABORTED/i.test(error)),
            []
          )
        })
    )

    it.effect("what is typed survives a reload and a lost session, until it is sent or discarded", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const passwords = yield* Passwords
        const { begin, endAll } = yield* Sessions
        const { base, contacts, context, email, errors, isAt, page, token, userId } = yield* broker(way)
        const { link } = yield* asOperator(passwords.createLink(email))
        yield* passwords.set(link, Redacted.make(password))
        const value = yield* begin(userId, { userAgent: undefined, address: null })
        yield* Effect.promise(() => context.addCookies([{ name: "pn_session", value, url: baseUrl }]))
        const at = `${base}/contacts/${contacts[0]}`
        const edit = page.getByLabel("Phone", { exact: true })
        const note = page.locator("#new-note")
        const isRestored = () => page.getByText("This is what you typed here").waitFor()
        if (way === "without a script") {
          yield* Effect.promise(() => page.goto(at))
          yield* Effect.promise(() => note.fill("Wants a <hall>"))
          yield* endAll(userId)
          yield* Effect.promise(async () => {
            await page.getByRole("button", { name: "Add the note" }).click()
            await page.getByText("Your session has ended.").waitFor()
            await page.getByLabel("E-mail address").fill(email)
            await page.getByLabel("Password").fill(password)
            await page.getByRole("button", { name: "Sign in", exact: true }).click()
            await page.waitForURL(at)
            await page.getByText("This is what you typed before your session ended.").waitFor()
            assert.strictEqual(await note.inputValue(), "Wants a <hall>")
            await page.getByRole("button", { name: "Add the note" }).click()
            await page.locator("#timeline-rows").getByText("Wants a <hall>").first().waitFor()
            assert.strictEqual(await note.inputValue(), "")
            assert.deepStrictEqual(
              (await context.cookies()).filter(({ name }) => name === "pn_kept"),
              []
            )
          })
          return
        }
        const kept = () => page.evaluate(`Object.keys(sessionStorage).filter((key) => key.startsWith("draft:")).length`)
        yield* Effect.promise(async () => {
          await page.goto(at)
          await note.fill("Wants a hall")
          await page.reload()
          await isRestored()
          assert.strictEqual(await note.inputValue(), "Wants a hall")
          await page.goto(`${base}/contacts/${contacts[1]}`)
          assert.strictEqual(await note.inputValue(), "", "it is of the other contact")
          await page.goto(at)
          await page.getByRole("button", { name: "Discard it" }).click()
          assert.deepStrictEqual([await note.inputValue(), await kept()], ["", 0])
          await page.goto(`${at}/edit`)
          await edit.fill("+49 30 1234567")
        })
        yield* endAll(userId)
        yield* Effect.promise(async () => {
          await page.getByRole("button", { name: "Save" }).click()
          await page.waitForURL(/\/signin/)
        })
        const { request } = yield* TestService
        yield* request("PATCH", `/api/v1/network/contacts/${contacts[0]}`, { token, json: { firstName: "Zoë" } })
        yield* Effect.promise(async () => {
          await page.getByLabel("E-mail address").fill(email)
          await page.getByLabel("Password").fill(password)
          await page.getByRole("button", { name: "Sign in", exact: true }).click()
          await page.waitForURL(`${at}/edit`)
          await isRestored()
          assert.strictEqual(await edit.inputValue(), "+49 30 1234567")
          await page.getByRole("button", { name: "Save" }).click()
          await isAt("As it is now")
          await isAt("Zoë")
          await page.getByRole("button", { name: "Save" }).click()
          await page.waitForURL(at)
          assert.strictEqual(await kept(), 0)
          await note.fill("For this person alone")
          await page.getByRole("button", { name: "Sign out" }).click()
          await page.waitForURL(`${baseUrl}/signin`)
          assert.strictEqual(await kept(), 0)
        })
        assert.deepStrictEqual(
          errors.filter((error) => !error.includes("412")),
          []
        )
      })
    )
  })
})
