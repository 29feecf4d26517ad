/**
 * Refusals as RFC 9457 problems: docs/behaviour/http.md#problems. Problems that any endpoint can answer are declared here. A
 * module declares its own in its model, with {@link declare} and {@link members}.
 */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"
import type { FaultCode, FaultValues } from "../fields/FaultCode.ts"
import type { ProblemCode } from "./ProblemCode.ts"

/** The constant members of a problem: `type` (the path of its help page), status and title. */
export const declare = <const Code extends ProblemCode, const Status extends number>(
  code: Code,
  status: Status,
  title: string
) => ({ type: `/help/${code.replaceAll("_", "-")}` as const, status, title })

/** The members that every problem has besides `type`, `title` and `status`. */
export const members = <const Code extends ProblemCode>(code: Code) => ({
  code: Schema.tag(code).annotate({ description: "The reason of the refusal, for programs." }),
  detail: Schema.String.annotate({ description: "What was refused, and what to do about it, for people." }),
  requestId: Schema.optionalKey(Schema.String).annotate({
    description: "The request's id, to quote when asking for help."
  })
})

/** The schema of one fault of a request. */
export const Fault = Schema.Struct({
  in: Schema.Literals(["body", "query", "path", "header"]).annotate({ description: "The part of the request." }),
  pointer: Schema.String.annotate({
    description: "A JSON Pointer to the member of the body, or `/` and the name of the parameter or header.",
    examples: ["/email"]
  }),
  code: Schema.make<Schema.Codec<FaultCode, string>>(
    Schema.String.annotate({ description: "What is wrong, for programs.", examples: ["too_long"] }).ast
  ),
  detail: Schema.String.annotate({
    description: "What is wrong, for people.",
    examples: ["Must have at most 320 characters."]
  }),
  candidates: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        location: Schema.String.annotate({
          description: "A text that means this place and no other.",
          examples: ["Frankfurt (Oder)"]
        }),
        name: Schema.String.annotate({ examples: ["Frankfurt (Oder)"] }),
        kind: Schema.String.annotate({
          description: "`city`, `region`, `country` or `group`.",
          examples: ["city"]
        }),
        country: Schema.NullOr(Schema.String.annotate({ examples: ["DE"] })),
        region: Schema.NullOr(Schema.String.annotate({ examples: ["Brandenburg"] }))
      }).annotate({ identifier: "LocationCandidate", description: "A place that may be meant." })
    )
  ).annotate({
    description:
      "On `location_ambiguous` and `location_unknown`: the places that may be meant; empty if there are none."
  })
}).annotate({ identifier: "Fault" })

/** What a fault carries besides what answers have: a symbol, which no encoding takes. */
const valuesKey = Symbol("values")

/** One fault of a request. */
export type Fault = typeof Fault.Type & { readonly [valuesKey]?: FaultValues }

/** A fault with the values that its sentence has. */
export const withValues = (fault: Fault, values: FaultValues): Fault => ({ ...fault, [valuesKey]: values })

/** The values that the sentence about a fault has. */
export const valuesOf = (fault: Fault): FaultValues => fault[valuesKey] ?? {}

/** How many faults a refusal lists. A client corrects these, and hears of the others then. */
export const maxFaults = 20

/** How many faults a refusal does not list. */
export const MoreErrors = Schema.Int.annotate({
  description: `How many more faults there are than \`errors\` lists, which are at most ${maxFaults}. Absent if there are none.`,
  examples: [3]
})

// `errors` has the whole text of a fault, so that a long list of known values is answered once.
const maxDetail = 200

const shortened = (detail: string): string => (detail.length > maxDetail ? `${detail.slice(0, maxDetail)}…` : detail)

