/** The pages of the market in the console: properties, mandates with their place on a map, and what fits what. */
import { Effect } from "effect"
import { get, type LinksOf, listQuery, type PageRequest, View } from "../console/Console.ts"
import { type Member, valueAt } from "../console/FormMembers.ts"
import { groupFields, memberFields } from "../console/Forms.ts"
import { html, type Html, type Part } from "../console/Html.ts"
import { pager, searchByWords } from "../console/Lists.ts"
import { label, options } from "../console/Vocabulary.ts"
import { memberLabel } from "../console/memberNames.ts"
import { card, emptyState, foldedId, head, memberCard, pill } from "../console/Parts.ts"
import { fileActions, recordPages } from "../console/RecordPages.ts"
import { common, countryName, moment, number, type Reader, texts } from "../console/Texts.ts"
import { refText } from "../core/externalRefs/ExternalRef.ts"
import { timelineSection } from "../content/activities/pages.ts"
import { filesSection } from "../content/files/pages.ts"
import { mandates as mandatesContract } from "./mandates/api.ts"
import { type Mandate, statuses } from "./mandates/Mandate.ts"
import { Mandates } from "./mandates/Mandates.ts"
import { matches as matchesContract } from "./matches/api.ts"
import type { Criterion } from "./matches/Match.ts"
import { Matches } from "./matches/Matches.ts"
import { placeMap } from "./PlaceMap.ts"
import { properties as propertiesContract } from "./properties/api.ts"
import * as vocabulary from "./properties/members/vocabulary.ts"
import { Properties } from "./properties/Properties.ts"
import type { Property } from "./properties/Property.ts"
import { mandateGroups, propertyGroups, shownValue } from "./memberForms.ts"
import { Related } from "./related/Related.ts"
import { areaOfMandate, cityAt, mapPages, placeFields, placeMembers } from "./PlaceForm.ts"

const words = texts({
  properties: ["Properties", "Immobilien"],
  mandates: ["Mandates", "Suchprofile"],
  matchingMandates: ["Mandates that want it", "Suchprofile, zu denen sie passt"],
  matchingProperties: ["Properties that fit", "Passende Immobilien"],
  noMatch: ["Nothing fits", "Nichts passt"],
  noMatchAdvice: [
    "Only what is active and not ruled out is listed.",
    "Nur was aktiv und nicht ausgeschlossen ist, steht hier."
  ],
  incomplete: ["Only the newest were compared.", "Nur die neuesten wurden verglichen."],
  criterion: ["Criterion", "Kriterium"],
  result: ["Result", "Ergebnis"],
  wanted: ["Wanted", "Gesucht"],
  found: ["Found", "Vorhanden"],
  why: ["Why", "Warum"],
  met: ["Met", "Erfüllt"],
  partly: ["Partly", "Teilweise"],
  failed: ["Not met", "Nicht erfüllt"],
  unknown: ["Unknown", "Unbekannt"],
  criteria: ["What is looked for", "Was gesucht wird"],
  place: ["Place", "Lage"],
  anywhere: ["Anywhere", "Überall"],
  circle: [
    (centre: string, radius: string) => `${radius} km around ${centre}`,
    (centre: string, radius: string) => `${radius} km Umkreis um ${centre}`
  ],
  mapOf: [(name: string) => `Map: the place of ${name}`, (name: string) => `Karte: Lage von ${name}`],
  investor: ["For the contact (id)", "Für den Kontakt (Id)"],
  company: ["Or for the company (id)", "Oder für die Firma (Id)"],
  about: ["Further details", "Weitere Angaben"],
  changed: ["Changed", "Geändert"],
  forContact: ["For the contact", "Für den Kontakt"],
  forCompany: ["For the company", "Für die Firma"],
  externalRefs: ["External references", "Externe Verweise"],
  projects: ["Projects", "Projekte"],
  placeSearch: ["Place", "Ort"],
  searchHint: ["Name, address, description", "Name, Adresse, Beschreibung"]
})

