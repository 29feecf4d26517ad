/** Duplicates in the console: records that may be one, side by side, and their merge with what it would keep. */
import { Effect } from "effect"
import {
  type Attempt,
  formRequest,
  get,
  Goto,
  orShowAgain,
  type PageRequest,
  post,
  View
} from "../../console/Console.ts"
import { choicesOf } from "../../console/Forms.ts"
import { html, type Html, type Part } from "../../console/Html.ts"
import { breakable, button, emptyState, faultOf, field, head, hidden, notice, pill } from "../../console/Parts.ts"
import { naming } from "../../console/References.ts"
import { rehearsed, sumsOf, whatWouldHappen } from "../../console/Rehearsals.ts"
import { Related } from "../../market/related/Related.ts"
import { common, type Reader, texts } from "../../console/Texts.ts"
import { memberLabel } from "../../console/memberNames.ts"
import { formField } from "../../console/Visit.ts"
import type { Outcome } from "../../core/mutation/ChangeRecord.ts"
import { make } from "../../core/usecase/UseCaseRequest.ts"
import { NotFound } from "../../core/usecase/Problem.ts"
import { Companies } from "../companies/Companies.ts"
import { type Company, companyKinds } from "../companies/Company.ts"
import { type Contact, contactKinds } from "../contacts/Contact.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { Duplicates } from "../duplicates/Duplicates.ts"
import { contactsNamedLike, namesOf } from "../pages.ts"
import { Merges } from "./Merges.ts"

const words = texts({
  companies: ["Companies", "Firmen"],
  contacts: ["Contacts", "Kontakte"],
  title: ["Duplicates", "Dubletten"],
  about: [
    (name: string) => `Records that may be the same as ${name}`,
    (name: string) => `Einträge, die dasselbe sein könnten wie ${name}`
  ],
  none: ["None found", "Keine gefunden"],
  noneAdvice: ["Another one can be named below.", "Unten lässt sich ein anderer Eintrag nennen."],
  compare: ["Compare", "Vergleichen"],
  other: ["The other record", "Der andere Eintrag"],
  mergeTitle: [(name: string) => `Merge into ${name}`, (name: string) => `In ${name} zusammenführen`],
  kept: ["Stays", "Bleibt"],
  merged: ["Goes into it", "Geht darin auf"],
  result: ["Afterwards", "Danach"],
  lost: ["This is not kept:", "Das geht verloren:"],
  lostOfLink: [
    "Both are linked to the same record. One link stays: the position in the other is kept only if it has none.",
    "Beide sind mit demselben Eintrag verknüpft. Eine Verknüpfung bleibt; die Position aus der anderen bleibt nur, wenn in ihr keine steht."
  ],
  lostOfProspect: [
    "Both are prospects of the same project. One of them stays with its own classification, interest, owner and stage set by hand; those of the other are not kept.",
    "Beide sind Interessenten desselben Projekts. Einer davon bleibt, mit seiner eigenen Einstufung, seinem Interesse, seiner zuständigen Person und einer von Hand gesetzten Stufe; die des anderen gehen verloren."
  ],
  member: ["Field", "Angabe"],
  merge: ["Merge", "Zusammenführen"],
  swap: ["Keep the other one instead", "Stattdessen den anderen behalten"],
  done: [
    "Merged. Links to the other record lead here.",
    "Zusammengeführt. Verweise auf den anderen Eintrag führen hierher."
  ],
  score: [(percent: number) => `${percent} % alike`, (percent: number) => `zu ${percent} % gleich`],
  final: ["A merge cannot be undone.", "Eine Zusammenführung lässt sich nicht rückgängig machen."]
})

type Kind = "companies" | "contacts"

const typeOf = { companies: "company", contacts: "contact" } as const

type Compared = Company | Contact

const kindOf = ({ params }: Pick<PageRequest, "params">): Effect.Effect<Kind, NotFound> =>
  params["kind"] === "contacts" || params["kind"] === "companies"
    ? Effect.succeed(params["kind"])
    : Effect.fail(new NotFound({ detail: "There is no such page." }))

const read = Effect.fnUntraced(function* (kind: Kind, id: string) {
  const found: Compared = kind === "contacts" ? yield* (yield* Contacts).get(id) : yield* (yield* Companies).get(id)
  return found
})

const memberNames: { readonly [K in Kind]: ReadonlyArray<string> } = {
  contacts: [...Object.keys(contactKinds), "externalRefs"],
  companies: [...Object.keys(companyKinds), "externalRefs"]
}

