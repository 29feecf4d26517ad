/** The audit log: of a team for its administrators, and of the installation for operators (docs/behaviour/audit-log.md). */
import { Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { actionNames, type AuditEntry, outcomes } from "../core/audit/AuditEntry.ts"
import { AuditLog, type AuditQuery, exportFormats } from "../core/audit/AuditLog.ts"
import { parseTimestamp } from "../core/fields/Timestamp.ts"
import { bodyFault } from "../core/usecase/Input.ts"
import { InvalidRequest } from "../core/usecase/Problem.ts"
import { get, type LinksOf, type PageRequest, problemNotice, View } from "./Console.ts"
import { actorAddress, targetAddress } from "./auditTargets.ts"
import { html, type Html, type Part } from "./Html.ts"
import { addressWith, type Column, columnChoice, drawer, filterForm, openAddress, pager, table } from "./Lists.ts"
import { emptyState, facts, head, pill } from "./Parts.ts"
import { common, second, texts } from "./Texts.ts"

const words = texts({
  title: ["Audit log", "Audit-Protokoll"],
  ofTeam: [
    "Who did what that concerns this team, the latest first.",
    "Wer was getan hat, das dieses Team betrifft; das Neueste zuerst."
  ],
  ofAll: [
    "Who did what on this installation, the latest first.",
    "Wer was auf dieser Installation getan hat; das Neueste zuerst."
  ],
  action: ["Action", "Aktion"],
  address: ["Address", "Adresse"],
  at: ["When", "Wann"],
  by: ["By means of", "Mittels"],
  client: ["Client or app (id)", "Client oder App (Id)"],
  clientOf: ["Client", "Client"],
  command: ["Command", "Befehl"],
  details: ["Details", "Einzelheiten"],
  entry: ["Entry", "Eintrag"],
  exportAs: ["Export as", "Exportieren als"],
  grant: ["Grant", "Freigabe"],
  noEntries: ["No entries", "Keine Einträge"],
  advice: [
    "Nothing matches these filters. Leave some out, or begin earlier.",
    "Zu diesen Filtern gibt es nichts. Lassen Sie einige weg, oder beginnen Sie früher."
  ],
  outcome: ["Outcome", "Ergebnis"],
  session: ["Session", "Sitzung"],
  since: ["Since", "Seit"],
  target: ["Target", "Ziel"],
  teamId: ["Team (id)", "Team (Id)"],
  token: ["Token", "Token"],
  userOf: ["User (e-mail address or id)", "Benutzer (E-Mail-Adresse oder Id)"],
  anonymous: ["Unknown", "Unbekannt"],
  bot: ["Bot", "Bot"],
  operator: ["Operator", "Betreiber"],
  system: ["The service", "Der Dienst"],
  person: ["Person without a name", "Person ohne Namen"],
  success: ["Success", "Erfolgreich"],
  refused: ["Refused", "Abgelehnt"],
  failed: ["Failed", "Fehlgeschlagen"]
})

const kinds = { success: "good", refused: "warn", failed: "bad" } as const

const noDate = InvalidRequest.of([bodyFault("/since", "invalid_timestamp", "Must be a date such as 2026-11-20.")])

const timeIn = (text: string | undefined) => {
  const time = text === undefined ? undefined : parseTimestamp(text)
  return text !== undefined && time === undefined ? Effect.fail(noDate) : Effect.succeed(time)
}

/** What an address asks for. */
const askedBy = Effect.fnUntraced(function* ({
  search,
  seat
}: PageRequest): Effect.fn.Return<AuditQuery, InvalidRequest> {
  const text = (name: string) => search.get(name)?.trim() || undefined
  const since = yield* timeIn(text("since"))
  const names = ["client", "user", "action", "outcome", ...(seat === undefined ? ["team"] : [])]
  return {
    ...Object.fromEntries(names.flatMap((name) => (text(name) === undefined ? [] : [[name, text(name)]]))),
    ...(since === undefined ? {} : { since }),
    ...(text("cursor") === undefined ? {} : { after: text("cursor") ?? "" })
  }
})

const actionGroups = [...new Set(actionNames.map((name) => `${name.split(".")[0] ?? ""}.*`))]

const filtersOf = ({ reader, seat }: PageRequest) => {
  const t = words[reader.language]
  return [
    {
      name: "action",
      label: t.action,
      options: [...actionGroups, ...actionNames].sort().map((name) => [name, name] as const)
    },
    { name: "outcome", label: t.outcome, options: outcomes.map((outcome) => [outcome, t[outcome]] as const) },
    { name: "user", label: t.userOf },
    { name: "client", label: t.client },
    ...(seat === undefined ? [{ name: "team", label: t.teamId }] : []),
    { name: "since", label: t.since, type: "date" as const }
  ]
}

const whoOf = ({ reader }: PageRequest, { actor, via }: AuditEntry): string => {
  const t = words[reader.language]
  if (actor.kind === "operator") return actor.name === null ? t.operator : `${t.operator} (${actor.name})`
  if (actor.kind === "anonymous") return via.client?.name ?? t.anonymous
  if (actor.kind === "system") return t.system
  const name = actor.name === null || actor.name === "" ? t.person : actor.name
  return actor.kind === "bot" ? `${name} (${t.bot})` : name
}

const linked = (address: string | undefined, text: string): Part =>
  address === undefined ? text : html`<a href="${address}">${text}</a>`

const targetOf = (page: PageRequest, entry: AuditEntry): Html | undefined => {
  const { target } = entry
  return target === null
    ? undefined
    : html`${linked(targetAddress(page, entry), target.name ?? target.type)}${target.id !== null && html`<span class="below mono">${target.id}</span>`}`
}

const columnsOf = (page: PageRequest): ReadonlyArray<Column<AuditEntry>> => {
  const t = words[page.reader.language]
  return [
    {
      key: "action",
      title: t.action,
      is: "name",
      cell: ({ action, id }) => html`<a href="${openAddress(page, id)}">${action}</a>`
    },
    { key: "at", title: t.at, cell: ({ at }) => second(page.reader, at) },
    {
      key: "who",
      title: common[page.reader.language].who,
      cell: (entry) => linked(actorAddress(page, entry), whoOf(page, entry))
    },
    { key: "target", title: t.target, is: "more", cell: (entry) => targetOf(page, entry) },
    { key: "outcome", title: t.outcome, cell: ({ outcome }) => pill(kinds[outcome], t[outcome]) },
    { key: "address", title: t.address, is: "more", cell: ({ address }) => address },
    {
      key: "client",
      title: t.clientOf,
      is: "more",
      isExtra: true,
      cell: ({ via }) => via.client?.name ?? via.client?.id
    },
    {
      key: "request",
      title: common[page.reader.language].request,
      is: "more",
      isExtra: true,
      cell: ({ requestId }) => requestId
    }
  ]
}

const detailOf = (value: unknown): string => (Array.isArray(value) ? value.join(", ") : String(value))

const panel = (page: PageRequest, entry: AuditEntry): Html => {
  const t = words[page.reader.language]
  const { action, actor, address, at, details, id, outcome, requestId, target, teamId, via } = entry
  const code = (text: string | null | undefined) =>
    text === null || text === undefined ? undefined : html`<code>${text}</code>`
  return drawer(
    page,
    action,
    html`${facts([
      [t.at, second(page.reader, at)],
      [t.outcome, pill(kinds[outcome], t[outcome])],
      [
        common[page.reader.language].who,
        html`${linked(actorAddress(page, entry), whoOf(page, entry))} ${code(actor.id)}`
      ],
      [t.command, code(via.command)],
      [t.clientOf, via.client !== null && html`${via.client.name} ${code(via.client.id)}`],
      [t.grant, code(via.grant)],
      [t.token, code(via.token)],
      [t.session, code(via.session)],
      [t.address, address],
      [
        t.target,
        target !== null && html`${linked(targetAddress(page, entry), target.name ?? target.type)} ${code(target.id)}`
      ],
      [
        common[page.reader.language].team,
        teamId !== null && page.seat === undefined
          ? html`<a href="/console/operation/teams/${teamId}"><code>${teamId}</code></a>`
          : code(teamId)
      ],
      ...Object.entries(details).map(([name, value]) => [name, detailOf(value)] as const),
      [common[page.reader.language].requestId, code(requestId)],
      [t.entry, code(id)]
    ])}`
  )
}

const pageSize = 50

/** The page of a log, of which `found` are the entries that the address asks for, one more than it shows. */
const shown = (page: PageRequest, found: ReadonlyArray<AuditEntry>, path: string, refusal?: InvalidRequest): View => {
  const t = words[page.reader.language]
  const entries = found.slice(0, pageSize)
  const columns = columnsOf(page)
  const open = entries.find(({ id }) => id === page.search.get("open"))
  const asFile = (format: string) =>
    addressWith(page, { cursor: undefined, open: undefined, columns: undefined, format }, `${path}/export`)
  return new View({
    title: t.title,
    ...(refusal === undefined ? {} : { status: refusal.status }),
    body: html`${head({
        title: t.title,
        subtitle: page.seat === undefined ? t.ofAll : t.ofTeam,
        actions: html`<span class="soft small">${t.exportAs}</span>
          ${Object.keys(exportFormats).map((format) => html`<a class="button small" href="${asFile(format)}" download>${format.toUpperCase()}</a>`)}
          ${columnChoice(page, columns)}`
      })}
      ${refusal !== undefined && problemNotice(page.reader, refusal, page.requestId)}
      ${filterForm(page, filtersOf(page))}
      <div class="with-drawer">
        <div class="card">
          ${
            entries.length === 0
              ? emptyState(t.noEntries, t.advice)
              : table(page, {
                  caption: t.title,
                  columns,
                  rows: entries,
                  idOf: ({ id }) => id,
                  isCurrent: (entry) => entry === open
                })
          }
          ${pager(page, { hasMore: found.length > pageSize, nextCursor: entries.at(-1)?.id ?? null }, entries.length)}
        </div>
        ${open !== undefined && panel(page, open)}
      </div>`
  })
}

const file = (content: Stream.Stream<string>, format: keyof typeof exportFormats) =>
  HttpServerResponse.stream(Stream.encodeText(content), {
    contentType: exportFormats[format],
    headers: { "content-disposition": `attachment; filename="audit-log.${format}"` }
  })

const formatOf = ({ search }: PageRequest): keyof typeof exportFormats =>
  search.get("format") === "json" ? "json" : "ndjson"

const paths = { team: "/console/:team/audit", all: "/console/operation/audit" } as const

const ofTeam = get(paths.team, (page) => {
  const path = `${page.base}/audit`
  return askedBy(page).pipe(
    Effect.flatMap((asked) => Effect.flatMap(AuditLog, ({ list }) => list(asked, pageSize + 1))),
    Effect.map((found) => shown(page, found, path)),
    Effect.catchTag("InvalidRequest", (refusal) => Effect.succeed(shown(page, [], path, refusal)))
  )
})

const exportOfTeam = get(`${paths.team}/export`, (page) =>
  Effect.gen(function* () {
    const { exportTeam } = yield* AuditLog
    return file(yield* exportTeam(yield* askedBy(page), formatOf(page)), formatOf(page))
  })
)

const ofAll = get(paths.all, (page) =>
  askedBy(page).pipe(
    Effect.flatMap((asked) => Effect.flatMap(AuditLog, ({ listAll }) => listAll(asked, pageSize + 1))),
    Effect.flatMap((found) => Stream.runCollect(found)),
    Effect.map((found) => shown(page, found, paths.all)),
    Effect.catchTag("InvalidRequest", (refusal) => Effect.succeed(shown(page, [], paths.all, refusal)))
  )
)

const exportOfAll = get(`${paths.all}/export`, (page) =>
  Effect.gen(function* () {
    const { exportAll } = yield* AuditLog
    return file(yield* exportAll(yield* askedBy(page), formatOf(page)), formatOf(page))
  })
)

/** The audit log of a team, that of the installation, and their exports. */
export const pages = [ofTeam, exportOfTeam, ofAll, exportOfAll]

const icon = "M5 3h10v14H5zM8 7h4M8 10h4M8 13h2"

/** The log of the team, for its administrators. */
export const linksOfTeam: LinksOf = ({ base, reader, seat }) =>
  seat?.actor.role === "admin" ? [{ href: `${base}/audit`, name: words[reader.language].title, icon }] : []

/** The log of the installation. */
export const linksOfOperation: LinksOf = ({ isOperator, reader }) =>
  isOperator ? [{ href: paths.all, name: words[reader.language].title, icon }] : []
