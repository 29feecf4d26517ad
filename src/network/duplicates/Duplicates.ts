/** Finds companies that the network already has (docs/behaviour/network.md#find-duplicates). */
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import * as Id from "../../core/Id.ts"
import { makeSlowReads } from "../../core/usecase/TeamBudget.ts"
import { Context, Effect, Layer } from "effect"
import { authorize } from "../../core/auth/CurrentActor.ts"
import { hostOf, ownDomain } from "../../core/fields/InternetAddress.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { all, bodyFault } from "../../core/usecase/Input.ts"
import { InvalidRequest } from "../../core/usecase/Problem.ts"
import { isTransliterated, nameKeyOf } from "../companies/naming.ts"
import { type Duplicate, type DuplicateList, DuplicateQuestion } from "./Duplicate.ts"
import { DuplicatesRepo } from "./DuplicatesRepo.ts"
import { rank, spellingsOf } from "./rules.ts"
import { shapesOf } from "./shapes.ts"

const decodeQuestion = UnvalidatedJson.decoder(DuplicateQuestion)

const notADomain = InvalidRequest.of([
  bodyFault("/domain", "invalid_domain", "Must be a domain, such as example.com, or the URL of a homepage.")
])

const make = Effect.gen(function* () {
  const repo = yield* DuplicatesRepo
  const slowReads = yield* makeSlowReads

  /** The possible duplicates of a company, by name, domain and LinkedIn page. */
  const find = Effect.fn("Duplicates.find")(function* (request: Pick<UseCaseRequest, "query" | "body">) {
    const actor = yield* authorize("broker")
    const document = yield* request.body
    const [, question] = yield* all(request.query, decodeQuestion(document))
    const host = typeof question.domain === "string" ? hostOf(question.domain) : null
    if (host === undefined) return yield* notADomain
    const url = question.linkedInUrl ?? null
    const nameKey = nameKeyOf(question.name)
    const searched = {
      nameKey,
      isTransliterated: isTransliterated(question.name),
      shapes: shapesOf(nameKey, isTransliterated(question.name)),
      country: question.countryCode ?? null,
      domain: ownDomain(host) ?? null,
      linkedInUrls: url === null ? [] : spellingsOf(url)
    }
    const found = rank(
      searched,
      yield* slowReads(actor.teamId, "Send the whole name.", repo.candidates(actor.teamId, searched))
    )
    const list: DuplicateList = {
      data: found.map(({ company, score }): Duplicate => ({
        id: Id.fromUuid("company", company.uuid),
        name: company.name,
        domain: company.domain,
        countryCode: company.country,
        score
      }))
    }
    return list
  })

  return { find }
})

/** Finds duplicates. It needs the `broker` capability. */
export class Duplicates extends Context.Service<Duplicates, Effect.Success<typeof make>>()(
  "network/duplicates/Duplicates"
) {
  static readonly layer = Layer.effect(Duplicates, make).pipe(Layer.provide(DuplicatesRepo.layer))
}
