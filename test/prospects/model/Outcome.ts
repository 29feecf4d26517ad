/** What operations answer, and what they tell. */
import { type Model, type Prospect, refsOf } from "./Model.ts"

/** An event, but for its number, its time and who caused it. */
export type Event = Readonly<Record<string, unknown>>

/** What an operation comes to. */
export interface Outcome {
  readonly status: number
  /** Why it is refused. */
  readonly code?: string
  /** Those of projects and prospects, in the order in which each resource has them. */
  readonly events: ReadonlyArray<Event>
  /** What a list of outcomes says. */
  readonly answer?: unknown
  /** The prospect that is answered. */
  readonly prospect?: Prospect
  /** The symbols of what is new, in its order. */
  readonly made: ReadonlyArray<string>
}

export const refused = (status: number, code: string): Outcome => ({ status, code, events: [], made: [] })
export const missing = refused(404, "not_found")
export const invalid = refused(400, "invalid_request")
export const offList = refused(409, "prospect_removed")
export const done = (status: number, events: ReadonlyArray<Event> = [], rest: Partial<Outcome> = {}): Outcome => ({
  status,
  events,
  made: [],
  ...rest
})

export const symbolOf = ({ number }: Prospect) => `@prospect:${number}`

export const updated = (
  prospect: Prospect,
  action: object | undefined,
  changed: ReadonlyArray<string> | null = null
): Event => ({
  event: "prospect.updated",
  resource_id: symbolOf(prospect),
  changed_fields: changed,
  ...(action === undefined ? {} : { action })
})

export const deleted = (prospect: Prospect, extras: object = {}): Event => ({
  event: "prospect.deleted",
  resource_id: symbolOf(prospect),
  external_refs: refsOf(prospect.refs).map(({ externalId, namespace }) => ({ namespace, id: externalId })),
  ...extras
})

export const ofProject = (event: string, extras: object = {}): Event => ({
  event,
  resource_id: "@project:0",
  ...extras
})

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
