/** The short pages that the `type` of a problem leads to. */

/** Why a problem comes, and what to do about it, by its code. */
export const advice: { readonly [code: string]: string } = {
  invalid_request:
    "The body, a parameter or a header is not valid. `errors` lists every fault with its place; mend them all and send the request again.",
  malformed_json: "The body is not JSON in UTF-8, or nests deeper than 64 levels. Check how it is made and encoded.",
  malformed_multipart:
    "The body is not the form that its `Content-Type` announces, or ended before its last boundary. Let your HTTP library make the form, and its `Content-Type` with the boundary; nothing of a file that came in part is kept.",
  range_not_satisfiable:
    "`Range` begins behind the end of the file. `Content-Range` tells how many bytes the file has; a download that had all of them is complete.",
  storage_unavailable:
    "The service cannot reach the place where it keeps the content of files, or that is full. Nothing was stored in part. Try again after `Retry-After` seconds; if it stays, tell the operator the request's id.",
  malformed_request: "What arrived is not an HTTP request that the server can read.",
  invalid_cursor:
    "A cursor belongs to one list, one team and one set of filters, and cannot be made or changed by clients. Pass `page.nextCursor` back unchanged, or begin again without a cursor.",
  unauthorized:
    "No token was sent, or it is unknown, expired or revoked, or its person left the team. Get a new one; personal tokens live for 30 days, access tokens for an hour.",
  capability_required:
    "The operation needs a capability (`broker` or `investor`) that is verified for the caller. `GET /api/v1/auth/me` shows which are.",
  insufficient_scope: "The token was issued for less than this. Request one with the scope `api:public`.",
  membership_pending: "The caller is invited to the team, but has not joined it. Accept the invitation first.",
  not_found:
    "There is nothing at this address that the caller may see. It may never have existed, have been deleted, or belong to another team.",
  method_not_allowed: "The path exists with other methods: the `Allow` header names them.",
  request_timeout: "The request did not arrive within the time that the server waits. Send it again.",
  concurrency_conflict:
    "Another change was committed between the check of `If-Match` and this change. Read the resource again, apply the change to what it is now, and send it with the new ETag.",
  duplicate:
    "The network has such a record already; `candidates` lists it. Update that one, or repeat the request with `force=true` if it really is another.",
  external_reference_taken:
    "The reference is another resource's; `holderId` names it. A reference belongs to one resource of a type at a time.",
  merged:
    "The record has become part of another, with everything that hung on it. Make the change to that one; `mergedInto` is its id.",
  idempotency_in_progress: "The first request with this key has not been answered yet. Repeat this one in a moment.",
  idempotency_key_reused:
    "The key was used before with another body. A key names one request: use a new one for each new request.",
  resync_required:
    "Deletions are kept for 90 days, and the delta reaches back further. Read everything anew with `updated_since=1970-01-01` and without `include_deleted`, drop what you have that is not in it, then go on from the greatest `updatedUtc`. In the journal (`GET /api/v1/changes`) events are kept for 90 days too, and a service that was restored from a backup may not know your number: read the lists anew, then go on with the `after` that `detail` names.",
  precondition_failed:
    "The resource is no longer what `If-Match` names; `currentEtag` is its present ETag. Read it again, apply the change to what it is now, and send it with the new ETag.",
  precondition_required: "This operation needs `If-Match` with the ETag of the resource that was read.",
  payload_too_large: "A JSON body may have 4 MiB, and a file 104,857,600 bytes. Send less at a time.",
  unsupported_media_type:
    "Send the body as `application/json`, or a PATCH as `application/merge-patch+json`, in UTF-8 and without encoding; a file as `multipart/form-data`.",
  rate_limited:
    "The caller's budget of requests is used up. `Retry-After` tells when the next window begins; `RateLimit` on every answer tells what is left.",
  headers_too_large: "The header fields are larger than the server reads. Send fewer or shorter ones.",
  internal_error:
    "Something went wrong on our side. A write has been made as a whole or not at all: repeat it with the same `Idempotency-Key`, or look before you repeat it; if it stays, tell the operator the request's id.",
  unavailable:
    "The service cannot reach its database for the moment. Try again after `Retry-After` seconds; repeat a create with the same `Idempotency-Key`, since it may have been made.",
  note_move_refused:
    "Only the last revision of a note can be superseded or unarchived, and an archived note is unarchived before it is superseded. `state` is the note's present state; `supersededByActivityId` leads from a note to its later revision.",
  validation_failed:
    "`mandate` is the former name of `exclusivity`, and both were sent with a value. Send `exclusivity` alone; leave `mandate` out of a project that you send back.",
  project_shared:
    "The project's teaser was communicated, or somebody is in a room of it. Close it with `POST /api/v1/projects/{id}/close`: its history stays, and its rooms wind down.",
  project_not_deleted: "The project is there. Only a deleted project can be restored, within 30 days of its deletion.",
  prospect_exists:
    "The contact or company is on the project's list already, as the prospect that `prospectId` names: update that one.",
  prospect_removed:
    "The prospect was removed from the project's list. It can be read; to change it, put it back with `POST …/prospects/{id}/restore`.",
  task_move_refused:
    "The task's state does not allow the move; `from` is its present state. Only an open task is completed or canceled for the first time, and only a completed one is reopened: to cancel a completed one, reopen it first, and add another task in place of a canceled one.",
  prospect_not_removed: "The prospect is on the list: there is nothing to restore.",
  investor_deleted:
    "The contact or company of the prospect was deleted from the network, so it cannot come back on the list. Its timeline stays.",
  webhook_limit_reached: "A team has at most 20 webhooks. Delete one that is no longer needed.",
  webhook_not_active:
    'The webhook is paused or disabled; `webhookStatus` tells which. Make it active with `PATCH /api/v1/webhooks/{id}` and `{"status": "active"}`, which also sends what waits, and ask again.'
}

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const code = (text: string) => escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>")

/** The page of a problem. */
export const page = (problem: { readonly code: string; readonly title: string; readonly status: number }): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(problem.code)} · Property Network</title>
<style>body{font:16px/1.6 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem;color:#1d2433}code{background:#eef1f5;padding:.1em .3em;border-radius:.2em}a{color:#0b5cad}</style>
</head>
<body>
<p><code>${problem.status}</code> <code>${escapeHtml(problem.code)}</code></p>
<h1>${escapeHtml(problem.title)}</h1>
<p>${code(advice[problem.code] ?? "")}</p>
<p><a href="/docs">The API's documentation</a></p>
</body>
</html>
`
