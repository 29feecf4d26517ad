/** The REST contract of a search. */
import type { Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import { refusals } from "../http/Contract.ts"
import type { PageOf } from "../usecase/Page.ts"
import { InvalidCursor, InvalidRequest } from "../usecase/Problem.ts"
import { make, type Sent } from "./SearchBody.ts"
import type { Members } from "./SearchRules.ts"

/** What a contract says of one kind of record that can be searched. */
export interface Searched<Path extends `/${string}`, Resource extends Schema.Top> {
  readonly path: Path
  /** The plural noun, such as `contacts`. */
  readonly plural: string
  readonly page: ReturnType<typeof PageOf<Resource>>
  readonly identifier: string
  readonly members: Members
  /** Where the query looks, such as `name` and `domain`, and what is special about it. */
  readonly looksIn: string
  readonly example: Sent
}

const rules = `
Conditions combine with AND, and so do several operators on one member. Only what lives is found; nothing is changed, and nothing is counted. A page costs the same at any depth.

- **Text**, in \`query\`, filters and sorts alike, is compared without case and accents: \`muller\` is \`Müller\`, \`strasse\` is \`Straße\`. \`eq\` and \`in\` compare the whole of it. \`%\`, \`_\` and \`\\\` are ordinary characters. \`gt\`, \`gte\`, \`lt\`, \`lte\` and sorts go by code points of the first 200 characters.
- **query**: all of its words (at most 10, with 200 characters together) are there, each anywhere in one of the members. One of one or two Latin letters or digits is looked for at the beginning of words only.
- **tags** are compared as they are: \`eq\` and \`contains\` are true when the record has the tag, \`in\` when it has one of them, \`exists\` when it has any.
- **Ids** are compared as they are, \`primaryCompanyId\` too; \`gt\` and \`lt\` go by their order. \`etag\` is compared as it is, and sorted by version.
- **Timestamps** are ISO 8601 with an offset, or a date, which is its midnight in UTC.
- **Null** is what \`exists: false\` finds; no other operator is ever true of it. In sorts it comes after all values, and with \`desc\` before them: \`desc\` is the exact reverse of \`asc\`.
- **sort**: the fields decide one after the other, and \`id\` breaks ties, in the direction of the last. Without \`sort\` the order is that of \`createdUtc\`, with a \`query\` too.
- **Limits**: 20 conditions, 100 values of \`in\`, 2,048 characters a value, 10 fields to sort by.
- **cursor** and **page_size** (1 to 500, 50 unless told) stand in the body. A cursor belongs to one query, filter and sort. A row that is changed between two pages so that it moves in the order may be missed or come twice; sort by \`createdUtc\` or \`id\` where that matters.`

/** The endpoint. */
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
    error: [InvalidRequest, InvalidCursor, ...refusals.body]
  }).annotateMerge(
    OpenApi.annotations({
      summary: `Search ${plural}`,
      description: `Finds ${plural} by words and by their members. \`query\` looks in ${looksIn}.\n${rules}\n\n`
    })
  )