/** What a member of a record says, each of a list by itself. */
const valuesOf = (record: object, member: string): ReadonlyArray<string> => {
  const value = Object.entries(record).find(([name]) => name === member)?.[1] as unknown
  if (value === null || value === undefined) return []
  return (Array.isArray(value) ? value : [value]).map((one: unknown) =>
    typeof one === "object" && one !== null && "namespace" in one && "externalId" in one
      ? `${String(one.namespace)}:${String(one.externalId)}`
      : String(one)
  )
}

const shown = (record: object, member: string): string => valuesOf(record, member).join(", ")

/** Records that may be the same: companies by their name, domain and country, contacts by their name. */
const candidatesOf = Effect.fnUntraced(function* (kind: Kind, record: Compared) {
  if (kind === "companies") {
    const { find } = yield* Duplicates
    const { country, domain, linkedInUrl } = record as Company
    const body = { name: record.name ?? "", domain, countryCode: country, linkedInUrl }
    const { data } = yield* find(make({ operation: "find duplicates", query: {}, body }))
    return data
      .filter(({ id }) => id !== record.id)
      .map(({ domain: host, id, name, score }) => ({ id, name, about: host ?? "", score: Math.round(score * 100) }))
  }
  const found = yield* contactsNamedLike(record)
  return found.map(({ email, id, name }) => ({ id, name: name ?? id, about: email ?? "", score: undefined }))
})

const at = (page: PageRequest, kind: Kind, id: string) => `${page.base}/duplicates/${kind}/${id}`

const crumbsOf = (page: PageRequest, kind: Kind, record: Compared) => {
  const t = words[page.reader.language]
  return [
    { href: `${page.base}/${kind}`, name: t[kind] },
    { href: `${page.base}/${kind}/${record.id}`, name: record.name ?? record.id }
  ]
}

const listed = (page: PageRequest, attempt?: Attempt) =>
  Effect.gen(function* () {
    const kind = yield* kindOf(page)
    const record = yield* read(kind, page.params["id"] ?? "")
    const t = words[page.reader.language]
    const candidates = yield* candidatesOf(kind, record)
    return new View({
      title: t.title,
      body: html`${head({ title: t.title, subtitle: t.about(record.name ?? record.id), crumbs: crumbsOf(page, kind, record) })}
        <div class="card pad stack">
          ${candidates.length === 0 && emptyState(t.none, t.noneAdvice)}
          <ul class="items" role="list">
            ${candidates.map(
              ({ about, id, name, score }) =>
                html`<li id="${id}">
                  <div>
                    <a href="${page.base}/${kind}/${id}">${name}</a>
                    ${score !== undefined && pill("plain", t.score(score))}
                    <span class="below">${about}</span>
                  </div>
                  <a class="button" href="${at(page, kind, record.id)}/merge?from=${id}">${t.compare}</a>
                </li>`
            )}
          </ul>
          <form class="row" method="get" action="${at(page, kind, record.id)}/merge">
            ${field({
              id: "other",
              name: "from",
              label: t.other,
              isRequired: true,
              value: page.search.get("from"),
              fault: faultOf(attempt?.problem.errors, "from"),
              choices: choicesOf(attempt, "from"),
              ...naming(page.reader, typeOf[kind])
            })}
            ${button(t.compare)}
          </form>
        </div>`
    })
  })

const list = get("/console/:team/duplicates/:kind/:id", (page) => listed(page))

/** The merge of one record into another, without committing it. */
const mergeRequest = (page: PageRequest, from: string) => formRequest(page, { from: [from] })

const merging = Effect.fnUntraced(function* (kind: Kind, into: string, request: ReturnType<typeof mergeRequest>) {
  const merges = yield* Merges
  const survivor: Compared =
    kind === "contacts" ? yield* merges.ofContacts(into, request) : yield* merges.ofCompanies(into, request)
  return survivor
})

/** The names of the main companies of contacts, by their ids. */
const companyNames = (records: ReadonlyArray<Compared>) =>
  namesOf("company", [
    ...new Set(records.flatMap((one) => ("primaryCompanyId" in one ? (one.primaryCompanyId ?? []) : [])))
  ])

