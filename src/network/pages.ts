/** The pages of the network in the console: contacts, companies, and the links between them. */
import { Effect } from "effect"
import {
  type Attempt,
  formRequest,
  Goto,
  type LinksOf,
  listQuery,
  orShowAgain,
  type PageRequest,
  post,
  problemNotice,
  View
} from "../console/Console.ts"
import type { Member } from "../console/FormMembers.ts"
import { memberFields } from "../console/Forms.ts"
import { html, type Html } from "../console/Html.ts"
import { addressWith, backOf, searchByWords } from "../console/Lists.ts"
import { memberLabel } from "../console/memberNames.ts"
import { breakable, button, card, foldedId, head, hidden, memberCard, unbroken } from "../console/Parts.ts"
import { naming } from "../console/References.ts"
import { fileActions, recordPages } from "../console/RecordPages.ts"
import { common, countryName, countryOptions, moment, type Reader, texts } from "../console/Texts.ts"
import { formField } from "../console/Visit.ts"
import { label, statePill } from "../console/Vocabulary.ts"
import { timelineSection } from "../content/activities/pages.ts"
import { filesSection } from "../content/files/pages.ts"
import { make } from "../core/usecase/UseCaseRequest.ts"
import { fold } from "../core/fields/spelling.ts"
import { refText } from "../core/externalRefs/ExternalRef.ts"
import { Related } from "../market/related/Related.ts"
import { companies } from "./companies/api.ts"
import { Companies } from "./companies/Companies.ts"
import type { Company } from "./companies/Company.ts"
import { contacts } from "./contacts/api.ts"
import type { Contact } from "./contacts/Contact.ts"
import { Contacts } from "./contacts/Contacts.ts"
import { Links } from "./links/Links.ts"
import { AssociatedProjects } from "./projects/AssociatedProjects.ts"

// The projects of an investor.

const projectWords = texts({
  title: ["Projects", "Projekte"],
  none: ["On no list of prospects.", "Auf keiner Liste von Interessenten."]
})

/** The projects of an investor, with what they are there. */
const projectsSection = Effect.fnUntraced(function* (page: PageRequest, type: "company" | "contact", id: string) {
  const projects = yield* AssociatedProjects
  const t = projectWords[page.reader.language]
  const request = { query: Effect.succeed({ page_size: 50 }) }
  const found = yield* type === "contact" ? projects.ofContact(id, request) : projects.ofCompany(id, request)
  return card(
    "projects",
    t.title,
    found.data.length === 0
      ? html`<p class="soft">${t.none}</p>`
      : html`<ul class="items" role="list">
          ${found.data.map(
            (project) =>
              html`<li>
                <div>
                  <a href="${page.base}/projects/${project.id}?open=${project.prospectId}">${project.name}</a>
                  <span class="below">${label(page.reader, project.prospectClassification)}</span>
                </div>
                ${project.status !== null && statePill(page.reader, project.status)}
              </li>`
          )}
        </ul>`
  )
})

// Links.

const linkWords = texts({
  ofContact: ["Linked companies", "Verknüpfte Firmen"],
  ofCompany: ["People", "Personen"],
  none: ["No links yet.", "Noch keine Verknüpfungen."],
  company: ["Company", "Firma"],
  contact: ["Contact", "Kontakt"],
  jobTitle: ["Position", "Position"],
  link: ["Link", "Verknüpfen"],
  linked: ["Linked.", "Verknüpft."],
  unlink: ["Unlink", "Trennen"],
  unlinked: ["The link was removed.", "Die Verknüpfung wurde entfernt."],
  nameless: ["Without a name", "Ohne Namen"]
})

/** The end of a link that a page is of. */
type LinkedEnd = { readonly contactId: string } | { readonly companyId: string }

/** The names of contacts or companies by their ids. */
export const namesOf = Effect.fnUntraced(function* (type: "company" | "contact", ids: ReadonlyArray<string>) {
  if (ids.length === 0) return new Map<string, string>()
  const request = make({ operation: "names", query: {}, body: { ids: [...ids] } })
  const { results } =
    type === "company" ? yield* (yield* Companies).batchGet(request) : yield* (yield* Contacts).batchGet(request)
  return new Map(
    results.flatMap((one) => (one.status === "found" ? [[one.resource.id, one.resource.name ?? ""] as const] : []))
  )
})

