/** The team: its profile and plan, what each member may do in it, its quotas, and the apps that its members connected. */
import { Effect, Schema } from "effect"
import { publicScope } from "../core/auth/CurrentActor.ts"
import { definitions, type QuotaKind, type QuotaUsage } from "../core/quotas/Quota.ts"
import type { Json } from "../core/usecase/Input.ts"
import { targetOf } from "../identity/apps/rules.ts"
import { type Grant, Grants } from "../identity/oauth/Grants.ts"
import { categories, type Team } from "../identity/teams/Team.ts"
import { TeamAdministration } from "../identity/teams/TeamAdministration.ts"
import { Users } from "../identity/users/Users.ts"
import {
  type Attempt,
  type Form,
  formRequest,
  get,
  Goto,
  type LinksOf,
  orShowAgain,
  type PageRequest,
  post,
  problemNotice,
  View
} from "./Console.ts"
import { html, type Html } from "./Html.ts"
import { type Column, pager, table } from "./Lists.ts"
import { capabilityPill } from "./MemberPages.ts"
import { fieldNumber, quantity } from "./Numbers.ts"
import {
  box,
  button,
  card,
  emptyState,
  facts,
  faultOf,
  field,
  foldedId,
  head,
  hidden,
  numberField,
  pill,
  select,
  skipTo,
  textarea,
  unbroken
} from "./Parts.ts"
import { categoryNames, quotaNames, words } from "./teamTexts.ts"
import { common, day, number, type Reader } from "./Texts.ts"
import { formField } from "./Visit.ts"

const paths = {
  profile: "/profile",
  capability: "/profile/capability",
  quotas: "/quotas",
  apps: "/apps",
  disconnect: "/apps/disconnect"
} as const

const isAdministrator = ({ seat }: Pick<PageRequest, "seat">) => seat?.actor.role === "admin"

// The profile.

/** Members of a profile that are ranges: of amounts of money, of square metres, of numbers. */
const ranges = [
  ["investmentCapacity", "price"],
  ["propertyValue", "price"],
  ["restrictedInvestmentSize", "price"],
  ["leasableArea", "area"],
  ["propertyCount", "count"]
] as const

type RangeName = (typeof ranges)[number][0]

const sentRange = (form: Form, name: RangeName, kind: "area" | "count" | "price"): Json => {
  const [min, max] = [form.number(`${name}.min`), form.number(`${name}.max`)]
  if (min === null && max === null) return null
  if (kind === "area") return { min, max, unit: "sqm" }
  if (kind === "count") return { min, max }
  return { min, max, currency: form.textOrNull(`${name}.currency`), scale: form.text(`${name}.scale`) ?? "unit" }
}

const textMembers = [
  ["legalName", "text"],
  ["vatNumber", "text"],
  ["country", "text"],
  ["homepageUrl", "url"],
  ["profilePictureUrl", "url"]
] as const

const profileFacts = (reader: Reader, team: Team): Html => {
  const t = words[reader.language]
  const { contactPerson } = team
  return facts([
    [common[reader.language].name, team.name],
    ...textMembers.map(([name]) => [t[name], team[name]] as const),
    [
      t.contactPerson,
      contactPerson === null ? null : html`${contactPerson.name}<span class="below">${contactPerson.email}</span>`
    ],
    [
      t.categories,
      team.categories.length > 0 && team.categories.map((one) => categoryNames[reader.language][one] ?? one).join(", ")
    ],
    [t.description, team.description],
    [t.strategy, team.strategy],
    ...ranges.map(([name]) => [t[name], quantity(reader, team[name] ?? {})] as const)
  ])
}

const rangeFields = (reader: Reader, name: RangeName, kind: "area" | "count" | "price", shown: Shown): Html => {
  const t = words[reader.language]
  const about = (part: string, label: string) => ({
    id: `${name}-${part}`,
    name: `${name}.${part}`,
    label,
    value: shown.value(`${name}.${part}`)
  })
  const faultOfPart = (part: string) => shown.fault(`${name}/${part}`)
  const isOfPart = ["min", "max", "currency"].some((part) => faultOfPart(part) !== undefined)
  return html`<fieldset class="wide">
    <legend>${t[name]}${kind === "area" && " (m²)"}</legend>
    <div class="fields short">
      ${numberField({ ...about("min", t.from), fault: faultOfPart("min") ?? (isOfPart ? undefined : shown.fault(name)) })}
      ${numberField({ ...about("max", t.upTo), fault: faultOfPart("max") })}
      ${
        kind === "price" &&
        html`${field({ ...about("currency", t.currency), fault: faultOfPart("currency"), maxLength: 3, placeholder: "EUR" })}
        ${select({
          ...about("scale", t.scale),
          options: [
            ["unit", t.unit],
            ["thousand", t.thousand],
            ["million", t.million]
          ]
        })}`
      }
    </div>
  </fieldset>`
}

