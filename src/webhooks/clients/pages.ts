/**
 * The pages of OAuth clients, for the administrators of their team and for operators: which there are and how they are used; create one,
 * give one another secret, revoke one with or without its webhooks (docs/behaviour/identity.md#oauth-clients).
 */
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  type Attempt,
  formRequest,
  get,
  Goto,
  type LinksOf,
  orShowAgain,
  type PageRequest,
  post,
  problemNotice,
  View
} from "../../console/Console.ts"
import { html, type Html } from "../../console/Html.ts"
import { type Column, confirmation, pager, table } from "../../console/Lists.ts"
import {
  bars,
  box,
  type Crumb,
  button,
  card,
  copyable,
  emptyState,
  facts,
  faultOf,
  field,
  head,
  hidden,
  notice,
  pill,
  select,
  verbatim
} from "../../console/Parts.ts"
import { common, day, moment, number, type Reader } from "../../console/Texts.ts"
import { formField } from "../../console/Visit.ts"
import type { UsedClient } from "../../identity/clients/Client.ts"
import { Clients } from "../../identity/clients/Clients.ts"
import { TeamClients } from "../../identity/clients/TeamClients.ts"
import { ClientWebhooks } from "./ClientWebhooks.ts"
import { words } from "./texts.ts"

type ShownClient = Effect.Success<ReturnType<ClientWebhooks["Service"]["show"]>>

const path = "/console/:team/clients"
const operation = { teams: "/console/operation/teams", clients: "/console/operation/clients" } as const

type Place = Pick<PageRequest, "base" | "seat">

/** Where clients are shown: of the team, or of all teams. */
const rootOf = ({ base, seat }: Place): string => (seat === undefined ? operation.clients : `${base}/clients`)

/** The page above that of a client: the list of the team, or for operators its team. */
const above = (page: PageRequest, team: { readonly id: string; readonly name: string }): Crumb =>
  page.seat === undefined
    ? { href: `${operation.teams}/${team.id}`, name: team.name }
    : { href: rootOf(page), name: words[page.reader.language].title }

const botAddress = ({ base, seat }: Place, id: string): string =>
  seat === undefined ? `/console/operation/users/${id}` : `${base}/members?open=${id}`

const webhookAddress = ({ base, seat }: Place, id: string): string =>
  seat === undefined ? `/console/operation/deliveries?webhook=${id}` : `${base}/webhooks/${id}`

const idOf = ({ params }: PageRequest): string => params["client"] ?? ""

/** The team whose new client an operator creates. */
const teamOf = ({ params }: PageRequest): string => params["id"] ?? ""

const newKey = Effect.flatMap(SecureRandom.SecureRandom, (random) => random.uuidV7())

const stateOf = (reader: Reader, { revokedUtc }: { readonly revokedUtc: string | null }): Html =>
  revokedUtc === null ? pill("good", common[reader.language].active) : pill("plain", words[reader.language].revoked)

const listPage = get(path, (page) =>
  Effect.gen(function* () {
    const clients = yield* Clients
    const { base, reader } = page
    const [t, c] = [words[reader.language], common[reader.language]]
    const found = yield* clients.listOwn()
    const columns: ReadonlyArray<Column<UsedClient>> = [
      {
        key: "name",
        title: c.name,
        is: "name",
        cell: ({ id, name }) =>
          html`<a href="${base}/clients/${id}">${name}</a><span class="below"><code>${id}</code></span>`
      },
      { key: "status", title: c.status, cell: (one) => stateOf(reader, one) },
      { key: "bot", title: t.bot, cell: ({ bot }) => bot.name },
      { key: "lastUsed", title: c.lastUsed, cell: ({ lastUsedUtc }) => moment(reader, lastUsedUtc) ?? c.never },
      { key: "created", title: c.created, is: "more", cell: ({ createdUtc }) => day(reader, createdUtc) }
    ]
    const addOne = html`<a class="button main" href="${base}/clients/new">${t.addOne}</a>`
    return new View({
      title: t.title,
      body: html`${head({ title: t.title, subtitle: t.subtitle, actions: addOne })}
        <div class="card">
          ${
            found.length === 0
              ? emptyState(t.empty, t.emptyAdvice)
              : html`${table(page, { caption: t.title, columns, rows: found, idOf: ({ id }) => id })}
                ${pager(page, { hasMore: false, nextCursor: null }, found.length)}`
          }
        </div>`
    })
  })
)

