/**
 * Writes `openapi.json`, the OpenAPI document of this version: `npm run openapi`. It is committed, so that a review shows
 * what a change does to the API, and so that servers need not generate it.
 */
import * as OpenApiDocument from "../src/http/OpenApiDocument.ts"
import { writeFile } from "node:fs/promises"
import { Api } from "../src/Api.ts"
import { exampleBaseUrl, location } from "../src/http/OpenApiSpec.ts"

const document = OpenApiDocument.make(Api, exampleBaseUrl)

await writeFile(location, `${JSON.stringify(document, null, 2)}\n`)
