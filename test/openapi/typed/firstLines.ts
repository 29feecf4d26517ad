/**
 * What an integrator writes first with the types that openapi-typescript generates. It compiles beside them (`api.d.ts`), so it
 * is no part of the project: test/openapi.test.ts.
 */
import type { components, operations, paths } from "./api.d.ts"

type Schemas = components["schemas"]
type Body<Operation> = Operation extends { requestBody: { content: { "application/json": infer Json } } } ? Json : never
type ContentOf<Response> = Response extends { content: infer Content } ? Content[keyof Content] : never
type Answers<Operation> = Operation extends { responses: infer Responses } ? Responses : never
/** As openapi-fetch does: the answers of all statuses of successes, and of all statuses of refusals. */
type Data<Operation> = ContentOf<Answers<Operation>[keyof Answers<Operation> & (200 | 201 | 207)]>
type Refusal<Operation> = ContentOf<
  Answers<Operation>[keyof Answers<Operation> & (400 | 401 | 403 | 404 | 409 | 412 | 422 | 429 | 500 | 503)]
>
/** Accepts only the type itself. */
type Same<A, B> = [A, B] extends [B, A] ? true : false

const sent: Body<paths["/api/v1/network/contacts"]["post"]> = { firstName: "Anna", tags: ["core"] }
export const created = (data: Data<operations["contacts.create"]>): string => data.id
export const renamed = (data: Data<operations["companies.update"]>): [string, string | null] => [data.etag, data.domain]
export const listed = (data: Data<operations["contacts.list"]>): ReadonlyArray<string> => data.data.map(({ id }) => id)
export const isWhole: Same<Data<operations["contacts.create"]>, Schemas["Contact"]> = true

/** Receipts by `status`. */
export const upserted = ({ results }: Data<operations["contacts.batchUpsert"]>): ReadonlyArray<string> =>
  results.map((receipt) => {
    if (receipt.status === "failed") return `${receipt.problem.code} ${receipt.problem.errors?.[0]?.pointer ?? ""}`
    // @ts-expect-error Only a failed receipt has a problem.
    receipt.problem satisfies unknown
    return receipt.status === "created" ? `new ${receipt.id}` : receipt.id + receipt.etag
  })
export const found = ({ results }: Data<operations["companies.batchGet"]>): ReadonlyArray<string> =>
  results.flatMap((receipt) => (receipt.status === "found" ? [receipt.resource.name ?? receipt.id] : []))
export const deleted = ({ results }: Data<operations["links.batchDelete"]>): number =>
  results.filter(({ status }) => status === "deleted" || status === "missing").length
export const added = ({ results }: Data<operations["prospects.batchCreate"]>): ReadonlyArray<string> =>
  results.map((receipt) => {
    switch (receipt.status) {
      case "created":
      case "restored":
        return receipt.id
      case "failed":
        return receipt.problem.prospectId ?? receipt.problem.code
    }
  })

/** Problems by `code` and by `status`. */
export const refused = (problem: Refusal<operations["contacts.create"]>): string => {
  if (problem.code === "duplicate") return problem.candidates[0]?.id ?? ""
  if (problem.code === "invalid_request") return problem.errors.map(({ detail }) => detail).join()
  if (problem.status === 409 && problem.code === "external_reference_taken") return problem.holderId
  // @ts-expect-error No such problem of this operation.
  if (problem.code === "prospect_exists") return ""
  return `${problem.title} ${problem.detail} ${problem.requestId} ${problem.type}`
}
export const outdated = (problem: Refusal<operations["contacts.update"]>): string | null =>
  problem.status === 412 ? problem.currentEtag : null
/** Any problem is one of these. */
export const logged = (problem: Refusal<operations["projects.close"]>): Schemas["ProblemDetails"] => problem
export const code: Schemas["Duplicate"]["code"] = "duplicate"

export const dryRun = (report: Schemas["DryRunReport"]): number => report.wouldAnswer
export const changed = (event: Schemas["ContactUpdatedEvent"]): ReadonlyArray<string> => event.changed_fields ?? []
export const size: NonNullable<operations["contacts.list"]["parameters"]["query"]>["page_size"] = 50
// @ts-expect-error A misspelled member.
const misspelled: Body<paths["/api/v1/network/contacts"]["post"]> = { firstNme: "Anna" }
// @ts-expect-error A webhook needs a URL.
const without: Body<paths["/api/v1/webhooks"]["post"]> = { events: ["contact.created"] }
export const bodies = [sent, misspelled, without]