/** What the fields of the form have: what was typed, or what is stored; and what is wrong. */
interface Shown {
  readonly value: (name: string) => string | null | undefined
  readonly has: (name: string, value: string) => boolean
  readonly fault: (member: string) => string | undefined
}

const shownOf = (reader: Reader, team: Team, attempt: Attempt | undefined): Shown => {
  if (attempt !== undefined) {
    const { form, problem } = attempt
    return {
      value: (name) => form.text(name),
      has: (name, value) => form.all(name).includes(value),
      fault: (member) => faultOf(problem.errors, member)
    }
  }
  const values: { readonly [name: string]: unknown } = {
    ...team,
    contactPersonId: team.contactPerson?.id,
    ...Object.fromEntries(
      ranges.flatMap(([name]) => Object.entries(team[name] ?? {}).map(([part, value]) => [`${name}.${part}`, value]))
    )
  }
  return {
    value: (name) => {
      const value = values[name]
      return typeof value === "number" ? fieldNumber(reader, value) : typeof value === "string" ? value : undefined
    },
    has: (_, value) => team.categories.includes(value),
    fault: () => undefined
  }
}

const profileForm = (
  { base, reader, visit }: PageRequest,
  { etag, team }: { readonly team: Team; readonly etag: string },
  attempt: Attempt | undefined
): Html => {
  const t = words[reader.language]
  const shown = shownOf(reader, team, attempt)
  const textOf = (name: "description" | "name" | "strategy" | (typeof textMembers)[number][0]) => ({
    id: name,
    name,
    label: name === "name" ? common[reader.language].name : t[name],
    value: shown.value(name),
    fault: shown.fault(name)
  })
  return html`<form class="stack" method="post" action="${base}${paths.profile}">
    ${skipTo(reader, "save-profile")} ${formField(visit)} ${hidden("etag", attempt?.form.text("etag") ?? etag)}
    <div class="fields">
      ${field({ ...textOf("name"), isRequired: true, maxLength: 200 })}
      ${textMembers.map(([name, type]) => field({ ...textOf(name), type, ...(name === "country" ? { maxLength: 2, hint: t.countryHint } : {}) }))}
      ${select({
        id: "contactPersonId",
        name: "contactPersonId",
        label: t.contactPerson,
        any: common[reader.language].none,
        value: shown.value("contactPersonId"),
        options: peopleOf(team),
        hint: t.contactPersonHint,
        fault: shown.fault("contactPersonId")
      })}
    </div>
    <div class="fields">${textarea(textOf("description"))} ${textarea(textOf("strategy"))}</div>
    <fieldset>
      <legend>${t.categories}</legend>
      <div class="fields">
        ${categories.map((one) =>
          box({
            id: `category-${one}`,
            name: "categories",
            value: one,
            label: categoryNames[reader.language][one] ?? one,
            isTicked: shown.has("categories", one)
          })
        )}
      </div>
    </fieldset>
    ${ranges.map(([name, kind]) => rangeFields(reader, name, kind, shown))}
    <div class="row">${button(common[reader.language].save, { kind: "main", id: "save-profile" })}</div>
  </form>`
}

/** Who may be the contact person: the first members, and who is it now. */
const peopleOf = ({ contactPerson, members = [] }: Team): ReadonlyArray<readonly [id: string, name: string]> => {
  const people = members.filter(({ email }) => email !== null).map(({ id, name }) => [id, name] as const)
  return contactPerson === null || people.some(([id]) => id === contactPerson.id)
    ? people
    : [[contactPerson.id, contactPerson.name] as const, ...people]
}

const capabilitiesCard = ({ base, reader, seat, visit }: PageRequest): Html => {
  const t = words[reader.language]
  return card(
    "capabilities",
    t.yourCapabilities,
    html`<p class="soft">${t.capabilitiesAbout}</p>
      <ul class="items" role="list">
        ${(["broker", "investor"] as const).map((kind) => {
          const state = seat?.actor[kind] ?? null
          return html`<li>
            <div>
              <div class="name">${t[kind]} ${capabilityPill(reader, state)}</div>
              <div class="soft small">${t[`${kind}About`]}${state === "pending" && ` ${t.requestedAbout}`}</div>
            </div>
            ${
              state === null &&
              html`<form method="post" action="${base}${paths.capability}">
                ${formField(visit)} ${hidden("kind", kind)} ${button(t.request, { of: t[kind] })}
              </form>`
            }
          </li>`
        })}
      </ul>`
  )
}

