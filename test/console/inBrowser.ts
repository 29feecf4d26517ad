/** What tests of pages in a real browser do. */
import * as Id from "../../src/core/Id.ts"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { BrowserContext, Page } from "playwright-core"
import { asOperator } from "../../src/core/auth/CurrentActor.ts"
import { Apps } from "../../src/identity/apps/Apps.ts"
import { Authorizations } from "../../src/identity/oauth/Grants.ts"
import { password } from "./people.ts"

/** A site of somebody else on this machine: answers each path with a page and its headers. */
export const site = (pages: Readonly<Record<string, { readonly html: string; readonly policy?: string }>>) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(async () => {
        const server = createServer((request, response) => {
          const page = pages[new URL(request.url ?? "", "http://site.invalid").pathname]
          response.writeHead(page === undefined ? 404 : 200, {
            "content-type": "text/html",
            ...(page?.policy === undefined ? {} : { "content-security-policy": page.policy })
          })
          response.end(page?.html)
        })
        await once(server.listen(0, "127.0.0.1"), "listening")
        return server
      }),
      (server) =>
        Effect.promise(async () => {
          server.closeAllConnections()
          server.close()
          await once(server, "close")
        })
    ),
    (server) => (server.address() as AddressInfo).port
  )

/** What the app proves itself with. */
export const verifier = "v".repeat(43)

/** Where an app sends a person for their consent. */
export const requestOf = (baseUrl: string, clientId: string, redirectUri: string) => {
  const parameters = new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    state: "s&t=1",
    scope: "api:public offline_access",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256"
  })
  return `${baseUrl}/openid/authorize?${parameters.toString()}`
}

/** A new public app with these redirect URIs. */
export const appAt = (name: string, ...redirectUris: ReadonlyArray<string>) =>
  Effect.flatMap(Apps, (apps) =>
    asOperator(apps.create({ name, redirectUris: [...redirectUris], confidential: false }))
  )

/** Lets an app act for a person in a team, as they do on the consent page. */
export const letAct = Effect.fnUntraced(function* (
  request: string,
  person: { readonly user: { readonly id: string } },
  { id: teamId }: { readonly id: string },
  onlyReads = false
) {
  const { grant, read } = yield* Authorizations
  const { origin, searchParams } = new URL(request)
  const userId = Id.toUuid("user", person.user.id) ?? ""
  const pending = yield* read(new Map([...searchParams].map(([name, value]) => [name, [value]])), origin, userId)
  yield* grant(userId, pending, { teamId, onlyReads })
})

/** Presses the first button with this name, and waits for what is shown then: this document changed, or another one. */
export const press = async (page: Page, name: string) => {
  const changed = page
    .evaluate(
      `new Promise((resolve) => document.addEventListener("console:shown", resolve, { once: true })).then(() => 1)`
    )
    // Where another document comes, this one ends.
    .catch(() => 0)
  await page.getByRole("button", { name, exact: true }).first().click()
  await changed
  await page.waitForLoadState()
}

/** Signs in by a link that sets the password, and goes on to the account page. */
export const signIn = async (context: BrowserContext, baseUrl: string, link: string) => {
  const page = await context.newPage()
  await page.goto(`${baseUrl}${link}`)
  await page.getByLabel("New password").fill(password)
  await press(page, "Set the password and sign in")
  await page.waitForURL(/\/console(?:\/team_\w+)?$/)
  await page.goto(`${baseUrl}/console/account`)
  return page
}
