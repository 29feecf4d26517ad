/** A file on a contact, a company or a property: docs/behaviour/timelines-notes-files.md#files. */
import { Schema } from "effect"
import { auditFields } from "../../core/mutation/Audit.ts"
import { pageQuery } from "../../core/usecase/Page.ts"
import { IdOf } from "../../core/Id.ts"

/** The form of an upload. */
export const FileForm = Schema.Struct({
  file: Schema.String.annotate({
    description:
      "The file, of 0 to 104,857,600 bytes. The part needs a file name, whose directories are ignored. Its Content-Type defaults to `application/octet-stream`.",
    format: "binary",
    examples: ["The terms that we discussed."]
  })
}).annotate({ identifier: "FileForm", description: "A form with one field, `file`." })

/** A file. */
export const File = Schema.Struct({
  id: IdOf("file"),
  contactId: Schema.NullOr(IdOf("contact")).annotate({
    description: "The contact that the file belongs to; null if it belongs to another record.",
    examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"]
  }),
  companyId: Schema.NullOr(IdOf("company")).annotate({
    description: "The company that the file belongs to; null if it belongs to another record.",
    examples: [null]
  }),
  propertyId: Schema.NullOr(IdOf("property")).annotate({
    description: "The property that the file belongs to; null if it belongs to another record.",
    examples: [null]
  }),
  name: Schema.String.annotate({ description: "The name of the file.", examples: ["terms.txt"] }),
  contentType: Schema.String.annotate({
    description: "The media type that the file was uploaded with.",
    examples: ["text/plain"]
  }),
  size: Schema.Int.annotate({ description: "The length of the content, in bytes.", examples: [27] }),
  sha256: Schema.String.annotate({
    description: "The SHA-256 of the content, in lower-case hexadecimal.",
    examples: ["77f2562d5340c7d17dc4f73b8ba2a17e811ec5fe1c975389f1620747ec6e706a"]
  }),
  ...auditFields
}).annotate({
  // File is a type of TypeScript's.
  identifier: "StoredFile",
  description: "A file on a contact, a company or a property. Its content never changes."
})
export type File = typeof File.Type

/** The query parameters of the list. */
export const FileListQuery = Schema.Struct(pageQuery)
export type FileListQuery = typeof FileListQuery.Type
