/** The REST contract of the look for duplicates. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { Needs, refusals } from "../../http/Contract.ts"
import { InvalidRequest } from "../../usecase/Problem.ts"
import { DuplicateList, DuplicateQuestion } from "./Duplicate.ts"

/** Companies that the network may have already. */
export const duplicates = HttpApiGroup.make("duplicates")
  .add(
    HttpApiEndpoint.post("find", "/api/v1/companies/find-duplicates", {
      payload: DuplicateQuestion,
      success: DuplicateList,
      error: [InvalidRequest, ...refusals.body]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Find duplicates of a company",
        description:
          "Companies of the network with the same domain, the same LinkedIn page, or much the same name. Changes nothing. Names are alike when each word of one is in the other too: legal forms, accents, case, `&` or `and`, and the order of words do not count, and long words may be a letter or two off. Numbers and short words have to be the same."
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker")
  .annotateMerge(
    OpenApi.annotations({
      title: "Duplicates",
      description: "Companies that the network may have already."
    })
  )
