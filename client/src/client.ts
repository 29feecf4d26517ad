/** The entry `property-network/client`: a typed client of the API for integrations. docs/client.md introduces it. */
export { type AnyProblem, ApiError, isProblem, type Problem, type ProblemCode } from "./ApiError.ts"
export { type ClientCredentials, clientCredentials, type TokenOptions } from "./clientCredentials.ts"
export { type Client, type ClientOptions, createClient, type JournalEvent } from "./createClient.ts"
export type { Delta, Journal } from "./lists.ts"
export type { DryRunOf, DryRunReport, Input, OperationId, Result, Row, Schemas } from "./operationTypes.ts"
export type { RetryOptions } from "./retrying.ts"
export { InvalidMessage, type Message, type MessageHeaders, verifyMessage, type WebhookEvent } from "./webhookEvents.ts"
