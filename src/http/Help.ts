/** The help pages of problems: `type` of a problem links to `/help/{code}`. */

/** What each problem means and how to solve it, by code. */
export const advice: { readonly [code: string]: string } = {
  invalid_request:
    "The body, a parameter or a header is not valid. `errors` lists every fault with its location. Fix all of them and send the request again.",
  malformed_json:
    "The body is not JSON in UTF-8, or it is nested deeper than 64 levels. Check how your program builds and encodes it.",
  malformed_multipart:
    "The body is not the form that its `Content-Type` announces, or it ended before the last boundary. Let your HTTP library build the form and the `Content-Type` with the boundary. The service keeps nothing of an incomplete file.",
  range_not_satisfiable:
    "`Range` begins beyond the end of the file. `Content-Range` contains the size of the file in bytes. If you have as many bytes, your download is complete.",
  storage_unavailable:
    "The service cannot reach its file storage, or the storage is full. Nothing was stored in part. Try again after `Retry-After` seconds. If the problem persists, give the request id to the operator.",
  malformed_request: "The server cannot parse this as an HTTP request.",
  invalid_cursor:
    "A cursor belongs to one list, one team and one set of filters, and only the service can create one. Send `page.nextCursor` back unchanged, or start again without a cursor.",
  unauthorized:
    "The request has no token, or the token is unknown, expired or revoked, or its user left the team. Get a new token. Personal access tokens are valid for 30 days, access tokens for an hour.",
  capability_required:
    "The operation needs a capability (`broker` or `investor`) that is verified for the caller. `GET /api/v1/auth/me` lists the caller's capabilities.",
  insufficient_scope: "The token lacks a scope that the operation needs. Request a token with the scope `api:public`.",
  membership_pending: "The caller was invited to the team but has not accepted the invitation yet. Accept it first.",
  not_found:
    "The caller can see nothing at this address. It may never have existed, it may have been deleted, or it may belong to another team.",
  method_not_allowed: "The path does not support this method. The `Allow` header lists the methods that it supports.",
  request_timeout: "The request did not arrive within the server's time limit. Send it again.",
  concurrency_conflict:
    "Another change was committed between the check of `If-Match` and this change, which was therefore not applied. `currentEtag` is the ETag after the other change, or null if the resource is gone. Handle it like 412 `precondition_failed`: fetch the latest version, apply your change to it, and send it with the new ETag.",
  duplicate:
    "The network already has such a record. `candidates` lists possible matches. Update one of them, or repeat the request with `force=true` if yours is a different one.",
  external_reference_taken:
    "Another resource holds this external reference. `holderId` is its id. A reference belongs to only one resource of a type at a time.",
  merged:
    "The record was merged into another one, together with everything that belonged to it. Send the change to that record. `mergedInto` is its id.",
  idempotency_in_progress: "The first request with this key is still running. Repeat this request in a moment.",
  idempotency_key_reused:
    "An earlier request used this key with a different body. A key identifies one request: use a new key for each new request.",
  resync_required:
    "The service keeps deletions for 90 days, and has removed some that your delta would have to list. Read the whole list without `updated_since`, drop every record that it does not contain, then continue with `updated_since` set to `page.nextSince` of its last page. The journal (`GET /api/v1/changes`) keeps events for 90 days too, and a service that was restored from a backup may not know your number. Read the lists in full, then continue with the `after` that `detail` names.",
  precondition_failed:
    "The resource has changed since the version that `If-Match` names. `currentEtag` is its current ETag; null, on an item of an upsert, if the record does not exist any more. Fetch the latest version, apply your change to it, and send it with the new ETag. Handle 409 `concurrency_conflict` in the same way: it answers when the other change is committed while your request runs.",
  precondition_required: "This operation requires `If-Match` with the ETag of the resource that you read.",
  payload_too_large:
    "The limit is 4 MiB and 50,000 values for a JSON body, and 104,857,600 bytes for a file. Send less in one request.",
  unsupported_media_type:
    "Send the body as `application/json` (a PATCH also as `application/merge-patch+json`) in UTF-8 and without `Content-Encoding`, and a file as `multipart/form-data`.",
  query_too_expensive:
    "The search or list reads more than the service reads for one request, and was canceled. `detail` says what to narrow: compare fewer or longer texts, sort by `createdUtc`, add conditions that few records meet, such as on tags, ids or times, or ask for a smaller page. The same request would take as long again.",
  rate_limited:
    "The caller has exceeded its rate limit, or too many writes or searches of its team are waiting for their turn; `detail` says which. Nothing was changed. Send the request again after `Retry-After` seconds. `RateLimit` on every answer shows how many requests remain in the window. Send fewer requests at the same time: those of a team run side by side only so far, and others wait.",
  headers_too_large: "The header fields are larger than the server accepts. Send fewer or shorter ones.",
  internal_error:
    "The service failed unexpectedly. It applied a write either completely or not at all. Repeat the request with the same `Idempotency-Key`, or check the resource first. If the problem persists, give the request id to the operator.",
  unavailable:
    "The service cannot reach its database at the moment, or is too busy for searches. Try again after `Retry-After` seconds. Repeat a create with the same `Idempotency-Key`, because the first attempt may have succeeded.",
  note_move_refused:
    "Only the latest revision of a note can be superseded or unarchived, and an archived note must be unarchived before it is superseded. `state` is the note's current state. `supersededByActivityId` is the id of the next revision.",
  validation_failed:
    "`mandate` is the former name of `exclusivity`, and the request sets both. Send only `exclusivity`. Remove `mandate` when you send back a project that you read.",
  property_on_project:
    "The property is in the `propertyIds` of projects that are not closed; `projectIds` names them. Take it off these projects first, or repeat the request with `?force=true`, which takes it off all its projects.",
  project_shared:
    "A teaser of the project was communicated, or a prospect has access to one of its rooms. Close the project instead with `POST /api/v1/projects/{id}/close`. Its history is kept, and its rooms wind down.",
  project_not_deleted:
    "The project is not deleted. Only a deleted project can be restored, within 30 days after its deletion.",
  prospect_exists:
    "The contact or company is already on the project's list. `prospectId` is the id of that prospect. Update it instead.",
  prospect_removed:
    "The prospect was removed from the project's list. It can still be read. To change it, restore it first with `POST …/prospects/{id}/restore`.",
  task_move_refused:
    "The task's state does not allow this move. `from` is its current state. Only an open task can be completed or canceled, and only a completed task can be reopened. To cancel a completed task, reopen it first. To replace a canceled task, create another one.",
  question_move_refused:
    "The question's state does not allow this move. `from` is its current state. An answer can be drafted and published until one was published; a closed question does not change. What is still unclear is a new question.",
  room_refused:
    "The room is closed, or its project is. What is in a closed room can be read, and does not change. A room is opened in an open project only.",
  project_closed:
    "The project is closed. Reopen it with `POST /api/v1/projects/{id}/reopen` to go on. While it is closed, its teasers stay as they are and reach nobody.",
  teaser_incomplete:
    "A published teaser shows at least a category and the country. Complete the properties, or let `options` show more of them.",
  teaser_not_published: "Only a published teaser can be verified or communicated. Publish it first.",
  teaser_communicated: "Investors have the teaser, so its publication cannot be withdrawn. Close the project instead.",
  offer_answered:
    "The offer was accepted or rejected before, as `answer` says, and an answer cannot be changed. The same answer again would have been accepted and changed nothing.",
  offer_not_open:
    "The offer was removed or closed, or has expired, as `offerStatus` says. It can be answered when the broker restores the prospect, reopens the project or communicates the teaser again.",
  chat_not_open:
    "Broker and investor can exchange messages and files once the investor has accepted the offer, until it is removed or the project is closed.",
  no_room_access: "The prospect has no access to the room, so it cannot ask there. Grant access first.",
  asker_without_access:
    "The investor who asked has lost access to the room, so that the answer would reach nobody. Grant access again, publish the answer for all members, or close the question.",
  question_limit_reached:
    "The room takes `limit` questions of each prospect, and this one has asked as many. Raise the limit of the room, or ask in another way.",
  questions_not_taken:
    "The room is not open, its questions are turned off, or its deadline for them has passed. `detail` says which.",
  ambiguous_reference:
    "The reference of a tool's argument means several records. Look at the `candidates`, and call again with the id of the one that is meant.",
  timeline_read_only:
    "The timeline of an offer is read-only. Write the note on the project, the prospect, or the contact or company.",
  origin_not_allowed:
    "A page of another origin called the endpoint of the tools. The operator can allow its origin with `ALLOWED_ORIGINS`, or for the tools alone with `MCP_ALLOWED_ORIGINS`. Programs that are no pages send no `Origin`.",
  conflict: "The current state does not allow this. `detail` says why, and what to do about it.",
  prospect_not_removed: "The prospect is on the list, so there is nothing to restore.",
  investor_deleted:
    "The prospect's contact or company was deleted from the network, so the prospect cannot return to the list. Its timeline is kept.",
  quota_exceeded:
    "Each team has quotas, so that no team fills the disk for all. `quota` says which one is used up, `limit` how much it allows, and `used` how much there is; both are null if the quota is that of another team, to which you write. Deleted records count until they are removed for good, after 90 days; deleted files do not. Delete files, wait, or ask the operator of the service to raise the quota: repeating the request does not help before.",
  webhook_limit_reached: "A team can have at most 20 webhooks. Delete one that you no longer need.",
  webhooks_off:
    "The operator of this service has turned webhooks off, as for a copy of another service. Events are recorded, and their deliveries wait until webhooks are turned on.",
  webhook_not_active:
    'The webhook is paused or disabled, as `webhookStatus` says. Activate it with `PATCH /api/v1/webhooks/{id}` and `{"status": "active"}`, which also sends its waiting events, and repeat the request.'
}