const groupCards = (
  page: PageRequest,
  record: object,
  groups: ReturnType<typeof propertyGroups>
): ReadonlyArray<Html> =>
  groups.flatMap(({ id, members, title }) => {
    const pairs = members.flatMap(({ label, name }): ReadonlyArray<readonly [string, Part]> => {
      const value = valueAt(record, name)
      const shown =
        name === "country" && typeof value === "string"
          ? countryName(page.reader, value)
          : shownValue(page.reader, value)
      return shown === undefined ? [] : [[label, shown]]
    })
    return pairs.length === 0 ? [] : [memberCard(`group-${id}`, title, pairs)]
  })

const addressOf = (record: Property): string =>
  [record.address?.street, record.locality, record.country].filter((part) => (part ?? "") !== "").join(", ")

const propertyName = (reader: Reader): Member => ({
  name: "name",
  label: memberLabel(reader, "name"),
  kind: "text",
  isRequired: true
})

/** Properties: their pages, and what their list shows. */
export const propertyRecords = recordPages({
  segment: "properties",
  listActions: (page) => fileActions(page, "properties"),
  type: "property",
  title: ({ language }) => words[language].properties,
  useCases: Properties,
  query: (page) => listQuery(propertiesContract.endpoints.list, page),
  isTagged: true,
  searchBody: (page) => searchByWords(page, { tags: "in", external_ref: "externalRefs eq" }),
  filters: ({ reader }) => [
    {
      name: "q",
      label: common[reader.language].search,
      type: "search",
      placeholder: words[reader.language].searchHint
    },
    { name: "tags", label: memberLabel(reader, "propertyTags"), options: options(reader, vocabulary.propertyTags) },
    { name: "external_ref", label: words[reader.language].externalRefs }
  ],
  columns: (page) => {
    const { reader } = page
    const named = (name: string) => memberLabel(reader, name)
    return Effect.succeed([
      {
        key: "name",
        title: common[reader.language].name,
        is: "name",
        cell: (row: Property) => html`<a href="${page.base}/properties/${row.id}">${row.name ?? row.id}</a>`
      },
      { key: "place", title: words[reader.language].place, cell: (row) => addressOf(row) },
      { key: "categories", title: named("categories"), is: "more", cell: (row) => shownValue(reader, row.categories) },
      {
        key: "lettable",
        title: named("lettableArea"),
        is: "more",
        isNumber: true,
        cell: (row) => shownValue(reader, row.lettableArea)
      },
      {
        key: "price",
        title: named("askingPrice"),
        is: "more",
        isNumber: true,
        cell: (row) => shownValue(reader, row.pricing?.askingPrice)
      },
      {
        key: "year",
        title: named("yearBuilt"),
        is: "more",
        isExtra: true,
        isNumber: true,
        cell: (row) => row.yearBuilt
      },
      {
        key: "tags",
        title: named("propertyTags"),
        is: "more",
        isExtra: true,
        cell: (row) => shownValue(reader, row.tags)
      },
      {
        key: "changed",
        title: words[reader.language].changed,
        is: "more",
        cell: (row) => moment(reader, row.updatedUtc)
      }
    ])
  },
  members: (reader) => [propertyName(reader), ...propertyGroups(reader).flatMap(({ members }) => members)],
  fields: (page, property, attempt) =>
    Effect.succeed(
      html`${memberFields(page.reader, [propertyName(page.reader)], property, attempt)}
      ${groupFields(page.reader, propertyGroups(page.reader), property, attempt)}`
    ),
  naming: Related,
  nameOf: ({ id, name }) => name ?? id,
  actions: (page, { id }) =>
    html`<a class="button" href="${page.base}/properties/${id}/matches"
      >${words[page.reader.language].matchingMandates}</a
    >`,
  shown: Effect.fnUntraced(function* (page, property) {
    const t = words[page.reader.language]
    const { coordinates } = property
    const map =
      typeof coordinates?.latitude === "number" && typeof coordinates.longitude === "number"
        ? yield* placeMap(t.mapOf(property.name ?? ""), {
            points: [{ latitude: coordinates.latitude, longitude: coordinates.longitude, name: property.name ?? "" }]
          })
        : undefined
    const names = yield* (yield* Related).names(property.projectIds)
    return html`<div class="grid-2">
        ${groupCards(page, property, propertyGroups(page.reader))}
        <div class="stack">
          ${map}
          ${memberCard(
            "about",
            t.about,
            [
              [t.externalRefs, property.externalRefs.map(refText).join(", ")],
              [
                t.projects,
                property.projectIds.length > 0 &&
                  property.projectIds.map(
                    (id) => html`<a href="${page.base}/projects/${id}">${names.get(id) ?? id}</a><br />`
                  )
              ],
              [t.changed, moment(page.reader, property.updatedUtc)]
            ],
            foldedId(page.reader, property.id)
          )}
          ${yield* filesSection(page, "property", property.id)}
        </div>
      </div>
      ${yield* timelineSection(page, { type: "property", id: property.id }, { self: property.name ?? property.id })}`
  })
})

