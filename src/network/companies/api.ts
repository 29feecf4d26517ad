/** The REST contract of companies. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization } from "../../http/Authorization.ts"
import { ActionPage, TimelineQuery } from "../../core/mutation/Timeline.ts"
import { mergedRedirect, Needs, refusals, responseHeaders } from "../../http/Contract.ts"
import { DeltaPageOf, PageOf } from "../../core/usecase/Page.ts"
import { Duplicate, InvalidCursor } from "../../core/usecase/Problem.ts"
import { RestoredOf } from "../../core/records/Restored.ts"
import { endpointsOf, idParams, noErrors, searchOf } from "../../http/RecordEndpoints.ts"
import {
  Company,
  CompanyCreate,
  CompanyListQuery,
  companyMembers,
  CompanyPatch,
  CompanyUpsert,
  CompanyWriteQuery
} from "./Company.ts"

/** The path of companies. */
export const path = "/api/v1/network/companies"

const page = DeltaPageOf(Company, "CompanyPage")

const exampleId = "company_01kb3n7x2ferwt5z8q4j6m9d0c"

/** Companies in the broker's network. */
export const companies = HttpApiGroup.make("companies")
  .add(
    ...endpointsOf({
      path,
      singular: "company",
      article: "a",
      plural: "companies",
      exampleId,
      redirects: [mergedRedirect(`${path}/${exampleId}`)],
      resource: Company,
      written: Company,
      restored: RestoredOf(Company, "RestoredCompany"),
      page,
      create: CompanyCreate,
      patch: CompanyPatch,
      upsert: CompanyUpsert,
      listQuery: CompanyListQuery,
      writeQuery: CompanyWriteQuery,
      deleteQuery: Schema.Struct({}),
      writeErrors: [Duplicate],
      deleteErrors: noErrors,
      restoreErrors: noErrors,
      onCreate:
        "Needs a `name`. Unless `force=true`, the domain of another company, or its name (without case, accents and legal form) and country, is rejected with 409, which lists the candidates.",
      onDelete:
        "Its links are deleted, too, and its files 30 days later; the `primaryCompanyId` of its contacts is cleared. It is removed from the lists of all projects that are not closed (`prospect.updated` with the action `removed` for each); closed projects keep it. ",
      onRestore:
        "links, notes, files, the contacts that mainly worked for it, and its place on the lists of projects that are not closed; its mandates are what they were.",
      found: "A company is found by `id`, or else by one of its external references."
    }),
    searchOf({
      path,
      plural: "companies",
      page: PageOf(Company, "CompanySearchPage"),
      identifier: "CompanySearch",
      members: companyMembers,
      looksIn: "name, legal name, domain and homepage",
      example: {
        query: "immobiliare",
        filter: { country: { in: ["IT", "DE"] }, domain: { exists: true } },
        sort: [{ field: "name", direction: "asc" }],
        page_size: 50
      }
    }),
    HttpApiEndpoint.get("listActions", `${path}/:id/actions`, {
      params: idParams("company", exampleId),
      query: TimelineQuery,
      success: ActionPage.pipe(responseHeaders("link")),
      error: [...refusals.one, InvalidCursor, mergedRedirect(`${path}/${exampleId}/actions`)]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List a company's timeline",
        description: "The changes and notes of the company, newest first."
      })
    )
  )
  .middleware(Authorization)
  .annotateEndpoints(Needs, "broker")
  .annotateMerge(
    OpenApi.annotations({
      title: "Companies",
      description: "Companies in the broker's network. All operations need the `broker` capability."
    })
  )
