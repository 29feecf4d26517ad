/** The SQL that reads all rows of a person, a page at a time, for exports (docs/privacy.md#access). */
import * as Id from "../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { inCells, inTeam } from "../platform/db/Cells.ts"
import { Database } from "../platform/db/Database.ts"
import { orDie } from "../platform/db/DatabaseUnavailable.ts"
import { arrayParameter } from "../platform/db/SetStatements.ts"
import type { Account, OfferOfPerson, PersonInTeam } from "./Person.ts"
import { patternsOf } from "./RedactionsRepo.ts"
import { exportedRow } from "./rules.ts"

/** Rows of one table that are a person's. */
export interface Source {
  readonly kind: string
  readonly table: string
  /** The team whose rows they are; undefined for those of an account. */
  readonly teamId: string | undefined
  /** The rows, as `t`, and the condition that they meet. */
  readonly from: Fragment
  readonly where: Fragment
  /** The columns by which the rows are read in order; each row has its own values. */
  readonly key: ReadonlyArray<string>
}

/** A row, and where to go on after it. */
export interface Row {
  readonly row: { readonly [member: string]: unknown }
  readonly after: string
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  const uuids = (values: ReadonlyArray<string>) => arrayParameter(sql, "uuid", values)

  /** The rows of timelines that are a person's: those of the team's own records, and in other teams those of the offers that they got. */
  const actionsOf = (teamId: string, subjects: ReadonlyArray<string>): Fragment => sql`
    t.id = any(array(
      select action_id from action_subjects where team_id = ${teamId} and subject_id = any(${uuids(subjects)})))`

  /** Events of these records: each was written with a row of their timelines, or with one of the records themselves. */
  const eventsOf = (person: PersonInTeam, resources: ReadonlyArray<string>): Fragment => sql`
    t.occurred_at = any(array(
      select occurred_at from action_subjects where team_id = ${person.teamId} and subject_id = any(${uuids(resources)})))
    and (t.resource_id = any(${uuids(resources)}) or t.body like any(${patternsOf(person)}::text[]))`

  /** Everything that a team has of a person, but for stored answers, which are sealed. */
  const ofTeam = (person: PersonInTeam): ReadonlyArray<Source> => {
    const { contacts, emails, links, mandates, offers, prospects, questions, sold, tasks, teamId } = person
    const source = (
      kind: string,
      where: Fragment,
      {
        from = sql`${sql.literal(kind)} t`,
        key = ["id"],
        of = teamId,
        table = kind
      }: {
        readonly from?: Fragment
        readonly key?: ReadonlyArray<string>
        readonly of?: string
        readonly table?: string
      } = {}
    ): Source => ({ kind, table, teamId: of, from, where: sql`t.team_id = ${of} and ${where}`, key })
    const ofProspects = sql`t.prospect_id = any(${uuids(prospects)})`
    const resources = [...contacts, ...links, ...mandates, ...prospects, ...tasks, ...questions]
    const subjects = [...contacts, ...prospects, ...mandates]
    const events = sql`from events t where t.team_id = ${teamId} and ${eventsOf(person, resources)}`
    return [
      source("contacts", sql`t.id = any(${uuids(contacts)})`),
      source("links", sql`t.id = any(${uuids(links)})`),
      source("external_references", sql`t.resource_id = any(${uuids(resources)})`, {
        key: ["resource_type", "namespace", "external_id"]
      }),
      source("mandates", sql`t.id = any(${uuids(mandates)})`),
      source("prospects", sql`t.id = any(${uuids(prospects)})`),
      source("tasks", ofProspects),
      source(
        "communications",
        sql`(${ofProspects} or t.id = any(array(
          select id from communications where team_id = ${teamId} and email = any(${emails}::text[]))) or
          (t.project_id = any(${uuids(sold)}) and t.prospect_id is null))`
      ),
      source("room_access", ofProspects, { key: ["room_id", "prospect_id"] }),
      source("questions", ofProspects),
      source("timelines", actionsOf(teamId, subjects), { from: sql`actions t`, table: "actions" }),
      source(
        "messages",
        sql`t.action_id = any(array(
        select action_id from action_subjects where team_id = ${teamId} and subject_id = any(${uuids(prospects)})))`,
        {
          key: ["action_id"]
        }
      ),
      source(
        "bids",
        sql`t.action_id = any(array(
        select action_id from action_subjects where team_id = ${teamId} and subject_id = any(${uuids(prospects)})))`,
        {
          key: ["action_id"]
        }
      ),
      source("files", sql`t.subject_id = any(${uuids([...contacts, ...prospects, ...offers.map(({ id }) => id)])})`),
      source("events", eventsOf(person, resources)),
      source("deliveries", sql`t.event_id = any(array(select t.id ${events}))`),
      source(
        "delivery_attempts",
        sql`t.delivery_id = any(array(
        select id from deliveries where team_id = ${teamId} and event_id = any(array(select t.id ${events}))))`,
        {
          key: ["delivery_id", "number"]
        }
      ),
      source(
        "deleted_records",
        sql`((t.type = 'contact' and t.id = any(${uuids(contacts)})) or (t.type = 'link' and t.id = any(${uuids(links)}))
          or (t.type = 'mandate' and t.id = any(${uuids(mandates)})) or t.cause_id = any(${uuids(contacts)}))`,
        { key: ["type", "id"] }
      ),
      // It belongs to no cell.
      {
        kind: "audit_log",
        table: "audit_log",
        teamId: undefined,
        from: sql`audit_log t`,
        where: sql`t.target_id = any(${contacts.map((uuid) => Id.fromUuid("contact", uuid))}::text[]) and t.team_id = ${teamId}`,
        key: ["id"]
      },
      // In the teams of investors.
      ...[...Map.groupBy(offers, (offer) => offer.teamId)].flatMap(([of, some]) => {
        const ids = some.map(({ id }) => id)
        return [
          source("offers", sql`t.id = any(${uuids(ids)})`, { of }),
          source("timelines", actionsOf(of, ids), { from: sql`actions t`, of, table: "actions" })
        ]
      })
    ]
  }

