/** A person whose data is looked for, and what is found of them in a team. Ids are UUIDs. */

/** By what a person is named: an e-mail address, the id of a contact, or that of an account. */
export type PersonName =
  /** With its HMACs, by which those are found who were erased. */
  | { readonly by: "email"; readonly email: string; readonly hashes: ReadonlyArray<Uint8Array> }
  | { readonly by: "contact"; readonly uuid: string }
  | { readonly by: "user"; readonly uuid: string }

/** An offer that a person got, in the team of the investor. */
export interface OfferOfPerson {
  readonly id: string
  readonly teamId: string
}

/** A person in a team: their contacts, with those that were merged into them, and what hangs on these. */
export interface PersonInTeam {
  readonly teamId: string
  readonly contacts: ReadonlyArray<string>
  readonly links: ReadonlyArray<string>
  readonly mandates: ReadonlyArray<string>
  readonly prospects: ReadonlyArray<string>
  readonly tasks: ReadonlyArray<string>
  readonly questions: ReadonlyArray<string>
  /** The projects whose seller a contact is. */
  readonly sold: ReadonlyArray<string>
  readonly offers: ReadonlyArray<OfferOfPerson>
  /** What they are called, however it is written, and their e-mail addresses in lower case, as far as it is still known. */
  readonly names: ReadonlyArray<string>
  readonly emails: ReadonlyArray<string>
}

/** The account of a person. */
export interface Account {
  readonly uuid: string
  readonly email: string | null
  readonly name: string
  /** Whether it was deleted: nothing is left of it but its id. */
  readonly isDeleted: boolean
}
