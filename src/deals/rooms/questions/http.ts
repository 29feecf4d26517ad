/** The REST handlers of questions. */
import * as RestAdapter from "../../../http/RestAdapter.ts"
import * as RestResponse from "../../../http/RestResponse.ts"
import { Effect } from "effect"
import { questions } from "./api.ts"
import { Questions } from "./Questions.ts"

/** Serves questions. */
export const layer = RestAdapter.group(
  questions,
  Effect.map(Questions, (useCases): RestAdapter.Handlers<typeof questions> => ({
    list: (request) => Effect.map(useCases.list(request.params, request), RestResponse.page),
    get: ({ params }) => Effect.map(useCases.get(params), RestResponse.resource),
    update: (request) => Effect.map(useCases.patch(request.params, request), RestResponse.resource),
    draftAnswer: (request) => Effect.map(useCases.draft(request.params, request), RestResponse.resource)
  }))
)
