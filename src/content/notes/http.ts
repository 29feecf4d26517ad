/** The REST handlers of notes. */
import * as RestResponse from "../../http/RestResponse.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { Effect, Layer } from "effect"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import type { IdempotentResult } from "../../core/usecase/Idempotency.ts"
import type { Page } from "../../core/usecase/Page.ts"
import { companyNotes, contactNotes, projectNotes, propertyNotes, prospectNotes } from "./api.ts"
import { Notes, type RevisionResult } from "./Notes.ts"

const revised = (notes: string, { etag, successorId }: RevisionResult) => ({
  ...RestResponse.noContent,
  headers: { etag, ...(successorId === undefined ? {} : { location: `${notes}/${successorId}` }) }
})

/** The handlers of the notes on one type of records. `pathOf` returns the path of a record's notes. */
const handlersOf = <
  Ref,
  Query,
  Note extends { readonly id: string; readonly etag: string },
  ListE,
  GetE,
  CreateE,
  ReviseE,
  R
>(
  notes: {
    readonly list: (ref: Ref, request: Pick<UseCaseRequest<Query>, "query">) => Effect.Effect<Page<Note>, ListE, R>
    readonly get: (ref: Ref, noteId: string) => Effect.Effect<Note, GetE, R>
    readonly create: (ref: Ref, request: UseCaseRequest) => Effect.Effect<IdempotentResult<Note>, CreateE, R>
    readonly revise: (ref: Ref, noteId: string, request: UseCaseRequest) => Effect.Effect<RevisionResult, ReviseE, R>
  },
  pathOf: (ref: Ref) => string
) => ({
  list: (request: RestAdapter.Request<Ref, Query>) =>
    Effect.map(notes.list(request.params, request), RestResponse.page),
  create: (request: RestAdapter.Request<Ref, unknown>) =>
    Effect.map(notes.create(request.params, request), (created) =>
      RestResponse.created(pathOf(request.params), created)
    ),
  get: ({ params }: RestAdapter.Request<Ref & { readonly noteId: string }, unknown>) =>
    Effect.map(notes.get(params, params.noteId), RestResponse.resource),
  revise: (request: RestAdapter.Request<Ref & { readonly noteId: string }, unknown>) =>
    Effect.map(notes.revise(request.params, request.params.noteId, request), (done) =>
      revised(pathOf(request.params), done)
    )
})

export const layer = Layer.mergeAll(
  RestAdapter.group(
    contactNotes,
    Effect.map(Notes, ({ contact }) => handlersOf(contact, ({ id }) => `/api/v1/network/contacts/${id}/notes`))
  ),
  RestAdapter.group(
    companyNotes,
    Effect.map(Notes, ({ company }) => handlersOf(company, ({ id }) => `/api/v1/network/companies/${id}/notes`))
  ),
  RestAdapter.group(
    propertyNotes,
    Effect.map(Notes, ({ property }) => handlersOf(property, ({ id }) => `/api/v1/properties/${id}/notes`))
  ),
  RestAdapter.group(
    projectNotes,
    Effect.map(Notes, ({ project }) => handlersOf(project, ({ id }) => `/api/v1/projects/${id}/notes`))
  ),
  RestAdapter.group(
    prospectNotes,
    Effect.map(Notes, ({ prospect }) =>
      handlersOf(prospect, ({ id, projectId }) => `/api/v1/projects/${projectId}/prospects/${id}/notes`)
    )
  )
)