/** Other contacts that the name of one finds. */
export const contactsNamedLike = Effect.fnUntraced(function* ({ id, name }: Pick<Contact, "id" | "name">) {
  const query = (name ?? "").split(/\s+/).slice(0, 10).join(" ").slice(0, 200)
  if (query.trim() === "") return []
  const { search } = yield* Contacts
  const { data } = yield* search(make({ operation: "find duplicates", query: {}, body: { query, page_size: 20 } }))
  return data.filter((one) => one.id !== id)
})

/** The records at the other ends of the links of a record, and the form of a new link. */
const linksSection = Effect.fnUntraced(function* (page: PageRequest, end: LinkedEnd) {
  const { list } = yield* Links
  const t = linkWords[page.reader.language]
  const isContact = "contactId" in end
  const found = yield* list({
    query: Effect.succeed({
      page_size: 100,
      ...("contactId" in end ? { contact_id: end.contactId } : { company_id: end.companyId })
    })
  })
  const others = found.data.map((link) => ({ link, id: isContact ? link.companyId : link.contactId }))
  const names = yield* namesOf(isContact ? "company" : "contact", [...new Set(others.map(({ id }) => id))])
  return card(
    "links",
    isContact ? t.ofContact : t.ofCompany,
    html`${others.length === 0 && html`<p class="soft">${t.none}</p>`}
      <ul class="items" role="list">
        ${others.map(
          ({ id, link }) =>
            html`<li id="${link.id}">
              <div>
                <a href="${page.base}/${isContact ? "companies" : "contacts"}/${id}">${names.get(id) ?? t.nameless}</a>
                ${link.jobTitle !== null && html`<span class="below">${link.jobTitle}</span>`}
              </div>
              <form method="post" action="${page.base}/links/${link.id}/delete">
                ${formField(page.visit)} ${hidden("etag", link.etag)} ${hidden("back", addressWith(page, {}))}
                ${button(t.unlink, { kind: "quiet", of: names.get(id) ?? "" })}
              </form>
            </li>`
        )}
      </ul>
      ${linkForm(page, end, addressWith(page, {}))}`
  )
})

/** The form of a new link of a record, which leads back to the page that has it. */
const linkForm = (page: PageRequest, end: LinkedEnd, back: string, attempt?: Attempt): Html => {
  const t = linkWords[page.reader.language]
  const other: Member =
    "contactId" in end
      ? { name: "companyId", label: t.company, kind: "text", isRequired: true, ...naming(page.reader, "company") }
      : { name: "contactId", label: t.contact, kind: "text", isRequired: true, ...naming(page.reader, "contact") }
  return html`<form class="stack" method="post" action="${page.base}/links">
    ${formField(page.visit)} ${hidden("back", back)}
    ${"contactId" in end ? hidden("contactId", end.contactId) : hidden("companyId", end.companyId)}
    ${memberFields(page.reader, [other, { name: "jobTitle", label: t.jobTitle, kind: "text" }], undefined, attempt)}
    <div class="row">${button(t.link)}</div>
  </form>`
}

const createLink = post("/console/:team/links", (page) =>
  Effect.gen(function* () {
    const { create: link } = yield* Links
    const { meant } = yield* Related
    const { form } = page
    const t = linkWords[page.reader.language]
    const [contact = "", company = ""] = [form.text("contactId"), form.text("companyId")]
    const back = backOf(page, page.base)
    const end: LinkedEnd = back.includes("/companies/") ? { companyId: company } : { contactId: contact }
    return yield* Effect.gen(function* () {
      const body = {
        contactId: yield* meant("contact", contact, "/contactId"),
        companyId: yield* meant("company", company, "/companyId"),
        jobTitle: form.textOrNull("jobTitle")
      }
      yield* link(formRequest(page, body))
      return new Goto({ path: `${back}#links`, note: t.linked })
    }).pipe(
      orShowAgain(page, (attempt) =>
        Effect.succeed(
          new View({
            title: t.link,
            body: html`${head({ title: t.link })} ${problemNotice(page.reader, attempt.problem, page.requestId)}
              <div class="card pad">${linkForm(page, end, back, attempt)}</div>
              <p><a href="${back}">${common[page.reader.language].back}</a></p>`
          })
        )
      )
    )
  })
)

