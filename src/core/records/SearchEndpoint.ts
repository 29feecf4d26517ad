/** The REST contract of a search. */
import type { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { refusals, OnlyReads } from "../../http/Contract.ts"
import type { PageOf } from "../usecase/Page.ts"
import { InvalidCursor, InvalidRequest } from "../usecase/Problem.ts"
import { QueryTooExpensive } from "../usecase/QueryTooExpensive.ts"
import { make, type Sent } from "./SearchBody.ts"
import type { Members } from "./SearchRules.ts"

/** The parts of the contract that depend on the kind of record. */
export interface Searched<Path extends `/${string}`, Resource extends Schema.Top> {
  readonly path: Path
  /** The plural noun, such as `contacts`. */
  readonly plural: string
  readonly page: ReturnType<typeof PageOf<Resource>>
  readonly identifier: string
  readonly members: Members
  /** The members that the query is searched in, such as `name` and `domain`, and special rules. */
  readonly looksIn: string
  readonly example: Sent
}

const numberRules =
  "\n- **Numbers** are compared exactly. An area, an amount of money, a percentage and a number of years are compared by their `value`; where there are amounts in several currencies, filter by the currency, too, such as `pricing.askingPrice.currency`. `true` sorts after `false`. Members inside of an object are named with a dot, such as `income.vacancyRate`."

const rulesOf = (members: Members) => `
Conditions combine with AND, as do several operators on one member. A search finds living records only and returns no totals. A page costs the same at any depth.

- **Text** is compared without case, accents, invisible characters and kinds of apostrophes, dashes, digits and widths in \`query\`, filters and sorts: \`muller\` equals \`Müller\`, \`strasse\` equals \`Straße\`. Umlauts may be spelled out, either way: \`mueller\` equals \`Müller\`, \`soeren\` equals \`Søren\`, \`Aalborg\` equals \`Ålborg\`. \`eq\` and \`in\` compare the whole text. \`%\`, \`_\` and \`\\\` are ordinary characters. \`gt\`, \`gte\`, \`lt\`, \`lte\` and sorts compare the code points of the first 200 characters.
- **query** finds records that contain all of its words (at most 10, of 200 characters together), each anywhere in one of the members. A word of one or two Latin letters or digits only matches the beginning of words.
- **tags** are compared exactly: \`eq\` and \`contains\` are true if the record has the tag, \`in\` if it has one of them, \`exists\` if it has any.
- **externalRefs** are compared exactly, as \`NAMESPACE:ID\`: \`eq\` is true if the record has the reference, \`in\` if it has one of them, \`prefix\` if it has one of a namespace, such as \`hubspot:\`, \`exists\` if it has any.
- **Ids** of the record and of others are compared exactly; \`gt\` and \`lt\` use their order. \`etag\` is compared exactly and sorted by version.${
  Object.values(members).includes("number") ? numberRules : ""
}
- **Timestamps** are ISO 8601 with an offset, or a date, which means its midnight in UTC.
- **Null** only matches \`exists: false\`. It sorts after all values, and with \`desc\` before them: \`desc\` is the exact reverse of \`asc\`.
- **sort**: earlier fields take precedence, and \`id\` breaks ties, in the direction of the last field. Without \`sort\`, results are ordered by \`createdUtc\`, also with a \`query\`.
- **Limits**: 20 conditions, 100 values of \`in\`, 2,048 characters per value, 10 fields to sort by.
- **cursor** and **page_size** (1 to 500, default 50) are members of the body. A cursor belongs to one query, filter and sort. A record that a change moves in the order between two pages may be missed or listed twice; sort by \`createdUtc\` or \`id\` where that matters.`

/** The endpoint of a search. */
export const searchOf = <const Path extends `/${string}`, Resource extends Schema.Top>({
  example,
  identifier,
  looksIn,
  members,
  page,
  path,
  plural
}: Searched<Path, Resource>) =>
  HttpApiEndpoint.post("search", `${path}:search`, {
    payload: make(members, identifier, example),
    success: page,
    error: [InvalidRequest, InvalidCursor, ...refusals.body, QueryTooExpensive]
  })
    .annotate(OnlyReads, true)
    .annotateMerge(
      OpenApi.annotations({
        summary: `Search ${plural}`,
        description: `Finds ${plural} by words and by their members. \`query\` is searched in ${looksIn}.\n${rulesOf(members)}\n\n`
      })
    )