// A new client.

const newPage = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const clients = yield* Clients
  const { reader, requestId, seat, visit } = page
  const [t, c] = [words[reader.language], common[reader.language]]
  const form = attempt?.form
  const faults = attempt?.problem.errors
  const known = yield* seat === undefined ? clients.list(teamOf(page)) : clients.listOwn()
  const bots = new Map(known.map(({ bot }) => [bot.id as string, bot.name]))
  const capability = (kind: "broker" | "investor") => {
    const isActive = seat === undefined || seat.actor[kind] === "active"
    return box({
      id: `capability-${kind}`,
      name: "capabilities",
      value: kind,
      label: t[kind],
      isTicked: form === undefined ? isActive : form.all("capabilities").includes(kind),
      ...(isActive ? {} : { hint: t.willBeRequested })
    })
  }
  return new View({
    title: t.addOne,
    body: html`${head({ title: t.addOne, subtitle: t.addAbout, crumbs: [above(page, { id: teamOf(page), name: t.team })] })}
      ${attempt !== undefined && problemNotice(reader, attempt.problem, requestId)}
      <form class="card pad stack" method="post" action="${page.path}">
        ${formField(visit)} ${hidden("key", yield* newKey)}
        <div class="fields">
          ${field({
            id: "name",
            name: "name",
            label: c.name,
            value: form?.text("name"),
            isRequired: true,
            maxLength: 200,
            hint: t.nameHint,
            fault: faultOf(faults, "name")
          })}
          ${select({
            id: "bot",
            name: "botId",
            label: t.bot,
            any: t.newBot,
            value: form?.text("botId"),
            options: [...bots],
            hint: t.botHint,
            fault: faultOf(faults, "botId")
          })}
          ${field({
            id: "bot-name",
            name: "botName",
            label: t.botName,
            value: form?.text("botName"),
            maxLength: 200,
            hint: t.botNameHint,
            fault: faultOf(faults, "botName")
          })}
        </div>
        <fieldset class="stack">
          <legend>${t.mayOfBot}</legend>
          ${capability("broker")} ${capability("investor")}
        </fieldset>
        <div class="row">${button(t.create, { kind: "main" })}</div>
      </form>`
  })
})

const showNew = get(`${path}/new`, (page) => newPage(page))

const showNewIn = get(`${operation.teams}/:id/clients/new`, (page) => newPage(page))

/** What the answer to a form shows once: the id and the secret, and how a program gets a token by them. */
const secretPage = (
  page: PageRequest,
  {
    client_id: id,
    client_secret: secret,
    note,
    previousUntil
  }: {
    readonly client_id: string
    readonly client_secret: string
    readonly note: string
    readonly previousUntil?: string | null
  }
) => {
  const { reader, visit } = page
  const t = words[reader.language]
  const address = `${rootOf(page)}/${id}`
  return new View({
    title: t.secretTitle,
    isSecret: true,
    body: html`${head({ title: t.secretTitle, crumbs: [{ href: address, name: t.toClient }] })} ${notice("good", note)}
      <div class="card pad stack">
        ${copyable(reader, { id: "client-id", label: t.clientId, text: id })}
        ${copyable(reader, { id: "client-secret", label: t.clientSecret, text: secret })}
        <p class="soft">${common[reader.language].shownOnce}</p>
        ${previousUntil !== undefined && previousUntil !== null && html`<p>${t.previousUntil} ${moment(reader, previousUntil)}</p>`}
        <h2>${t.getToken}</h2>
        ${verbatim(
          t.getToken,
          `curl -s ${visit.baseUrl}/openid/token \\\n  -d grant_type=client_credentials \\\n  -d client_id=${id} \\\n  -d client_secret="$CLIENT_SECRET"`
        )}
        <div class="row"><a class="button" href="${address}">${t.toClient}</a></div>
      </div>`
  })
}

const created = (page: PageRequest) =>
  Effect.gen(function* () {
    const clients = yield* TeamClients
    const { form, reader, seat } = page
    const [name, botId] = [form.textOrNull("name"), form.text("botId")]
    const request = formRequest(page, {
      name,
      ...(botId === undefined ? { botName: form.text("botName") ?? name } : { botId }),
      capabilities: [...form.all("capabilities")]
    })
    const made = yield* seat === undefined ? clients.createIn(teamOf(page), request) : clients.create(request)
    return secretPage(page, { ...made, note: words[reader.language].created })
  }).pipe(orShowAgain(page, (attempt) => newPage(page, attempt)))

