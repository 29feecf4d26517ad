/** A person with a marker in everything that users can write about one, and the places where it stands. */
import * as Id from "../../src/core/Id.ts"
import * as UseCaseRequest from "../../src/core/usecase/UseCaseRequest.ts"
import type * as Tenant from "../support/Tenant.ts"
import { Effect, Stream } from "effect"
import { randomBytes } from "node:crypto"
import { inEach, inTeam } from "../../src/platform/db/Cells.ts"
import { Database } from "../../src/platform/db/Database.ts"
import { FileStore } from "../../src/platform/fileStore/FileStore.ts"
import { SecretBox } from "../../src/platform/secrets/SecretBox.ts"
import type { Json } from "../../src/core/usecase/Input.ts"
import { fromStored } from "../../src/core/usecase/Idempotency.ts"
import { OfferLifecycle } from "../../src/deals/lifecycle/OfferLifecycle.ts"
import { AccessLifecycle } from "../../src/deals/lifecycle/AccessLifecycle.ts"
import { Messages } from "../../src/deals/messages/Messages.ts"
import { Questions } from "../../src/deals/rooms/questions/Questions.ts"
import { broker, investor } from "../deals/offers/OffersClient.ts"
import { accept, as } from "../deals/messages/fixture.ts"
import { open } from "../deals/rooms/fixture.ts"
import { TestService } from "../support/TestService.ts"

/** A text that nothing else has: eight letters and digits, as a subtag of a language can have. */
export const newMarker = () => `zq${randomBytes(3).toString("hex")}`

const requestOf = (body: Json = {}, key?: string) =>
  UseCaseRequest.make({
    operation: `test ${key ?? ""}`,
    query: {},
    body,
    ...(key === undefined ? {} : { idempotencyKey: key })
  })

const fileOf = (name: string, text: string) => ({
  ...UseCaseRequest.make({ operation: "test", query: {} }),
  file: Effect.succeed({
    filename: name,
    contentType: `text/${text.slice(0, 8)}`,
    content: Stream.make(new TextEncoder().encode(text))
  })
})