const removeLink = post("/console/:team/links/:id/delete", (page) =>
  Effect.gen(function* () {
    const links = yield* Links
    yield* links.delete(page.params["id"] ?? "", formRequest(page))
    return new Goto({ path: `${backOf(page, page.base)}#links`, note: linkWords[page.reader.language].unlinked })
  })
)

// Contacts.

const contactWords = texts({
  duplicates: ["Duplicates", "Dubletten"],
  title: ["Contacts", "Kontakte"],
  firstName: ["First name", "Vorname"],
  lastName: ["Last name", "Nachname"],
  phone: ["Phone", "Telefon"],
  primaryLanguage: ["Language", "Sprache"],
  languageHint: ["A code, such as de or en-GB", "Ein Kürzel, etwa de oder en-GB"],
  company: ["Company", "Firma"],
  tags: ["Tags", "Tags"],
  tagsHint: ["Separated by commas", "Durch Kommas getrennt"],
  strategy: ["Strategy", "Strategie"],
  linkedInUrl: ["LinkedIn", "LinkedIn"],
  profilePictureUrl: ["Picture", "Bild"],
  contact: ["Contact", "Kontakt"],
  changed: ["Changed", "Geändert"],
  externalRefs: ["External references", "Externe Verweise"],
  externalRef: ["External reference", "Externer Verweis"],
  externalRefHint: ["Such as hubspot:8812", "Etwa hubspot:8812"],
  searchHint: ["Name, address, number", "Name, Adresse, Nummer"],
  nameless: ["Without a name", "Ohne Namen"]
})

const contactMembers = (reader: Reader): ReadonlyArray<Member> => {
  const t = contactWords[reader.language]
  return [
    { name: "firstName", label: t.firstName, kind: "text" },
    { name: "lastName", label: t.lastName, kind: "text" },
    { name: "email", label: common[reader.language].email, kind: "email" },
    { name: "phone", label: t.phone, kind: "tel" },
    { name: "primaryCompanyId", label: t.company, kind: "text", ...naming(reader, "company") },
    { name: "primaryLanguage", label: t.primaryLanguage, kind: "text", hint: t.languageHint },
    { name: "linkedInUrl", label: t.linkedInUrl, kind: "url" },
    { name: "profilePictureUrl", label: t.profilePictureUrl, kind: "url" },
    { name: "tags", label: t.tags, kind: "tags", hint: t.tagsHint },
    { name: "strategy", label: t.strategy, kind: "long" }
  ]
}

/** The names of the companies of contacts, by their ids: one query for a page. */
const companyNames = (rows: ReadonlyArray<Contact>) =>
  namesOf("company", [...new Set(rows.flatMap(({ primaryCompanyId }) => primaryCompanyId ?? []))].slice(0, 100))

const linkTo = (page: PageRequest, id: string | null, names: ReadonlyMap<string, string>): Html | undefined =>
  id === null ? undefined : html`<a href="${page.base}/companies/${id}">${names.get(id) ?? id}</a>`

