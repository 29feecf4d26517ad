/** The tools of companies. What deletes them is in `network/projects/tools.ts`. */
import * as Tool from "../../mcp/Tool.ts"
import { Effect, Schema, Struct } from "effect"
import { Country } from "../../core/fields/Place.ts"
import { Domain, SentWebUrl } from "../../core/fields/InternetAddress.ts"
import { LongText, Name } from "../../core/fields/Text.ts"
import { findingIn, reference, References } from "../../mcp/References.ts"
import { excerpt } from "../../mcp/text.ts"
import { Companies } from "./Companies.ts"
import type { Company } from "./Company.ts"

const text = Schema.NullOr(Schema.String)

const line = { id: Schema.String, name: text, domain: text, country: text, tags: Schema.Array(Schema.String) }

const lineOf = ({ country, domain, id, name, strategy, tags }: Company) => ({
  id,
  name,
  domain,
  country,
  tags,
  ...(strategy === null ? {} : { strategy: excerpt(strategy) })
})

const view = { ...line, etag: Schema.String }

const written = { id: Schema.String, etag: Schema.String, name: text }

const viewOf = (company: Company) => ({
  ...Struct.pick(company, [
    "id",
    "etag",
    "name",
    "legalName",
    "country",
    "homepageUrl",
    "domain",
    "linkedInUrl",
    "tags",
    "strategy",
    "createdUtc",
    "updatedUtc"
  ]),
  externalRefs: Tool.refTexts(company.externalRefs)
})

const kinds = {
  legalName: [Name, "Registered name."],
  country: [Country, "ISO 3166-1 alpha-2."],
  homepageUrl: [SentWebUrl, "Also sets domain."],
  domain: [Domain, "Without www."],
  linkedInUrl: [SentWebUrl, "LinkedIn page."],
  strategy: [LongText, "What it invests in."]
} as const

const lists = { tags: Tool.tags, externalRefs: Tool.externalRefs }

/** Finds companies by an external reference or a domain. */
export const finder = Effect.map(Companies, ({ list }) => findingIn(list))

/** The tools of companies. They need the `broker` capability. */
export const tools = Effect.gen(function* () {
  const companies = yield* Companies
  const { resolve } = yield* References
  const find = (argument: string) => resolve("company", "company", argument)
  return [
    Tool.list({
      name: "list_companies",
      title: "List companies",
      description: "Companies in the broker's network, the latest last. query finds them by name, domain or homepage.",
      toolset: "network",
      input: { query: Tool.query, tags: Tool.tagsFilter },
      items: "companies",
      item: line,
      rows: ({ query, tags }, page) =>
        query === undefined ? companies.list(page.request({ tags })) : companies.search(page.search({ query, tags })),
      concise: lineOf,
      detailed: viewOf
    }),
    Tool.read({
      name: "get_company",
      title: "Get a company",
      description: "One company with all its members and its etag.",
      toolset: "network",
      input: { company: reference("company") },
      output: view,
      read: ({ company }) => Effect.map(Effect.flatMap(find(company), Tool.followingMerge(companies.get)), viewOf)
    }),
    Tool.create({
      name: "create_company",
      title: "Create a company",
      description:
        "Adds a company to the network. Answers duplicate with candidates if one with its domain, or its name and country, exists, unless force is true.",
      toolset: "network",
      input: { name: Tool.name, ...Tool.members(kinds), ...lists, force: Tool.force },
      output: written,
      write: ({ externalRefs, force, ...body }, given) =>
        Effect.map(
          companies.create(given.request({ query: { force }, body: { ...body, ...Tool.refsOf(externalRefs) } })),
          ({ value }) => viewOf(value)
        )
    }),
    Tool.update({
      name: "update_company",
      title: "Update a company",
      description: "Changes the members of a company that are sent.",
      toolset: "network",
      input: {
        company: reference("company"),
        name: Schema.optionalKey(Tool.name),
        ...Tool.clearables(kinds),
        ...lists,
        force: Tool.force
      },
      output: written,
      write: ({ company, externalRefs, force, ...body }, given) =>
        Effect.flatMap(find(company), (id) =>
          Effect.map(
            companies.patch(
              id,
              given.request({ about: [id], query: { force }, body: { ...body, ...Tool.refsOf(externalRefs) } })
            ),
            viewOf
          )
        )
    })
  ]
})
