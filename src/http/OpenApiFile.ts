/**
 * The committed OpenAPI document, `openapi.json`: what `/openapi.json` and `/docs` serve. `npm run openapi` generates it from the
 * contracts, and a test fails when it is not what they generate. A server does not generate it, because that would hold the
 * event loop for some tenths of a second.
 */
import { Effect } from "effect"
import { readFile } from "node:fs/promises"
import { inTurn } from "../core/usecase/Turns.ts"
import type { Document } from "./OpenApiSpec.ts"

/** The base URL in the committed document. A server uses its own. */
export const exampleBaseUrl = "http://localhost:3000"

/** Where the document is. */
export const location = new URL("../../openapi.json", import.meta.url)

/** The document of the API that clients reach at `baseUrl`. */
export const read = (baseUrl: string): Effect.Effect<Document> =>
  Effect.flatMap(
    Effect.promise(() => readFile(location, "utf8")),
    (text) =>
      inTurn(
        Effect.sync(
          () => JSON.parse(text.replaceAll(exampleBaseUrl, () => JSON.stringify(baseUrl).slice(1, -1))) as Document
        )
      )
  )
