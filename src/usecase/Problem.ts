/**
 * Refusals as RFC 9457 problems (decisions §2). A room declares its own beside its model with {@link declare} and
 * {@link members}; the problems that any endpoint can give are here.
 */
import { Schema } from "effect"
import { HttpApiError } from "effect/http-api"

/** The constant members of a problem: its code as a path below `/help/`, its status and its title. */
export const declare = <const Code extends string, const Status extends number>(
  code: Code,
  status: Status,
  title: string
) => ({ type: `/help/${code.replaceAll("_", "-")}` as const, status, title })

/** The members that every problem has besides `type`, `title` and `status`. */
export const members = <const Code extends string>(code: Code) => ({
  code: Schema.tag(code).annotate({ description: "What was refused, for programs." }),
  detail: Schema.String.annotate({ description: "What was refused and what to do about it, for people." }),
  requestId: Schema.optionalKey(Schema.String).annotate({
    description: "The request's id, to quote when asking for help."
  })
})

/** Where one fault of a request is and what it is. */
export const Fault = Schema.Struct({
  in: Schema.Literals(["body", "query", "path", "header"]).annotate({ description: "The part of the request." }),
  pointer: Schema.String.annotate({
    description: "A JSON Pointer to the member of the body, or `/` and the name of the parameter or header.",
    examples: ["/email"]
  }),
  code: Schema.String.annotate({ description: "What is wrong, for programs.", examples: ["too_long"] }),
  detail: Schema.String.annotate({
    description: "What is wrong, for people.",
    examples: ["Must have at most 320 characters."]
  })
}).annotate({ identifier: "Fault" })

/** One fault of a request. */
export type Fault = typeof Fault.Type

const maxFaults = 100

/** 400: the request is well formed, but says something that cannot be: all faults at once. */
export class InvalidRequest extends HttpApiError.Problem<InvalidRequest>()(
  "InvalidRequest",
  declare("invalid_request", 400, "The request is not valid."),
  { ...members("invalid_request"), errors: Schema.Array(Fault) }
) {
  /** The problem of these faults, of which it tells the first hundred, with a detail that names the first. */
  static of(errors: ReadonlyArray<Fault>): InvalidRequest {
    const [first] = errors
    const others = errors.length < maxFaults ? String(errors.length - 1) : `at least ${maxFaults - 1}`
    const more = errors.length > 1 ? ` (and ${others} more)` : ""
    return new InvalidRequest({
      detail:
        first === undefined
          ? "The request is not valid."
          : `${first.in}${first.pointer === "" ? "" : ` ${first.pointer}`}: ${first.detail}${more}`,
      errors: errors.slice(0, maxFaults)
    })
  }
}

/** 400: the body is not JSON that this service reads. */
export class MalformedJson extends HttpApiError.Problem<MalformedJson>()(
  "MalformedJson",
  declare("malformed_json", 400, "The body is not well-formed JSON."),
  members("malformed_json")
) {}

/** 400: the body is no form with one file in it, or does not arrive whole. */
export class MalformedMultipart extends HttpApiError.Problem<MalformedMultipart>()(
  "MalformedMultipart",
  declare("malformed_multipart", 400, "The body is not a well-formed multipart form."),
  members("malformed_multipart")
) {}

/** 400: a cursor of another list, team or filter, or one that was changed. */
export class InvalidCursor extends HttpApiError.Problem<InvalidCursor>()(
  "InvalidCursor",
  declare("invalid_cursor", 400, "The cursor does not belong to this list."),
  members("invalid_cursor")
) {}

/** 401: no credential, or one that is unknown, expired or revoked. */
export class Unauthorized extends HttpApiError.Problem<Unauthorized>()(
  "Unauthorized",
  declare("unauthorized", 401, "A valid access token is needed."),
  members("unauthorized")
) {}

