/** The events of projects and prospects that a subscriber receives, each verified and compared as a whole. */
import * as Id from "../../../src/core/Id.ts"
import * as MemoryWorker from "../../../src/platform/jobs/MemoryWorker.ts"
import * as Tenant from "../../support/Tenant.ts"
import * as Receiver from "../../core/outbound/Receiver.ts"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Webhook as Verifier } from "standardwebhooks"
import { Worker } from "../../../src/platform/jobs/Worker.ts"
import { handlers } from "../../../workers/handlers.ts"
import { aClient } from "../../core/auth/fixtures.ts"
import { reach } from "../../support/milestones.ts"
import { TestService } from "../../support/TestService.ts"

type Payload = Readonly<Record<string, unknown>>

// A service of its own: its worker would do the jobs that other files left, too.
const service = MemoryWorker.layer(handlers).pipe(Layer.provideMerge(TestService.layerOwn))

const verified = (secret: string, { body, headers }: Receiver.Received) =>
  new Verifier(secret).verify(body, {
    "webhook-id": String(headers["webhook-id"]),
    "webhook-timestamp": String(headers["webhook-timestamp"]),
    "webhook-signature": String(headers["webhook-signature"])
  }) as Payload

layer(service, { excludeTestServices: true })("A subscriber to projects and prospects", (it) => {
  it.effect("receives every event with exactly the documented members", () =>
    Effect.gen(function* () {
      const { request } = yield* TestService
      const { drain } = yield* Worker
      const tenant = yield* Tenant.make()
      const client = yield* aClient(tenant.teamId)
      const clientId = Id.fromUuid("client", client.id)
      const issued = yield* request<{ readonly access_token: string }>("POST", "/openid/token", {
        headers: { "content-type": "application/x-www-form-urlencoded" },
        text: new URLSearchParams({
          grant_type: "client_credentials",
          client_id: clientId,
          client_secret: client.secret
        }).toString()
      })
      const receiver = yield* Receiver.make((response) => response.writeHead(204).end())
      const subscribed = yield* request<{ readonly secret: string }>("POST", "/api/v1/webhooks", {
        token: tenant.token,
        json: {
          url: `http://127.0.0.1:${receiver.port}/`,
          events: [
            ...["created", "updated", "deleted", "restored"].map((what) => `project.${what}`),
            ...["created", "updated", "deleted"].map((what) => `prospect.${what}`)
          ]
        }
      })
      assert.strictEqual(subscribed.status, 201, subscribed.text)
      const expected: Array<Payload> = []
      // The project of each prospect, and its contact or company, which all of its events name.
      const subjects = new Map<string, object>()
      const people = [
        { token: tenant.token, by: { actor_user_id: tenant.user, change_initiator: null } },
        {
          token: issued.body.access_token,
          by: {
            actor_user_id: Id.fromUuid("user", client.botId),
            change_initiator: { type: "oauth_client", client_id: clientId }
          }
        }
      ]
      const operator = { actor_user_id: null, change_initiator: null }
      for (const { by, token } of people) {
        const ask = Effect.fnUntraced(function* (method: string, path: string, json?: unknown) {
          const reply = yield* request<{ readonly id: string }>(method, `/api/v1${path}`, {
            token,
            ...(json === undefined ? {} : { json })
          })
          assert.isBelow(reply.status, 300, `${method} ${path} ${reply.text}`)
          return reply.body.id
        })
        const expect = (event: string, resource_id: string, more: object = {}, who: object = by) =>
          expected.push({
            event,
            resource_type: event.split(".", 1)[0],
            resource_id,
            ...who,
            ...more,
            ...subjects.get(resource_id)
          })
        const causedBy = (cause: readonly [event: string, id: string] | undefined) =>
          cause === undefined ? {} : { caused_by: { event: cause[0], resource_id: cause[1] } }
        const updated = (
          resource: "project" | "prospect",
          id: string,
          changed_fields: unknown,
          action?: object,
          { cause, who = by }: { readonly who?: object; readonly cause?: readonly [event: string, id: string] } = {}
        ) =>
          expect(
            `${resource}.updated`,
            id,
            { changed_fields, ...(action === undefined ? {} : { action }), ...causedBy(cause) },
            who
          )
        const contact = yield* ask("POST", "/network/contacts", { firstName: "Maria" })
        const company = yield* ask("POST", "/network/companies?force=true", { name: "Rossi Immobiliare" })

        const ref = { namespace: "crm", externalId: `p ${token}`.slice(0, 40) }
        const external_refs = [{ namespace: ref.namespace, id: ref.externalId }]
        const project = yield* ask("POST", "/projects", { name: "Quartier", externalRefs: [ref] })
        expect("project.created", project)
        yield* ask("PATCH", `/projects/${project}`, { name: "Quartier Süd", isPortfolio: true, propertyCount: 4 })
        updated("project", project, ["name", "is_portfolio", "property_count"])
        yield* ask("PATCH", `/projects/${project}`, { mandate: "exclusive" })
        updated("project", project, ["mandate", "exclusivity"])
        yield* ask("PATCH", `/projects/${project}`, { description: "Two blocks" })
        updated("project", project, ["description"])
        yield* ask("POST", `/projects/${project}/close`)
        updated("project", project, ["closed_at"], { type: "closed" })
        yield* ask("POST", `/projects/${project}/reopen`)
        updated("project", project, ["closed_at"], { type: "reopened" })

        const prospects = `/projects/${project}/prospects`
        const maria = yield* ask("POST", prospects, { contactId: contact, externalRefs: [ref] })
        subjects.set(maria, { project_id: project, contact_id: contact })
        expect("prospect.created", maria, { action: { type: "added" } })
        const rossi = yield* ask("POST", prospects, { companyId: company })
        subjects.set(rossi, { project_id: project, company_id: company })
        expect("prospect.created", rossi, { action: { type: "added" } })
        yield* ask("PATCH", `${prospects}/${maria}`, { classification: "contacted", interest: "maybe", stage: "im" })
        updated("prospect", maria, null, { type: "classified", from: "not_contacted", to: "contacted" })
        updated("prospect", maria, null, { type: "interest_changed", to: "maybe" })
        updated("prospect", maria, null, { type: "stage_overridden", from: "not_contacted", to: "im" })
        yield* ask("DELETE", `${prospects}/${maria}/stage-override`)
        updated("prospect", maria, null, { type: "stage_overridden", from: "im", to: "not_contacted" })
        yield* ask("PATCH", `${prospects}/${maria}`, { interest: null, projectTags: ["a"] })
        updated("prospect", maria, null, { type: "interest_changed", from: "maybe" })
        updated("prospect", maria, ["project_tags"])
        const { body } = yield* request<{ readonly classified: ReadonlyArray<{ readonly noteId: string }> }>(
          "POST",
          `/api/v1${prospects}/classify`,
          { token, json: { prospectIds: [maria], classification: "bidder", note: "Called" } }
        )
        updated("prospect", maria, null, {
          type: "classified",
          from: "contacted",
          to: "bidder",
          note_id: body.classified[0]?.noteId
        })
        updated(
          "prospect",
          maria,
          null,
          { type: "interest_changed", to: "interested" },
          { cause: ["prospect.updated", maria] }
        )
        yield* ask("POST", `${prospects}/${maria}/remove`)
        updated("prospect", maria, ["deleted_at"], { type: "removed" })
        yield* ask("POST", `${prospects}/${maria}/restore`)
        updated("prospect", maria, ["deleted_at"], { type: "restored" })

        // Owner, tasks, notes and expiry have events of other types.
        yield* ask("PATCH", `${prospects}/${maria}`, { owner: "me" })
        yield* ask("POST", `${prospects}/${maria}/tasks`, { type: "call", dueDate: "today" })
        yield* ask("POST", `${prospects}/${maria}/notes`, { message: "Called again" })

        yield* ask("DELETE", `/projects/${project}`)
        const deletion = causedBy(["project.deleted", project])
        expect("prospect.deleted", maria, { external_refs, ...deletion })
        expect("prospect.deleted", rossi, { external_refs: [], ...deletion })
        expect("project.deleted", project, { external_refs })
        yield* ask("POST", `/projects/${project}/restore`)
        expect("project.restored", project)
        yield* ask("DELETE", `/network/companies/${company}`)
        updated("prospect", rossi, ["deleted_at"], { type: "removed" }, { cause: ["company.deleted", company] })
        yield* ask("DELETE", `${prospects}/${rossi}`)
        expect("prospect.deleted", rossi, { external_refs: [] })
        yield* reach(project, maria, "teaser_communicated")
        updated("project", project, ["communicated_at"], undefined, {
          who: operator,
          cause: ["prospect.teaser_communicated", maria]
        })
        updated(
          "prospect",
          maria,
          null,
          { type: "stage_raised", from: "not_contacted", to: "teaser" },
          { who: operator }
        )
      }
      yield* drain

      const received = receiver.received
        .map((one) => ({ request: one, payload: verified(subscribed.body.secret, one) }))
        .sort((a, b) => Number(a.payload["action_id"]) - Number(b.payload["action_id"]))
      const inAnyOrder = (payloads: ReadonlyArray<Payload>) =>
        // The events of one cascade have no defined order.
        payloads.map((one) => JSON.stringify(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))).toSorted()
      assert.deepStrictEqual(
        received.map(({ payload: { action_id: _, timestamp: _at, ...rest } }) => rest["event"]),
        expected.map(({ event }) => event)
      )
      assert.deepStrictEqual(
        received
          .map(({ payload: { action_id: _, timestamp: _at, ...rest } }) => rest)
          .filter(({ event }) => event !== "prospect.deleted"),
        expected.filter(({ event }) => event !== "prospect.deleted")
      )
      assert.deepStrictEqual(
        inAnyOrder(received.map(({ payload: { action_id: _, timestamp: _at, ...rest } }) => rest)),
        inAnyOrder(expected)
      )
      for (const {
        payload,
        request: { headers }
      } of received) {
        assert.strictEqual(headers["x-service-event"], payload["event"])
        assert.match(String(payload["timestamp"]), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        assert.isNumber(payload["action_id"])
      }
      assert.strictEqual(
        new Set(received.map(({ request: { headers } }) => headers["webhook-id"])).size,
        received.length
      )
    })
  )
})
