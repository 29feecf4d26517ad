/** What acts in the name of the person who is signed in: personal access tokens, and apps (docs/behaviour/console.md#account). */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { publicScope } from "../core/auth/CurrentActor.ts"
import { targetOf } from "../identity/apps/rules.ts"
import { type Grant, Grants } from "../identity/oauth/Grants.ts"
import { personalLifetimeDays, type Token } from "../identity/tokens/Token.ts"
import { OwnTokens } from "../identity/tokens/Tokens.ts"
import type { Me } from "../identity/users/User.ts"
import { Users } from "../identity/users/Users.ts"
import { teamsOf } from "./AccountPages.ts"
import { accountBody, paths, words } from "./AccountParts.ts"
import { type Attempt, get, Goto, orShowAgain, type PageRequest, post, problemNotice, View } from "./Console.ts"
import { html, type Html } from "./Html.ts"
import { table } from "./Lists.ts"
import { button, card, copyable, emptyState, faultOf, field, hidden, notice, select } from "./Parts.ts"
import { common, moment } from "./Texts.ts"
import { formField, nothingFound } from "./Visit.ts"

const newToken = ({ reader }: PageRequest, token: string): Html => {
  const t = words[reader.language]
  return html`${notice("good", html`${t.tokenCreated} ${common[reader.language].shownOnce}`)}
  ${copyable(reader, { id: "token", label: t.tokenNew, text: token })}`
}

const tokenForm = (
  { reader, requestId, visit }: PageRequest,
  me: Me,
  key: string,
  attempt: Attempt | undefined
): Html => {
  const t = words[reader.language]
  return html`${attempt !== undefined && problemNotice(reader, attempt.problem, requestId)}
    <form class="stack" method="post" action="${paths.tokens}">
      ${formField(visit)}${hidden("key", key)}
      <div class="fields">
        ${field({ id: "name", name: "name", label: t.tokenFor, isRequired: true, maxLength: 200, value: attempt?.form.values.get("name"), fault: faultOf(attempt?.problem.errors, "name") })}
        ${select({ id: "team", name: "team", label: common[reader.language].team, value: attempt?.form.values.get("team"), fault: faultOf(attempt?.problem.errors, "teamId"), options: teamsOf(me).map(({ id, name }) => [id, name]) })}
      </div>
      <div class="row">${button(t.createToken, { kind: "main" })}</div>
    </form>`
}

const tokensTable = (page: PageRequest, me: Me, tokens: ReadonlyArray<Token>): Html => {
  const { reader, visit } = page
  const t = words[reader.language]
  const nameOf = new Map(teamsOf(me).map(({ id, name }) => [id, name]))
  return tokens.length === 0
    ? emptyState(t.tokensNone, t.tokensNoneAdvice)
    : table(page, {
        caption: t.tokens,
        rows: tokens,
        idOf: ({ id }) => id,
        columns: [
          {
            key: "name",
            title: common[reader.language].name,
            is: "name",
            cell: ({ id, name }) => name ?? id
          },
          { key: "team", title: common[reader.language].team, cell: ({ teamId }) => nameOf.get(teamId) ?? teamId },
          {
            key: "expires",
            title: common[reader.language].expires,
            cell: ({ expiresUtc }) => html`${common[reader.language].until} ${moment(reader, expiresUtc)}`
          },
          {
            key: "used",
            title: common[reader.language].lastUsed,
            is: "more",
            cell: ({ lastUsedUtc }) => moment(reader, lastUsedUtc) ?? common[reader.language].never
          },
          {
            key: "revoke",
            title: common[reader.language].actions,
            cell: ({ id, name }) =>
              html`<form method="post" action="${paths.revokeToken}">
                ${formField(visit)}${hidden("id", id)}
                ${button(common[reader.language].revoke, { kind: "danger", of: name ?? id })}
              </form>`
          }
        ]
      })
}

/** How an attempt to create a token ended: with a token that is shown once, or refused. */
interface Outcome {
  readonly token?: string
  readonly attempt?: Attempt
}

