/** How a real browser goes back to apps, which the policies of pages must let through. */
import * as Chromium from "../support/Chromium.ts"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { now } from "../../src/platform/Time.ts"
import { AppsRepo } from "../../src/identity/apps/AppsRepo.ts"
import { recordErrors } from "../support/PageFaults.ts"
import { TestService } from "../support/TestService.ts"
import { appAt, press, requestOf, signIn, site } from "./inBrowser.ts"
import { aPerson, linkOf, password } from "./people.ts"

describe.skipIf(Chromium.missing !== undefined)("In a browser", () => {
  layer(Layer.merge(TestService.layer, Chromium.layer), { excludeTestServices: true })((it) => {
    it.effect("the answer of a person is let through to each kind of app", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { email } = yield* aPerson
        // There is nobody at these addresses: what counts is that the browser goes there.
        const uris = [
          "http://127.0.0.1:61023/callback",
          "http://[::1]:61023/callback",
          "http://localhost:61023/callback",
          "https://127.0.0.1:61023/callback",
          "com.example.radar:/callback",
          "cursor://anysphere.cursor-mcp/oauth/callback"
        ]
        const app = yield* appAt("Radar", ...uris)
        const context = yield* Chromium.open()
        const errors = recordErrors(context)
        const link = yield* linkOf(email)
        const reached = yield* Effect.promise(async () => {
          const asked: Array<string> = []
          await signIn(context, baseUrl, link)
          for (const uri of uris) {
            const page = await context.newPage()
            await page.goto(requestOf(baseUrl, app.client_id, uri))
            page.on("request", (request) => asked.push(request.url()))
            const failed = page.waitForEvent("requestfailed")
            await page.getByRole("button", { name: "Allow" }).click()
            await failed
          }
          return asked
        })
        assert.deepStrictEqual(errors, [])
        assert.deepStrictEqual(
          reached.filter((url) => !url.startsWith(baseUrl)).map((url) => url.split("?")[0]),
          uris
        )
      })
    )

    it.effect("an app that asks for what it cannot have learns it, also right after sign-in", () =>
      Effect.gen(function* () {
        const { baseUrl } = yield* TestService
        const { email } = yield* aPerson
        const link = yield* linkOf(email)
        const port = yield* site({ "/callback": { html: `<title>App</title><link rel="icon" href="data:,">Back` } })
        const redirectUri = `http://127.0.0.1:${port}/callback`
        const at = yield* now
        const id = yield* (yield* SecureRandom.SecureRandom).uuidV7()
        const documentUrl = `https://radar.example.com/${id}.json`
        yield* Effect.flatMap(AppsRepo, ({ saveDocument }) =>
          saveDocument({
            id,
            name: "Radar",
            redirectUris: [redirectUri],
            documentUrl,
            now: at,
            freshUntil: new Date(at.getTime() + 3_600_000)
          })
        ).pipe(Effect.provide(AppsRepo.layer))
        const asked = new URL(requestOf(baseUrl, documentUrl, redirectUri))
        asked.searchParams.set("scope", "everything")
        const context = yield* Chromium.open()
        const errors = recordErrors(context)
        yield* Effect.promise(async () => {
          const page = await signIn(context, baseUrl, link)
          await press(page, "Sign out")
          await page.goto(asked.href)
          await page.getByLabel("E-mail address").fill(email)
          await page.getByLabel("Password").fill(password)
          await press(page, "Sign in")
          await page.waitForURL(`${redirectUri}?**`)
          assert.include(page.url(), "error=invalid_scope")
          await page.goto(asked.href)
          assert.include(page.url(), "error=invalid_scope")
        })
        assert.deepStrictEqual(errors, [])
      })
    )
  })
})
