/** The REST contract of teams. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { Needs, orNotModified, requestHeaders, responseHeaders } from "../../http/Contract.ts"
import { PageOf } from "../../usecase/Page.ts"
import { InvalidCursor, InvalidRequest, MembershipPending, NotFound } from "../../usecase/Problem.ts"
import { Team, TeamMember, TeamMembersQuery } from "./Team.ts"

const params = {
  id: Schema.String.annotate({ description: "The team's id.", examples: ["team_01kb3n7x2ferwt5z8q4j6m9d0c"] })
}

/** Teams: the tenants, and who is in them. */
export const teams = HttpApiGroup.make("teams")
  .add(
    HttpApiEndpoint.get("get", "/api/v1/teams/:id", {
      params,
      headers: requestHeaders("if-none-match"),
      success: orNotModified(Team.pipe(responseHeaders("etag"))),
      error: [InvalidRequest, NotFound]
    })
      .annotate(Needs, "none")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Get a team",
          description:
            "One of the caller's teams; any other is 404. Active members see its members, at most 50 of them; invitees see the details without members and `memberCount`. The ETag stands for the whole answer."
        })
      ),
    HttpApiEndpoint.get("members", "/api/v1/teams/:id/members", {
      params,
      query: TeamMembersQuery,
      success: PageOf(TeamMember, "TeamMemberPage").pipe(responseHeaders("link")),
      error: [InvalidRequest, InvalidCursor, NotFound, MembershipPending]
    })
      .annotate(Needs, "member")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List a team's members",
          description:
            "Active members, admins first, then by display name. Bots are members like people. Invitees are refused with `membership_pending`."
        })
      )
  )
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Teams",
      description: "The teams that the caller belongs or is invited to. No capability is needed."
    })
  )
