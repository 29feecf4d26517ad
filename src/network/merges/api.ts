/** The REST contract of merges. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { Needs, refusals, requestHeaders, responseHeaders } from "../../http/Contract.ts"
import { Merged } from "../../core/usecase/Problem.ts"
import { idParams } from "../../http/RecordEndpoints.ts"
import { Company } from "../companies/Company.ts"
import { Contact } from "../contacts/Contact.ts"
import { CompanyMerge, ContactMerge } from "./Merge.ts"

const error = [...refusals.one, ...refusals.body, ...refusals.conditional, Merged] as const

const description = (options: {
  readonly singular: string
  readonly plural: string
  readonly others: string
  readonly also: string
}) => {
  const { also, others, plural, singular } = options
  return `Merges the ${plural} in \`from\` into this one. It keeps its own members and takes over their links, prospects, timelines with notes, files, tags (after its own, the first 50 in all) and external references (after its own, at most 20 in all)${also}. If two links then join the same contact and company, the one of this ${singular}, or else the oldest, survives: it takes over the external references of the others and, if it has no \`jobTitle\`, the oldest of theirs. The others are deleted.

Their prospects, on projects in any state, become prospects of this one, without an event. If several are on one project, a prospect on the list survives before a removed one, then that of this ${singular}, then the oldest: it takes over tasks, notes, timelines, external references (at most 20 in all), project tags (after its own, at most 50 in all), the highest stage that was reached, and the access of the others, and keeps its classification, interest, owner and stage override. The others are deleted.

Reads of a merged id, and of paths below it, answer 301 with the same path of this ${singular}; writes answer 409 \`merged\`. Deltas list the merged ${plural} as tombstones. A ${singular} that was merged into one of them earlier redirects here, too.

The merge is atomic: \`errors\` lists every id that cannot be merged. Repeating a merge without \`If-Match\` answers 200 and changes nothing, so it needs no \`Idempotency-Key\`. Preview it with \`Prefer: dry-run\`. Emits \`${singular}.updated\` for this one and \`${singular}.deleted\` for each merged one, with the action \`merged\` (\`to\` is this one's id), and \`link.updated\` or \`link.deleted\` for each link of theirs${others}, and \`prospect.deleted\` with the action \`merged\` (\`to\` is the id of the survivor) for each deleted prospect. A surviving prospect on the list emits a \`prospect.updated\` for a higher stage and one for new project tags.`
}

/** Merges of contacts, and of companies. */
export const merges = HttpApiGroup.make("merges")
  .add(
    HttpApiEndpoint.post("contacts", "/api/v1/network/contacts/:id/merge", {
      params: idParams("contact", "contact_01kb3n7x2ferwt5z8q4j6m9d0c"),
      headers: requestHeaders("if-match", "prefer"),
      payload: ContactMerge,
      success: Contact.pipe(responseHeaders("etag")),
      error
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "contacts.merge",
        summary: "Merge contacts into one",
        description: description({ singular: "contact", plural: "contacts", also: "", others: "" })
      })
    ),
    HttpApiEndpoint.post("companies", "/api/v1/network/companies/:id/merge", {
      params: idParams("company", "company_01kb3n7x2ferwt5z8q4j6m9d0c"),
      headers: requestHeaders("if-match", "prefer"),
      payload: CompanyMerge,
      success: Company.pipe(responseHeaders("etag")),
      error
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "companies.merge",
        summary: "Merge companies into one",
        description: description({
          singular: "company",
          plural: "companies",
          also: ", and becomes the primary company of their contacts",
          others: ", and `contact.updated` for each contact whose `primaryCompanyId` changes"
        })
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker")
  .annotateMerge(
    OpenApi.annotations({
      title: "Merges",
      description: "Merges contacts or companies that are the same. All operations need the `broker` capability."
    })
  )