/** Text as HTML. */
export const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** Text as HTML, with code between backticks. */
export const code = (text: string) => escapeHtml(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>")

/** What a help page says of its problem. */
interface Described {
  readonly code: string
  readonly title: string
  readonly status: number
}

const layout = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Property Network</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>body{font:16px/1.6 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem;color:#1d2433}code{background:#eef1f5;padding:.1em .3em;border-radius:.2em}a{color:#0b5cad}</style>
</head>
<body>
${body}
</body>
</html>
`

/** The help page of a problem, in HTML. */
export const page = (problem: Described): string =>
  layout(
    problem.code,
    `<p><code>${problem.status}</code> <code>${escapeHtml(problem.code)}</code></p>
<h1>${escapeHtml(problem.title)}</h1>
<p>${code(advice[problem.code] ?? "")}</p>
<p><a href="/help">All problems</a> · <a href="/docs">API reference</a></p>`
  )

/** The list of all help pages, in HTML. */
export const indexPage = (problems: ReadonlyArray<Described>): string => {
  const rows = [...problems]
    .sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1))
    .map(
      ({ code, status, title }) =>
        `<li><code>${status}</code> <a href="/help/${code.replaceAll("_", "-")}"><code>${escapeHtml(code)}</code></a> ${escapeHtml(title)}</li>`
    )
  return layout(
    "Problems",
    `<h1>Problems</h1>
<p>Every refusal of the API is one of these. Programs tell them apart by <code>code</code>.</p>
<ul>
${rows.join("\n")}
</ul>
<p><a href="/docs">API reference</a></p>`
  )
}
