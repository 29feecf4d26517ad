/** Creates a contact with everything that belongs to it, in one transaction. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto"
import type { Pool, PoolClient } from "pg"
import { typeid } from "typeid-js"
import type { Caller } from "./Callers.ts"
import { type Contact, type ContactCreate, contactOf, idOf, nameOf, referenceOf, type Row } from "./Contact.ts"
import { Problem } from "./Problem.ts"
import * as statements from "./statements.ts"

const sha256 = (...parts: ReadonlyArray<string>) => createHash("sha256").update(JSON.stringify(parts)).digest()

const newUuid = (): string => typeid().toUUID()

/** Serializes a value canonically, whatever the order of its members. */
const canonical = (value: unknown): string => {
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  return `{${Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, item]) => `${JSON.stringify(name)}:${canonical(item)}`)
    .join(",")}}`
}

const additional = (scope: string) => Buffer.concat([Buffer.from([1]), Buffer.from(scope)])

const seal = (key: Buffer, plain: string, scope: string): Buffer => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(additional(scope))
  return Buffer.concat([Buffer.from([1]), nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()])
}

const open = (key: Buffer, sealed: Buffer, scope: string): string => {
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(1, 13)).setAAD(additional(scope))
  decipher.setAuthTag(sealed.subarray(-16))
  return decipher.update(sealed.subarray(13, -16)).toString() + decipher.final("utf8")
}

const inTransaction = async <A>(pool: Pool, run: (client: PoolClient) => Promise<A>): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query({ name: "begin", text: "begin" })
    const value = await run(client)
    await client.query({ name: "commit", text: "commit" })
    return value
  } catch (error) {
    await client.query("rollback")
    throw error
  } finally {
    client.release()
  }
}

const languageOf = (tag: string | null): string | null =>
  tag === null ? null : (Intl.getCanonicalLocales(tag)[0] ?? null)

/** The row of a new contact. */
const rowOf = (body: ContactCreate, at: Date): Row => ({
  id: newUuid(),
  version: "1",
  created_at: at,
  updated_at: at,
  change_type: "created",
  change_origin: "api",
  deleted_at: null,
  merged_into: null,
  first_name: body.firstName ?? null,
  last_name: body.lastName ?? null,
  email: body.email ?? null,
  phone: body.phone ?? null,
  primary_language: languageOf(body.primaryLanguage ?? null),
  primary_company_id: null,
  tags: [...new Set(body.tags)],
  strategy: body.strategy ?? null,
  linked_in_url: body.linkedInUrl ?? null,
  profile_picture_url: body.profilePictureUrl ?? null,
  deleted_refs: null,
  external_refs: (body.externalRefs ?? []).map(({ externalId, namespace }) => `${namespace}:${externalId}`)
})

const refuseDuplicate = async (client: PoolClient, teamId: string, email: string) => {
  await client.query({ ...statements.claimEmail, values: [`contact email ${teamId} `, email] })
  const { rows } = await client.query<Pick<Row, "id" | "first_name" | "last_name" | "email">>({
    ...statements.sameEmail,
    values: [teamId, email]
  })
  if (rows.length === 0) return
  throw new Problem("duplicate", "A contact with this e-mail address exists. Update it, or write with force=true.", {
    members: { candidates: rows.map((row) => ({ id: idOf("contact", row.id), name: nameOf(row), email: row.email })) }
  })
}

const taken = (namespace: string, externalId: string) =>
  new Problem("external_reference_taken", `${namespace}:${externalId} belongs to another contact.`)

const insertRow = async (client: PoolClient, { teamId }: Caller, row: Row) => {
  await client.query({
    ...statements.insertContact,
    values: [
      row.id,
      teamId,
      row.created_at.toISOString(),
      row.first_name,
      row.last_name,
      row.email,
      row.phone,
      row.primary_language,
      row.primary_company_id,
      row.tags,
      row.strategy,
      row.linked_in_url,
      row.profile_picture_url
    ]
  })
  const references = row.external_refs.map(referenceOf)
  if (references.length === 0) return
  const namespaces = references.map(({ namespace }) => namespace)
  const externalIds = references.map(({ externalId }) => externalId)
  const { rowCount } = await client.query({
    ...statements.insertReferences,
    values: [teamId, row.id, namespaces, externalIds]
  })
  if (rowCount !== namespaces.length) throw taken(namespaces[0] ?? "", externalIds[0] ?? "")
}

