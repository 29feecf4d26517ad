/** The REST handlers of files. */
import { Effect, Layer } from "effect"
import * as RestResponse from "../../http/RestResponse.ts"
import { Download } from "../../http/RestResponse.ts"
import * as RestAdapter from "../../http/RestAdapter.ts"
import { companyFiles, contactFiles, files as contract, propertyFiles } from "./api.ts"
import { Files } from "./Files.ts"

const handlersOf = (type: "contact" | "company" | "property") =>
  Effect.map(
    Files,
    (
      files
    ): RestAdapter.Handlers<typeof contactFiles> &
      RestAdapter.Handlers<typeof companyFiles> &
      RestAdapter.Handlers<typeof propertyFiles> => ({
      list: (request) => Effect.map(files.list(type, request.params.id, request), RestResponse.page),
      upload: (request) =>
        Effect.map(files.upload(type, request.params.id, request), (created) =>
          RestResponse.created("/api/v1/files", created)
        )
    })
  )

const one = RestAdapter.group(
  contract,
  Effect.map(Files, (files) => ({
    get: (request) => Effect.map(files.get(request.params.id), RestResponse.resource),
    download: (request) =>
      Effect.map(files.content(request.params.id), ({ etag, file, read }) =>
        RestResponse.ok(new Download({ name: file.name, contentType: file.contentType, size: file.size, etag, read }))
      ),
    delete: (request) => Effect.as(files.delete(request.params.id, request), RestResponse.noContent)
  }))
)

/** Serves the files of contacts, companies and properties, and single files. */
export const layer = Layer.mergeAll(
  RestAdapter.group(contactFiles, handlersOf("contact")),
  RestAdapter.group(companyFiles, handlersOf("company")),
  RestAdapter.group(propertyFiles, handlersOf("property")),
  one
)