/** 403: the caller lacks the capability that the operation needs. */
export class CapabilityRequired extends HttpApiError.Problem<CapabilityRequired>()(
  "CapabilityRequired",
  declare("capability_required", 403, "A capability is needed that the caller does not have."),
  {
    ...members("capability_required"),
    capability: Schema.Literals(["broker", "investor"]).annotate({ description: "The capability that is needed." })
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

/** 404: nothing here that the caller may see. */
export class NotFound extends HttpApiError.Problem<NotFound>()(
  "NotFound",
  declare("not_found", 404, "There is nothing here."),
  members("not_found")
) {}

/** 405: the path exists, with other methods (`Allow` names them). */
export class MethodNotAllowed extends HttpApiError.Problem<MethodNotAllowed>()(
  "MethodNotAllowed",
  declare("method_not_allowed", 405, "This path does not have that method."),
  members("method_not_allowed")
) {}

/** 408: the request did not arrive in time. */
export class RequestTimeout extends HttpApiError.Problem<RequestTimeout>()(
  "RequestTimeout",
  declare("request_timeout", 408, "The request did not arrive in time."),
  members("request_timeout")
) {}

/** 409: the state of things does not allow the change. */
export class Conflict extends HttpApiError.Problem<Conflict>()(
  "Conflict",
  declare("conflict", 409, "The present state does not allow this."),
  members("conflict")
) {}

/** 409: somebody else's change came between the check and the commit. */
export class ConcurrencyConflict extends HttpApiError.Problem<ConcurrencyConflict>()(
  "ConcurrencyConflict",
  declare("concurrency_conflict", 409, "Another change came first."),
  members("concurrency_conflict")
) {
  /** That another change of a resource of this type was committed first. */
  static of(type: string): ConcurrencyConflict {
    return new ConcurrencyConflict({
      detail: `Another change of this ${type} was committed first. Read it again and decide anew.`
    })
  }
}

/** 409: the network has such a record already; `force=true` writes a contact or a company all the same. */
export class Duplicate extends HttpApiError.Problem<Duplicate>()(
  "Duplicate",
  declare("duplicate", 409, "The network has this already."),
  {
    ...members("duplicate"),
    candidates: Schema.Array(
      Schema.Struct({
        id: Schema.String.annotate({ examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"] }),
        name: Schema.optionalKey(Schema.NullOr(Schema.String.annotate({ examples: ["Anna Berg"] }))),
        email: Schema.optionalKey(Schema.NullOr(Schema.String.annotate({ examples: ["anna.berg@example.com"] }))),
        domain: Schema.optionalKey(Schema.NullOr(Schema.String)),
        country: Schema.optionalKey(Schema.NullOr(Schema.String)),
        jobTitle: Schema.optionalKey(Schema.NullOr(Schema.String))
      })
    ).annotate({
      description:
        "The records that it may be: at most 10, the oldest first, with what tells records of this type apart."
    })
  }
) {}

/** 409: an external reference is already another resource's. */
export class ExternalReferenceTaken extends HttpApiError.Problem<ExternalReferenceTaken>()(
  "ExternalReferenceTaken",
  declare("external_reference_taken", 409, "Another resource holds this external reference."),
  {
    ...members("external_reference_taken"),
    holderId: Schema.String.annotate({ description: "The id of the resource that holds the reference." }),
    namespace: Schema.String,
    externalId: Schema.String
  }
) {
  /** That a reference of a resource of this type belongs to another one, whose id this is. */
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
 * 409: the resource was merged into another, which is to be changed in its place. Reads do not answer with this: they
 * are sent on to that one with 301.
 */
export class Merged extends HttpApiError.Problem<Merged>()(
  "Merged",
  declare("merged", 409, "The resource has become part of another."),
  {
    ...members("merged"),
    mergedInto: Schema.String.annotate({
      description: "The id of the resource that it has become part of.",
      examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"]
    })
  }
) {}

/** 409: the first request with this idempotency key is still running. */
export class IdempotencyInProgress extends HttpApiError.Problem<IdempotencyInProgress>()(
  "IdempotencyInProgress",
  declare("idempotency_in_progress", 409, "The first request with this key is still running."),
  members("idempotency_in_progress")
) {}

/** 410: the changes asked for are no longer kept; read the whole list again. */
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
    currentEtag: Schema.String.annotate({
      description: "The resource's present ETag, quotes included.",
      examples: ['"v4"']
    })
  }
) {}

/** 413: the body is larger than this service reads. */
export class PayloadTooLarge extends HttpApiError.Problem<PayloadTooLarge>()(
  "PayloadTooLarge",
  declare("payload_too_large", 413, "The body is too large."),
  members("payload_too_large")
) {}

/** 415: the body is of a type that this operation does not read. */
export class UnsupportedMediaType extends HttpApiError.Problem<UnsupportedMediaType>()(
  "UnsupportedMediaType",
  declare("unsupported_media_type", 415, "The body is of a type that this operation does not read."),
  members("unsupported_media_type")
) {}

/** 416: the range begins behind the end of the file; `Content-Range` tells its size. */
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

/** 428: the operation changes nothing unless the client says which state of the resource it has seen. */
export class PreconditionRequired extends HttpApiError.Problem<PreconditionRequired>()(
  "PreconditionRequired",
  declare("precondition_required", 428, "If-Match is needed."),
  members("precondition_required")
) {}

/** 429: the caller's budget of requests is used up until the window ends. */
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

/** 400: what arrived is not an HTTP request. */
export class MalformedRequest extends HttpApiError.Problem<MalformedRequest>()(
  "MalformedRequest",
  declare("malformed_request", 400, "This is not a well-formed HTTP request."),
  members("malformed_request")
) {}

/** 500: a fault of ours; the log has a line with the request's id. */
export class InternalError extends HttpApiError.Problem<InternalError>()(
  "InternalError",
  declare("internal_error", 500, "Something went wrong on our side."),
  members("internal_error")
) {}

/** 503: the database cannot be reached; try again after `Retry-After` seconds. */
export class Unavailable extends HttpApiError.Problem<Unavailable>()(
  "Unavailable",
  declare("unavailable", 503, "The service is not available for the moment."),
  members("unavailable")
) {}

/** 503: the content of files cannot be stored or read for the moment; try again after `Retry-After` seconds. */
export class StorageUnavailable extends HttpApiError.Problem<StorageUnavailable>()(
  "StorageUnavailable",
  declare("storage_unavailable", 503, "Files cannot be stored or read for the moment."),
  members("storage_unavailable")
) {}
