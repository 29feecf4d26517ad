/** The REST surface: one line per room. */
import { HttpApi } from "effect/http-api"
import { contacts } from "./network/contacts/api.ts"

/** Every operation that the service has. */
export const Api = HttpApi.make("property-network")
  .add(contacts)