/** 400: the request is well-formed but not valid. `errors` lists its faults, at most {@link maxFaults}. */
export class InvalidRequest extends HttpApiError.Problem<InvalidRequest>()(
  "InvalidRequest",
  declare("invalid_request", 400, "The request is not valid."),
  { ...members("invalid_request"), errors: Schema.Array(Fault), moreErrors: Schema.optionalKey(MoreErrors) }
) {
  /**
   * The problem of these faults and `more` others, which were counted only. `errors` lists the first, and `detail` describes the
   * very first in short.
   */
  static of(faults: ReadonlyArray<Fault>, more = 0): InvalidRequest {
    const [first] = faults
    const all = faults.length + more
    const others = all > 1 ? ` (and ${all - 1} more)` : ""
    const errors = faults.slice(0, maxFaults)
    const refusal = new InvalidRequest({
      detail:
        first === undefined
          ? "The request is not valid."
          : `${first.in}${first.pointer === "" ? "" : ` ${first.pointer}`}: ${shortened(first.detail)}${others}`,
      errors,
      ...(all > errors.length ? { moreErrors: all - errors.length } : {})
    })
    // The schema has copied what answers have of them.
    return Object.assign(refusal, { errors })
  }

  /** The problem of these faults and of further ones, and `more` others. */
  and(faults: ReadonlyArray<Fault>, more = 0): InvalidRequest {
    return InvalidRequest.of([...this.errors, ...faults], (this.moreErrors ?? 0) + more)
  }

  /** The problem of the same faults, each as `change` returns it. */
  map(change: (fault: Fault) => Fault): InvalidRequest {
    return InvalidRequest.of(this.errors.map(change), this.moreErrors)
  }
}

/** 400: the body is not JSON that this service reads. */
export class MalformedJson extends HttpApiError.Problem<MalformedJson>()(
  "MalformedJson",
  declare("malformed_json", 400, "The body is not well-formed JSON."),
  members("malformed_json")
) {}

/** 400: the body is not a form with one file, or it did not arrive completely. */
export class MalformedMultipart extends HttpApiError.Problem<MalformedMultipart>()(
  "MalformedMultipart",
  declare("malformed_multipart", 400, "The body is not a well-formed multipart form."),
  members("malformed_multipart")
) {}

/** 400: the cursor belongs to another list, team or filter, or was changed. */
export class InvalidCursor extends HttpApiError.Problem<InvalidCursor>()(
  "InvalidCursor",
  declare("invalid_cursor", 400, "The cursor does not belong to this list."),
  members("invalid_cursor")
) {}

/** 401: no credential, or one that is unknown, expired or revoked. */
export class Unauthorized extends HttpApiError.Problem<Unauthorized>()(
  "Unauthorized",
  declare("unauthorized", 401, "A valid access token is required."),
  members("unauthorized")
) {}

/** 401: the account that the token acts for is deactivated, for a while. */
export class UserDeactivated extends HttpApiError.Problem<UserDeactivated>()(
  "UserDeactivated",
  declare("user_deactivated", 401, "The account is deactivated."),
  members("user_deactivated")
) {}

/** 401: the team that the token acts in is deleted. */
export class TeamDeleted extends HttpApiError.Problem<TeamDeleted>()(
  "TeamDeleted",
  declare("team_deleted", 401, "The team is deleted."),
  members("team_deleted")
) {}

/** 403: only administrators of the team may. */
export class AdministratorRequired extends HttpApiError.Problem<AdministratorRequired>()(
  "AdministratorRequired",
  declare("administrator_required", 403, "Only administrators of the team may do this."),
  members("administrator_required")
) {}

/** 403: the caller lacks the capability that the operation needs. */
export class CapabilityRequired extends HttpApiError.Problem<CapabilityRequired>()(
  "CapabilityRequired",
  declare("capability_required", 403, "The caller lacks a required capability."),
  {
    ...members("capability_required"),
    capability: Schema.Literals(["broker", "investor"]).annotate({ description: "The required capability." })
  }
) {}

/** 403: the token's scopes do not allow this. */
export class InsufficientScope extends HttpApiError.Problem<InsufficientScope>()(
  "InsufficientScope",
  declare("insufficient_scope", 403, "The token does not allow this."),
  members("insufficient_scope")
) {}

/** 403: the caller is invited to the team, but has not joined it. */
export class MembershipPending extends HttpApiError.Problem<MembershipPending>()(
  "MembershipPending",
  declare("membership_pending", 403, "The caller has not joined the team yet."),
  members("membership_pending")
) {}