  /** Everything that belongs to an account. */
  const ofAccount = ({ uuid }: Account): ReadonlyArray<Source> => {
    const source = (table: string, where: Fragment, key: ReadonlyArray<string> = ["id"]): Source => ({
      kind: table,
      table,
      teamId: undefined,
      from: sql`${sql.literal(table)} t`,
      where,
      key
    })
    const isTheirs = sql`t.user_id = ${uuid}`
    return [
      source("users", sql`t.id = ${uuid}`),
      source("memberships", isTheirs, ["team_id"]),
      source("sessions", isTheirs),
      source("tokens", isTheirs),
      source("grants", isTheirs),
      source("upstream_subjects", isTheirs, ["issuer", "subject"]),
      source("sign_in_links", isTheirs, ["created_at"]),
      source("saved_filters", isTheirs),
      source("invitations", sql`lower(t.email) = (select lower(email) from users where id = ${uuid})`),
      source("audit_log", sql`(t.actor_id = ${uuid} or t.target_id = ${Id.fromUuid("user", uuid)})`)
    ]
  }

  const read = ({ from, key, table, where }: Source, after: string | null, limit: number) => {
    const order = sql.literal(`concat_ws(' ', ${key.map((column) => `t.${column}::text`).join(", ")})`)
    return Effect.map(
      orDie(sql<{ readonly row: { readonly [column: string]: unknown }; readonly after: string }>`
        select to_jsonb(t) as row, ${order} as after from ${from}
        where ${where} ${after === null ? sql`` : sql`and ${order} > ${after}`}
        order by 2 limit ${limit}`),
      (rows) => rows.map(({ after, row }): Row => ({ row: exportedRow(table, row), after }))
    )
  }

  /** The next rows of a source after one, at most `limit`. */
  const page = Effect.fn("PersonRowsRepo.page")((source: Source, after: string | null, limit: number) =>
    source.teamId === undefined ? read(source, after, limit) : inTeam(source.teamId)(read(source, after, limit))
  )

