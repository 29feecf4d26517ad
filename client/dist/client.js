/** The entry `property-network/client`: a typed client of the API for integrations. docs/client.md introduces it. */
export { ApiError, isProblem } from "./ApiError.js";
export { clientCredentials } from "./clientCredentials.js";
export { createClient } from "./createClient.js";
export { InvalidMessage, verifyMessage } from "./webhookEvents.js";