// Mandates.

const position = (reader: Reader, { latitude, longitude }: { readonly latitude: number; readonly longitude: number }) =>
  // German numbers have commas of their own.
  `${number(reader, latitude)} / ${number(reader, longitude)}`

/** A radius as people say it: whole kilometres, and tenths of short ones. */
const kilometres = (reader: Reader, metres: number): string =>
  number(reader, metres < 10_000 ? Math.round(metres / 100) / 10 : Math.round(metres / 1000))

const mandateShown = Effect.fnUntraced(function* (page: PageRequest, mandate: Mandate) {
  const { reader } = page
  const t = words[reader.language]
  const place = yield* areaOfMandate(mandate)
  const { near } = mandate
  const centre = near === null ? undefined : ((yield* cityAt(near)) ?? position(reader, near))
  const { about, criteria } = mandateGroups(reader)
  const facts = [...about, ...criteria.flatMap(({ members }) => members)].flatMap(
    ({ label, name }): ReadonlyArray<readonly [string, Part]> => {
      const shown =
        name === "name" || name.startsWith("investor") ? undefined : shownValue(reader, valueAt(mandate, name))
      return shown === undefined ? [] : [[label, shown]]
    }
  )
  const { companyId, contactId } = mandate.investor ?? {}
  const names = yield* (yield* Related).names([contactId ?? "", companyId ?? ""])
  return html`<div class="grid-2">
    ${memberCard(
      "criteria",
      t.criteria,
      [
        ...facts,
        [memberLabel(reader, "country"), mandate.country !== null && countryName(reader, mandate.country)],
        [
          t.forContact,
          contactId !== undefined &&
            html`<a href="${page.base}/contacts/${contactId}">${names.get(contactId) ?? contactId}</a>`
        ],
        [
          t.forCompany,
          companyId !== undefined &&
            html`<a href="${page.base}/companies/${companyId}">${names.get(companyId) ?? companyId}</a>`
        ],
        [t.externalRefs, mandate.externalRefs.map(refText).join(", ")],
        [t.changed, moment(reader, mandate.updatedUtc)]
      ],
      foldedId(reader, mandate.id)
    )}
    ${card(
      "place",
      t.place,
      place === undefined
        ? html`<p class="soft">${t.anywhere}</p>`
        : html`${yield* placeMap(t.mapOf(mandate.name ?? ""), { place })}
          ${centre !== undefined && html`<p class="soft">${t.circle(centre, kilometres(reader, mandate.radius ?? 0))}</p>`}`
    )}
  </div>`
})

