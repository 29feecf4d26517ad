/** What a first start has before it is ready: a team, a broker with a token, and the link that signs in. `DemoData.ts` makes the rest. */
import * as Id from "../core/Id.ts"
import * as DemoData from "./DemoData.ts"
import * as SystemUser from "../platform/SystemUser.ts"
import * as Transaction from "../platform/db/Transaction.ts"
import { Effect, Option } from "effect"
import { existsSync } from "node:fs"
import { readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { asOperator } from "../core/auth/CurrentActor.ts"
import { Authentication } from "../core/auth/Authentication.ts"
import { Passwords } from "../identity/signIn/Passwords.ts"
import { Tokens } from "../identity/tokens/Tokens.ts"
import { Teams } from "../identity/teams/Teams.ts"
import { Users } from "../identity/users/Users.ts"

/** The e-mail address of the demo broker. */
export const email = "demo@property-network.example"

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

/** Exists from the first start on until the demo data is complete. */
const unfinishedFile = (dataDir: string) => join(dataDir, "demo-unfinished")

/**
 * Returns a valid token of the demo broker, if possible that of the last start. Creates the broker and their team if the database is new
 * (`isNew`). Returns `undefined` when the database has data, but no demo broker.
 */
export const token = Effect.fn("Demo.token")(function* (dataDir: string, isNew: boolean) {
  if (isNew) {
    yield* Effect.promise(() => writeFile(unfinishedFile(dataDir), ""))
    // In one transaction: if the process is killed, the next start finds a new database again.
    yield* Transaction.run(createTeam)
  }
  const stored = yield* readToken(dataDir)
  if (!isNew && Option.isSome(stored) && (yield* isValid(stored.value))) return stored.value
  const created = yield* createToken(dataDir).pipe(Effect.option)
  return Option.getOrUndefined(created)
}, asOperator)

/** Makes the demo data that an earlier start has not made, or not to its end. It takes seconds, in which the service runs already. */
export const fill = Effect.fn("Demo.fill")(function* (dataDir: string) {
  if (!existsSync(unfinishedFile(dataDir))) return
  const { oldest } = yield* Teams
  const [team] = yield* asOperator(oldest(1))
  if (team === undefined) return
  yield* DemoData.createAll({ email, teamId: Id.fromUuid("team", team.uuid) }).pipe(
    Effect.andThen(Effect.promise(() => rm(unfinishedFile(dataDir), { force: true }))),
    Effect.catchCause((cause) =>
      Effect.logWarning("The demo data is not complete. The next start goes on with it.", cause)
    )
  )
})

/** The link by which the demo broker sets a password and signs in. */
export const signInLink = asOperator(
  Effect.flatMap(Passwords, ({ createLink }) => Effect.map(Effect.orDie(createLink(email)), ({ link }) => link))
)
