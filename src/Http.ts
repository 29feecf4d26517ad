/** Assembles the HTTP server: the routes of all modules, the documentation and the health checks. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { documentPages } from "./console/DocumentPages.ts"
import * as Docs from "./http/Docs.ts"
import * as Health from "./http/Health.ts"
import * as Edge from "./http/Edge.ts"
import * as oauth from "./identity/oauth/http.ts"
import * as changes from "./webhooks/changes/http.ts"
import * as files from "./content/files/http.ts"
import * as teams from "./identity/teams/http.ts"
import * as identity from "./identity/users/http.ts"
import * as mandates from "./market/mandates/http.ts"
import * as matches from "./market/matches/http.ts"
import * as companies from "./network/companies/http.ts"
import * as contacts from "./network/contacts/http.ts"
import * as duplicates from "./network/duplicates/http.ts"
import * as merges from "./network/merges/http.ts"
import * as notes from "./content/notes/http.ts"
import * as links from "./network/links/http.ts"
import * as associatedProjects from "./network/projects/http.ts"
import * as offers from "./deals/offers/http.ts"
import * as projects from "./deals/projects/http.ts"
import * as properties from "./market/properties/http.ts"
import * as prospects from "./deals/prospects/http.ts"
import * as tasks from "./deals/prospects/tasks/http.ts"
import * as rooms from "./deals/rooms/http.ts"
import * as teasers from "./deals/teasers/http.ts"
import * as mcp from "./mcp/http.ts"
import * as console from "./console/http.ts"
import { assetPath } from "./console/Assets.ts"
import { areasOf, pages } from "./Pages.ts"
import { Overview } from "./doctor/Overview.ts"
import * as Tools from "./Tools.ts"
import * as deliveries from "./webhooks/deliveries/http.ts"
import * as inbox from "./webhooks/inbox/http.ts"
import * as webhooks from "./webhooks/http.ts"
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { Api } from "./Api.ts"
import { BaseUrl, baseUrlOf, type Settings } from "./platform/Config.ts"
import { TrustedProxies } from "./http/RequestState.ts"
import { AllowedOrigins, type SharedPaths } from "./http/Edge.ts"
import { Draining } from "./http/Health.ts"
import { makeServer } from "./http/NodeServer.ts"
import { SlowRequest } from "./http/RequestTelemetry.ts"
import { paths as oauthPaths } from "./identity/oauth/api.ts"
import { TimelineReadOnly } from "./content/activities/Activities.ts"
import { AmbiguousReference } from "./mcp/References.ts"
import { OriginNotAllowed } from "./mcp/http.ts"
import { ChatNotOpen } from "./deals/messages/Message.ts"
import { OfferAnswered, OfferNotOpen } from "./deals/offers/Offer.ts"
import {
  AskerWithoutAccess,
  NoRoomAccess,
  QuestionLimitReached,
  QuestionsNotTaken
} from "./deals/rooms/questions/Question.ts"
import { TeaserCommunicated, TeaserIncomplete, TeaserNotPublished } from "./deals/teasers/Teaser.ts"
import { ConfirmationRequired, OnlyAdministrator, TeamPurged } from "./identity/teams/Team.ts"
import { UserDeleted } from "./identity/users/User.ts"
import { ArchiveConflict, ArchiveInvalid, ArchiveNewer, TeamExists } from "./tenancy/Archive.ts"
import { AdministratorRequired, Conflict, ForeignForm } from "./core/usecase/Problem.ts"

/** The handlers of all modules. */
const modules = Layer.mergeAll(
  identity.layer,
  teams.layer,
  contacts.layer,
  companies.layer,
  links.layer,
  duplicates.layer,
  merges.layer,
  associatedProjects.layer,
  notes.layer,
  files.layer,
  properties.layer,
  projects.layer,
  prospects.layer,
  tasks.layer,
  rooms.layer,
  teasers.layer,
  offers.layer,
  mandates.layer,
  matches.layer,
  webhooks.layer,
  deliveries.layer,
  changes.layer,
  oauth.layer
)

// Only `code`, `status` and `title` are looked at, which each has as constants.
const detail = ""

