/** Documents of rooms (docs/behaviour/rooms.md#documents). */
import { Schema } from "effect"
import { Timestamp } from "../../core/fields/Timestamp.ts"
import { IdOf } from "../../core/Id.ts"

/** A document: its latest version. */
export const Document = Schema.Struct({
  id: IdOf("file").annotate({
    description: "The id of the file that is this version. Its content is at `/api/v1/files/{id}/content`."
  }),
  name: Schema.String.annotate({ description: "The last part of its path.", examples: ["rent-roll.pdf"] }),
  path: Schema.String.annotate({
    description: "Its folders and its name. Uploading to the same path makes another version.",
    examples: ["Leases/rent-roll.pdf"]
  }),
  version: Schema.Int.annotate({
    description: "The number of the version, from 1. That of a deleted version is not used again.",
    examples: [1]
  }),
  contentType: Schema.String.annotate({ examples: ["application/pdf"] }),
  size: Schema.Int.annotate({ description: "The length of the content, in bytes.", examples: [48_213] }),
  sha256: Schema.String.annotate({
    description: "The SHA-256 of the content, in lower-case hexadecimal.",
    examples: ["77f2562d5340c7d17dc4f73b8ba2a17e811ec5fe1c975389f1620747ec6e706a"]
  }),
  uploadedUtc: Timestamp
}).annotate({ identifier: "RoomDocument", description: "A document of a data room, in its latest version." })
export type Document = typeof Document.Type
