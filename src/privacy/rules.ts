/** Decisions on personal data, as pure functions: what an export shows of a row, and what is the person's in a text or an answer. */
import * as Id from "../core/Id.ts"
import { tables } from "./classification.ts"

// Rows as exports show them: members in camel case, ids as the API has them, and no secrets.

const prefixes: { readonly [column: string]: Id.Prefix } = {
  action_id: "act",
  actor_user_id: "user",
  added_action_id: "act",
  assignee_id: "user",
  broker_team_id: "team",
  company_id: "company",
  contact_id: "contact",
  created_by: "user",
  delivery_id: "dlv",
  document_id: "file",
  draft_author_id: "user",
  ended_by: "user",
  granted_by: "user",
  override_by: "user",
  owner_id: "user",
  primary_company_id: "company",
  project_id: "project",
  prospect_id: "prospect",
  room_id: "room",
  seller_contact_id: "contact",
  superseded_by: "act",
  supersedes: "act",
  team_id: "team",
  user_id: "user",
  webhook_id: "webhook"
}

const prefixOfTable: { readonly [table: string]: Id.Prefix } = {
  actions: "act",
  contacts: "contact",
  deliveries: "dlv",
  files: "file",
  links: "link",
  mandates: "mandate",
  offers: "offer",
  prospects: "prospect",
  questions: "question",
  tasks: "task",
  tokens: "token",
  users: "user"
}

/** What the service makes of other columns. */
const derived = new Set(["searched_text", "strategy_folded", "project_tag_keys", "sort_name", "transaction_id"])

const camelCase = (column: string) => column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** A row of a table as an export shows it. */
export const exportedRow = (table: string, row: { readonly [column: string]: unknown }) => {
  const columns = tables[table]?.columns ?? {}
  return Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => columns[column] !== "secret" && !derived.has(column))
      .map(([column, value]) => {
        const prefix = column === "id" ? prefixOfTable[table] : prefixes[column]
        return [
          camelCase(column),
          prefix !== undefined && typeof value === "string" && Id.isUuid(value) ? Id.fromUuid(prefix, value) : value
        ]
      })
  )
}

// What is the person's in an answer or the body of an event.

/** By what texts name a person: the ids of their records, and what they are called, in lower case. */
export interface Marks {
  readonly ids: ReadonlySet<string>
  readonly words: ReadonlyArray<string>
}

/** JSON, as it was parsed. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [member: string]: Json }

const isNamed = (text: string, { words }: Marks): boolean => {
  const folded = text.toLowerCase()
  return words.some((word) => folded.includes(word))
}

/** Whether a document names a person, anywhere in it. */
export const names = (value: Json, marks: Marks): boolean => {
  if (typeof value === "string") return marks.ids.has(value) || isNamed(value, marks)
  if (value === null || typeof value !== "object") return false
  return (Array.isArray(value) ? value : Object.values(value)).some((item: Json) => names(item, marks))
}

// Members whose texts are words of a vocabulary.
const vocabulary = new Set([
  "changeOrigin",
  "changeType",
  "code",
  "contentFormat",
  "event",
  "kind",
  "resource_type",
  "stage",
  "state",
  "status",
  "type"
])

const isMoment = (text: string) => /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(text)

const isKept = (member: string, text: string): boolean =>
  vocabulary.has(member) || member === "etag" || Id.prefixOf(text) !== undefined || isMoment(text)

const cleared = (member: string, value: Json): Json => {
  if (typeof value === "string") return isKept(member, value) ? value : null
  if (value === null || typeof value !== "object") return value
  if (Array.isArray(value)) return value.map((item: Json) => cleared(member, item)).filter((item) => item !== null)
  return Object.fromEntries(Object.entries(value).map(([name, item]: [string, Json]) => [name, cleared(name, item)]))
}

/**
 * A document without what is a person's: an object that names one of their records keeps ids, moments, numbers and words of vocabularies;
 * elsewhere, texts that name the person become null.
 */
export const redacted = (value: Json, marks: Marks): Json => {
  if (typeof value === "string") return isNamed(value, marks) ? null : value
  if (value === null || typeof value !== "object") return value
  if (Array.isArray(value)) return value.map((item: Json) => redacted(item, marks))
  const members: ReadonlyArray<[string, Json]> = Object.entries(value)
  const isTheirs = members.some(([, item]) => typeof item === "string" && marks.ids.has(item))
  return Object.fromEntries(
    members.map(([name, item]) => [name, isTheirs ? cleared(name, item) : redacted(item, marks)])
  )
}

// What the rows of timelines and the events of a person keep.

/** The classifications that the service knows. Another word is the team's own, and may say anything. */
export const knownClassifications: ReadonlyArray<string> = ["not_contacted", "contacted", "interested", "bidder"]

/** The words that `from` and `to` keep: classifications, interests, stages. */
export const knownWords: ReadonlyArray<string> = [
  ...knownClassifications,
  "interested",
  "maybe",
  "not_interested",
  "teaser",
  "im",
  "data_room",
  "bid"
]

/** The members of `details` that have no text. */
export const keptDetails: ReadonlyArray<string> = [
  "kind",
  "sender",
  "changedFields",
  "noteId",
  "taskId",
  "questionId",
  "archivedAt"
]

/**
 * The body of an event without what is the person's: ids in other systems, and words of the team's own. Bytes that have none of them stay
 * as they are.
 */
export const redactedBody = (body: string): string => {
  const event: { readonly [member: string]: Json } = JSON.parse(body)
  const { action } = event
  const hasRefs = Array.isArray(event["external_refs"]) && event["external_refs"].length > 0
  const words =
    typeof action === "object" && action !== null && !Array.isArray(action)
      ? Object.entries(action as { readonly [member: string]: Json })
      : []
  const isOwn = ([name, word]: readonly [string, Json]) =>
    (name === "from" || name === "to") && !knownWords.includes(String(word))
  if (!hasRefs && !words.some(isOwn)) return body
  return JSON.stringify({
    ...event,
    ...(hasRefs ? { external_refs: [] } : {}),
    ...(words.some(isOwn)
      ? { action: Object.fromEntries(words.map(([name, word]) => [name, isOwn([name, word]) ? "erased" : word])) }
      : {})
  })
}

// Where a text names a person.

/** How much of a text a receipt shows before and after the place. */
const aroundPlace = 40

/** The places of words in a text, in any case, with what stands around them. */
export const mentionsIn = (text: string, words: ReadonlyArray<string>) => {
  const folded = text.toLowerCase()
  const places = words.flatMap((word) => {
    const found: Array<{ readonly position: number; readonly length: number }> = []
    for (let at = folded.indexOf(word.toLowerCase()); at !== -1; at = folded.indexOf(word.toLowerCase(), at + 1)) {
      found.push({ position: at, length: word.length })
    }
    return found
  })
  return places
    .toSorted((a, b) => a.position - b.position)
    .map(({ length, position }) => ({
      position,
      excerpt: text.slice(Math.max(0, position - aroundPlace), position + length + aroundPlace)
    }))
}