const profilePage = Effect.fnUntraced(function* (page: PageRequest, attempt?: Attempt) {
  const administration = yield* TeamAdministration
  const { reader, requestId } = page
  const t = words[reader.language]
  const found = yield* administration.team()
  const { team } = found
  return new View({
    title: t.profile,
    body: html`${head({ title: t.profile, subtitle: isAdministrator(page) ? t.profileAbout : t.profileReadOnly })}
      ${attempt !== undefined && problemNotice(reader, attempt.problem, requestId)}
      <div class="stack">
        <div class="grid-2">
          ${card(
            "plan",
            t.planAndTeam,
            html`${facts([
              [
                t.plan,
                pill("plain", t[`plan_${team.plan === "plus" || team.plan === "professional" ? team.plan : "free"}`])
              ],
              [t.memberCount, number(reader, team.memberCount ?? 0)],
              [common[reader.language].created, day(reader, team.createdUtc)]
            ])}
            ${foldedId(reader, team.id)}`,
            html`<span class="soft small">${t.planAbout}</span>`
          )}
          ${capabilitiesCard(page)}
        </div>
        ${card("profile", t.profile, isAdministrator(page) ? profileForm(page, found, attempt) : profileFacts(reader, team))}
      </div>`
  })
})

const showProfile = get(`/console/:team${paths.profile}`, (page) => profilePage(page))

/** The categories that are ticked; in the order that they had, which boxes do not have, where they are the same. */
const categoriesOf = (form: Form, { categories: present }: Pick<Team, "categories">): Array<string> => {
  const ticked = form.all("categories")
  const isSame = ticked.length === present.length && ticked.every((one) => present.includes(one))
  return [...(isSame ? present : ticked)]
}

const profileOf = (form: Form, team: Team): Json => ({
  name: form.textOrNull("name"),
  ...Object.fromEntries(textMembers.map(([name]) => [name, form.textOrNull(name)])),
  description: form.textOrNull("description"),
  strategy: form.textOrNull("strategy"),
  contactPersonId: form.textOrNull("contactPersonId"),
  categories: categoriesOf(form, team),
  ...Object.fromEntries(ranges.map(([name, kind]) => [name, sentRange(form, name, kind)]))
})

const changeProfile = post(`/console/:team${paths.profile}`, (page) =>
  Effect.gen(function* () {
    const administration = yield* TeamAdministration
    const { team } = yield* administration.team()
    yield* administration.change(formRequest(page, profileOf(page.form, team)))
    return new Goto({ path: `${page.base}${paths.profile}`, note: common[page.reader.language].saved })
  }).pipe(orShowAgain(page, (attempt) => profilePage(page, attempt)))
)

const isCapability = Schema.is(Schema.Literals(["broker", "investor"]))

const requestCapability = post(`/console/:team${paths.capability}`, (page) =>
  Effect.gen(function* () {
    const users = yield* Users
    const kind = page.form.text("kind")
    if (isCapability(kind)) yield* users.requestCapability(kind)
    return new Goto({
      path: `${page.base}${paths.profile}#capabilities`,
      note: words[page.reader.language].requestSent
    })
  })
)

// Quotas.

const isBytes = (kind: QuotaKind) => definitions[kind].unit === "bytes"

const amount = (reader: Reader, kind: QuotaKind, value: number | null): string => {
  if (value === null) return common[reader.language].none
  if (!isBytes(kind)) return number(reader, value)
  const units = ["B", "kB", "MB", "GB", "TB"]
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)))
  return `${number(reader, Math.round(value / 1000 ** power / 0.01) * 0.01)} ${units[power] ?? ""}`
}

const percentPill = (reader: Reader, { percent }: QuotaUsage) =>
  percent === null
    ? undefined
    : pill(percent >= 100 ? "bad" : percent >= 80 ? "warn" : "good", `${number(reader, percent)} %`)

