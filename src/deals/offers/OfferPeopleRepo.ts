/** The SQL of the people that answers for offers name. */
import * as Id from "../../core/Id.ts"
import { Context, Effect, Layer } from "effect"
import { byCell } from "../../platform/db/CurrentCell.ts"
import { Database } from "../../platform/db/Database.ts"
import { orDie } from "../../platform/db/DatabaseUnavailable.ts"
import type { Offer } from "./Offer.ts"
import type { StoredOffer } from "./OfferState.ts"

interface CardRow {
  readonly project_id: string
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly profile_picture_url: string | null
}

/** A project and the broker's team that it belongs to (UUIDs). */
interface ProjectOfBroker {
  readonly project_id: string
  readonly team_id: string
}

const make = Effect.gen(function* () {
  const sql = yield* Database

  /** Who answers for projects: their owners, while they belong to the broker's team, else whom the team names. */
  const brokersOf = Effect.fnUntraced(function* (projects: ReadonlyArray<ProjectOfBroker>) {
    if (projects.length === 0) return []
    const owners = yield* byCell(
      sql,
      projects,
      ({ team_id }) => team_id,
      (ofCell) =>
        orDie(sql<ProjectOfBroker & { readonly owner_id: string | null }>`
          select project_id, wanted.team_id, projects.owner_id
          from jsonb_to_recordset(${sql.json(ofCell)}) as wanted (project_id uuid, team_id uuid)
          left join projects on projects.id = project_id and projects.team_id = wanted.team_id`)
    )
    return yield* orDie(sql<CardRow>`
      select project_id, person.id, person.name, person.email, person.phone, person.profile_picture_url
      from jsonb_to_recordset(${sql.json(owners)}) as wanted (project_id uuid, team_id uuid, owner_id uuid)
      join teams on teams.id = wanted.team_id
      left join memberships owner on owner.user_id = wanted.owner_id and owner.team_id = teams.id
        and owner.status = 'active'
      join users person on person.id = coalesce(owner.user_id, teams.contact_person_id)`)
  })

  /** The people that answers for offers name, and the language of the reader (UUID): recipients by UUID, brokers by offer. */
  const find = Effect.fn("OfferPeopleRepo.find")(function* (
    offers: ReadonlyArray<StoredOffer>,
    readerId: string | null
  ) {
    const users = [...new Set([...offers.map(({ state }) => state.userId), ...(readerId === null ? [] : [readerId])])]
    const named = yield* orDie(sql<{ readonly id: string; readonly name: string; readonly ui_culture: string }>`
      select id, name, ui_culture from users where id = any(${users}::uuid[])`)
    const accepted = offers.filter(({ state }) => state.answer === "accepted")
    const projects = new Map(
      accepted.map(({ state: { brokerTeamId, projectId } }) => [
        projectId,
        { project_id: projectId, team_id: brokerTeamId }
      ])
    )
    const brokers = yield* brokersOf([...projects.values()])
    const cardsByProject = new Map(
      brokers.map(({ email, id, name, phone, profile_picture_url, project_id }) => {
        const card: NonNullable<Offer["brokerContact"]> = {
          id: Id.fromUuid("user", id),
          name,
          email,
          phone,
          profilePictureUrl: profile_picture_url
        }
        return [project_id, card]
      })
    )
    return {
      names: new Map(named.map(({ id, name }) => [id, name])),
      language: named.find(({ id }) => id === readerId)?.ui_culture ?? "en",
      cards: new Map(
        accepted.flatMap(({ state, uuid }) => {
          const card = cardsByProject.get(state.projectId)
          return card === undefined ? [] : [[uuid, card] as const]
        })
      )
    }
  })
  return { find }
})

/** The people that answers for offers name. */
export class OfferPeopleRepo extends Context.Service<OfferPeopleRepo, Effect.Success<typeof make>>()(
  "deals/offers/OfferPeopleRepo"
) {
  static readonly layer = Layer.effect(OfferPeopleRepo, make)
}
