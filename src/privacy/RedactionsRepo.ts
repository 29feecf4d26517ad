/** The SQL that redacts what tells of a person: timelines, events, what receivers answered, stored answers. */
import * as Id from "../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { byCell, inTeam } from "../platform/db/Cells.ts"
import { Database } from "../platform/db/Database.ts"
import { orDie } from "../platform/db/DatabaseUnavailable.ts"
import { arrayParameter } from "../platform/db/SetStatements.ts"
import type { OfferOfPerson, PersonInTeam } from "./Person.ts"
import { keptDetails, knownWords } from "./rules.ts"

/** The texts that events of notes, files and questions of a person have: they name the contact or prospect. */
export const patternsOf = ({ contacts, prospects }: PersonInTeam): ReadonlyArray<string> => [
  ...contacts.map((uuid) => `%"${Id.fromUuid("contact", uuid)}"%`),
  ...prospects.map((uuid) => `%"${Id.fromUuid("prospect", uuid)}"%`)
]

/** A question that a person asked, as the timelines of others quote it. */
export interface QuotedQuestion {
  readonly project_id: string
  readonly number: number
  readonly text: string
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  const uuids = (values: ReadonlyArray<string>) => arrayParameter(sql, "uuid", values)

  // What `details` keep: ids and words of vocabularies.
  const redactedDetails = sql`
    (
      select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(actions.details)
      where key = any(${keptDetails}::text[]) or (key in ('from', 'to') and value #>> '{}' = any(${knownWords}::text[]))
    ) || case when actions.details ? 'message' then '{"message": null}'::jsonb else '{}' end || '{"erased": true}'::jsonb`

  const redactActions = (teamId: string, subjects: ReadonlyArray<string>, limit: number) =>
    inTeam(teamId)(
      Effect.map(
        orDie(sql`
          update actions set details = ${redactedDetails}, version = version + case when type = 'note' then 1 else 0 end
          where team_id = ${teamId} and id = any(array(
            select id from actions where team_id = ${teamId} and details ->> 'erased' is null and id = any(array(
              select action_id from action_subjects where team_id = ${teamId} and subject_id = any(${uuids(subjects)})
            )) order by id limit ${limit} for update
          )) returning id`),
        (rows) => rows.length
      )
    )

  /** Redacts at most `limit` rows of the timelines of a person's records and offers. Returns how many. */
  const timelines = Effect.fn("RedactionsRepo.timelines")(function* (person: PersonInTeam, limit: number) {
    const { contacts, mandates, offers, prospects, teamId } = person
    let count = yield* redactActions(teamId, [...contacts, ...prospects, ...mandates], limit)
    for (const [of, some] of Map.groupBy(offers, (offer) => offer.teamId)) {
      if (count < limit) {
        count += yield* redactActions(
          of,
          some.map(({ id }) => id),
          limit - count
        )
      }
    }
    return count
  })

  /** The questions of a person that are not erased yet. */
  const questionsOf = Effect.fn("RedactionsRepo.questionsOf")(({ questions, teamId }: PersonInTeam) =>
    orDie(sql<QuotedQuestion>`
      select project_id, number, text from questions
      where team_id = ${teamId} and id = any(${uuids(questions)}) and text <> ''`)
  )

  /** Redacts the rows of these offers, of other investors, that quote questions. */
  const quotes = Effect.fn("RedactionsRepo.quotes")(function* (
    offers: ReadonlyArray<OfferOfPerson>,
    questions: ReadonlyArray<QuotedQuestion>
  ) {
    if (questions.length === 0) return 0
    const rows = yield* byCell(
      sql,
      offers,
      ({ teamId }) => teamId,
      (some) =>
        orDie(sql`
          update actions set details = ${redactedDetails}
          where team_id = any(${uuids([...new Set(some.map(({ teamId }) => teamId))])})
            and event = 'room.question_answered' and details ->> 'erased' is null and id = any(array(
              select action_id from action_subjects
              where subject_id = any(${uuids(some.map(({ id }) => id))})
                and team_id = any(${uuids([...new Set(some.map(({ teamId }) => teamId))])})
            ))
            and (details -> 'question' ->> 'text') = any(${questions.map(({ text }) => text)}::text[])
          returning id`)
    )
    return rows.length
  })

  /** The events of a person's records: each was written with a row of one of their timelines. */
  const eventsOf = Effect.fn("RedactionsRepo.eventsOf")(function* (person: PersonInTeam) {
    const { contacts, links, mandates, prospects, questions, tasks, teamId } = person
    const subjects = uuids([...contacts, ...prospects, ...mandates])
    return yield* orDie(sql<{ readonly id: string; readonly body: string }>`
      select id, body from events
      where team_id = ${teamId} and occurred_at = any(array(
        select occurred_at from action_subjects where team_id = ${teamId} and subject_id = any(${subjects})
      )) and (
        resource_id = any(${uuids([...contacts, ...links, ...mandates, ...prospects, ...questions, ...tasks])})
        or body like any(${patternsOf(person)}::text[])
      )`)
  })

  /** Replaces the bodies of events. */
  const replaceBodies = Effect.fn("RedactionsRepo.replaceBodies")(function* (
    teamId: string,
    bodies: ReadonlyArray<{ readonly id: string; readonly body: string }>
  ) {
    if (bodies.length === 0) return
    yield* orDie(sql`
      update events set body = row.body from jsonb_to_recordset(${sql.json(bodies)}) as row (id uuid, body text)
      where events.id = row.id and events.team_id = ${teamId}`)
  })

  /** Clears what receivers answered to the deliveries of these events. Returns how many answers there were. */
  const clearAttempts = Effect.fn("RedactionsRepo.clearAttempts")(function* (
    teamId: string,
    events: ReadonlyArray<string>
  ) {
    if (events.length === 0) return 0
    const rows = yield* orDie(sql`
      update delivery_attempts set response_body = null, response_headers = null
      where team_id = ${teamId} and (response_body is not null or response_headers is not null) and delivery_id = any(array(
        select id from deliveries where team_id = ${teamId} and event_id = any(${uuids(events)})
      )) returning number`)
    return rows.length
  })

  /** Replaces a stored answer. */
  const replaceAnswer = Effect.fn("RedactionsRepo.replaceAnswer")(
    (teamId: string, scope: Uint8Array, sealed: Uint8Array) =>
      inTeam(teamId)(
        orDie(sql`update idempotency_keys set answer = ${sealed} where team_id = ${teamId} and scope = ${scope}`)
      )
  )

  return { timelines, questionsOf, quotes, eventsOf, replaceBodies, clearAttempts, replaceAnswer }
})

/** Redacts what tells of a person. */
export class RedactionsRepo extends Context.Service<RedactionsRepo, Effect.Success<typeof make>>()(
  "privacy/RedactionsRepo"
) {
  static readonly layer = Layer.effect(RedactionsRepo, make)
}
