/** The SQL that finds where free text of other records names a person: docs/behaviour/erasure.md#what-remains. */
import * as Id from "../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { inTeam } from "../platform/db/Cells.ts"
import { Database } from "../platform/db/Database.ts"
import { orDie } from "../platform/db/DatabaseUnavailable.ts"
import { arrayParameter } from "../platform/db/SetStatements.ts"
import type { Mention } from "./Erasure.ts"
import type { PersonInTeam } from "./Person.ts"
import { mentionsIn } from "./rules.ts"

/** How many places a receipt lists of each kind of text. */
const maxPlaces = 100

interface Found {
  readonly type: Id.Prefix
  readonly id: string
  readonly member: string
  readonly text: string
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  const uuids = (values: ReadonlyArray<string>) => arrayParameter(sql, "uuid", values)

  /**
   * The places of a team where a word stands in what is not the person's own. Texts that can be searched have an index of trigrams; of
   * others, the rows of the team are read.
   */
  const places = (person: PersonInTeam, word: string) => {
    const { contacts, mandates, prospects, questions, tasks, teamId } = person
    const pattern = `%${word.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
    const ofTeam = sql`team_id = ${teamId}`
    const own = uuids([...contacts, ...mandates, ...prospects, ...questions, ...tasks])
    const isOther = sql`${ofTeam} and deleted_at is null and id <> all(${own})`
    const first = sql`limit ${maxPlaces}`
    return orDie(sql<Found>`
      (select 'company' as type, id, 'name' as member,
        concat_ws(' ', name, legal_name, domain, homepage_url) as text from companies
      where ${isOther} and searched_text like public.search_fold(${pattern}) ${first})
      union all
      (select 'company', id, 'strategy', strategy from companies
      where ${isOther} and strategy is not null and public.search_text(strategy) like public.search_fold(${pattern}) ${first})
      union all
      (select 'contact', id, 'strategy', strategy from contacts
      where ${isOther} and strategy is not null and public.search_text(strategy) like public.search_fold(${pattern}) ${first})
      union all
      (select 'property', id, 'name', name from properties
      where ${isOther} and searched_text like public.search_fold(${pattern}) and lower(name) like ${pattern} ${first})
      union all
      (select 'property', id, 'description', description from properties
      where ${isOther} and description is not null and public.search_text(description) like public.search_fold(${pattern}) ${first})
      union all
      (select 'project', id, 'description', concat_ws(' ', name, description) from projects
      where ${isOther} and lower(concat_ws(' ', name, description)) like ${pattern} ${first})
      union all
      (select 'mandate', id, 'description', concat_ws(' ', name, description) from mandates
      where ${isOther} and lower(concat_ws(' ', name, description)) like ${pattern} ${first})
      union all
      (select 'act', id, 'message', details ->> 'message' from actions
      where ${ofTeam} and (details ->> 'message') is not null and lower(details ->> 'message') like ${pattern}
        and not exists (
          select from action_subjects
          where action_id = actions.id and action_subjects.team_id = actions.team_id and subject_id = any(${own})
        ) ${first})
      union all
      (select 'act', action_id, 'text', text from messages
      where ${ofTeam} and lower(text) like ${pattern} and not exists (
          select from action_subjects
          where action_subjects.action_id = messages.action_id and action_subjects.team_id = messages.team_id
            and subject_id = any(${own})
        ) ${first})`)
  }

  /** Where free text of a team names a person, beside what is their own: each place once. */
  const find = Effect.fn("MentionsRepo.find")(function* (person: PersonInTeam, words: ReadonlyArray<string>) {
    return yield* inTeam(person.teamId)(
      Effect.map(
        Effect.forEach(words, (word) => places(person, word.toLowerCase())),
        (found): ReadonlyArray<Mention> => {
          const byPlace = new Map(found.flat().map((place) => [`${place.type} ${place.id} ${place.member}`, place]))
          return [...byPlace.values()].flatMap(({ id, member, text, type }) =>
            mentionsIn(text, words).map((mention) => ({
              team: Id.fromUuid("team", person.teamId),
              type: type === "act" ? "note" : type,
              id: Id.fromUuid(type, id),
              member,
              ...mention
            }))
          )
        }
      )
    )
  })

  return { find }
})

/** Finds what names people. */
export class MentionsRepo extends Context.Service<MentionsRepo, Effect.Success<typeof make>>()("privacy/MentionsRepo") {
  static readonly layer = Layer.effect(MentionsRepo, make)
}