const create = post(`${path}/new`, created)

const createIn = post(`${operation.teams}/:id/clients/new`, created)

// One client.

const useCard = ({ reader }: PageRequest, { addresses, lastUsedUtc, requestsByDay }: ShownClient): Html => {
  const [t, c] = [words[reader.language], common[reader.language]]
  const used = requestsByDay.filter(({ requests }) => requests > 0).toReversed()
  return card(
    "use",
    t.use,
    html`${facts([
        [c.lastUsed, moment(reader, lastUsedUtc) ?? c.never],
        [t.requestsToday, number(reader, requestsByDay.at(-1)?.requests ?? 0)],
        [
          t.requestsOf30,
          number(
            reader,
            requestsByDay.reduce((sum, { requests }) => sum + requests, 0)
          )
        ]
      ])}
      ${
        used.length > 0 &&
        bars(
          t.requestsByDay,
          requestsByDay.map(({ day: name, requests }) => ({ name, parts: [["good", requests] as const] }))
        )
      }
      ${
        used.length > 0 &&
        html`<details>
          <summary>${t.requestsByDay}</summary>
          <table>
            <thead>
              <tr>
                <th scope="col">${t.day}</th>
                <th scope="col" class="num">${t.requests}</th>
              </tr>
            </thead>
            <tbody>
              ${used.map(
                (one) =>
                  html`<tr>
                    <th scope="row">${day(reader, one.day)}</th>
                    <td class="num">${number(reader, one.requests)}</td>
                  </tr>`
              )}
            </tbody>
          </table>
        </details>`
      }
      <h3>${t.addresses}</h3>
      ${
        addresses.length === 0
          ? html`<p class="soft">${t.noAddresses}</p>`
          : html`<ul class="items" role="list">
              ${addresses.map(
                ({ address, firstUtc, lastUtc }) =>
                  html`<li>
                    <div>
                      <div class="name"><code>${address}</code></div>
                      <div class="soft small">
                        ${t.seenFrom} ${moment(reader, firstUtc)} ${c.until} ${moment(reader, lastUtc)}
                      </div>
                    </div>
                  </li>`
              )}
            </ul>`
      }`
  )
}

const webhooksCard = (page: PageRequest, { webhooks }: ShownClient): Html => {
  const t = words[page.reader.language]
  return card(
    "webhooks",
    t.webhooks,
    webhooks.length === 0
      ? html`<p class="soft">${t.noWebhooks}</p>`
      : html`<ul class="items" role="list">
          ${webhooks.map(
            ({ id, name, url }) =>
              html`<li>
                <div>
                  <div class="name"><a href="${webhookAddress(page, id)}">${name ?? id}</a></div>
                  <div class="soft small">${url}</div>
                </div>
              </li>`
          )}
        </ul>`
  )
}

const rotateCard = (page: PageRequest, { id, name }: ShownClient, key: string): Html => {
  const { reader, visit } = page
  const t = words[reader.language]
  return card(
    "rotate",
    t.rotate,
    html`<p class="soft">${t.rotateAbout}</p>
      <form class="stack" method="post" action="${rootOf(page)}/${id}/rotate">
        ${formField(visit)} ${hidden("key", key)}
        ${select({
          id: "overlap",
          name: "overlap",
          label: t.overlap,
          value: "24h",
          any: t.overlapNone,
          options: [
            ["1h", t.overlapHour],
            ["24h", t.overlapDay],
            ["7d", t.overlapWeek],
            ["30d", t.overlapMonth]
          ]
        })}
        <div class="row">${button(t.rotateNow, { of: name })}</div>
      </form>`
  )
}

const revokeCard = (page: PageRequest, { id, name, webhooks }: ShownClient): Html => {
  const { reader, visit } = page
  const t = words[reader.language]
  return card(
    "revoke",
    t.revoke,
    html`<p class="soft">${t.revokeAbout}</p>
      <form class="stack" method="post" action="${rootOf(page)}/${id}/revoke">
        ${formField(visit)} ${hidden("name", name)}
        ${
          webhooks.length > 0 &&
          box({
            id: "with-webhooks",
            name: "webhooks",
            label: t.withWebhooks(webhooks.length),
            hint: t.withWebhooksHint
          })
        }
        <div class="row">${button(t.revoke, { kind: "danger", of: name })}</div>
      </form>`
  )
}