/** 404: the caller can see nothing at this address. */
export class NotFound extends HttpApiError.Problem<NotFound>()(
  "NotFound",
  declare("not_found", 404, "Not found."),
  members("not_found")
) {}

/** 405: the path supports other methods, which `Allow` lists. */
export class MethodNotAllowed extends HttpApiError.Problem<MethodNotAllowed>()(
  "MethodNotAllowed",
  declare("method_not_allowed", 405, "The path does not support this method."),
  members("method_not_allowed")
) {}

/** 408: the request did not arrive in time. */
export class RequestTimeout extends HttpApiError.Problem<RequestTimeout>()(
  "RequestTimeout",
  declare("request_timeout", 408, "The request did not arrive in time."),
  members("request_timeout")
) {}

/** Why the state does not allow a change, where the code does not say it: for pages in other languages. No answer has it. */
export type ConflictReason =
  | "address_taken"
  | "app_created"
  | "begun"
  | "bot"
  | "decided"
  | "import_running"
  | "member"
  | "no_failed_job"
  | "no_member"
  | "not_invited"
  | "tag_too_frequent"
  | "tokens"

/** 409: the current state does not allow the change. */
export class Conflict extends HttpApiError.Problem<Conflict>()(
  "Conflict",
  declare("conflict", 409, "The current state does not allow this."),
  members("conflict")
) {
  /** Undefined in the examples of the documentation. */
  reason: ConflictReason | undefined = undefined

  /** The conflict for this reason, which `detail` says. */
  static of(reason: ConflictReason, detail: string): Conflict {
    return Object.assign(new Conflict({ detail }), { reason })
  }
}

/** 403: a form of the console did not come from a page of this service, in this browser. */
export class ForeignForm extends HttpApiError.Problem<ForeignForm>()(
  "ForeignForm",
  declare("foreign_form", 403, "The form did not come from a page of this service."),
  members("foreign_form")
) {}

/** 409: another change was committed between the check and this commit. */
export class ConcurrencyConflict extends HttpApiError.Problem<ConcurrencyConflict>()(
  "ConcurrencyConflict",
  declare("concurrency_conflict", 409, "Another change came first."),
  {
    ...members("concurrency_conflict"),
    currentEtag: Schema.NullOr(Schema.String).annotate({
      description:
        "The resource's ETag after the other change, quotes included; null if the resource is gone or has none.",
      examples: ['"v4"']
    })
  }
) {
  /** The conflict with another change of a resource of this type. The mutation pipeline adds the ETag of that change. */
  static of(type: string, currentEtag: string | null = null): ConcurrencyConflict {
    return new ConcurrencyConflict({
      detail: `Another change of this ${type} was committed first. Fetch the latest version and retry.`,
      currentEtag
    })
  }
}

