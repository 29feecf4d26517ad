/** The REST contract of merges. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { Needs, orDryRunReport, refusals, requestHeaders, responseHeaders } from "../../http/Contract.ts"
import { Merged } from "../../usecase/Problem.ts"
import { idParams } from "../../records/Endpoints.ts"
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
  return `The ${plural} in \`from\` become part of this one. It keeps its own members; their links, prospects, timelines with notes, files and external references (behind its own, at most 20 in all) are its own from then on${also}. Where two links join the same two, the one of this ${singular}, or else the oldest, stays: it takes over the external references of the others and, if it has no \`jobTitle\`, the oldest of theirs; the others are deleted.

Prospects of theirs, on projects in any state, are this one's from then on, without an event of their own. Where several are on one project, the one on the list stays rather than one that was removed, then the one of this ${singular}, then the oldest: it takes over tasks, notes, timelines, external references (at most 20 in all), project tags (behind its own, at most 50 in all), the highest stage that was reached, and the access of the others, and keeps its own classification, interest, owner and correction of the stage. The others are deleted.

Reads of a merged id, and of what is below it, answer 301 with the same place below this one's; writes are refused with 409 \`merged\`. Deltas have the merged ${plural} as tombstones. A ${singular} that has become part of one of them before leads here, too.

All of it or nothing: \`errors\` names every id that cannot be merged. Sent again, without \`If-Match\`, a merge that was made answers 200 and changes nothing, so no \`Idempotency-Key\` is needed. \`Prefer: dry-run\` is the preview. Emits \`${singular}.updated\` for this one and \`${singular}.deleted\` for each merged one, with the action \`merged\` (\`to\` is this one's id), and \`link.updated\` or \`link.deleted\` for each link of theirs${others}, and \`prospect.deleted\` with the action \`merged\` (\`to\` is the id of the one that stays) for each prospect that was deleted; one on the list that stays and came to a higher stage or more project tags by it has a \`prospect.updated\` for each.`
}

/** Merges of contacts, and of companies. */
export const merges = HttpApiGroup.make("merges")
  .add(
    HttpApiEndpoint.post("contacts", "/api/v1/network/contacts/:id/merge", {
      params: idParams("contact", "contact_01kb3n7x2ferwt5z8q4j6m9d0c"),
      headers: requestHeaders("if-match", "prefer"),
      payload: ContactMerge,
      success: orDryRunReport(Contact.pipe(responseHeaders("etag"))),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Merge contacts into one",
        description: description({ singular: "contact", plural: "contacts", also: "", others: "" })
      })
    ),
    HttpApiEndpoint.post("companies", "/api/v1/network/companies/:id/merge", {
      params: idParams("company", "company_01kb3n7x2ferwt5z8q4j6m9d0c"),
      headers: requestHeaders("if-match", "prefer"),
      payload: CompanyMerge,
      success: orDryRunReport(Company.pipe(responseHeaders("etag"))),
      error
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Merge companies into one",
        description: description({
          singular: "company",
          plural: "companies",
          also: ", and contacts that mainly work for one of them mainly work for this one",
          others: ", and `contact.updated` for each contact whose `primaryCompanyId` follows"
        })
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker")
  .annotateMerge(
    OpenApi.annotations({
      title: "Merges",
      description: "Contacts or companies that are the same become one. All operations need the `broker` capability."
    })
  )
