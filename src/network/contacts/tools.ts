/** The tools of contacts. What deletes them is in `network/projects/tools.ts`. */
import * as Tool from "../../mcp/Tool.ts"
import { Effect, Schema, Struct } from "effect"
import { SentEmail, SentWebUrl } from "../../core/fields/InternetAddress.ts"
import { Language, LongText, Name, Text } from "../../core/fields/Text.ts"
import { findingIn, reference, References } from "../../mcp/References.ts"
import { excerpt } from "../../mcp/text.ts"
import type { Contact } from "./Contact.ts"
import { Contacts } from "./Contacts.ts"

const text = Schema.NullOr(Schema.String)

const line = { id: Schema.String, name: text, email: text, tags: Schema.Array(Schema.String) }

const lineOf = ({ email, id, name, primaryCompanyId, strategy, tags }: Contact) => ({
  id,
  name,
  email,
  primaryCompanyId,
  tags,
  ...(strategy === null ? {} : { strategy: excerpt(strategy) })
})

const written = { id: Schema.String, etag: Schema.String, name: text }

const viewOf = (contact: Contact) => ({
  ...Struct.pick(contact, [
    "id",
    "etag",
    "name",
    "firstName",
    "lastName",
    "email",
    "phone",
    "primaryLanguage",
    "primaryCompanyId",
    "linkedInUrl",
    "tags",
    "strategy",
    "createdUtc",
    "updatedUtc"
  ]),
  externalRefs: Tool.refTexts(contact.externalRefs)
})

const kinds = {
  firstName: [Name, "Given name."],
  lastName: [Name, "Family name."],
  email: [SentEmail, "Address."],
  phone: [Text(64), "In any notation."],
  primaryLanguage: [Language, "BCP-47."],
  linkedInUrl: [SentWebUrl, "LinkedIn page."],
  strategy: [LongText, "What they invest in."]
} as const

const lists = { tags: Tool.tags, externalRefs: Tool.externalRefs }

const employer = reference("company", "Where they mainly work")

const renamed = { primaryCompanyId: "primaryCompany" }

/** Finds contacts by an external reference or an e-mail address. */
export const finder = Effect.map(Contacts, ({ list }) => findingIn(list))

/** The tools of contacts. They need the `broker` capability. */
export const tools = Effect.gen(function* () {
  const contacts = yield* Contacts
  const { resolve } = yield* References
  const find = (argument: string) => resolve("contact", "contact", argument)
  const employerOf = Effect.fnUntraced(function* (primaryCompany: string | null | undefined) {
    if (primaryCompany === undefined) return {}
    return {
      primaryCompanyId: primaryCompany === null ? null : yield* resolve("company", "primaryCompany", primaryCompany)
    }
  })
  return [
    Tool.list({
      name: "list_contacts",
      title: "List contacts",
      description:
        "People in the broker's network, the latest last. query finds them by name, e-mail address or phone number.",
      toolset: "network",
      input: { query: Tool.query, tags: Tool.tagsFilter },
      items: "contacts",
      item: line,
      rows: ({ query, tags }, page) =>
        query === undefined ? contacts.list(page.request({ tags })) : contacts.search(page.search({ query, tags })),
      concise: lineOf,
      detailed: viewOf
    }),
    Tool.read({
      name: "get_contact",
      title: "Get a contact",
      description: "One contact with all its members and its etag.",
      toolset: "network",
      input: { contact: reference("contact") },
      output: { ...line, etag: Schema.String },
      read: ({ contact }) => Effect.map(Effect.flatMap(find(contact), Tool.followingMerge(contacts.get)), viewOf)
    }),
    Tool.create({
      name: "create_contact",
      title: "Create a contact",
      description:
        "Adds a person to the network; needs an email, firstName or lastName. Answers duplicate with candidates if a contact has this email, unless force is true.",
      toolset: "network",
      input: {
        ...Tool.members(kinds),
        primaryCompany: Schema.optionalKey(employer),
        ...lists,
        force: Tool.force
      },
      renamed,
      output: written,
      write: ({ externalRefs, force, primaryCompany, ...body }, given) =>
        Effect.flatMap(employerOf(primaryCompany), (company) =>
          Effect.map(
            contacts.create(
              given.request({ query: { force }, body: { ...body, ...company, ...Tool.refsOf(externalRefs) } })
            ),
            ({ value }) => viewOf(value)
          )
        )
    }),
    Tool.update({
      name: "update_contact",
      title: "Update a contact",
      description: "Changes the members of a contact that are sent.",
      toolset: "network",
      input: {
        contact: reference("contact"),
        ...Tool.clearables(kinds),
        primaryCompany: Schema.optionalKey(Schema.NullOr(employer)),
        ...lists,
        force: Tool.force
      },
      renamed,
      output: written,
      write: ({ contact, externalRefs, force, primaryCompany, ...body }, given) =>
        Effect.flatMap(Effect.all([find(contact), employerOf(primaryCompany)]), ([id, company]) =>
          Effect.map(
            contacts.patch(
              id,
              given.request({
                about: [id],
                query: { force },
                body: { ...body, ...company, ...Tool.refsOf(externalRefs) }
              })
            ),
            viewOf
          )
        )
    })
  ]
})
