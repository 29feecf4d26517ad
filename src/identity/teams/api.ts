/** The REST contract of teams. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { Needs, orNotModified, requestHeaders, responseHeaders } from "../../http/Contract.ts"
import { PageOf } from "../../core/usecase/Page.ts"
import { InvalidCursor, InvalidRequest, MembershipPending, NotFound } from "../../core/usecase/Problem.ts"
import { Team, TeamMember, TeamMembersQuery } from "./Team.ts"

const params = {
  id: Schema.String.annotate({ description: "The team's id.", examples: ["team_01kb3n7x2ferwt5z8q4j6m9d0c"] })
}

/** Teams, the tenants, and their members. */
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
            "One of the caller's teams; any other team is 404. Active members see at most 50 members; invited users see neither members nor `memberCount`. The ETag is a hash of the whole answer."
        })
      ),
    HttpApiEndpoint.get("listMembers", "/api/v1/teams/:id/members", {
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
            "Active members, admins first, then by display name. Bots are members, too. Invited users get `membership_pending`."
        })
      )
  )
  .middleware(Authorization)
  .annotateMerge(
    OpenApi.annotations({
      title: "Teams",
      description: "The teams that the caller belongs to or is invited to. No capability is needed."
    })
  )