/** Mandates: their pages, and what their list shows. */
export const mandateRecords = recordPages({
  segment: "mandates",
  listActions: (page) => fileActions(page, "mandates"),
  type: "mandate",
  title: ({ language }) => words[language].mandates,
  useCases: Mandates,
  query: (page) => listQuery(mandatesContract.endpoints.list, page),
  isTagged: false,
  searchBody: ({ search }) => {
    const asked = ["location", "status", "contact_id", "company_id", "external_ref"].flatMap((name) => {
      const value = search.get(name)?.trim() ?? ""
      return value === "" ? [] : [[name, value] as const]
    })
    return asked[0]?.[0] === "location" ? Object.fromEntries(asked) : undefined
  },
  filters: ({ reader, seat }) => [
    { name: "location", label: words[reader.language].placeSearch, type: "search" },
    { name: "status", label: memberLabel(reader, "status"), options: options(reader, statuses) },
    // Investors have no network that these are of.
    ...(seat?.actor.broker === "active"
      ? [
          { name: "contact_id", label: words[reader.language].investor },
          { name: "company_id", label: words[reader.language].company },
          { name: "external_ref", label: words[reader.language].externalRefs }
        ]
      : [])
  ],
  columns: (page) => {
    const { reader } = page
    const named = (name: string) => memberLabel(reader, name)
    return Effect.succeed([
      {
        key: "name",
        title: common[reader.language].name,
        is: "name",
        cell: (row: Mandate) => html`<a href="${page.base}/mandates/${row.id}">${row.name ?? row.id}</a>`
      },
      {
        key: "status",
        title: named("status"),
        cell: ({ status }) => status !== null && pill(status === "active" ? "good" : "plain", label(reader, status))
      },
      { key: "country", title: named("country"), is: "more", cell: ({ country }) => countryName(reader, country) },
      { key: "categories", title: named("categories"), is: "more", cell: (row) => shownValue(reader, row.categories) },
      {
        key: "size",
        title: named("investmentSize"),
        is: "more",
        cell: (row) => shownValue(reader, row.investmentSize)
      },
      {
        key: "until",
        title: named("validUntilUtc"),
        is: "more",
        isExtra: true,
        cell: (row) => moment(reader, row.validUntilUtc)
      },
      {
        key: "changed",
        title: words[reader.language].changed,
        is: "more",
        cell: (row) => moment(reader, row.updatedUtc)
      }
    ])
  },
  members: (reader) => {
    const { about, criteria } = mandateGroups(reader)
    return [...about, ...placeMembers(reader), ...criteria.flatMap(({ members }) => members)]
  },
  fields: Effect.fnUntraced(function* (page, mandate, attempt) {
    const { about, criteria } = mandateGroups(page.reader)
    const isBroker = page.seat?.actor.broker === "active"
    const own = about.filter(({ name }) => isBroker || !name.startsWith("investor."))
    return html`${memberFields(page.reader, own, mandate, attempt)} ${yield* placeFields(page, mandate, attempt)}
    ${groupFields(page.reader, criteria, mandate, attempt)}`
  }),
  formScripts: ["map.js"],
  references: {
    members: { "investor.contactId": "contact", "investor.companyId": "company" },
    filters: { contact_id: "contact", company_id: "company" },
    useCases: Related
  },
  naming: Related,
  nameOf: ({ id, name }) => name ?? id,
  actions: (page, { id }) =>
    html`<a class="button" href="${page.base}/mandates/${id}/matches"
      >${words[page.reader.language].matchingProperties}</a
    >`,
  shown: mandateShown
})

// Matches, both ways.

const kinds = { met: "good", partly: "warn", failed: "bad", unknown: "plain" } as const

const criteriaTable = (reader: Reader, criteria: ReadonlyArray<Criterion>): Html => {
  const t = words[reader.language]
  const compared = criteria.filter(({ found, wanted }) => wanted !== null || found !== null)
  return html`<details>
    <summary>${t.why}</summary>
    <div class="scroll">
      <table class="cards compared">
        <thead>
          <tr>
            <th scope="col">${t.criterion}</th>
            <th scope="col">${t.result}</th>
            <th scope="col">${t.wanted}</th>
            <th scope="col">${t.found}</th>
          </tr>
        </thead>
        <tbody>
          ${compared.map(({ criterion, found, result, wanted }) => {
            const known = result === "met" || result === "partly" || result === "failed" ? result : "unknown"
            return html`<tr>
              <th scope="row">${memberLabel(reader, criterion)}</th>
              <td class="wide" data-label="${t.result}">${pill(kinds[known], t[known])}</td>
              <td class="wide" data-label="${t.wanted}">${shownValue(reader, wanted)}</td>
              <td class="wide" data-label="${t.found}">${shownValue(reader, found)}</td>
            </tr>`
          })}
        </tbody>
      </table>
    </div>
  </details>`
}

