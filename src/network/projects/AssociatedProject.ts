/** The projects on which a contact or company is an investor (docs/behaviour/network.md#associated-projects). */
import { Schema } from "effect"
import { OpenEnum } from "../../core/fields/Text.ts"
import { pageQuery } from "../../core/usecase/Page.ts"
import { IdOf } from "../../core/Id.ts"
import { mandateDeprecated, Project } from "../../deals/projects/Project.ts"
import { Classification } from "../../deals/prospects/Prospect.ts"

/** A project with the prospect that the investor is on it. */
export const AssociatedProject = Schema.Struct({
  ...Project.fields,
  prospectId: IdOf("prospect").annotate({ description: "The id of the prospect that the investor is on the project." }),
  prospectClassification: OpenEnum(
    ["not_contacted", "contacted", "interested", "bidder"],
    "The classification of the investor on the project, as it was last written."
  )
}).annotate({
  identifier: "AssociatedProject",
  description: "A project that has the contact or company on its list of prospects."
})
export type AssociatedProject = typeof AssociatedProject.Type

/** The headers for the deprecated member of projects; `baseUrl` is that of the service. */
export const deprecationOf = (baseUrl: string) => ({
  deprecation: mandateDeprecated,
  link: `<${baseUrl}/docs>; rel="deprecation"; type="text/html"`
})

/** The parameters of the lists. */
export const AssociatedProjectsQuery = Schema.Struct({
  ...pageQuery,
  status: Schema.optionalKey(Schema.Literals(["open", "closed"])).annotate({
    description: "List only projects that are `closed`, or only those that are not; drafts count as `open`."
  }),
  classification: Schema.optionalKey(Classification).annotate({
    description: "List only projects on which the investor has this classification."
  })
})
export type AssociatedProjectsQuery = typeof AssociatedProjectsQuery.Type
