/** The tool of the caller's identity. */
import * as Tool from "../../mcp/Tool.ts"
import { Effect, Schema, Struct } from "effect"
import { cutLists, excerpt } from "../../mcp/text.ts"
import { contentEtag } from "../../core/usecase/UseCaseRequest.ts"
import type { Team } from "../teams/Team.ts"
import type { Me } from "./User.ts"
import { Users } from "./Users.ts"

// The characters of JSON that the members of a team may take, whom tasks can be assigned to: some 25 of them.
const maxMembers = 2_000

/** A team without its contact person, with the names of some members: how many it has, it says itself. */
const teamOf = ({ description, members = [], strategy, ...team }: Team) =>
  cutLists(
    {
      ...Struct.omit(team, ["contactPerson", "hasMoreMembers", "profilePictureUrl"]),
      description: excerpt(description),
      strategy: excerpt(strategy),
      members: members.map((member) => Struct.pick(member, ["id", "name"]))
    },
    { members: maxMembers }
  )

const lineOf = (team: Team) => Struct.pick(team, ["id", "name", "membership"])

// The characters of JSON that the other teams may take.
const maxTeams = 10_000

const viewOf = (me: Me) => {
  const { primaryTeam, secondaryTeams, ...person } = Struct.omit(me, [
    "profilePictureUrl",
    "emailConfirmed",
    "phoneConfirmed"
  ])
  const view = {
    ...person,
    etag: contentEtag(JSON.stringify(me)),
    primaryTeam: primaryTeam === null ? null : teamOf(primaryTeam)
  }
  return secondaryTeams === undefined
    ? view
    : cutLists({ ...view, secondaryTeams: secondaryTeams.map(lineOf) }, { secondaryTeams: maxTeams })
}

/** The tool of the caller's identity. It needs no capability. */
export const tools = Effect.gen(function* () {
  const users = yield* Users
  return [
    Tool.read({
      name: "get_me",
      title: "Get the caller",
      description: "Who you act for: their capabilities (broker, investor), teams, colleagues, language and time zone.",
      toolset: "identity",
      input: {},
      output: { id: Schema.String, name: Schema.String, etag: Schema.String },
      read: () => Effect.map(users.me(), viewOf)
    })
  ]
})