/** Contacts: their pages, and what their list shows. */
export const contactRecords = recordPages({
  segment: "contacts",
  listActions: (page) => fileActions(page, "contacts"),
  type: "contact",
  title: ({ language }) => contactWords[language].title,
  useCases: Contacts,
  query: (page) => listQuery(contacts.endpoints.list, page),
  isTagged: true,
  searchBody: (page) => searchByWords(page, { email: "eq", tags: "in", external_ref: "externalRefs eq" }),
  filters: ({ reader }) => {
    const t = contactWords[reader.language]
    return [
      { name: "q", label: common[reader.language].search, type: "search", placeholder: t.searchHint },
      { name: "email", label: common[reader.language].email },
      { name: "tags", label: t.tags },
      { name: "external_ref", label: t.externalRef, hint: t.externalRefHint }
    ]
  },
  columns: Effect.fnUntraced(function* (page, rows) {
    const t = contactWords[page.reader.language]
    const names = yield* companyNames(rows)
    return [
      {
        key: "name",
        title: common[page.reader.language].name,
        is: "name",
        cell: (row: Contact) => html`<a href="${page.base}/contacts/${row.id}">${row.name ?? t.nameless}</a>`
      },
      { key: "email", title: common[page.reader.language].email, cell: ({ email }) => unbroken(email) },
      { key: "phone", title: t.phone, is: "more", cell: ({ phone }) => phone },
      { key: "company", title: t.company, is: "more", cell: (row) => linkTo(page, row.primaryCompanyId, names) },
      { key: "tags", title: t.tags, is: "more", cell: ({ tags }) => tags.join(", ") },
      { key: "strategy", title: t.strategy, is: "more", isExtra: true, cell: ({ strategy }) => strategy },
      { key: "language", title: t.primaryLanguage, is: "more", isExtra: true, cell: (row) => row.primaryLanguage },
      { key: "changed", title: t.changed, is: "more", cell: ({ updatedUtc }) => moment(page.reader, updatedUtc) }
    ]
  }),
  members: contactMembers,
  alike: Effect.fnUntraced(function* ({ id, name }) {
    const found = yield* contactsNamedLike({ id, name })
    return found.find((one) => fold(one.name ?? "") === fold(name ?? ""))?.id
  }),
  references: { members: { primaryCompanyId: "company" }, useCases: Related },
  naming: Related,
  nameOf: ({ id, name }) => name ?? id,
  actions: (page, { id }) =>
    html`<a class="button" href="${page.base}/duplicates/contacts/${id}"
      >${contactWords[page.reader.language].duplicates}</a
    >`,
  shown: Effect.fnUntraced(function* (page, contact) {
    const t = contactWords[page.reader.language]
    const c = common[page.reader.language]
    const names = yield* companyNames([contact])
    return html`<div class="grid-2">
        ${memberCard(
          "members",
          t.contact,
          [
            [
              c.email,
              contact.email !== null && html`<a href="mailto:${contact.email}">${breakable(contact.email)}</a>`
            ],
            [t.phone, contact.phone !== null && html`<a href="tel:${contact.phone}">${contact.phone}</a>`],
            [memberLabel(page.reader, "primaryCompanyId"), linkTo(page, contact.primaryCompanyId, names)],
            [t.primaryLanguage, contact.primaryLanguage],
            [
              t.linkedInUrl,
              contact.linkedInUrl !== null &&
                html`<a href="${contact.linkedInUrl}" rel="noreferrer">${contact.linkedInUrl}</a>`
            ],
            [t.tags, contact.tags.join(", ")],
            [t.strategy, contact.strategy],
            [t.externalRefs, contact.externalRefs.map(refText).join(", ")],
            [t.changed, moment(page.reader, contact.updatedUtc)]
          ],
          foldedId(page.reader, contact.id)
        )}
        <div class="stack">
          ${yield* linksSection(page, { contactId: contact.id })} ${yield* projectsSection(page, "contact", contact.id)}
          ${yield* filesSection(page, "contact", contact.id)}
        </div>
      </div>
      ${yield* timelineSection(page, { type: "contact", id: contact.id }, { self: contact.name ?? contact.id })}`
  })
})

// Companies.

const companyWords = texts({
  title: ["Companies", "Firmen"],
  legalName: ["Legal name", "Firma laut Register"],
  country: ["Country", "Land"],
  homepageUrl: ["Homepage", "Homepage"],
  domain: ["Domain", "Domain"],
  domainHint: ["A homepage sets it by itself.", "Eine Homepage setzt sie von selbst."],
  linkedInUrl: ["LinkedIn", "LinkedIn"],
  tags: ["Tags", "Tags"],
  tagsHint: ["Separated by commas", "Durch Kommas getrennt"],
  strategy: ["Strategy", "Strategie"],
  profilePictureUrl: ["Picture", "Bild"],
  company: ["Company", "Firma"],
  changed: ["Changed", "Geändert"],
  externalRefs: ["External references", "Externe Verweise"],
  externalRef: ["External reference", "Externer Verweis"],
  externalRefHint: ["Such as hubspot:c-501", "Etwa hubspot:c-501"],
  searchHint: ["Name, domain, strategy", "Name, Domain, Strategie"]
})

const companyMembers = (reader: Reader): ReadonlyArray<Member> => {
  const t = companyWords[reader.language]
  return [
    { name: "name", label: common[reader.language].name, kind: "text", isRequired: true },
    { name: "legalName", label: t.legalName, kind: "text" },
    { name: "country", label: t.country, kind: "choice", options: countryOptions(reader) },
    { name: "homepageUrl", label: t.homepageUrl, kind: "url" },
    { name: "domain", label: t.domain, kind: "text", hint: t.domainHint },
    { name: "linkedInUrl", label: t.linkedInUrl, kind: "url" },
    { name: "profilePictureUrl", label: t.profilePictureUrl, kind: "url" },
    { name: "tags", label: t.tags, kind: "tags", hint: t.tagsHint },
    { name: "strategy", label: t.strategy, kind: "long" }
  ]
}