const clientPage = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const { show } = yield* ClientWebhooks
  const { reader, requestId, seat } = page
  const [t, c] = [words[reader.language], common[reader.language]]
  const client = yield* show(idOf(page))
  const { bot, createdUtc, id, name, previousSecretUntilUtc, revokedUtc, scopes, team } = client
  const key = yield* newKey
  return new View({
    title: name,
    body: html`${head({
        title: name,
        subtitle: stateOf(reader, client),
        crumbs: [above(page, team)],
        actions:
          seat === undefined && html`<a class="button" href="/console/operation/audit?client=${id}">${t.auditOf}</a>`
      })}
      ${attempt !== undefined && problemNotice(reader, attempt.problem, requestId)}
      <div class="grid-2">
        <div class="stack">
          ${card(
            "about",
            t.about,
            facts([
              [t.clientId, html`<code>${id}</code>`],
              [t.team, seat === undefined && html`<a href="${operation.teams}/${team.id}">${team.name}</a>`],
              [t.bot, html`<a href="${botAddress(page, bot.id)}">${bot.name}</a>`],
              [t.scopes, html`<code>${scopes.join(" ")}</code>`],
              [c.created, moment(reader, createdUtc)],
              [t.revokedAt, moment(reader, revokedUtc)],
              [t.previousUntil, moment(reader, previousSecretUntilUtc)]
            ])
          )}
          ${useCard(page, client)}
        </div>
        <div class="stack">
          ${webhooksCard(page, client)}
          ${revokedUtc === null && html`${rotateCard(page, client, key)} ${revokeCard(page, client)}`}
        </div>
      </div>`
  })
})

const showOne = get(`${path}/:client`, (page) => clientPage(page))

const showAny = get(`${operation.clients}/:client`, (page) => clientPage(page))

const rotated = (page: PageRequest) =>
  Effect.gen(function* () {
    const clients = yield* TeamClients
    const { form, reader } = page
    const made = yield* clients.rotate(idOf(page), formRequest(page, { overlap: form.textOrNull("overlap") }))
    return secretPage(page, {
      ...made,
      note: words[reader.language].rotated,
      previousUntil: made.previousSecretUntilUtc
    })
  }).pipe(orShowAgain(page, (attempt) => clientPage(page, attempt)))

const rotate = post(`${path}/:client/rotate`, rotated)

const rotateAny = post(`${operation.clients}/:client/rotate`, rotated)

const revoked = (page: PageRequest) =>
  Effect.gen(function* () {
    const [clients, withWebhooks] = [yield* Clients, yield* ClientWebhooks]
    const { form, reader } = page
    const t = words[reader.language]
    const id = idOf(page)
    const back = `${rootOf(page)}/${id}`
    if (form.text("confirmed") !== id) {
      const title = t.revokeTitle(form.text("name") ?? id)
      return new View({
        title,
        body: confirmation(page, {
          title,
          body: html`${t.revokeAbout} ${form.has("webhooks") && t.webhooksGo}`,
          label: t.revoke,
          confirmed: id,
          back
        })
      })
    }
    if (form.has("webhooks")) yield* withWebhooks.revoke(id)
    else yield* clients.revoke(id)
    return new Goto({ path: back, note: t.revokedNote })
  })

const revoke = post(`${path}/:client/revoke`, revoked)

const revokeAny = post(`${operation.clients}/:client/revoke`, revoked)

/** The pages of OAuth clients. */
export const pages = [
  listPage,
  showNew,
  create,
  showOne,
  rotate,
  revoke,
  showNewIn,
  createIn,
  showAny,
  rotateAny,
  revokeAny
]

/** For administrators of the team. */
export const links: LinksOf = ({ base, reader, seat }) =>
  seat?.actor.role === "admin"
    ? [
        {
          href: `${base}/clients`,
          name: words[reader.language].title,
          icon: "M6 8h8a3 3 0 0 1 3 3v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4a3 3 0 0 1 3-3zM10 8V4M10 4h2M7 12.500v1M13 12.500v1"
        }
      ]
    : []
