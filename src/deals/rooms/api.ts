/** The REST contract of rooms, and of the questions in them. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { mergePatch, Needs, orNotModified, refusals, requestHeaders, responseHeaders } from "../../http/Contract.ts"
import { DeltaPageOf, PageOf } from "../../core/usecase/Page.ts"
import { InvalidCursor, QueryTooExpensive, ResyncRequired } from "../../core/usecase/Problem.ts"
import { Document, DocumentListQuery, Room, RoomDetails, RoomListQuery, RoomRefused } from "./Room.ts"
import {
  DraftAnswerInput,
  Question,
  QuestionListQuery,
  QuestionMoveRefused,
  QuestionPatch
} from "./questions/Question.ts"

const path = "/api/v1/projects/:projectId/rooms"

const params = {
  projectId: Schema.String.annotate({
    description: "The project's id.",
    examples: ["project_01kb3n7x2ferwt5z8q4j6m9d0c"]
  })
}

/** The parameters of the path of a room. */
export const roomParams = {
  ...params,
  roomId: Schema.String.annotate({ description: "The room's id.", examples: ["room_01kb3n7x2ferwt5z8q4j6m9d0c"] })
}

/** Data rooms. */
export const rooms = HttpApiGroup.make("rooms")
  .add(
    HttpApiEndpoint.get("list", path, {
      params,
      query: RoomListQuery,
      success: PageOf(Room, "RoomPage").pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a project's data rooms",
        description: "All rooms of the project, closed ones too, ordered by creation."
      })
    ),
    HttpApiEndpoint.get("get", `${path}/:roomId`, {
      params: roomParams,
      headers: requestHeaders("if-none-match"),
      success: orNotModified(RoomDetails.pipe(responseHeaders("etag"))),
      error: refusals.one
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a data room",
        description:
          "The room with its questions in short (`qa`). With `If-None-Match`, 304 while the room is unchanged."
      })
    ),
    HttpApiEndpoint.get("listDocuments", `${path}/:roomId/documents`, {
      params: roomParams,
      query: DocumentListQuery,
      success: PageOf(Document, "RoomDocumentPage").pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the documents of a room",
        description: "The documents that the room has, in their latest versions, by path."
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker")
  .annotateMerge(
    OpenApi.annotations({
      title: "Data rooms",
      description:
        "Rooms of projects with documents for the prospects that have access. Brokers open rooms, grant access and upload documents in the product's own app. All operations need the `broker` capability."
    })
  )

const questionsPath = `${path}/:roomId/questions`

const questionParams = {
  ...roomParams,
  questionId: Schema.String.annotate({
    description: "The question's id.",
    examples: ["question_01kb3n7x2ferwt5z8q4j6m9d0c"]
  })
}

/** Questions in data rooms. */
export const questions = HttpApiGroup.make("questions")
  .add(
    HttpApiEndpoint.get("list", questionsPath, {
      params: roomParams,
      query: QuestionListQuery,
      success: DeltaPageOf(Question, "QuestionPage").pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor, ResyncRequired, QueryTooExpensive]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the questions of a room",
        description:
          "Ordered by their numbers or, with `updated_since`, those that changed since then. All filters combine. A question is never deleted by itself: it goes with its project, and comes back when that is restored. A delta does not list a question for becoming overdue: compare `dueUtc`."
      })
    ),
    HttpApiEndpoint.get("get", `${questionsPath}/:questionId`, {
      params: questionParams,
      headers: requestHeaders("if-none-match"),
      success: orNotModified(Question.pipe(responseHeaders("etag"))),
      error: refusals.one
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a question",
        description: "With `If-None-Match`, 304 while the question is unchanged."
      })
    ),
    HttpApiEndpoint.patch("update", `${questionsPath}/:questionId`, {
      params: questionParams,
      headers: requestHeaders("if-match", "prefer"),
      payload: mergePatch(QuestionPatch),
      success: Question.pipe(responseHeaders("etag")),
      error: [...refusals.one, ...refusals.body, ...refusals.conditional, QuestionMoveRefused, RoomRefused]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Update a question",
        description:
          "A merge patch of its category, priority and assignee. A patch that changes nothing answers 200 with the same ETag; any other one of a closed question is refused (`question_move_refused`). Adds a row `room.question_updated` with `details.changedFields` to the timelines of the room's project and of the asker, which is an event of the same name."
      })
    ),
    HttpApiEndpoint.put("draftAnswer", `${questionsPath}/:questionId/draft-answer`, {
      params: questionParams,
      headers: requestHeaders("if-match", "prefer"),
      payload: DraftAnswerInput,
      success: Question.pipe(responseHeaders("etag")),
      error: [...refusals.one, ...refusals.body, ...refusals.conditional, QuestionMoveRefused, RoomRefused]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Draft the answer to a question",
        description:
          "Replaces the draft; an open question becomes `drafted`. A draft is internal and never sent: answers are published by `question answer` on the command line, and reach investors in their own words. The draft that is there already changes nothing. Refused once the answer was published or the question was closed (`question_move_refused`). Adds a row `room.answer_drafted`, without the text, to the timelines of the room's project and of the asker, which is an event of the same name."
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker")
  .annotateMerge(
    OpenApi.annotations({
      title: "Questions",
      description:
        "Questions that investors ask in data rooms. They are asked, answered and closed on the command line (`question ask|answer|close`). All operations need the `broker` capability."
    })
  )