/** Companies: their pages, and what their list shows. */
export const companyRecords = recordPages({
  segment: "companies",
  listActions: (page) => fileActions(page, "companies"),
  type: "company",
  title: ({ language }) => companyWords[language].title,
  useCases: Companies,
  query: (page) => listQuery(companies.endpoints.list, page),
  isTagged: true,
  searchBody: (page) => searchByWords(page, { domain: "eq", tags: "in", external_ref: "externalRefs eq" }),
  filters: ({ reader }) => {
    const t = companyWords[reader.language]
    return [
      { name: "q", label: common[reader.language].search, type: "search", placeholder: t.searchHint },
      { name: "domain", label: t.domain },
      { name: "tags", label: t.tags },
      { name: "external_ref", label: t.externalRef, hint: t.externalRefHint }
    ]
  },
  columns: (page) => {
    const t = companyWords[page.reader.language]
    return Effect.succeed([
      {
        key: "name",
        title: common[page.reader.language].name,
        is: "name",
        cell: (row: Company) => html`<a href="${page.base}/companies/${row.id}">${row.name ?? row.id}</a>`
      },
      { key: "domain", title: t.domain, cell: ({ domain }) => unbroken(domain) },
      { key: "country", title: t.country, is: "more", cell: ({ country }) => countryName(page.reader, country) },
      { key: "tags", title: t.tags, is: "more", cell: ({ tags }) => tags.join(", ") },
      { key: "legal", title: t.legalName, is: "more", isExtra: true, cell: ({ legalName }) => legalName },
      { key: "strategy", title: t.strategy, is: "more", isExtra: true, cell: ({ strategy }) => strategy },
      { key: "changed", title: t.changed, is: "more", cell: ({ updatedUtc }) => moment(page.reader, updatedUtc) }
    ])
  },
  members: companyMembers,
  naming: Related,
  nameOf: ({ id, name }) => name ?? id,
  actions: (page, { id }) =>
    html`<a class="button" href="${page.base}/duplicates/companies/${id}"
      >${contactWords[page.reader.language].duplicates}</a
    >`,
  shown: Effect.fnUntraced(function* (page, company) {
    const t = companyWords[page.reader.language]
    return html`<div class="grid-2">
        ${memberCard(
          "members",
          t.company,
          [
            [t.legalName, company.legalName],
            [t.country, countryName(page.reader, company.country)],
            [
              t.homepageUrl,
              company.homepageUrl !== null &&
                html`<a href="${company.homepageUrl}" rel="noreferrer">${company.homepageUrl}</a>`
            ],
            [t.domain, company.domain],
            [
              t.linkedInUrl,
              company.linkedInUrl !== null &&
                html`<a href="${company.linkedInUrl}" rel="noreferrer">${company.linkedInUrl}</a>`
            ],
            [t.tags, company.tags.join(", ")],
            [t.strategy, company.strategy],
            [t.externalRefs, company.externalRefs.map(refText).join(", ")],
            [t.changed, moment(page.reader, company.updatedUtc)]
          ],
          foldedId(page.reader, company.id)
        )}
        <div class="stack">
          ${yield* linksSection(page, { companyId: company.id })} ${yield* projectsSection(page, "company", company.id)}
          ${yield* filesSection(page, "company", company.id)}
        </div>
      </div>
      ${yield* timelineSection(page, { type: "company", id: company.id }, { self: company.name ?? company.id })}`
  })
})

/** The pages of contacts, companies and links. */
export const pages = [...contactRecords.pages, ...companyRecords.pages, createLink, removeLink]

/** The network, for brokers. */
export const links: LinksOf = ({ base, reader, seat }) =>
  seat?.actor.broker === "active"
    ? [
        {
          href: `${base}/contacts`,
          name: contactWords[reader.language].title,
          icon: "M10 10a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4zM3.8 17a6.2 6.2 0 0 1 12.4 0"
        },
        {
          href: `${base}/companies`,
          name: companyWords[reader.language].title,
          icon: "M4 17V4h8v13M12 8h4v9M7 7h2M7 10h2M7 13h2M2.5 17h15"
        }
      ]
    : []
