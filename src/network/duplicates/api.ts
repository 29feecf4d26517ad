/** The REST contract of the search for duplicates. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { Needs, OnlyReads, refusals } from "../../http/Contract.ts"
import { InvalidRequest, QueryTooExpensive } from "../../core/usecase/Problem.ts"
import { DuplicateList, DuplicateQuestion } from "./Duplicate.ts"

/** Companies that the network may already have. */
export const duplicates = HttpApiGroup.make("duplicates")
  .add(
    HttpApiEndpoint.post("find", "/api/v1/companies/find-duplicates", {
      payload: DuplicateQuestion,
      success: DuplicateList,
      error: [InvalidRequest, ...refusals.body, QueryTooExpensive]
    })
      .annotate(OnlyReads, true)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "companies.findDuplicates",
          summary: "Find duplicates of a company",
          description:
            'Finds companies of the network with the same domain, LinkedIn page or a similar name. It changes nothing. Names are similar if they have the same words: legal forms, accents, case, Cyrillic or Greek against Latin letters, `&` or `and`, "Firma", branches (`Niederlassung Berlin`) and word order are ignored. Words of 7 or 8 letters may differ by one letter, longer ones by two, and those of 5 or 6 by one if another word is equal. Numbers and short words must be equal.'
        })
      )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker")
  .annotateMerge(
    OpenApi.annotations({
      title: "Duplicates",
      description: "Companies that the network may already have."
    })
  )