const tokensPage = Effect.fnUntraced(function* (page: PageRequest, { attempt, token }: Outcome = {}) {
  const [users, tokens] = [yield* Users, yield* OwnTokens]
  const t = words[page.reader.language]
  const me = yield* users.profileOf(page.userId)
  const listed = yield* tokens.list(page.userId)
  // A form that was refused has made nothing: it is the same form.
  const key = attempt?.form.text("key") ?? (yield* (yield* SecureRandom.SecureRandom).uuidV7())
  return new View({
    title: t.tokens,
    isSecret: token !== undefined,
    body: accountBody(
      page,
      paths.tokens,
      html`${token !== undefined && html`<div class="card pad">${newToken(page, token)}</div>`}
      ${card(
        "tokens",
        t.tokens,
        html`<p class="soft">${t.tokensAbout(personalLifetimeDays)}</p>
          ${tokensTable(page, me, listed)}`
      )}
      ${card("new-token", t.createToken, teamsOf(me).length === 0 ? html`<p class="soft">${t.tokensNoTeam}</p>` : tokenForm(page, me, key, attempt))}`
    )
  })
})

const showTokens = get(paths.tokens, (page) => tokensPage(page))

/** The answer shows the token and does not lead on, as others do: what is shown once belongs in no address. */
const createToken = post(paths.tokens, (page) =>
  Effect.gen(function* () {
    const { create } = yield* OwnTokens
    const { form, userId } = page
    const input = { name: form.text("name") ?? "", teamId: form.text("team") ?? "" }
    const { token } = yield* create(userId, input, form.text("key") ?? "")
    return yield* tokensPage(page, { token })
  }).pipe(orShowAgain(page, (attempt) => tokensPage(page, { attempt })))
)

const revokeToken = post(paths.revokeToken, ({ form, reader, userId }) =>
  Effect.gen(function* () {
    const { revoke } = yield* OwnTokens
    yield* Effect.mapError(revoke(userId, form.text("id") ?? ""), () => nothingFound)
    return new Goto({ path: paths.tokens, note: words[reader.language].tokenRevoked })
  })
)

const appName = ({ app }: Grant) => (app.url === null ? app.name : `${app.name} (${targetOf(app.url)})`)

const appsTable = (page: PageRequest, grants: ReadonlyArray<Grant>): Html => {
  const { reader, visit } = page
  const t = words[reader.language]
  return grants.length === 0
    ? emptyState(t.appsNone, t.appsNoneAdvice)
    : table(page, {
        caption: t.apps,
        rows: grants,
        idOf: ({ id }) => `grant-${id}`,
        columns: [
          { key: "app", title: t.app, is: "name", cell: appName },
          { key: "team", title: common[reader.language].team, cell: ({ team }) => team.name },
          {
            key: "may",
            title: t.may,
            is: "more",
            cell: ({ scopes }) => (scopes.includes(publicScope) ? t.readsAndChanges : t.onlyReads)
          },
          { key: "since", title: t.since, is: "more", cell: ({ createdUtc }) => moment(reader, createdUtc) },
          {
            key: "disconnect",
            title: common[reader.language].actions,
            cell: ({ app, id, team }) =>
              html`<form method="post" action="${paths.disconnect}">
                ${formField(visit)}${hidden("id", id)}
                ${button(t.disconnect, { kind: "danger", of: t.disconnectFrom(app.name, team.name) })}
              </form>`
          }
        ]
      })
}

const showApps = get(paths.apps, (page) =>
  Effect.gen(function* () {
    const { list } = yield* Grants
    const t = words[page.reader.language]
    const grants = yield* list(page.userId)
    return new View({
      title: t.apps,
      body: accountBody(
        page,
        paths.apps,
        card(
          "apps",
          t.apps,
          html`<p class="soft">${t.appsAbout}</p>
            ${appsTable(page, grants)}`
        )
      )
    })
  })
)

const disconnect = post(paths.disconnect, ({ form, reader, userId }) =>
  Effect.gen(function* () {
    const { end, list } = yield* Grants
    const id = form.text("id") ?? ""
    const grant = (yield* list(userId)).find((one) => one.id === id)
    yield* Effect.mapError(end(userId, id), () => nothingFound)
    return new Goto({ path: paths.apps, note: words[reader.language].disconnected(grant?.app.name ?? "") })
  })
)

/** The pages of tokens and apps. */
export const pages = [showTokens, createToken, revokeToken, showApps, disconnect]
