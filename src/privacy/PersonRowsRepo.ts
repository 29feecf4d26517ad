/** The SQL that reads all rows of a person, a page at a time, for exports (docs/privacy.md#access). */
import { Context, Effect, Layer } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { inTeam } from "../platform/db/Cells.ts"
import { Database } from "../platform/db/Database.ts"
import { orDie } from "../platform/db/DatabaseUnavailable.ts"
import { arrayParameter } from "../platform/db/SetStatements.ts"
import type { Account, PersonInTeam } from "./Person.ts"
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
  const eventsOf = (teamId: string, resources: ReadonlyArray<string>): Fragment => sql`
    t.occurred_at = any(array(
      select occurred_at from action_subjects where team_id = ${teamId} and subject_id = any(${uuids(resources)})))
    and t.resource_id = any(${uuids(resources)})`

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
    const events = sql`from events t where t.team_id = ${teamId} and ${eventsOf(teamId, resources)}`
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
      source("events", eventsOf(teamId, resources)),
      source("deliveries", sql`t.event_id = any(array(select t.id ${events}))`),
      source(
        "delivery_attempts",
        sql`t.delivery_id = any(array(
        select id from deliveries where team_id = ${teamId} and event_id = any(array(select t.id ${events}))))`,
        {
          key: ["delivery_id", "number"]
        }
      ),
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
      source("sign_in_links", isTheirs, ["created_at"])
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

  /** The stored answers of a team that were written at the time of a row of these, sealed. */
  const answersOf = Effect.fn("PersonRowsRepo.answersOf")((teamId: string, person: PersonInTeam) => {
    const { contacts, links, mandates, offers, prospects, questions, tasks } = person
    const ids = uuids([...contacts, ...links, ...mandates, ...prospects, ...tasks, ...questions])
    const subjects = uuids([...contacts, ...prospects, ...mandates, ...offers.map(({ id }) => id)])
    return inTeam(teamId)(
      orDie(sql<{ readonly scope: Uint8Array; readonly answer: Uint8Array; readonly created_at: Date }>`
        select scope, answer, created_at from idempotency_keys where team_id = ${teamId} and created_at = any(array(
          select occurred_at from action_subjects where team_id = ${teamId} and subject_id = any(${subjects})
          union select created_at from contacts where team_id = ${teamId} and id = any(${ids})
          union select created_at from links where team_id = ${teamId} and id = any(${ids})
          union select created_at from mandates where team_id = ${teamId} and id = any(${ids})
          union select created_at from prospects where team_id = ${teamId} and id = any(${ids})
          union select created_at from tasks where team_id = ${teamId} and id = any(${ids})
          union select created_at from questions where team_id = ${teamId} and id = any(${ids})
        )) order by scope`)
    )
  })

  /** The namespace of the installation's files in the store. */
  const namespace = Effect.map(
    orDie(sql<{ readonly id: string }>`select id from file_space`),
    ([row]) => row?.id ?? ""
  ).pipe(Effect.withSpan("PersonRowsRepo.namespace"))

  return { ofTeam, ofAccount, page, answersOf, namespace }
})

/** Reads the rows of people. */
export class PersonRowsRepo extends Context.Service<PersonRowsRepo, Effect.Success<typeof make>>()(
  "privacy/PersonRowsRepo"
) {
  static readonly layer = Layer.effect(PersonRowsRepo, make)
}