  /** When the rows of a person were written, in their team: so were the answers to the requests that wrote them. */
  const timesOf = Effect.fn("PersonRowsRepo.timesOf")(function* (person: PersonInTeam) {
    const { contacts, links, mandates, prospects, questions, tasks, teamId } = person
    const ids = uuids([...contacts, ...links, ...mandates, ...prospects, ...tasks, ...questions])
    const times = yield* inTeam(teamId)(
      orDie(sql<{ readonly at: Date }>`
        select occurred_at as at from action_subjects
          where team_id = ${teamId} and subject_id = any(${uuids([...contacts, ...prospects, ...mandates])})
        union select created_at from contacts where team_id = ${teamId} and id = any(${ids})
        union select created_at from links where team_id = ${teamId} and id = any(${ids})
        union select created_at from mandates where team_id = ${teamId} and id = any(${ids})
        union select created_at from prospects where team_id = ${teamId} and id = any(${ids})
        union select created_at from tasks where team_id = ${teamId} and id = any(${ids})
        union select created_at from questions where team_id = ${teamId} and id = any(${ids})`)
    )
    return times.map(({ at }) => at)
  })

  /**
   * The stored answers of a team, sealed, that were written at one of these times, or just before it: what one team asks another one to
   * write gets its time there a little later.
   */
  const answersOf = Effect.fn("PersonRowsRepo.answersOf")((teamId: string, times: ReadonlyArray<Date>) =>
    inTeam(teamId)(
      orDie(sql<{ readonly scope: Uint8Array; readonly answer: Uint8Array; readonly created_at: Date }>`
        select distinct scope, answer, created_at from unnest(${times}::timestamptz[]) as written (at)
        join idempotency_keys on created_at between written.at - interval '1 second' and written.at
        where team_id = ${teamId}`)
    )
  )

  /** The teams (UUIDs) of an account. */
  const teamsOf = Effect.fn("PersonRowsRepo.teamsOf")(function* ({ uuid }: Account) {
    const rows = yield* orDie(sql<{ readonly id: string }>`
      select team_id as id from memberships where user_id = ${uuid} order by team_id`)
    return rows.map(({ id }) => id)
  })

  /** The stored answers of a team, sealed, some at a time, in the order of their scopes. There are those of a day. */
  const answersAfter = Effect.fn("PersonRowsRepo.answersAfter")((teamId: string, after: Uint8Array) =>
    inTeam(teamId)(
      orDie(sql<{ readonly scope: Uint8Array; readonly answer: Uint8Array; readonly created_at: Date }>`
        select scope, answer, created_at from idempotency_keys
        where team_id = ${teamId} and scope > ${after} order by scope limit 1000`)
    )
  )

  /** The rows of these timelines that were written at some of these times. */
  const actionsAt = Effect.fn("PersonRowsRepo.actionsAt")(
    (teamId: string, subjects: ReadonlyArray<string>, times: ReadonlyArray<Date>) =>
      inTeam(teamId)(
        Effect.map(
          orDie(sql<{ readonly id: string }>`
            select distinct action_id as id from action_subjects
            where team_id = ${teamId} and subject_id = any(${uuids(subjects)}) and occurred_at = any(${times}::timestamptz[])`),
          (found) => found.map(({ id }) => id)
        )
      )
  )

  /** All offers of these projects, in the teams of investors. */
  const offersOnProjects = Effect.fn("PersonRowsRepo.offersOnProjects")(function* (
    teamId: string,
    projects: ReadonlyArray<string>
  ) {
    if (projects.length === 0) return []
    const found = orDie(sql<OfferOfPerson>`
      select id, team_id as "teamId" from offers
      where broker_team_id = ${teamId} and project_id = any(${uuids(projects)})`)
    if (sql.cells === undefined) return yield* found
    const cells = yield* orDie(sql<{ readonly cell: string }>`
      select cell from offer_cells where broker_team_id = ${teamId}`)
    return yield* inCells(
      cells.map(({ cell }) => cell),
      found
    )
  })

  /** The namespace of the installation's files in the store. */
  const namespace = Effect.map(
    orDie(sql<{ readonly id: string }>`select id from file_space`),
    ([row]) => row?.id ?? ""
  ).pipe(Effect.withSpan("PersonRowsRepo.namespace"))

  return { ofTeam, ofAccount, page, timesOf, answersOf, answersAfter, teamsOf, actionsAt, offersOnProjects, namespace }
})

/** Reads the rows of people. */
export class PersonRowsRepo extends Context.Service<PersonRowsRepo, Effect.Success<typeof make>>()(
  "privacy/PersonRowsRepo"
) {
  static readonly layer = Layer.effect(PersonRowsRepo, make)
}