interface Matched {
  readonly id: string
  readonly name: string | null
  readonly score: number
  readonly criteria: ReadonlyArray<Criterion>
}

const matchesView = (
  page: PageRequest,
  title: string,
  of: { readonly segment: string; readonly id: string; readonly name: string; readonly list: string },
  to: string,
  found: {
    readonly data: ReadonlyArray<Matched>
    readonly page: { readonly hasMore: boolean; readonly nextCursor: string | null }
    readonly isComplete: boolean
  }
): View => {
  const t = words[page.reader.language]
  return new View({
    title,
    body: html`${head({
        title,
        crumbs: [
          { href: `${page.base}/${of.segment}`, name: of.list },
          { href: `${page.base}/${of.segment}/${of.id}`, name: of.name }
        ],
        ...(found.isComplete ? {} : { subtitle: t.incomplete })
      })}
      <div class="card">
        ${
          found.data.length === 0
            ? emptyState(t.noMatch, t.noMatchAdvice)
            : html`<ul class="items pad" role="list">
                ${found.data.map(
                  ({ criteria, id, name, score }) =>
                    html`<li id="${id}">
                      <div>
                        <a class="name" href="${page.base}/${to}/${id}">${name ?? id}</a>
                        ${criteriaTable(page.reader, criteria)}
                      </div>
                      <strong class="num">${score}</strong>
                    </li>`
                )}
              </ul>`
        }
        ${pager(page, found.page, found.data.length)}
      </div>`
  })
}

const ofProperty = get("/console/:team/properties/:id/matches", (page) =>
  Effect.gen(function* () {
    const [matches, properties] = [yield* Matches, yield* Properties]
    const t = words[page.reader.language]
    const id = page.params["id"] ?? ""
    const property = yield* properties.get(id)
    const found = yield* matches.ofProperty(id, { query: listQuery(matchesContract.endpoints.ofProperty, page) })
    const of = { segment: "properties", id, name: property.name ?? id, list: t.properties }
    return matchesView(page, t.matchingMandates, of, "mandates", found)
  })
)

const ofMandate = get("/console/:team/mandates/:id/matches", (page) =>
  Effect.gen(function* () {
    const [matches, mandates] = [yield* Matches, yield* Mandates]
    const t = words[page.reader.language]
    const id = page.params["id"] ?? ""
    const mandate = yield* mandates.get(id)
    const found = yield* matches.ofMandate(id, { query: listQuery(matchesContract.endpoints.ofMandate, page) })
    const of = { segment: "mandates", id, name: mandate.name ?? id, list: t.mandates }
    return matchesView(page, t.matchingProperties, of, "properties", found)
  })
)

/** The pages of properties, mandates and matches. */
export const pages = [...propertyRecords.pages, ...mandateRecords.pages, ...mapPages, ofProperty, ofMandate]

/** The market: properties for brokers, mandates for investors, too. */
export const links: LinksOf = ({ base, reader, seat }) => {
  const t = words[reader.language]
  const isBroker = seat?.actor.broker === "active"
  const isInvestor = (seat?.actor.investor ?? null) !== null
  return [
    ...(isBroker ? [{ href: `${base}/properties`, name: t.properties, icon: "M3 17V8l7-5 7 5v9H3zM8 17v-5h4v5" }] : []),
    ...(isBroker || isInvestor
      ? [
          {
            href: `${base}/mandates`,
            name: t.mandates,
            icon: "M9 15.5a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13zM14 14l3.5 3.5"
          }
        ]
      : [])
  ]
}