const quotasPage = get(`/console/:team${paths.quotas}`, (page) =>
  Effect.gen(function* () {
    const administration = yield* TeamAdministration
    const { reader } = page
    const t = words[reader.language]
    const usage = yield* administration.usage()
    const columns: ReadonlyArray<Column<QuotaUsage>> = [
      {
        key: "kind",
        title: t.quota,
        is: "name",
        cell: ({ kind }) => html`${quotaNames[reader.language][kind]}<span class="below"><code>${kind}</code></span>`
      },
      {
        key: "used",
        title: t.used,
        isNumber: true,
        cell: ({ kind, used }) => (used === null ? undefined : amount(reader, kind, used))
      },
      { key: "quota", title: t.limit, isNumber: true, cell: ({ kind, quota }) => amount(reader, kind, quota) },
      { key: "percent", title: t.share, isNumber: true, cell: (one) => percentPill(reader, one) },
      { key: "set", title: t.setBy, is: "more", cell: ({ isDefault }) => (isDefault ? t.byDefault : t.byOperator) }
    ]
    return new View({
      title: t.quotas,
      body: html`${head({ title: t.quotas, subtitle: t.quotasAbout })}
        <div class="card">
          ${table(page, { caption: t.quotas, columns, rows: usage, idOf: ({ kind }) => `quota-${kind}` })}
          ${pager(page, { hasMore: false, nextCursor: null }, usage.length)}
        </div>
        <p class="soft small">
          ${t.whenUsedUp} <a href="/help/quota-exceeded"><code>quota_exceeded</code></a>
        </p>`
    })
  })
)

// The apps that members connected.

const appsPage = get(`/console/:team${paths.apps}`, (page) =>
  Effect.gen(function* () {
    const grants = yield* Grants
    const { base, reader, visit } = page
    const [t, c] = [words[reader.language], common[reader.language]]
    const found = yield* grants.listOfTeam()
    const columns: ReadonlyArray<Column<Grant>> = [
      {
        key: "app",
        title: t.app,
        is: "name",
        cell: ({ app }) => html`${app.name}${app.url !== null && html`<span class="below">${targetOf(app.url)}</span>`}`
      },
      {
        key: "user",
        title: t.connectedBy,
        cell: ({ user }) => html`${user.name}<span class="below">${unbroken(user.email)}</span>`
      },
      {
        key: "scopes",
        title: t.may,
        cell: ({ scopes }) => (scopes.includes(publicScope) ? t.readsAndChanges : t.onlyReads)
      },
      { key: "since", title: t.since, is: "more", cell: ({ createdUtc }) => day(reader, createdUtc) },
      {
        key: "actions",
        title: c.actions,
        cell: ({ app, id, user }) =>
          html`<form method="post" action="${base}${paths.disconnect}">
            ${formField(visit)} ${hidden("id", id)}
            ${button(t.disconnect, { kind: "danger", of: `${app.name}, ${user.name}` })}
          </form>`
      }
    ]
    return new View({
      title: t.apps,
      body: html`${head({ title: t.apps, subtitle: t.appsAbout })}
        <div class="card">
          ${
            found.length === 0
              ? emptyState(t.noApps, t.noAppsAdvice)
              : html`${table(page, { caption: t.apps, columns, rows: found, idOf: ({ id }) => `grant-${id}` })}
                ${pager(page, { hasMore: false, nextCursor: null }, found.length)}`
          }
        </div>`
    })
  })
)

const disconnect = post(`/console/:team${paths.disconnect}`, ({ base, form, reader }) =>
  Effect.gen(function* () {
    const grants = yield* Grants
    yield* grants.endOfTeam(form.text("id") ?? "")
    return new Goto({ path: `${base}${paths.apps}`, note: words[reader.language].disconnected })
  })
)

/** The pages of the team. */
export const pages = [showProfile, changeProfile, requestCapability, quotasPage, appsPage, disconnect]

/** What stands before the members in the navigation, and what stands after them. */
export const links: { readonly [Place in "first" | "last"]: LinksOf } = {
  first: ({ base, reader, seat }) =>
    seat === undefined
      ? []
      : [
          {
            href: `${base}${paths.profile}`,
            name: words[reader.language].profile,
            icon: "M3 17V5l7-3 7 3v12M7 8h2M11 8h2M7 12h2M11 12h2M2 17h16"
          }
        ],
  last: ({ base, reader, seat }) =>
    seat === undefined
      ? []
      : [
          ...(seat.actor.role === "admin"
            ? [
                {
                  href: `${base}${paths.apps}`,
                  name: words[reader.language].apps,
                  icon: "M3 3h5v5H3zM12 3h5v5h-5zM3 12h5v5H3zM12 14.5h5M14.500 12v5"
                }
              ]
            : []),
          {
            href: `${base}${paths.quotas}`,
            name: words[reader.language].quotas,
            icon: "M3 14a7 7 0 0 1 14 0M10 14l3.500-4"
          }
        ]
}
