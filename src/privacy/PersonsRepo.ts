/** The SQL that finds a person: their contacts in a team with what hangs on these, and their account (docs/privacy.md). */
import * as Id from "../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { inCells, inEach, inTeam } from "../platform/db/Cells.ts"
import { Database } from "../platform/db/Database.ts"
import { orDie } from "../platform/db/DatabaseUnavailable.ts"
import { arrayParameter } from "../platform/db/SetStatements.ts"
import type { Account, OfferOfPerson, PersonInTeam, PersonName } from "./Person.ts"

const distinct = (values: ReadonlyArray<string | null>) => [...new Set(values.filter((value) => value !== null))]

interface ContactRow {
  readonly id: string
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email: string | null
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  const uuids = (values: ReadonlyArray<string>) => arrayParameter(sql, "uuid", values)

  const idsOf = (statement: Fragment) =>
    Effect.map(orDie(sql<{ readonly id: string }>`${statement}`), (rows) => rows.map(({ id }) => id))

  /** The contacts that a name means in a team, and all that are the same person: those that were merged, whichever way. */
  const contactsOf = Effect.fnUntraced(function* (teamId: string, name: PersonName) {
    const named =
      name.by === "contact"
        ? sql`id = ${name.uuid}`
        : name.by === "email"
          ? sql`lower(email) = lower(${name.email}) and deleted_at is null`
          : sql`false`
    const survivors = yield* idsOf(sql`
      select distinct coalesce(merged_into, id) as id from contacts where team_id = ${teamId} and ${named}
      ${
        // One that was deleted is still known by its address for as long as it can be restored.
        name.by === "email"
          ? sql`union select id from deleted_records
            where team_id = ${teamId} and type = 'contact' and lower(fields ->> 'email') = lower(${name.email})
            union select contact_id from erasures where team_id = ${teamId} and hashes && ${name.hashes}::bytea[]`
          : sql``
      }`)
    if (survivors.length === 0) return []
    return yield* orDie(sql<ContactRow>`
      select id, first_name, last_name, email from contacts where team_id = ${teamId} and id = any(${uuids(survivors)})
      union
      select id, first_name, last_name, email from contacts
      where team_id = ${teamId} and merged_into = any(${uuids(survivors)})
      union
      select id, fields ->> 'firstName', fields ->> 'lastName', fields ->> 'email' from deleted_records
      where team_id = ${teamId} and type = 'contact' and id = any(${uuids(survivors)})`)
  })

  /** The offers that reached somebody through these prospects, or as the seller of these projects, in any team. */
  const offersOf = Effect.fnUntraced(function* (
    teamId: string,
    prospects: ReadonlyArray<string>,
    sold: ReadonlyArray<string>
  ) {
    if (prospects.length + sold.length === 0) return []
    const found = orDie(sql<OfferOfPerson>`
      select id, team_id as "teamId" from offers where broker_team_id = ${teamId} and prospect_id = any(${uuids(prospects)})
      union
      select id, team_id from offers
      where broker_team_id = ${teamId} and project_id = any(${uuids(sold)}) and prospect_id is null`)
    if (sql.cells === undefined) return yield* found
    const cells = yield* orDie(sql<{ readonly cell: string }>`
      select cell from offer_cells where broker_team_id = ${teamId}`)
    return yield* inCells(
      cells.map(({ cell }) => cell),
      found
    )
  })

