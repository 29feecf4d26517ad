/** Exports of what is held about a person: docs/privacy.md#access. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { buffer } from "node:stream/consumers"
import { type Actor, actAs, asOperator } from "../../src/core/auth/CurrentActor.ts"
import type { Where } from "../../src/privacy/People.ts"
import { PersonExports } from "../../src/privacy/PersonExports.ts"
import { deal } from "../deals/offers/OffersClient.ts"
import * as ContactsClient from "../support/ContactsClient.ts"
import * as Tenant from "../support/Tenant.ts"
import { TestService } from "../support/TestService.ts"
import { unzip } from "./archive.ts"

const exported = (person: string, where: Where) =>
  Effect.gen(function* () {
    const exports = yield* PersonExports
    const { bytes } = yield* asOperator(exports.open(person, where))
    const files = yield* Effect.promise(async () => unzip(await buffer(bytes)))
    const json = (path: string): ReadonlyArray<Record<string, unknown>> => JSON.parse(files.get(path) ?? "null")
    const index = JSON.parse(files.get("index.json") ?? "{}") as {
      readonly contents: ReadonlyArray<{
        readonly file: string
        readonly table: string
        readonly rows: number
        readonly [member: string]: unknown
      }>
    }
    return { files, json, index }
  })

layer(TestService.layer, { excludeTestServices: true })("privacy export", (it) => {
  it.effect("has everything of a contact: records, timeline, notes, files with their content, stored answers", () =>
    Effect.gen(function* () {
      const { create, request, team, token } = yield* ContactsClient.make()
      const headers = { "idempotency-key": "k1" }
      const { body } = yield* create({ firstName: "Maria", lastName: "Rossi", email: "maria@rossi.example" }, headers)
      const path = `/api/v1/network/contacts/${body.id}`
      yield* request("POST", `${path}/notes`, { token, json: { message: "Called on Friday." } })
      const form = new FormData()
      form.append("file", new Blob(["the letter"]), "letter.txt")
      yield* request("POST", `${path}/files`, { token, form })
      const { files, index, json } = yield* exported("Maria@Rossi.example", { team })
      assert.deepInclude(json(`${team}/contacts.json`)[0], {
        id: body.id,
        firstName: "Maria",
        email: "maria@rossi.example"
      })
      assert.include(files.get(`${team}/timelines.json`), "Called on Friday.")
      const [content] = [...files].filter(([name]) => name.endsWith("/letter.txt"))
      assert.strictEqual(content?.[1], "the letter")
      assert.include(files.get(`${team}/stored-answers.json`), "maria@rossi.example")
      assert.deepInclude(index.contents, {
        file: `${team}/contacts.json`,
        holds: "Contacts",
        table: "contacts",
        team,
        rows: 1,
        kept: "until deleted",
        retention: { RETENTION_DELETED_CONTENT_DAYS: 30, RETENTION_TOMBSTONES_DAYS: 90 }
      })
      // Of what is empty, the index says nothing.
      assert.isFalse(index.contents.some(({ rows }) => rows === 0))
    })
  )

  it.effect("has in all teams what one is called by its address, and the account, but no hash of a secret", () =>
    Effect.gen(function* () {
      const { buyer, offerId, prospect, seller } = yield* deal()
      const { files, json } = yield* exported(buyer.email, { all: true })
      assert.strictEqual(json(`${seller.team}/prospects.json`)[0]?.["id"], prospect.id)
      assert.strictEqual(json(`${seller.team}/offers-of-investors.json`)[0]?.["id"], offerId)
      assert.strictEqual(json("account/users.json")[0]?.["id"], buyer.user)
      const [token] = json("account/tokens.json")
      assert.strictEqual(token?.["name"], "test")
      assert.isFalse(Object.keys(token ?? {}).some((member) => /hash/i.test(member)))
      assert.isFalse([...files.keys()].some((path) => path.startsWith(buyer.team)))
    })
  )

  it.effect("is for operators and signed-in administrators, of their own team: no token is enough", () =>
    Effect.gen(function* () {
      const [own, other] = [yield* ContactsClient.make(), yield* ContactsClient.make()]
      yield* own.create({ email: "maria@rossi.example" })
      const exports = yield* PersonExports
      const admin = { ...Tenant.actorOf(own), origin: "app" as const }
      const open = (actor: Actor, where: Where) =>
        Effect.map(Effect.exit(actAs(actor)(exports.open("maria@rossi.example", where))), (exit) => exit._tag)
      assert.deepStrictEqual(
        [
          yield* open(admin, { team: own.team }),
          yield* open({ ...admin, origin: "api" }, { team: own.team }),
          yield* open({ ...admin, origin: "mcp" }, { team: own.team }),
          yield* open({ ...admin, role: "member" }, { team: own.team }),
          yield* open(admin, { team: other.team }),
          yield* open(admin, { all: true })
        ],
        ["Success", "Failure", "Failure", "Failure", "Failure", "Failure"]
      )
    })
  )
})
