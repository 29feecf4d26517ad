/** What befalls prospects when their investor or their project changes. Ids are UUIDs. */

/** Investors: contacts, or companies. */
export type Investors = { readonly contacts: ReadonlyArray<string> } | { readonly companies: ReadonlyArray<string> }

/** Contacts or companies that become part of another. */
export interface Reassignment {
  readonly type: "contact" | "company"
  readonly from: ReadonlyArray<string>
  readonly to: string
}

/** A prospect with the project that it is on. */
export interface ProspectRef {
  readonly uuid: string
  readonly projectUuid: string
}
