/** The projects that a contact or company is an investor on (specification, associated projects). */
import { Schema } from "effect"
import { OpenEnum } from "../../fields/OpenEnum.ts"
import { pageQuery } from "../../usecase/Page.ts"
import { IdOf } from "../../Id.ts"
import { mandateDeprecated, Project } from "../../projects/Project.ts"
import { Classification } from "../../prospects/Classification.ts"

/** A project with the place of an investor on it. */
export const AssociatedProject = Schema.Struct({
  ...Project.fields,
  prospectId: IdOf("prospect").annotate({ description: "The id of the prospect that the investor is on the project." }),
  prospectClassification: OpenEnum(
    ["not_contacted", "contacted", "interested", "bidder"],
    "How the investor is classified on the project; as it was last written."
  )
}).annotate({
  identifier: "AssociatedProject",
  description: "A project on whose list of prospects a contact or company is."
})
export type AssociatedProject = typeof AssociatedProject.Type

/** What the lists say of a deprecated member of their projects; `baseUrl` is that of the service. */
export const deprecationOf = (baseUrl: string) => ({
  deprecation: mandateDeprecated,
  link: `<${baseUrl}/docs>; rel="deprecation"; type="text/html"`
})

/** The parameters of the lists. */
export const AssociatedProjectsQuery = Schema.Struct({
  ...pageQuery,
  status: Schema.optionalKey(Schema.Literals(["open", "closed"])).annotate({
    description: "Only projects that are `closed`, or only those that are not: drafts count as `open`."
  }),
  classification: Schema.optionalKey(Classification).annotate({
    description: "Only projects on which the investor is classified as this."
  })
})
export type AssociatedProjectsQuery = typeof AssociatedProjectsQuery.Type
