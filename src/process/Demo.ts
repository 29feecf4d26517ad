/** The demo data of a first start: a team, a broker with a token, a few contacts, and a project with properties and prospects. */
import * as UseCaseRequest from "../core/usecase/UseCaseRequest.ts"
import * as SystemUser from "../platform/SystemUser.ts"
import * as Transaction from "../platform/db/Transaction.ts"
import { Effect, Option } from "effect"
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { actAs, asOperator } from "../core/auth/CurrentActor.ts"
import { Authentication } from "../core/auth/Authentication.ts"
import { Passwords } from "../identity/signIn/Passwords.ts"
import { Tokens } from "../identity/tokens/Tokens.ts"
import type { Json } from "../core/usecase/Input.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { Users } from "../identity/users/Users.ts"
import { Contacts } from "../network/contacts/Contacts.ts"
import { Projects } from "../deals/projects/Projects.ts"
import { Properties } from "../market/properties/Properties.ts"
import { ProspectBatches } from "../deals/prospects/ProspectBatches.ts"

/** The e-mail address of the demo broker. */
export const email = "demo@property-network.example"

const people = [
  {
    firstName: "Anna",
    lastName: "Berg",
    email: "anna.berg@nordkapital.example",
    phone: "+49 30 5550101",
    primaryLanguage: "de-DE",
    tags: ["logistics", "core-plus"]
  },
  {
    firstName: "Luca",
    lastName: "Moretti",
    email: "luca@moretti-immobili.example",
    primaryLanguage: "it-IT",
    tags: ["office"]
  },
  {
    firstName: "Sofie",
    lastName: "Lindqvist",
    email: "sofie@lindqvistfonder.example",
    primaryLanguage: "sv-SE",
    tags: ["residential", "core"]
  },
  {
    firstName: "Pieter",
    lastName: "de Vries",
    email: "p.devries@kanaalvastgoed.example",
    primaryLanguage: "nl-NL",
    tags: ["retail"]
  },
  {
    firstName: "Claire",
    lastName: "Dubois",
    email: "claire.dubois@seineinvest.example",
    primaryLanguage: "fr-FR",
    tags: ["hotel", "value-add"],
    strategy: "City hotels from 80 rooms, in need of repositioning"
  }
]

const buildings = [
  {
    name: "Speicherhaus am Hafen",
    country: "DE",
    locality: "Hamburg",
    address: { street: "Am Sandtorkai", houseNumber: "48", postalCode: "20457" },
    coordinates: { latitude: 53.5436, longitude: 9.9943 },
    categories: ["office"],
    tenure: "freehold",
    lettableArea: { value: 8_240, unit: "sqm", standard: "gla" },
    yearBuilt: 1908,
    yearRenovated: 2017,
    tags: ["multi_tenant", "heritage_listed", "waterfront"],
    pricing: { askingPrice: { value: 52_000_000, currency: "EUR" }, qualifier: "guide" }
  },
  {
    name: "Logistikpark Billwerder",
    country: "DE",
    locality: "Hamburg",
    coordinates: { latitude: 53.5126, longitude: 10.0903 },
    categories: ["logistics"],
    subcategories: ["distribution_warehouse"],
    lettableArea: { value: 24_500, unit: "sqm" },
    industrial: { clearHeightM: 12.2, dockDoors: 32 },
    tags: ["single_tenant", "fully_let", "motorway_access"],
    income: { passingRent: { value: 1_764_000, currency: "EUR" }, waultToBreak: { value: 6.5, unit: "years" } }
  }
]

const tokenFile = (dataDir: string) => join(dataDir, "demo-token")

const createTeam = Effect.gen(function* () {
  const teams = yield* Teams
  const users = yield* Users
  const team = yield* teams.create({ name: "Demo Brokers", plan: "plus" })
  yield* users.create({
    email,
    teamId: team.id,
    role: "admin",
    name: "Demo Broker",
    broker: "active",
    investor: "active"
  })
})

const createRecords = Effect.fnUntraced(function* (token: string) {
  const contacts = yield* Contacts
  const properties = yield* Properties
  const projects = yield* Projects
  const batches = yield* ProspectBatches
  const authentication = yield* Authentication
  const { actor } = yield* authentication.authenticate(token)
  const request = (body: Json) => UseCaseRequest.make({ operation: "demo", query: {}, body })
  yield* Effect.gen(function* () {
    const contactsCreated = yield* Effect.forEach(people, (person) => contacts.create(request(person)))
    const propertiesCreated = yield* Effect.forEach(buildings, (building) => properties.create(request(building)))
    const project = yield* projects.create(
      request({
        name: "Hafenquartier",
        exclusivity: "exclusive",
        propertyIds: propertiesCreated.map(({ value }) => value.id)
      })
    )
    yield* batches.addBatch(
      project.value.id,
      request({
        items: contactsCreated.slice(0, 3).map(({ value }) => ({ contactId: value.id, projectTags: ["first-round"] }))
      })
    )
  }).pipe(actAs({ ...actor, origin: "system" }))
})

const readToken = (dataDir: string) =>
  Effect.option(Effect.tryPromise(async () => (await readFile(tokenFile(dataDir), "utf8")).trim()))

const isValid = Effect.fnUntraced(function* (token: string) {
  const authentication = yield* Authentication
  return yield* Effect.match(authentication.authenticate(token), { onFailure: () => false, onSuccess: () => true })
})

const createToken = Effect.fnUntraced(function* (dataDir: string) {
  const tokens = yield* Tokens
  const { token } = yield* tokens.create({ email, name: "demo" })
  yield* Effect.promise(() => writeFile(tokenFile(dataDir), `${token}\n`, { mode: 0o600 }))
  yield* Effect.promise(() => SystemUser.handOver(tokenFile(dataDir)))
  return token
})

/**
 * Returns a valid token of the demo broker, if possible that of the last start. Creates the demo data if the database is
 * new (`isNew`). Returns `undefined` when the database has data, but no demo broker.
 */
export const token = Effect.fn("Demo.token")(function* (dataDir: string, isNew: boolean) {
  // In one transaction: if the process is killed, the next start finds a new database again.
  if (isNew) yield* Transaction.run(createTeam)
  const stored = yield* readToken(dataDir)
  if (!isNew && Option.isSome(stored) && (yield* isValid(stored.value))) return stored.value
  const created = yield* createToken(dataDir).pipe(Effect.option)
  if (Option.isNone(created)) return undefined
  if (isNew) yield* createRecords(created.value)
  return created.value
}, asOperator)

/** The link by which the demo broker sets a password and signs in. */
export const signInLink = asOperator(
  Effect.flatMap(Passwords, ({ createLink }) => Effect.map(Effect.orDie(createLink(email)), ({ link }) => link))
)
