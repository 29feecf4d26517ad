/** The REST handlers of rooms, and of the questions in them. */
import * as RestAdapter from "../../http/RestAdapter.ts"
import * as RestResponse from "../../http/RestResponse.ts"
import { Effect, Layer } from "effect"
import { questions as contractOfQuestions, rooms as contract } from "./api.ts"
import { Documents } from "./Documents.ts"
import { Rooms } from "./Rooms.ts"
import { Questions } from "./questions/Questions.ts"

/** Serves rooms and questions. */
export const layer = Layer.merge(
  RestAdapter.group(
    contract,
    Effect.map(Effect.all([Rooms, Documents]), ([rooms, documents]) => ({
      list: (request) => Effect.map(rooms.list(request.params.projectId, request), RestResponse.page),
      get: ({ params }) => Effect.map(rooms.get(params.projectId, params.roomId), RestResponse.resource),
      listDocuments: (request) => Effect.map(documents.page(request.params, request), RestResponse.page)
    }))
  ),
  RestAdapter.group(
    contractOfQuestions,
    Effect.map(Questions, (questions): RestAdapter.Handlers<typeof contractOfQuestions> => ({
      list: (request) => Effect.map(questions.list(request.params, request), RestResponse.page),
      get: ({ params }) => Effect.map(questions.get(params), RestResponse.resource),
      update: (request) => Effect.map(questions.patch(request.params, request), RestResponse.resource),
      draftAnswer: (request) => Effect.map(questions.draft(request.params, request), RestResponse.resource)
    }))
  )
)