const sideBySide = (
  reader: Reader,
  kind: Kind,
  [stays, goes, result]: readonly [Compared, Compared, Compared],
  names: ReadonlyMap<string, string>,
  outcome: Outcome
): Html => {
  const t = words[reader.language]
  const named = (text: string): Part => names.get(text) ?? (text.includes("@") ? breakable(text) : text)
  const lost = memberNames[kind].flatMap((member) => {
    const kept = new Set(valuesOf(result, member))
    const gone = new Set([stays, goes].flatMap((one) => valuesOf(one, member)).filter((value) => !kept.has(value)))
    return [...gone].map((value) => html`${memberLabel(reader, member)}: ${named(value)}`)
  })
  const dropped = new Set(sumsOf(outcome).flatMap(({ change, type }) => (change === "deleted" ? [type] : [])))
  return html`${lost.length > 0 && notice("warn", html`${t.lost} ${lost.map((one, index) => html`${index > 0 && "; "}${one}`)}`)}
    ${dropped.has("link") && notice("warn", t.lostOfLink)}
    ${dropped.has("prospect") && notice("warn", t.lostOfProspect)}
    <div class="scroll" tabindex="0" role="group" aria-label="${t.compare}">
      <table class="cards compared">
        <thead>
          <tr>
            <th scope="col">${t.member}</th>
            <th scope="col">${t.kept}</th>
            <th scope="col">${t.merged}</th>
            <th scope="col">${t.result}</th>
          </tr>
        </thead>
        <tbody>
          ${memberNames[kind].map((member) => {
            const [a, b, after] = [shown(stays, member), shown(goes, member), shown(result, member)]
            const goesIn = a === b || b === "" ? named(b) : html`<mark>${named(b)}</mark>`
            return (
              (a !== "" || b !== "") &&
              html`<tr>
                <th scope="row">${memberLabel(reader, member)}</th>
                <td class="wide" data-label="${t.kept}">${named(a)}</td>
                <td class="wide" data-label="${t.merged}">${goesIn}</td>
                <td class="wide" data-label="${t.result}"><strong>${named(after)}</strong></td>
              </tr>`
            )
          })}
        </tbody>
      </table>
    </div>`
}

/** Two records side by side, with what their merge would change. */
const compared = (page: PageRequest, kind: Kind, from: string) =>
  Effect.gen(function* () {
    const t = words[page.reader.language]
    const [stays, goes] = [yield* read(kind, page.params["id"] ?? ""), yield* read(kind, from)]
    const { answer, outcome } = yield* rehearsed(merging(kind, stays.id, mergeRequest(page, goes.id)))
    const names = yield* companyNames([stays, goes, answer])
    const title = t.mergeTitle(stays.name ?? stays.id)
    return new View({
      title,
      body: html`${head({ title, crumbs: [...crumbsOf(page, kind, stays), { href: at(page, kind, stays.id), name: t.title }] })}
        <div class="card pad stack">
          ${notice("warn", t.final)} ${sideBySide(page.reader, kind, [stays, goes, answer], names, outcome)}
          <div>${yield* whatWouldHappen(page, outcome, Related)}</div>
          <form class="row" method="post" action="${at(page, kind, stays.id)}/merge">
            ${formField(page.visit)} ${hidden("from", goes.id)} ${hidden("etag", stays.etag)}
            ${button(t.merge, { kind: "danger" })}
            <a class="button" href="${at(page, kind, goes.id)}/merge?from=${stays.id}">${t.swap}</a>
            <a class="button" href="${page.base}/${kind}/${stays.id}">${common[page.reader.language].cancel}</a>
          </form>
        </div>`
    })
  })

const preview = get("/console/:team/duplicates/:kind/:id/merge", (page) =>
  Effect.gen(function* () {
    const kind = yield* kindOf(page)
    const { meant } = yield* Related
    const typed = page.search.get("from")?.trim() ?? ""
    if (typed === "") return new Goto({ path: at(page, kind, page.params["id"] ?? "") })
    return yield* meant(typeOf[kind], typed, "/from").pipe(
      orShowAgain(page, (attempt) => listed(page, attempt)),
      Effect.flatMap((found) => (typeof found === "string" ? compared(page, kind, found) : Effect.succeed(found)))
    )
  })
)

const merge = post("/console/:team/duplicates/:kind/:id/merge", (page) =>
  Effect.gen(function* () {
    const kind = yield* kindOf(page)
    const survivor = yield* merging(kind, page.params["id"] ?? "", mergeRequest(page, page.form.text("from") ?? ""))
    return new Goto({ path: `${page.base}/${kind}/${survivor.id}`, note: words[page.reader.language].done })
  })
)

/** The pages of duplicates. */
export const pages = [list, preview, merge]
