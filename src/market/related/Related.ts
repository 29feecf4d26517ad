/** The names of the records that pages speak of by their ids, and whom people mean by a name. */
import { Context, Effect, Layer } from "effect"
import { authorize } from "../../core/auth/CurrentActor.ts"
import * as Id from "../../core/Id.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import { InvalidRequest, withValues } from "../../core/usecase/Problem.ts"
import { type NamedType, namedTypes, RelatedRepo } from "./RelatedRepo.ts"

/** How many matches of a name one chooses from. */
const maxMatches = 6

/** The longest name that is looked for. */
const maxLength = 200

/** An id, alone or at the end of a line of {@link lineOf}. */
const idIn = /(?:^|\()((?:company|contact)_\w+)\)?$/

/** A record by its name, and what leads to its page. */
export interface NamedRecord {
  readonly type: NamedType
  /** Of a task, its type. */
  readonly name: string
  /** The project that a prospect or task is on. */
  readonly projectId: string | null
  /** The prospect that a task is about, and its name. */
  readonly prospectId: string | null
  readonly about: string | null
}

/** A record as a form has it: people read the name, and the id means this one alone. */
const lineOf = (id: string, name: string | null | undefined): string =>
  name === null || name === undefined ? id : `${name} (${id})`

const make = Effect.gen(function* () {
  const repo = yield* RelatedRepo

  /** Records by their ids, in one statement; none for who may not read the network and the deals of the team. */
  const named = Effect.fn("Related.named")(function* (ids: ReadonlyArray<string>) {
    const { broker, membership, teamId } = yield* authorize("none")
    if (broker !== "active" || membership !== "active") return new Map<string, NamedRecord>()
    const uuids = Object.fromEntries(namedTypes.map((type) => [type, ids.flatMap((id) => Id.toUuid(type, id) ?? [])]))
    const found = yield* repo.named(teamId, uuids)
    return new Map(
      found.flatMap(({ about, id, name, project, prospect, type }): ReadonlyArray<[string, NamedRecord]> => {
        const [projectId, prospectId] = [Id.fromUuidOrNull("project", project), Id.fromUuidOrNull("prospect", prospect)]
        return name === null ? [] : [[Id.fromUuid(type, id), { type, name, projectId, prospectId, about }]]
      })
    )
  })

  /** The names of records by their ids. */
  const names = (ids: ReadonlyArray<string>) =>
    Effect.map(named(ids), (found) => new Map([...found].map(([id, { name }]) => [id, name])))

  /** Records as forms have them, by their ids; an id alone where there is no name to read. */
  const lines = Effect.fn("Related.lines")(function* (ids: ReadonlyArray<string>) {
    const known = yield* names(ids)
    return new Map(ids.map((id) => [id, lineOf(id, known.get(id))]))
  })

  /**
   * The id of the contact or company that a person means by its name, the beginning of that, its address, its id, or its line. The fault of
   * `pointer` says which it may be where there are several; an id is judged by who gets it.
   */
  const meant = Effect.fn("Related.meant")(function* (type: "company" | "contact", typed: string, pointer: string) {
    const [, id] = idIn.exec(typed) ?? []
    const { broker, membership, teamId } = yield* authorize("none")
    if (id !== undefined || broker !== "active" || membership !== "active") return id ?? typed
    const found = yield* repo.meant(teamId, type, typed.slice(0, maxLength), maxMatches)
    const whole = found.filter(({ is_whole }) => is_whole)
    const [first, ...others] = whole.length > 0 ? whole : found
    if (first === undefined) {
      const by = type === "contact" ? "name, e-mail address" : "name, domain"
      return yield* InvalidRequest.of([
        bodyFault(pointer, "not_found", `No ${type} of your network is called so. Type its ${by} or id.`)
      ])
    }
    if (others.length === 0) return Id.fromUuid(type, first.id)
    const allowed = [first, ...others].map(({ about, id: uuid, name }) =>
      lineOf(Id.fromUuid(type, uuid), about === null || about === name ? name : `${name}, ${about}`)
    )
    const detail = `Several are called so. Choose one of them: ${allowed.join("; ")}.`
    return yield* InvalidRequest.of([withValues(bodyFault(pointer, "ambiguous_reference", detail), { allowed })])
  })

  return { named, names, lines, meant }
})

/** Names what pages speak of, and finds it by name. */
export class Related extends Context.Service<Related, Effect.Success<typeof make>>()("market/related/Related") {
  static readonly layer = Layer.effect(Related, make).pipe(Layer.provide(RelatedRepo.layer))
}
