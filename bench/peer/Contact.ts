/** Contacts: rows, responses, and the schemas that Fastify compiles. */
import { fromString, fromUUID, toUUID } from "typeid-js"
import { Problem } from "./Problem.ts"

/** An external reference. */
export interface Reference {
  readonly namespace: string
  readonly externalId: string
}

/** The columns of a contact that `statements.ts` selects. */
export interface Row {
  readonly id: string
  readonly version: string
  readonly created_at: Date
  readonly updated_at: Date
  readonly change_type: string
  readonly change_origin: string
  readonly deleted_at: Date | null
  readonly merged_into: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly primary_language: string | null
  readonly primary_company_id: string | null
  readonly tags: ReadonlyArray<string>
  readonly strategy: string | null
  readonly linked_in_url: string | null
  readonly profile_picture_url: string | null
  readonly deleted_refs: ReadonlyArray<Reference> | null
  /** As NAMESPACE:ID. */
  readonly external_refs: ReadonlyArray<string>
}

/** The public id of a UUID. */
export const idOf = (prefix: string, uuid: string): string => fromUUID(uuid, prefix)

/** The UUID of a contact's id. Throws for an invalid id. */
export const uuidOf = (id: string): string => {
  try {
    return toUUID(fromString(id, "contact"))
  } catch {
    throw new Problem("not_found", "There is no contact with this id.")
  }
}

/** First and last name, or else the e-mail address. */
export const nameOf = (row: Pick<Row, "first_name" | "last_name" | "email">): string | null => {
  if (row.first_name === null) return row.last_name ?? row.email
  return row.last_name === null ? row.first_name : `${row.first_name} ${row.last_name}`
}

/** Parses a reference. */
export const referenceOf = (text: string): Reference => {
  const colon = text.indexOf(":")
  return { namespace: text.slice(0, colon), externalId: text.slice(colon + 1) }
}

/** The response for a row. */
export const contactOf = (row: Row) => ({
  id: idOf("contact", row.id),
  name: nameOf(row),
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  phone: row.phone,
  primaryLanguage: row.primary_language,
  primaryCompanyId: row.primary_company_id === null ? null : idOf("company", row.primary_company_id),
  tags: row.tags,
  strategy: row.strategy,
  linkedInUrl: row.linked_in_url,
  profilePictureUrl: row.profile_picture_url,
  externalRefs: row.deleted_refs ?? row.external_refs.map(referenceOf),
  createdUtc: row.created_at.toISOString(),
  updatedUtc: row.updated_at.toISOString(),
  etag: `"v${row.version}"`,
  changeType: row.change_type,
  changeOrigin: row.change_origin,
  deletedUtc: row.deleted_at === null ? null : row.deleted_at.toISOString(),
  // A merged contact is redirected, and left out of the list.
  mergedInto: null
})

/** A contact in a response. */
export type Contact = ReturnType<typeof contactOf>

const string = { type: "string" }
const nullable = { type: "string", nullable: true }

const answered: Record<keyof Contact, object> = {
  id: string,
  name: nullable,
  firstName: nullable,
  lastName: nullable,
  email: nullable,
  phone: nullable,
  primaryLanguage: nullable,
  primaryCompanyId: nullable,
  tags: { type: "array", items: string },
  strategy: nullable,
  linkedInUrl: nullable,
  profilePictureUrl: nullable,
  externalRefs: { type: "array", items: { type: "object", properties: { namespace: string, externalId: string } } },
  createdUtc: string,
  updatedUtc: string,
  etag: string,
  changeType: string,
  changeOrigin: string,
  deletedUtc: nullable,
  mergedInto: nullable
}

/** The schema of the response with a contact. */
export const contactSchema = { type: "object", properties: answered }

/** The schema of the response with a page. */
export const pageSchema = {
  type: "object",
  properties: {
    data: { type: "array", items: contactSchema },
    page: {
      type: "object",
      properties: {
        nextCursor: nullable,
        pageSize: { type: "integer" },
        hasMore: { type: "boolean" },
        nextSince: nullable
      }
    }
  }
}

/** The parameters of the list. */
export const listSchema = {
  type: "object",
  additionalProperties: false,
  properties: { cursor: string, page_size: { type: "string", pattern: "^(?:[1-9][0-9]?|[1-4][0-9]{2}|500)$" } }
}

const text = (maxLength: number) => ({ type: "string", nullable: true, minLength: 1, maxLength })

/** The body of a create. */
export const createSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    firstName: text(200),
    lastName: text(200),
    email: { ...text(254), format: "email" },
    phone: text(64),
    primaryLanguage: text(35),
    tags: { type: "array", maxItems: 100, items: { type: "string", minLength: 1, maxLength: 100 } },
    strategy: text(10_000),
    linkedInUrl: { ...text(2000), format: "uri" },
    profilePictureUrl: { ...text(2000), format: "uri" },
    externalRefs: {
      type: "array",
      maxItems: 50,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["namespace", "externalId"],
        properties: {
          namespace: { type: "string", pattern: "^[a-z0-9][a-z0-9._-]{0,63}$" },
          externalId: { type: "string", minLength: 1, maxLength: 255 }
        }
      }
    }
  },
  anyOf: [{ required: ["email"] }, { required: ["firstName"] }, { required: ["lastName"] }]
}

/** The members of a creation. */
export interface ContactCreate {
  readonly firstName?: string | null
  readonly lastName?: string | null
  readonly email?: string | null
  readonly phone?: string | null
  readonly primaryLanguage?: string | null
  readonly tags?: ReadonlyArray<string>
  readonly strategy?: string | null
  readonly linkedInUrl?: string | null
  readonly profilePictureUrl?: string | null
  readonly externalRefs?: ReadonlyArray<Reference>
}
