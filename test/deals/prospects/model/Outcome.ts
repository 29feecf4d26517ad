/** The answers and events of operations. */
import { type Model, type Prospect, refsOf } from "./Model.ts"
import { kindOf } from "./operations.ts"

/** An event, without its number, its time and its actor. */
export type Event = Readonly<Record<string, unknown>>

/** The expected outcome of an operation. */
export interface Outcome {
  readonly status: number
  /** The problem code of a rejection. */
  readonly code?: string
  /** The events of projects and prospects; those of one resource are in order. */
  readonly events: ReadonlyArray<Event>
  /** The answer of a bulk operation. */
  readonly answer?: unknown
  /** The prospect in the answer. */
  readonly prospect?: Prospect
  /** The symbols of new resources, in their order. */
  readonly created: ReadonlyArray<string>
}

export const refused = (status: number, code: string): Outcome => ({ status, code, events: [], created: [] })
export const missing = refused(404, "not_found")
export const invalid = refused(400, "invalid_request")
export const prospectRemoved = refused(409, "prospect_removed")
export const succeeded = (status: number, events: ReadonlyArray<Event> = [], rest: Partial<Outcome> = {}): Outcome => ({
  status,
  events,
  created: [],
  ...rest
})

export const symbolOf = ({ number }: Prospect) => `@prospect:${number}`

/** The project, and the contact or company, that each event of a prospect names. */
export const namesOf = ({ whom }: Prospect) => ({
  project_id: "@project:0",
  [`${kindOf(whom)}_id`]: symbolOfInvestor(whom)
})

export const updated = (
  prospect: Prospect,
  action: object | undefined,
  changed: ReadonlyArray<string> | null = null
): Event => ({
  event: "prospect.updated",
  resource_id: symbolOf(prospect),
  changed_fields: changed,
  ...namesOf(prospect),
  ...(action === undefined ? {} : { action })
})

export const deleted = (prospect: Prospect, extras: object = {}): Event => ({
  event: "prospect.deleted",
  resource_id: symbolOf(prospect),
  ...namesOf(prospect),
  external_refs: refsOf(prospect.refs).map(({ externalId, namespace }) => ({ namespace, id: externalId })),
  ...extras
})

export const ofProject = (event: string, extras: object = {}): Event => ({
  event,
  resource_id: "@project:0",
  ...extras
})

/** Events that follow from another one. */
export const causedBy = (event: string, resource_id: string, events: ReadonlyArray<Event>): ReadonlyArray<Event> =>
  events.map((one) => ({ ...one, caused_by: { event, resource_id } }))

/** The symbol of a contact or company. */
export const symbolOfInvestor = (whom: Prospect["whom"]) => `@${kindOf(whom)}:${whom}`

/** Takes a prospect off the list. */
export const removeFromList = (prospect: Prospect, step: number): Event => {
  prospect.removedAt = step
  return updated(prospect, { type: "removed" }, ["deleted_at"])
}

/** A new note on a prospect: its symbol. */
export const newNote = (model: Model, prospect: Prospect): string => {
  const note = { number: model.notes++, archived: false, superseded: false }
  prospect.notes.push(note)
  return `@note:${note.number}`
}