/** The problems that no operation of the API declares: commands answer them, or the endpoint of the tools. They have help pages, too. */
const problemsBesidesOperations = [
  new AdministratorRequired({ detail }),
  new ArchiveConflict({ detail }),
  new ArchiveInvalid({ detail }),
  new ArchiveNewer({ detail }),
  new ConfirmationRequired({ detail }),
  new ForeignForm({ detail }),
  new OnlyAdministrator({ detail }),
  new TeamExists({ detail }),
  new TeamPurged({ detail }),
  new UserDeleted({ detail }),
  new AmbiguousReference({ detail, candidates: [] }),
  new AskerWithoutAccess({ detail }),
  new ChatNotOpen({ detail }),
  new Conflict({ detail }),
  new NoRoomAccess({ detail }),
  new OfferAnswered({ detail, answer: "" }),
  new OfferNotOpen({ detail, offerStatus: "" }),
  new OriginNotAllowed({ detail }),
  new QuestionLimitReached({ detail, limit: 0 }),
  new QuestionsNotTaken({ detail }),
  new TeaserCommunicated({ detail }),
  new TeaserIncomplete({ detail }),
  new TeaserNotPublished({ detail }),
  new TimelineReadOnly({ detail })
]

const otherPaths = ["/", "/openapi.json", "/docs", "/help/:code", ...Docs.documentPaths, "/healthz", "/readyz"]

const methods: Edge.Methods = [
  ...Object.values(Api.groups).flatMap((group) =>
    Object.values(group.endpoints).map(({ method, path }) => ({ method, path }))
  ),
  ...otherPaths.map((path) => ({ method: "GET", path })),
  ...mcp.paths.map((path) => ({ method: "POST", path })),
  ...[...oauth.methods, ...console.methods, ...inbox.methods, ...pages].map(({ method, path }) => ({ method, path }))
]

/** What web pages of other origins may call. */
const shared: SharedPaths = {
  everyone: ["/.well-known/", `${mcp.path}/.well-known/`],
  allowed: ["/api/"],
  agents: [...mcp.paths, oauthPaths.token, oauthPaths.register, oauthPaths.revoke]
}

/** All routes. They need a router, the use-cases and the base URL. */
export const routes = Layer.mergeAll(
  modules,
  mcp.layer.pipe(Layer.provide(Tools.layer)),
  console.layer(pages, areasOf).pipe(Layer.provide(Overview.layer)),
  Docs.layer(
    problemsBesidesOperations,
    { style: assetPath("console.css"), script: assetPath("docs.js") },
    documentPages
  ),
  inbox.layer,
  Health.layer
).pipe(Layer.provideMerge(Edge.layer(methods, shared, console.problemPages)))

/** Matches paths exactly: case and slashes count (docs/behaviour/http.md#paths-and-methods). */
export const routerConfig = {
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  caseSensitive: true,
  maxParamLength: 1024
}

/**
 * Prepares the context of a layer for requests. Each request adds values on top of the server's context. By default, effect
 * copies all of its hundred services when the ninth value is added, which happened twice per request. With a `maxDepth` of 32
 * it never copies them.
 */
const withDeepContext = <A, E, R>(layer: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.fromBuild((memoMap, scope) =>
    Effect.updateContext(
      Layer.buildWithMemoMap(layer, memoMap, scope),
      (context: Context.Context<R>): Context.Context<R> => Context.makeUnsafe(context.mapUnsafe, { maxDepth: 32 })
    )
  )

/** The API, listening on a port. Without a base URL in the settings, it uses the address that it listens on. */
export const layer = (
  settings: Pick<Settings, "baseUrl" | "host" | "port"> &
    Partial<Pick<Settings, "allowedOrigins" | "mcpAllowedOrigins" | "slowRequestMs" | "trustedProxies">>
) => {
  const server = Layer.unwrap(
    Effect.map(Draining, ({ isDraining }) =>
      NodeHttpServer.layer(() => makeServer(settings.baseUrl, isDraining), {
        port: settings.port,
        host: settings.host,
        gracefulShutdownTimeout: "3 seconds"
      })
    )
  )
  const baseUrl = Layer.effect(
    BaseUrl,
    Effect.map(HttpServer.HttpServer, ({ address }) =>
      baseUrlOf(settings, "port" in address ? address.port : settings.port)
    )
  )
  // Built last, so that streams of events end before the server waits for its connections.
  const endStreams = Layer.effectDiscard(Effect.flatMap(Draining, ({ stop }) => Effect.addFinalizer(() => stop)))
  return endStreams.pipe(
    Layer.provideMerge(
      withDeepContext(HttpRouter.serve(routes, { routerConfig, disableLogger: true, disableListenLog: true }))
    ),
    Layer.provide(Layer.succeed(TrustedProxies, settings.trustedProxies ?? 0)),
    Layer.provide(
      Layer.succeed(AllowedOrigins, { all: settings.allowedOrigins ?? [], agents: settings.mcpAllowedOrigins ?? [] })
    ),
    Layer.provide(
      settings.slowRequestMs === undefined ? Layer.empty : Layer.succeed(SlowRequest, settings.slowRequestMs)
    ),
    Layer.provideMerge(baseUrl),
    Layer.provideMerge(server),
    Layer.provideMerge(Draining.layer)
  )
}
