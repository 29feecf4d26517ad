/**
 * The same endpoints as ours, written by hand on Fastify and `pg` for speed. `PEER=strict` authenticates and counts each request
 * in the database; `PEER=shortcut` caches tokens for a minute and counts in the process; `PEER=lean` counts nothing, and creates with no
 * more than three inserts.
 */
import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest } from "fastify"
import { randomUUID, createHmac, hkdfSync, timingSafeEqual } from "node:crypto"
import pg from "pg"
import pino from "pino"
import * as Callers from "./Callers.ts"
import * as Contact from "./Contact.ts"
import * as Create from "./Create.ts"
import { documentOf, Problem, statusOf } from "./Problem.ts"
import * as statements from "./statements.ts"

/** A position: the time and the UUID of the last row of a page. */
type Position = readonly [at: string, uuid: string]

const macBytes = 16

/** Encodes and decodes cursors of the list of contacts, each valid for one team, under the secret key of the service. */
const cursorsUnder = (key: Buffer) => {
  // Derived as in src/platform/secrets/SecretKeys.ts, so that both sides respond with the same cursors.
  const macKey = Buffer.from(hkdfSync("sha256", key, "", "property-network key for cursors", 32))
  const mac = (teamId: string, position: string) =>
    createHmac("sha256", macKey)
      .update(JSON.stringify(["Contacts", teamId, [["include_deleted", false]], position]))
      .digest()
      .subarray(0, macBytes)
  return {
    seal: (teamId: string, position: Position): string => {
      const text = JSON.stringify(position)
      return Buffer.concat([mac(teamId, text), Buffer.from(text)]).toString("base64url")
    },
    open: (teamId: string, cursor: string): Position => {
      const bytes = Buffer.from(cursor, "base64url")
      const text = bytes.subarray(macBytes).toString()
      if (bytes.length <= macBytes || !timingSafeEqual(bytes.subarray(0, macBytes), mac(teamId, text))) {
        throw new Problem("invalid_cursor", "A cursor belongs to one list with one set of filters.")
      }
      const [at = "", id = ""] = JSON.parse(text) as Position
      return [at, id]
    }
  }
}

const {
  DATABASE_URL,
  LOG_LEVEL = "info",
  PEER,
  PORT = "0",
  RATE_LIMIT_CLIENT = "600",
  RATE_LIMIT_PAT = "60",
  SECRET_KEY = ""
} = process.env

const pool = new pg.Pool({
  connectionString: DATABASE_URL,
  max: 10,
  application_name: `peer ${PEER}`,
  options: "-c statement_timeout=10s -c lock_timeout=5s -c idle_in_transaction_session_timeout=30s"
})
const key = Buffer.from(SECRET_KEY, "base64")
const limits = { pat: Number(RATE_LIMIT_PAT), client: Number(RATE_LIMIT_CLIENT) }
const ways: { readonly [way: string]: Callers.Authenticate } = {
  shortcut: Callers.shortcut(pool),
  lean: Callers.lean(pool)
}
const authenticate = ways[PEER ?? ""] ?? Callers.strict(pool, limits)
const cursors = cursorsUnder(key)
const create = PEER === "lean" ? Create.makeLean(pool) : Create.make(pool, key)
// Buffers log lines and writes them outside of requests.
const log = pino({ level: LOG_LEVEL, base: null }, pino.destination({ dest: 2, sync: false, minLength: 4096 }))

const safeRequestId = /^[A-Za-z0-9._-]{1,128}$/

const app = Fastify({
  logger: false,
  disableRequestLogging: true,
  genReqId: ({ headers: { "x-request-id": sent } }) =>
    typeof sent === "string" && safeRequestId.test(sent) ? sent : `req_${randomUUID().replaceAll("-", "")}`,
  keepAliveTimeout: 65_000,
  bodyLimit: 1_048_576,
  ajv: { customOptions: { removeAdditional: false, coerceTypes: false } }
})

declare module "fastify" {
  interface FastifyRequest {
    caller: Callers.Caller | null
  }
}

app.decorateRequest("caller", null)

let baseUrl = ""

app.addHook("onRequest", async (request, reply) => {
  reply.header("x-request-id", request.id)
  const { authorization } = request.headers
  if (authorization === undefined || !authorization.startsWith("Bearer ")) {
    throw new Problem("unauthorized", "Send an access token: Authorization: Bearer <token>.", {
      headers: { "www-authenticate": "Bearer" }
    })
  }
  const counted = await authenticate(authorization.slice(7))
  if (counted === undefined) {
    throw new Problem("unauthorized", "The token is unknown, expired or revoked, or its person left the team.", {
      headers: { "www-authenticate": 'Bearer error="invalid_token"' }
    })
  }
  request.caller = counted.caller
  reply.headers(Callers.admit(counted, limits))
})

