/** The REST contract of the lists of an investor's projects. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { mergedRedirect, Needs, refusals } from "../../http/Contract.ts"
import { PageOf } from "../../core/usecase/Page.ts"
import { InvalidCursor } from "../../core/usecase/Problem.ts"
import { Deprecation } from "../../deals/projects/Project.ts"
import { idParams } from "../../http/RecordEndpoints.ts"
import { AssociatedProject, AssociatedProjectsQuery } from "./AssociatedProject.ts"

const success = HttpApiSchema.WithHeaders(PageOf(AssociatedProject, "AssociatedProjectPage"), {
  deprecation: Deprecation,
  link: Schema.String.annotate({
    description:
      'Where deprecated members are described, `rel="deprecation"`, after the next page, `rel="next"`, if there is one.'
  })
})
const contactId = "contact_01kb3n7x2ferwt5z8q4j6m9d0c"
const companyId = "company_01kb3n7x2ferwt5z8q4j6m9d0c"

const errorsOf = (path: string) => [...refusals.one, InvalidCursor, mergedRedirect(path)] as const

const description = (singular: string) =>
  `The projects that have the ${singular} on their list of prospects, ordered by creation, each with the classification of the ${singular}. Projects from whose list it was removed are left out. Both filters combine.`

/** The projects of contacts, and of companies. */
export const associatedProjects = HttpApiGroup.make("associatedProjects")
  .add(
    HttpApiEndpoint.get("ofContact", "/api/v1/network/contacts/:id/projects", {
      params: idParams("contact", contactId),
      query: AssociatedProjectsQuery,
      success,
      error: errorsOf(`/api/v1/network/contacts/${contactId}/projects`)
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "contacts.listProjects",
        summary: "List a contact's projects",
        description: description("contact")
      })
    ),
    HttpApiEndpoint.get("ofCompany", "/api/v1/network/companies/:id/projects", {
      params: idParams("company", companyId),
      query: AssociatedProjectsQuery,
      success,
      error: errorsOf(`/api/v1/network/companies/${companyId}/projects`)
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "companies.listProjects",
        summary: "List a company's projects",
        description: description("company")
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker")
  .annotateMerge(
    OpenApi.annotations({
      title: "Associated projects",
      description:
        "The projects that a contact or company is a prospect on. Both operations need the `broker` capability."
    })
  )
