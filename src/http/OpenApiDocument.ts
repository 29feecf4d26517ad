/**
 * The OpenAPI 3.1 document. Effect generates it from the contracts (`api.ts`, Contract.ts), and each transform here completes
 * one subject that effect's annotations cannot express:
 *
 * - OpenApiSchemas: objects that are open to unknown members. Effect generates every object closed.
 * - OpenApiProblems: problems as the edge completes them. Effect generates a problem's `type` and `title` as constants.
 * - OpenApiDryRun: the report of a dry run, which no operation declares.
 * - OpenApiOperations: decoded parameters, response headers of the edge, and the caller's capability. Effect documents
 *   the encoded text of a parameter, and headers only of schemas that the handler encodes.
 * - OpenApiExamples and OpenApiSamples: examples of whole bodies, and a curl command. Effect generates neither.
 * - OpenApiBases: schemas that extend others. Effect repeats all members in each.
 * - OpenApiComponents: refusals, headers and parameters that operations share. Effect repeats them.
 * - OpenApiWebhooks: the events that receivers get. Effect has no `webhooks`.
 */
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { version } from "../platform/version.ts"
import { withBases } from "./OpenApiBases.ts"
import { withComponents } from "./OpenApiComponents.ts"
import { dryRunSchemas } from "./OpenApiDryRun.ts"
import { withExamples } from "./OpenApiExamples.ts"
import { introduction } from "./OpenApiIntroduction.ts"
import { completeOperation, operationIdOf } from "./OpenApiOperations.ts"
import { withSample } from "./OpenApiSamples.ts"
import { withoutExamples, withProblems } from "./OpenApiProblems.ts"
import { withOpenObjects } from "./OpenApiSchemas.ts"
import { type Document, mapOperations, type Paths } from "./OpenApiSpec.ts"
import { eventSchemas, webhookComponents, webhooks, webhookTag } from "./OpenApiWebhooks.ts"

const generation: OpenApi.FromApiOptions = {
  // A class of problems is encoded to a struct, which effect calls by the name of the class and this suffix.
  referencePolicy: ({ identifier }) => identifier?.replace(/Encoded$/, ""),
  includeAnnotationKey: (key) => key === "deprecated"
}

const securitySchemes = (bearer: object | undefined, baseUrl: string) => ({
  // Documentation pages know the scheme in lower case only.
  bearer: { ...bearer, scheme: "bearer" },
  oauth2: {
    type: "oauth2",
    description: "An OAuth client of the team; the operator registers it.",
    flows: {
      clientCredentials: {
        tokenUrl: `${baseUrl}/openid/token`,
        scopes: { "api:public": "The whole API.", "api:read": "What reads." }
      }
    }
  },
  client: {
    type: "http",
    scheme: "basic",
    description: "The client's id and secret; the form may contain them instead (`client_id`, `client_secret`)."
  }
})

const endpointsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) => {
  const endpoints = new Map<string, HttpApiEndpoint.Top>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => endpoints.set(operationIdOf(group, endpoint), endpoint)
  })
  return endpoints
}

/** The document of an API that clients reach at `baseUrl`. */
export const make = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  baseUrl: string
): Document => {
  const endpoints = endpointsOf(api)
  const license = { name: "MIT", url: "https://opensource.org/license/mit" }
  const description = introduction(baseUrl)
  const about = { title: "Property Network API", version, description, license, servers: [{ url: baseUrl }] }
  const generated = OpenApi.fromApi(api.annotateMerge(OpenApi.annotations(about)), generation)
  const { security: _, ...document } = generated
  const completed = mapOperations(generated.paths as Paths, (operation) => {
    const endpoint = endpoints.get(operation.operationId)
    return endpoint === undefined ? operation : completeOperation(operation, endpoint)
  })
  const { paths, schemas } = withOpenObjects(completed, withProblems(generated.components.schemas, baseUrl))
  const shared = withComponents(
    mapOperations(paths, (operation, path, method) =>
      withSample(withExamples(operation, schemas), path, method, schemas, baseUrl)
    )
  )
  return {
    ...document,
    tags: [...document.tags, webhookTag],
    paths: shared.paths,
    components: {
      schemas: { ...withBases(withoutExamples(schemas)), ...dryRunSchemas, ...eventSchemas },
      ...shared.components,
      parameters: { ...shared.components.parameters, ...webhookComponents.parameters },
      responses: { ...shared.components.responses, ...webhookComponents.responses },
      securitySchemes: securitySchemes(generated.components.securitySchemes["bearer"], baseUrl)
    },
    webhooks
  }
}