/** 409: the network already has such a record. `force=true` writes a contact or a company anyway. */
export class Duplicate extends HttpApiError.Problem<Duplicate>()(
  "Duplicate",
  declare("duplicate", 409, "The network already has this record."),
  {
    ...members("duplicate"),
    candidates: Schema.Array(
      Schema.Struct({
        id: Schema.String.annotate({ examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"] }),
        name: Schema.optionalKey(Schema.NullOr(Schema.String.annotate({ examples: ["Anna Berg"] }))),
        email: Schema.optionalKey(Schema.NullOr(Schema.String.annotate({ examples: ["anna.berg@example.com"] }))),
        domain: Schema.optionalKey(Schema.NullOr(Schema.String.annotate({ examples: ["berg.example"] }))),
        country: Schema.optionalKey(Schema.NullOr(Schema.String.annotate({ examples: ["DE"] }))),
        jobTitle: Schema.optionalKey(Schema.NullOr(Schema.String.annotate({ examples: ["Partner"] })))
      })
    ).annotate({
      description:
        "Existing records that may be the same: at most 10, the oldest first, with the members that identify records of this type."
    })
  }
) {}

/** 409: another resource holds the external reference. */
export class ExternalReferenceTaken extends HttpApiError.Problem<ExternalReferenceTaken>()(
  "ExternalReferenceTaken",
  declare("external_reference_taken", 409, "Another resource holds this external reference."),
  {
    ...members("external_reference_taken"),
    holderId: Schema.String.annotate({
      description: "The id of the resource that holds the reference.",
      examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"]
    }),
    namespace: Schema.String.annotate({ examples: ["crm"] }),
    externalId: Schema.String.annotate({ examples: ["8812"] })
  }
) {
  /** The refusal of a reference that another resource of this type holds. */
  static of(
    type: string,
    { externalId, namespace }: { readonly namespace: string; readonly externalId: string },
    holderId: string
  ): ExternalReferenceTaken {
    return new ExternalReferenceTaken({
      namespace,
      externalId,
      holderId,
      detail: `${namespace}:${externalId} belongs to another ${type}.`
    })
  }
}

/**
 * 409: the resource was merged into another one, which the client must change instead. Reads do not answer with this
 * problem: they are redirected with 301.
 */
export class Merged extends HttpApiError.Problem<Merged>()(
  "Merged",
  declare("merged", 409, "The resource was merged into another one."),
  {
    ...members("merged"),
    mergedInto: Schema.String.annotate({
      description: "The id of the resource that it was merged into.",
      examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"]
    })
  }
) {}

/** 409: the record lives, so there is nothing to restore. */
export class NotDeleted extends HttpApiError.Problem<NotDeleted>()(
  "NotDeleted",
  declare("not_deleted", 409, "The record is not deleted."),
  members("not_deleted")
) {}

/** 409: the contact or company that what is to be restored belongs to was deleted. */
export class InvestorDeleted extends HttpApiError.Problem<InvestorDeleted>()(
  "InvestorDeleted",
  declare("investor_deleted", 409, "Its contact or company was deleted."),
  members("investor_deleted")
) {}

/** 409: the prospect was removed from the list, and must be restored before it is changed. */
export class ProspectRemoved extends HttpApiError.Problem<ProspectRemoved>()(
  "ProspectRemoved",
  declare("prospect_removed", 409, "The prospect was removed from the list."),
  members("prospect_removed")
) {
  /** The rejection of a change of a removed prospect. */
  static readonly rejection = () =>
    new ProspectRemoved({ detail: "The prospect was removed from the list. Restore it first." })
}

/** 409: the person was erased whose prospect it is, which can only be read from then on. */
export class ProspectErased extends HttpApiError.Problem<ProspectErased>()(
  "ProspectErased",
  declare("prospect_erased", 409, "The prospect's person was erased."),
  members("prospect_erased")
) {
  /** The rejection of a change of such a prospect. */
  static readonly rejection = () =>
    new ProspectErased({ detail: "The person was erased whose prospect it is: it can only be read." })
}

/** 409: the first request with this idempotency key is still running. */
export class IdempotencyInProgress extends HttpApiError.Problem<IdempotencyInProgress>()(
  "IdempotencyInProgress",
  declare("idempotency_in_progress", 409, "The first request with this key is still running."),
  members("idempotency_in_progress")
) {}

/** 410: the requested changes are no longer kept, so the client must read the whole list. */
export class ResyncRequired extends HttpApiError.Problem<ResyncRequired>()(
  "ResyncRequired",
  declare("resync_required", 410, "Changes that far back are no longer kept."),
  members("resync_required")
) {}

/** 412: the resource has changed since it was read. */
export class PreconditionFailed extends HttpApiError.Problem<PreconditionFailed>()(
  "PreconditionFailed",
  declare("precondition_failed", 412, "The resource has changed since it was read."),
  {
    ...members("precondition_failed"),
    currentEtag: Schema.NullOr(Schema.String).annotate({
      description:
        "The resource's current ETag, quotes included; null for an item of an upsert whose record does not exist any more.",
      examples: ['"v4"']
    })
  }
) {
  /** The refusal of an item of an upsert whose record, of this type, has another ETag than the item requires. */
  static ofItem(type: string, currentEtag: string): PreconditionFailed {
    return new PreconditionFailed({
      currentEtag,
      detail: `The ${type} has changed since it was read. Read it again, then repeat the item.`
    })
  }

  /** The refusal of an item of an upsert that requires an ETag of a record of this type that is gone. */
  static ofGoneItem(type: string): PreconditionFailed {
    return new PreconditionFailed({
      currentEtag: null,
      detail: `The ${type} that was read does not exist any more. Only without etag does the item create a new one.`
    })
  }
}

/** 413: the body exceeds the size limit. */
export class PayloadTooLarge extends HttpApiError.Problem<PayloadTooLarge>()(
  "PayloadTooLarge",
  declare("payload_too_large", 413, "The body is too large."),
  members("payload_too_large")
) {}

/** 415: the operation does not support the media type of the body. */
export class UnsupportedMediaType extends HttpApiError.Problem<UnsupportedMediaType>()(
  "UnsupportedMediaType",
  declare("unsupported_media_type", 415, "The media type of the body is not supported."),
  members("unsupported_media_type")
) {}

/** 416: the range begins beyond the end of the file. `Content-Range` contains its size. */
export class RangeNotSatisfiable extends HttpApiError.Problem<RangeNotSatisfiable>()(
  "RangeNotSatisfiable",
  declare("range_not_satisfiable", 416, "The file has no such range."),
  members("range_not_satisfiable")
) {}

/** 422: the idempotency key was used before with another body. */
export class IdempotencyKeyReused extends HttpApiError.Problem<IdempotencyKeyReused>()(
  "IdempotencyKeyReused",
  declare("idempotency_key_reused", 422, "This key was used before with another body."),
  members("idempotency_key_reused")
) {}

/** 422: the query reads more than the service reads for one request. `detail` says how to narrow it. */
export class QueryTooExpensive extends HttpApiError.Problem<QueryTooExpensive>()(
  "QueryTooExpensive",
  declare("query_too_expensive", 422, "The query takes too long."),
  members("query_too_expensive")
) {}

/** 428: the operation requires `If-Match`. */
export class PreconditionRequired extends HttpApiError.Problem<PreconditionRequired>()(
  "PreconditionRequired",
  declare("precondition_required", 428, "If-Match is required."),
  members("precondition_required")
) {}

/** 429: the caller has exceeded the rate limit of this window. */
export class RateLimited extends HttpApiError.Problem<RateLimited>()(
  "RateLimited",
  declare("rate_limited", 429, "Too many requests."),
  members("rate_limited")
) {}

/** 431: the request's header fields are too large. */
export class HeadersTooLarge extends HttpApiError.Problem<HeadersTooLarge>()(
  "HeadersTooLarge",
  declare("headers_too_large", 431, "The request's header fields are too large."),
  members("headers_too_large")
) {}

/** 400: the bytes are not an HTTP request. */
export class MalformedRequest extends HttpApiError.Problem<MalformedRequest>()(
  "MalformedRequest",
  declare("malformed_request", 400, "This is not a well-formed HTTP request."),
  members("malformed_request")
) {}

/** 500: an unexpected error. The log has a line with the request's id. */
export class InternalError extends HttpApiError.Problem<InternalError>()(
  "InternalError",
  declare("internal_error", 500, "The service failed unexpectedly."),
  members("internal_error")
) {}

/** 503: the database is unreachable. */
export class Unavailable extends HttpApiError.Problem<Unavailable>()(
  "Unavailable",
  declare("unavailable", 503, "The service is temporarily unavailable."),
  members("unavailable")
) {}

/** 503: a disk is full. */
export class StorageFull extends HttpApiError.Problem<StorageFull>()(
  "StorageFull",
  declare("storage_full", 503, "A disk of the service is full."),
  {
    ...members("storage_full"),
    store: Schema.Literals(["database", "files"]).annotate({
      description:
        "What is full: the `database`, so that nothing can be changed, or the store of `files`, so that none can be uploaded."
    })
  }
) {}

/** The refusal of what would write to the full disk of the database. */
export const databaseFull = new StorageFull({
  store: "database",
  detail: "The disk of the database is full, and nothing was changed. Try again once the operator has made room."
})

/** 503: the file storage is unreachable. */
export class StorageUnavailable extends HttpApiError.Problem<StorageUnavailable>()(
  "StorageUnavailable",
  declare("storage_unavailable", 503, "The file storage is temporarily unavailable."),
  members("storage_unavailable")
) {}