const insert = async (client: PoolClient, caller: Caller, row: Row) => {
  const references = row.external_refs.map(referenceOf)
  if (row.email !== null) await refuseDuplicate(client, caller.teamId, row.email)
  if (references.length > 0) {
    const {
      rows: [holder]
    } = await client.query<{ readonly namespace: string; readonly external_id: string }>({
      ...statements.holders,
      values: [
        caller.teamId,
        references.map(({ namespace }) => namespace),
        references.map(({ externalId }) => externalId)
      ]
    })
    if (holder !== undefined) throw taken(holder.namespace, holder.external_id)
  }
  await insertRow(client, caller, row)
}

interface Begun {
  readonly at: Date
  readonly transaction_id: string
  readonly number: string
}

const record = async (client: PoolClient, caller: Caller, contact: Contact, uuid: string, begun: Begun) => {
  const { clientId, teamId, userId } = caller
  const eventId = newUuid()
  const at = begun.at.toISOString()
  const body = JSON.stringify({
    event: "contact.created",
    resource_type: "contact",
    resource_id: contact.id,
    timestamp: at,
    action_id: Number(begun.number),
    actor_user_id: idOf("user", userId),
    change_initiator: clientId === null ? null : { type: "oauth_client", client_id: idOf("client", clientId) }
  })
  const messageId = `msg_${createHash("sha256").update(eventId).digest("base64url").slice(0, 27)}`
  await client.query({
    ...statements.record,
    values: [
      newUuid(),
      begun.number,
      teamId,
      at,
      userId,
      clientId,
      uuid,
      begun.transaction_id,
      eventId,
      messageId,
      body
    ]
  })
  await client.query({
    ...statements.addJob,
    values: [JSON.stringify({ teamId, transactionId: begun.transaction_id, at })]
  })
}

/** A contact, and whether the response is a repetition for an idempotency key. */
export interface Made {
  readonly contact: Contact
  readonly replayed: boolean
}

const keptFor = async (
  client: PoolClient,
  key: Buffer,
  scope: Buffer,
  bodyHash: Buffer,
  at: Date
): Promise<Contact | undefined> => {
  const {
    rows: [lock]
  } = await client.query<{ readonly free: boolean }>({
    ...statements.tryLock,
    values: [scope.readBigInt64BE(0).toString()]
  })
  if (lock?.free !== true) throw new Problem("idempotency_in_progress", "Repeat this request in a moment.")
  const {
    rows: [kept]
  } = await client.query<{ readonly body_hash: Buffer; readonly answer: Buffer }>({
    ...statements.keptAnswer,
    values: [scope, at.toISOString()]
  })
  if (kept === undefined) return undefined
  if (!kept.body_hash.equals(bodyHash)) throw new Problem("idempotency_key_reused", "Use a new key for a new request.")
  return JSON.parse(open(key, kept.answer, scope.toString("hex"))) as Contact
}

/** Creates contacts. Seals stored responses under the secret key of the service. */
export const make =
  (pool: Pool, key: Buffer) =>
  (caller: Caller, idempotencyKey: string | undefined, body: ContactCreate): Promise<Made> =>
    inTransaction(pool, async (client) => {
      const {
        rows: [begun]
      } = await client.query<Begun>({ ...statements.beginChange, values: [caller.teamId] })
      if (begun === undefined) throw new Error("begin_change answered nothing")
      const create = async (): Promise<Contact> => {
        const row = rowOf(body, begun.at)
        await insert(client, caller, row)
        const contact = contactOf(row)
        await record(client, caller, contact, row.id, begun)
        return contact
      }
      if (idempotencyKey === undefined) return { contact: await create(), replayed: false }
      const scope = sha256(caller.teamId, caller.userId, "POST contacts", idempotencyKey)
      const bodyHash = sha256(canonical(body))
      const kept = await keptFor(client, key, scope, bodyHash, begun.at)
      if (kept !== undefined) return { contact: kept, replayed: true }
      const contact = await create()
      await client.query({
        ...statements.keepAnswer,
        values: [
          caller.teamId,
          scope,
          bodyHash,
          seal(key, JSON.stringify(contact), scope.toString("hex")),
          begun.at.toISOString()
        ]
      })
      return { contact, replayed: false }
    })

/** Creates contacts in three inserts: the row, its references, and a row of its timeline. Nobody hears of it, and no answer is kept. */
export const makeLean =
  (pool: Pool) =>
  (caller: Caller, _: string | undefined, body: ContactCreate): Promise<Made> =>
    inTransaction(pool, async (client) => {
      const row = rowOf(body, new Date())
      await insertRow(client, caller, row)
      await client.query({
        ...statements.insertAction,
        values: [newUuid(), caller.teamId, row.created_at.toISOString(), caller.userId, caller.clientId]
      })
      return { contact: contactOf(row), replayed: false }
    })