/** Plants the marker: a broker's contact with all that a broker and an investor can write about them, and by them. */
export const plant = Effect.fn("privacy.plant")(function* (marker: string) {
  const sql = yield* Database
  const { request } = yield* TestService
  const seller = yield* broker()
  const buyer = yield* investor()
  const email = `${marker}@example.com`
  yield* Effect.orDie(sql`
    update users set email = ${email}, name = ${`${marker} ${marker}`}, first_name = ${marker}, last_name = ${marker},
      phone = ${`+49 ${marker}`}, profile_picture_url = ${`https://cdn.example.com/${marker}`} where id = ${buyer.userId}`)
  yield* Effect.orDie(sql`update memberships set sort_name = ${marker} where user_id = ${buyer.userId}`)
  yield* Effect.orDie(sql`
    insert into sessions (id, hash, user_id, created_at, last_used_at, expires_at, user_agent, address)
    values (gen_random_uuid(), ${randomBytes(32)}, ${buyer.userId}, now(), now(), now() + interval '1 day', ${marker}, ${marker})`)
  yield* Effect.orDie(sql`
    insert into upstream_subjects (issuer, subject, user_id, created_at) values ('https://id.example.com', ${marker}, ${buyer.userId}, now())`)
  yield* Effect.orDie(sql`
    insert into saved_filters (id, user_id, page, name, query, created_at)
    values (gen_random_uuid(), ${buyer.userId}, '/console', ${marker}, ${marker}, now())`)
  yield* Effect.orDie(sql`
    insert into invitations (id, hash, team_id, email, role, created_at, expires_at)
    values (gen_random_uuid(), ${randomBytes(32)}, ${seller.teamId}, ${email}, 'member', now(), now() + interval '1 day')`)
  yield* Effect.orDie(sql`update tokens set name = ${marker} where user_id = ${buyer.userId}`)
  const buying = { ...buyer, email }
  const { ask } = seller
  let number = 0
  /** A create, with an idempotency key. */
  const post = <Body extends object = { readonly id: string; readonly etag: string }>(path: string, json: unknown) =>
    Effect.map(
      request<Body>("POST", `/api/v1${path}`, {
        token: seller.token,
        json,
        headers: { "idempotency-key": `${marker}-${number++}` }
      }),
      ({ body, status }) => {
        if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
        return body
      }
    )
  const remove = (path: string) =>
    Effect.map(ask("DELETE", `/api/v1${path}`), ({ body, status }) => {
      if (status !== 204) throw new Error(`DELETE ${path}: ${status} ${JSON.stringify(body)}`)
    })
  const patch = (path: string, json: unknown) => ask("PATCH", `/api/v1${path}`, json)
  const long = `${marker} ${"core-plus offices ".repeat(40)}`
  const contact = yield* post("/network/contacts", {
    firstName: marker,
    lastName: marker,
    email,
    phone: `+49 ${marker}`,
    primaryLanguage: `de-x-${marker}`,
    tags: [marker],
    strategy: long,
    linkedInUrl: `https://www.linkedin.com/in/${marker}`,
    profilePictureUrl: `https://cdn.example.com/${marker}.png`,
    externalRefs: [{ namespace: "crm", externalId: marker }]
  })
  // One that was merged into it, with a tombstone of its own.
  const double = yield* post("/network/contacts", {
    lastName: `${marker} double`,
    externalRefs: [{ namespace: "old", externalId: `${marker}-double` }]
  })
  yield* post(`/network/contacts/${contact.id}/merge`, { from: [double.id] })
  const company = yield* post("/network/companies", { name: "Rossi Immobiliare" })
  const former = yield* post("/network/companies", { name: "Former Ltd" })
  const link = yield* post("/network/links", {
    contactId: contact.id,
    companyId: company.id,
    jobTitle: marker,
    externalRefs: [{ namespace: "crm", externalId: `${marker}-link` }]
  })
  const ended = yield* post("/network/links", {
    contactId: contact.id,
    companyId: former.id,
    jobTitle: marker,
    externalRefs: [{ namespace: "crm", externalId: `${marker}-ended` }]
  })
  yield* remove(`/network/links/${ended.id}`)
  const mandate = yield* post("/mandates", {
    name: marker,
    description: marker,
    investor: { contactId: contact.id },
    country: "DE",
    categories: ["office"],
    externalRefs: [{ namespace: "crm", externalId: `${marker}-mandate` }]
  })
  const deletedMandate = yield* post("/mandates", {
    name: `${marker} gone`,
    investor: { contactId: contact.id },
    externalRefs: [{ namespace: "crm", externalId: `${marker}-gone` }]
  })
  yield* remove(`/mandates/${deletedMandate.id}`)
  const note = yield* post(`/network/contacts/${contact.id}/notes`, { message: marker })
  yield* request("PATCH", `/api/v1/network/contacts/${contact.id}/notes/${note.id}`, {
    token: seller.token,
    json: { message: `${marker} again` },
    headers: { "if-match": "*" }
  })
  const form = new FormData()
  form.append("file", new Blob([marker], { type: `text/${marker}` }), `${marker}.txt`)
  yield* request("POST", `/api/v1/network/contacts/${contact.id}/files`, { token: seller.token, form })

  // On a project.
  const prospects = `/projects/${seller.projectId}/prospects`
  const prospect = yield* post(prospects, {
    contactId: contact.id,
    classification: marker,
    projectTags: [marker],
    externalRefs: [{ namespace: "deals", externalId: marker }]
  })
  const path = `${prospects}/${prospect.id}`
  yield* patch(path, { classification: "contacted" })
  yield* patch(path, { classification: `${marker}_x` })
  yield* patch(path, { stage: "im", stageReason: marker })
  yield* post(`${path}/notes`, { message: marker })
  yield* post(`${prospects}/classify`, { prospectIds: [prospect.id], classification: marker, note: marker })
  yield* post(`${path}/tasks`, { type: "call", dueDate: "2099-01-01", note: marker })
  yield* seller.communicate()
  const [offer] = yield* buyer.offers()
  // On a project whose offer is rejected, and on one from which the prospect was deleted.
  const rejected = yield* seller.project(yield* seller.property())
  yield* seller.patch(rejected, { options: { location: "country", categories: "shown" } })
  yield* inTeam(seller.teamId)(
    Effect.orDie(
      sql`update teasers set published_at = now() where subject_id = ${Id.toUuid("project", rejected) ?? ""}`
    )
  )
  yield* post(`/projects/${rejected}/prospects`, { contactId: contact.id })
  yield* seller.communicate({ all: true }, rejected)
  const other = (yield* buyer.offers()).find(({ id }) => id !== offer?.id)
  const { reject } = yield* OfferLifecycle
  yield* as(buying, reject(other?.id ?? "", requestOf({ reason: marker })))
  const left = yield* post("/projects", { name: "Left" })
  const gone = yield* post(`/projects/${left.id}/prospects`, {
    contactId: contact.id,
    externalRefs: [{ namespace: "deals", externalId: `${marker}-left` }]
  })
  yield* remove(`/projects/${left.id}/prospects/${gone.id}`)
  const offerId = offer?.id ?? ""
  const sellerActor = { ...seller, userId: Id.toUuid("user", seller.user) ?? "" }
  const { askFor, answer, ask: asks, draft } = yield* Questions
  const { logCall, send, share } = yield* Messages
  const asBuyer = <A, E, R>(useCase: Effect.Effect<A, E, R>) => as(buying, useCase)
  const asSeller = <A, E, R>(useCase: Effect.Effect<A, E, R>) => as({ ...sellerActor, email: seller.email }, useCase)
  return {
    seller,
    buyer: buying,
    email,
    contact,
    double,
    company,
    link,
    mandate,
    prospect,
    offerId,
    path,
    prospectsPath: prospects,
    asBuyer,
    asSeller,
    post,
    uses: { askFor, answer, asks, draft, logCall, send, share },
    access: yield* AccessLifecycle
  }
})

/** Everything that the planted person and the broker say to each other, and ask in a room. */
export const converse = Effect.fn("privacy.converse")(function* (
  marker: string,
  planted: Effect.Success<ReturnType<typeof plant>>
) {
  const { access, asBuyer, asSeller, buyer, offerId, prospect, seller, uses } = planted
  yield* accept(buyer, offerId)
  yield* asSeller(uses.send(prospect.id, requestOf({ text: marker }, `${marker}-send`)))
  yield* asBuyer(uses.send(offerId, requestOf({ text: marker }, `${marker}-reply`)))
  yield* asSeller(uses.share(prospect.id, fileOf(`${marker}.pdf`, marker)))
  yield* asBuyer(uses.share(offerId, fileOf(`${marker}-own.pdf`, marker)))
  yield* asSeller(uses.logCall(prospect.id, requestOf({ note: marker }, `${marker}-call`)))
  const room = yield* open({ teamId: seller.teamId, userId: Id.toUuid("user", seller.user) ?? "" }, seller.projectId)
  const other = yield* seller.prospectFor((yield* investor()).email)
  yield* asSeller(access.grant(room.id, requestOf({ prospectIds: [prospect.id, other.id] })))
  const asked = yield* asBuyer(uses.asks(room.id, requestOf({ text: marker }, `${marker}-ask`)))
  const questions = `/api/v1/projects/${seller.projectId}/rooms/${room.id}/questions`
  yield* asSeller(uses.answer(asked.value.id, requestOf({ text: `${marker} answer`, audience: "all" })))
  // Another one has a draft.
  const { value } = yield* asSeller(
    uses.askFor(room.id, requestOf({ text: `${marker} too`, prospectId: prospect.id }, `${marker}-for`))
  )
  yield* seller.ask("PUT", `${questions}/${value.id}/draft-answer`, { text: `${marker} draft` })
  return { room, other, buyer }
})

/** Where the marker stands in the database, as `table.column`, and in the file store, as `object`. Stored answers are opened. */
export const traces = Effect.fn("privacy.traces")(function* (marker: string) {
  const sql = yield* Database
  const box = (yield* SecretBox).for("idempotency answers")
  const store = yield* FileStore
  const columns = yield* sql<{ readonly table: string; readonly column: string; readonly type: string }>`
    select t.table_schema || '.' || t.table_name as table, c.column_name as column, c.data_type as type
    from information_schema.tables t join information_schema.columns c using (table_schema, table_name)
    where t.table_type = 'BASE TABLE' and t.table_schema in ('public', 'graphile_worker')
      and (c.data_type in ('text', 'character varying', 'json', 'jsonb', 'bytea') or c.udt_name in ('_text', '_bytea'))
    order by 1, 2`
  const pattern = `%${marker}%`
  const hex = `%${Buffer.from(marker).toString("hex")}%`
  const selects = columns.map(({ column, table, type }) => {
    const name = table.replace(/^public\./, "")
    const text = type === "bytea" ? hex : pattern
    return `(select '${name}.${column}' as place from ${sql.cells === undefined ? table : name}
      where "${column}"::text ilike '${text}' limit 1)`
  })
  // Citus plans no such union over tables of a cell and others.
  const statements = sql.cells === undefined ? [selects.join(" union all ")] : selects
  const found = yield* inEach(
    sql,
    Effect.map(
      Effect.forEach(statements, (statement) =>
        Effect.orDie(sql.unsafe<{ readonly place: string }>(statement).unprepared)
      ),
      (rows) => rows.flat()
    )
  )
  const answers = yield* inEach(
    sql,
    Effect.orDie(
      sql<{ readonly scope: Uint8Array; readonly answer: Uint8Array }>`select scope, answer from idempotency_keys`
    )
  )
  const opened = yield* Effect.forEach(answers, ({ answer, scope }) =>
    Effect.map(Effect.exit(box.open(answer, Buffer.from(scope).toString("hex"))), (exit) =>
      exit._tag === "Success" ? fromStored(exit.value) : ""
    )
  )
  const [space] = yield* sql<{ readonly id: string }>`select id from file_space`
  const objects: Array<string> = []
  for (const namespace of [space?.id ?? "", `${space?.id ?? ""}.erasures`]) {
    const ids = yield* Stream.runCollect(store.list(namespace, new Date(Date.now() + 86_400_000)))
    for (const id of ids) {
      const chunks = yield* Stream.runCollect(store.read({ namespace, id }, undefined))
      if (Buffer.concat([...chunks]).includes(marker)) objects.push(id)
    }
  }
  return [
    ...new Set([
      ...found.map(({ place }) => place),
      ...(opened.some((text) => text.includes(marker)) ? ["idempotency_keys.answer"] : []),
      ...(objects.length > 0 ? ["object"] : [])
    ])
  ].toSorted()
})

/** Adds a webhook of a team with deliveries of the events that name these ids, whose receiver answered with a marker: rows, as the worker writes them. */
export const deliverTo = Effect.fn("privacy.deliverTo")(function* (
  tenant: Pick<Effect.Success<ReturnType<typeof Tenant.make>>, "teamId">,
  ids: ReadonlyArray<string>,
  marker: string
) {
  const sql = yield* Database
  const webhookId = crypto.randomUUID()
  yield* inTeam(tenant.teamId)(
    Effect.gen(function* () {
      yield* sql`
        insert into webhooks (id, team_id, version, created_at, updated_at, change_type, change_origin, name, url, events, status,
          secret_sealed)
        values (${webhookId}, ${tenant.teamId}, 1, now(), now(), 'created', 'api', 'crm', 'https://crm.example.com/', '{*}', 'active', '\\x00')`
      const events = yield* sql<{ readonly id: string; readonly type: string }>`
        select id, type from events
        where team_id = ${tenant.teamId} and body like any(${ids.map((id) => `%"${id}"%`)}::text[])`
      for (const { id, type } of events) {
        const delivery = crypto.randomUUID()
        yield* sql`
          insert into deliveries (id, team_id, webhook_id, event_id, event_type, status, created_at, attempt_count, claimed,
            replayed_attempts)
          values (${delivery}, ${tenant.teamId}, ${webhookId}, ${id}, ${type}, 'delivered', now(), 1, false, 0)`
        yield* sql`
          insert into delivery_attempts (delivery_id, number, started_at, duration_ms, status_code, response_headers,
            response_body, team_id)
          values (${delivery}, 1, now(), 5, 200, ${JSON.stringify({ "x-person": marker })}::jsonb, ${marker}, ${tenant.teamId})`
      }
    })
  )
})