  /** A person whose contacts are known, with what hangs on these. */
  const withAll = Effect.fnUntraced(function* ({
    contacts,
    emails,
    names,
    teamId
  }: Pick<PersonInTeam, "contacts" | "emails" | "names" | "teamId">) {
    return yield* inTeam(teamId)(
      Effect.gen(function* () {
        const publicIds = contacts.map((uuid) => Id.fromUuid("contact", uuid))
        const isTheirs = sql`team_id = ${teamId} and contact_id = any(${uuids(contacts)})`
        const prospects = yield* idsOf(sql`select id from prospects where ${isTheirs}`)
        const ofProspects = sql`team_id = ${teamId} and prospect_id = any(${uuids(prospects)})`
        const sold = yield* idsOf(sql`
          select id from projects where team_id = ${teamId} and seller_contact_id = any(${uuids(contacts)}) and deleted_at is null`)
        const person: PersonInTeam = {
          teamId,
          contacts,
          links: yield* idsOf(sql`select id from links where ${isTheirs}`),
          mandates: yield* idsOf(sql`
            select id from mandates
            where team_id = ${teamId} and investor_id = any(${uuids(contacts)}) and deleted_at is null
            union
            select id from deleted_records
            where team_id = ${teamId} and type = 'mandate' and fields -> 'investor' ->> 'contactId' = any(${publicIds}::text[])`),
          prospects,
          tasks: yield* idsOf(sql`select id from tasks where ${ofProspects}`),
          questions: yield* idsOf(sql`select id from questions where ${ofProspects}`),
          sold,
          offers: yield* offersOf(teamId, prospects, sold),
          names,
          emails
        }
        return person
      })
    )
  })

  /** A person in a team; undefined if no contact there is theirs. */
  const find = Effect.fn("PersonsRepo.find")(function* (teamId: string, name: PersonName) {
    const found = yield* inTeam(teamId)(contactsOf(teamId, name))
    if (found.length === 0) return undefined
    return yield* withAll({
      teamId,
      contacts: [...new Set(found.map(({ id }) => id))],
      names: distinct(
        found.flatMap(({ first_name, last_name }) =>
          first_name === null || last_name === null
            ? []
            : [`${first_name} ${last_name}`, `${last_name} ${first_name}`, `${last_name}, ${first_name}`]
        )
      ),
      emails: distinct(found.map(({ email }) => email?.toLowerCase() ?? null))
    })
  })

  /** A person again, whose contacts are locked by now, with what others have added since they were found. */
  const again = Effect.fn("PersonsRepo.again")((person: PersonInTeam) => withAll(person))

  /** The account that a name means. */
  const findAccount = Effect.fn("PersonsRepo.findAccount")(function* (name: PersonName) {
    if (name.by === "contact") return undefined
    const named = name.by === "user" ? sql`id = ${name.uuid}` : sql`lower(email) = lower(${name.email})`
    const [account] = yield* orDie(sql<Account>`
      select id as uuid, email, name, deleted_at is not null as "isDeleted" from users where ${named} and not is_bot`)
    return account
  })

  /** The teams (UUIDs) that have a contact with this e-mail address. */
  const teamsWith = Effect.fn("PersonsRepo.teamsWith")(function* (email: string, hashes: ReadonlyArray<Uint8Array>) {
    const teams = yield* idsOf(sql`select id from teams order by id`)
    const found = yield* inEach(
      sql,
      idsOf(sql`
        select team.id from unnest(${uuids(teams)}) as team (id)
        where exists (
          select from contacts where team_id = team.id and lower(email) = lower(${email}) and deleted_at is null
        ) or exists (
          select from deleted_records
          where team_id = team.id and type = 'contact' and lower(fields ->> 'email') = lower(${email})
        ) or exists (select from erasures where team_id = team.id and hashes && ${hashes}::bytea[])`)
    )
    return [...new Set(found)].toSorted()
  })

  /** The team (UUID) of a contact, with its e-mail address. */
  const teamOf = Effect.fn("PersonsRepo.teamOf")(function* (contact: string) {
    const [found] = yield* inEach(
      sql,
      orDie(sql<{ readonly teamId: string; readonly email: string | null }>`
        select team_id as "teamId", email from contacts where id = ${contact}`)
    )
    return found
  })

  return { find, again, findAccount, teamsWith, teamOf }
})

/** Finds people. */
export class PersonsRepo extends Context.Service<PersonsRepo, Effect.Success<typeof make>>()("privacy/PersonsRepo") {
  static readonly layer = Layer.effect(PersonsRepo, make)
}
