/** What the columns of files of other systems mean: docs/behaviour/known-exports.md. */

/** A system whose exports are recognised. Its name is the namespace of its ids, unless `--namespace` names another. */
export type System = "hubspot" | "pipedrive" | "salesforce" | "google" | "outlook"

/**
 * The headers of a kind by what they mean, compared without case, accents, spaces and punctuation. `#` stands for a number, `*` for any
 * text.
 */
export interface Headers {
  /** By the member that they set. Several columns may set a member of {@link severalColumns}. */
  readonly members: { readonly [member: string]: ReadonlyArray<string> }
  /** Ids of the records in the other system. */
  readonly externalId: ReadonlyArray<string>
  /** What a contact's link to its company has, by part. */
  readonly linked: { readonly [part in LinkedPart]?: ReadonlyArray<string> }
  /** Names of a person that are not reported apart. */
  readonly fullName?: ReadonlyArray<string>
  /** What records of the kind have no member for. */
  readonly without: ReadonlyArray<string>
}

/** What a row of a contact may say of its company: its name, id in the other system and domain, and the contact's title there. */
export type LinkedPart = "company" | "companyId" | "companyDomain" | "jobTitle"

/** The headers of a kind: those of any file, and those that mean something else, or something at all, in the export of a system. */
export interface KnownHeaders extends Headers {
  readonly exports: { readonly [S in System]?: Partial<Headers> }
}

/** Headers of all members of a kind. */
export interface OfMembers<Member extends string> {
  readonly members: { readonly [M in Member]: ReadonlyArray<string> }
}

/** What a column means. */
export type Meaning =
  | { readonly is: "member"; readonly member: string }
  | { readonly is: "externalId" }
  | { readonly is: "linked"; readonly part: LinkedPart }
  | { readonly is: "fullName" }
  | { readonly is: "without" }

/** A list of headers, which are separated by `|`. */
export const names = (text: string): ReadonlyArray<string> => text.split("|").map((name) => name.trim())
