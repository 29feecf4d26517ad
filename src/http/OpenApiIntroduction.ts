/** The introduction of the API reference, in Markdown: what a newcomer needs for a first integration. */

/** The introduction to an API that clients reach at `baseUrl`. */
export const introduction = (
  baseUrl: string
): string => `The API of Property Network, for brokers' and investors' CRM integrations.

## First call

Ask your administrator for a personal access token, or for an OAuth client, whose id and secret \`POST /openid/token\` exchanges for an access token that is valid for an hour. Send it as a bearer token:

\`\`\`sh
export TOKEN=…
curl '${baseUrl}/api/v1/auth/me' -H "Authorization: Bearer $TOKEN"
curl -X POST '${baseUrl}/api/v1/network/contacts' -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -H 'Idempotency-Key: crm-8812' \\
  -d '{"firstName": "Maria", "externalRefs": [{"namespace": "crm", "externalId": "8812"}]}'
\`\`\`

\`externalRefs\` keep the ids of your system, so that you need no table of ours. \`POST …/batch/upsert\` finds records by them, a hundred at a time.

## Keep a copy in step

A list answers pages; pass \`page.nextCursor\` as \`cursor\` until it is null, even if a page has fewer records than you asked for: a page ends at 2 MiB. The last page has \`page.nextSince\`. Store it, and pass it as \`updated_since\` next time: you get what changed since, and never miss a change. \`include_deleted=true\` adds the deleted records.

\`\`\`sh
curl '${baseUrl}/api/v1/network/contacts' -H "Authorization: Bearer $TOKEN"
curl '${baseUrl}/api/v1/network/contacts?updated_since=NEXT_SINCE&include_deleted=true' -H "Authorization: Bearer $TOKEN"
\`\`\`

## Hear of changes

\`POST /api/v1/webhooks\` subscribes a URL to events. Deliveries are signed, retried for about 35 hours, and may arrive twice or out of order: verify the signature, store the message, answer 2xx within ten seconds, then read the resource. \`GET /api/v1/changes\` lists the same events for those who would rather ask.

## Write safely

- **Updates** are merge patches: members that you leave out stay, null clears. Send the \`etag\` that you read as \`If-Match\`; 412 and 409 \`concurrency_conflict\` mean that someone else was faster: read again and retry.
- **Creates** with \`Idempotency-Key\` are safe to repeat.
- \`Prefer: dry-run\` does everything but commit, and reports what a write would do.

## Errors

Refusals are \`application/problem+json\` (RFC 9457): \`code\` is for programs, \`detail\` for people, \`errors\` lists all faults at once (the first 20, and \`moreErrors\` says how many more there are), and \`type\` links to an explanation; [all problems](${baseUrl}/help). Checks have a fixed order: 401, 429, 403 and 404, 415 and 400 (syntax), 428, 412, 400 (validation), 409. Any request may also be answered 400 \`malformed_request\` (it is not well-formed HTTP/1.1), 404, 405 \`method_not_allowed\`, 408 \`request_timeout\`, 431 \`headers_too_large\`, 500 and 503.

## Limits

60 requests a minute for a personal access token, 600 for an OAuth client; \`RateLimit\` on each answer says what is left, and 429 says in \`Retry-After\` when to go on. JSON bodies have at most 4 MiB and 50,000 values (413 \`payload_too_large\`), batches 100 items, pages 500 rows.

## Stability

Ids are opaque. Answers may get new members, and enumerations in answers new values, without notice.`
