/**
 * Writes `openapi.json`, the OpenAPI document of this version: `npm run openapi`. It is committed, so that a review shows
 * what a change does to the API. Base URLs in it are {@link exampleBaseUrl}.
 */
import { writeFile } from "node:fs/promises"
import { Api } from "./Api.ts"
import * as OpenApiDocument from "./http/OpenApiDocument.ts"

/** The base URL of the committed document. A server uses its own. */
const exampleBaseUrl = "http://localhost:3000"

const document = OpenApiDocument.make(Api, exampleBaseUrl)

await writeFile(new URL("../openapi.json", import.meta.url), `${JSON.stringify(document, null, 2)}\n`)