app.addHook("onResponse", async (request, reply) => {
  log.info({
    requestId: request.id,
    team: request.caller?.teamId,
    user: request.caller?.userId,
    method: request.method,
    path: request.url.split("?")[0],
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10
  })
})

const refuse = (problem: Problem, request: FastifyRequest, reply: FastifyReply) =>
  reply
    .code(statusOf(problem))
    .headers(problem.headers)
    .type("application/problem+json")
    .serializer((document: string) => document)
    .send(documentOf(problem, baseUrl, request.id))

app.setErrorHandler((error: FastifyError | Problem, request, reply) => {
  if (error instanceof Problem) return refuse(error, request, reply)
  if ((error.statusCode ?? 500) < 500) return refuse(new Problem("invalid_request", error.message), request, reply)
  log.error({ requestId: request.id, err: error })
  return refuse(
    new Problem("internal_error", "Try again; if it stays, tell the operator the request's id."),
    request,
    reply
  )
})

app.setNotFoundHandler((request, reply) =>
  refuse(new Problem("not_found", `There is nothing at ${request.url.split("?")[0]}.`), request, reply)
)

const callerOf = ({ caller }: FastifyRequest): Callers.Caller => {
  if (caller === null) throw new Error("a request without a caller was let in")
  return caller
}

const isUnchanged = (etag: string, ifNoneMatch: string | undefined): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch === etag ||
    ifNoneMatch === "*" ||
    ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag))

const path = "/api/v1/network/contacts"

app.get<{ Params: { id: string } }>(
  `${path}/:id`,
  { schema: { response: { 200: Contact.contactSchema } } },
  async (request, reply) => {
    const {
      rows: [row]
    } = await pool.query<Contact.Row>({
      ...statements.findContact,
      values: [callerOf(request).teamId, Contact.uuidOf(request.params.id)]
    })
    if (row === undefined) throw new Problem("not_found", "There is no contact with this id.")
    if (row.merged_into !== null)
      return reply
        .code(301)
        .header("location", `${path}/${Contact.idOf("contact", row.merged_into)}`)
        .send()
    const contact = Contact.contactOf(row)
    reply.header("etag", contact.etag)
    return isUnchanged(contact.etag, request.headers["if-none-match"]) ? reply.code(304).send() : contact
  }
)

app.get<{ Querystring: { cursor?: string; page_size?: string } }>(
  path,
  { schema: { querystring: Contact.listSchema, response: { 200: Contact.pageSchema } } },
  async (request, reply) => {
    const { teamId } = callerOf(request)
    const { cursor, page_size: pageSize = "50" } = request.query
    const size = Number(pageSize)
    const { rows } = await pool.query<Contact.Row>(
      cursor === undefined
        ? { ...statements.firstContacts, values: [teamId, size + 1] }
        : { ...statements.nextContacts, values: [teamId, size + 1, ...cursors.open(teamId, cursor)] }
    )
    const hasMore = rows.length > size
    const data = (hasMore ? rows.slice(0, size) : rows).map(Contact.contactOf)
    const last = rows[size - 1]
    const nextCursor =
      hasMore && last !== undefined ? cursors.seal(teamId, [last.created_at.toISOString(), last.id]) : null
    if (nextCursor !== null) {
      const url = new URL(request.url, baseUrl)
      url.searchParams.set("cursor", nextCursor)
      reply.header("link", `<${url.href}>; rel="next"`)
    }
    return { data, page: { nextCursor, pageSize: size, hasMore, nextSince: null } }
  }
)

app.post<{ Body: Contact.ContactCreate; Headers: { "idempotency-key"?: string } }>(
  path,
  { schema: { body: Contact.createSchema, response: { 201: Contact.contactSchema } } },
  async (request, reply) => {
    const { contact, replayed } = await create(callerOf(request), request.headers["idempotency-key"], request.body)
    if (replayed) reply.header("idempotency-replayed", "true")
    reply.code(201).header("etag", contact.etag).header("location", `${path}/${contact.id}`)
    return contact
  }
)

// Ends with the process that started it.
process.once("disconnect", () => process.exit())
baseUrl = await app.listen({ host: "127.0.0.1", port: Number(PORT) })
process.stderr.write(`${JSON.stringify({ message: `The peer listens on port ${new URL(baseUrl).port}.` })}\n`)
