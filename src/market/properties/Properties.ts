/** The use-cases of properties. */
import * as Id from "../../core/Id.ts"
import * as Records from "../../core/records/Records.ts"
import * as Search from "../../core/records/Search.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { makeMergePatch } from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer, Result } from "effect"
import { CurrentActor } from "../../core/auth/CurrentActor.ts"
import { type Change, following } from "../../core/mutation/Changes.ts"
import type { TimelineQuery } from "../../core/mutation/Timeline.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import { Members, resolveMe } from "../../identity/teams/Teams.ts"
import { makePatchRecord } from "../../core/records/ChangeRecords.ts"
import type {
  DeletableKind,
  EditableKind,
  ReadableKind,
  RestorableKind,
  Returned
} from "../../core/records/RecordKind.ts"
import type { FileRows } from "../../core/records/UpsertMatching.ts"
import { ConcurrencyConflict } from "../../core/usecase/Problem.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { PropertiesRepo } from "./PropertiesRepo.ts"
import {
  Property,
  PropertyCreate,
  type PropertyFields,
  type PropertyListQuery,
  PropertyOnProject,
  PropertyPatch,
  searchMembers
} from "./Property.ts"
import {
  blank,
  type ChangedList,
  completed,
  faultsOf,
  movedBetween,
  normalize,
  projectIdsAfter,
  repeatsMember,
  toChangeRecord,
  writeContextOf
} from "./rules.ts"

/**
 * The deals that properties (UUIDs) are part of: what properties ask of what is above them, which answers in
 * `deals/lifecycle/ProjectLifecycle.ts`.
 */
export class PropertyDeals extends Context.Service<
  PropertyDeals,
  {
    /** The ids of the projects that are not closed and list one of these properties, by the UUID of the property. */
    readonly openOf: (
      teamId: string,
      propertyUuids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<string>>>
    /**
     * The change deletes the properties: takes them off all projects, closed ones included, and removes their teasers. Locks the projects,
     * so call it before properties are locked.
     */
    readonly deleted: (change: Change, propertyUuids: ReadonlyArray<string>) => Effect.Effect<void>
    /** The change restores the properties, whose projects it locks: what of the deletion can be taken back. */
    readonly returning: (change: Change, propertyUuids: ReadonlyArray<string>) => Effect.Effect<ReturnToProjects>
  }
>()("market/properties/PropertyDeals") {}

/** How properties come back to the projects that listed them. */
export interface ReturnToProjects {
  /** The projects (ids) that will list a property (UUID) again. */
  readonly projectIdsOf: (propertyUuid: string) => ReadonlyArray<string>
  /** Writes the lists of these projects, and the teasers of the properties. */
  readonly finish: Effect.Effect<Returned>
}

type Kind = EditableKind<PropertyFields, Property> &
  ReadableKind<Property, PropertyListQuery> &
  RestorableKind<PropertyFields> &
  DeletableKind<PropertyFields, Property, PropertyOnProject>

const decodeCreate = UnvalidatedJson.decoder(PropertyCreate, Property.fields)

const decodePatch = makeMergePatch(PropertyPatch)

const asFields = (sent: object) => sent as Partial<PropertyFields>

const make = Effect.gen(function* () {
  const repo = yield* PropertiesRepo
  const deals = yield* PropertyDeals
  const members = yield* Members
  const timelines = yield* Timelines

  const kind: Kind = {
    type: "property",
    needs: "broker",
    plural: "Properties",
    quota: "properties",
    blank,
    repo,
    context: (change, wanted) =>
      Effect.map(
        members.active(
          change.actor.teamId,
          wanted.flatMap(({ ownerId }) => ownerId ?? [])
        ),
        (names) => writeContextOf(new Set(names.keys()))
      ),
    // Objects of a request have only the members that were sent: `normalize` merges them into the present ones.
    decodeCreate: (document) => Effect.map(decodeCreate(document), asFields),
    decodePatch: (document, current) => Effect.map(decodePatch(document, current), asFields),
    repeatsMember,
    normalize,
    faultsOf,
    toChangeRecord,
    rejectDeletions: (change, uuids) =>
      Effect.map(
        deals.openOf(change.actor.teamId, uuids),
        (projectIds) =>
          new Map(
            [...projectIds].map(([uuid, ids]) => [
              uuid,
              new PropertyOnProject({
                projectIds: ids,
                detail:
                  "The property is on projects that are not closed. Take it off their `propertyIds` first, or delete it with force=true."
              })
            ])
          )
      ),
    cascade: (change, uuids) => Effect.as(deals.deleted(change, uuids), "nothing" as const),
    returning: (change, deleted) =>
      Effect.map(
        deals.returning(
          change,
          deleted.map(({ uuid }) => uuid)
        ),
        ({ finish, projectIdsOf }) => ({
          of: ({ fields, uuid }) => {
            const listing = new Set(projectIdsOf(uuid))
            const projectIds = fields.projectIds.filter((id) => listing.has(id))
            return Result.succeed({ fields: { ...fields, projectIds }, notRestored: [] })
          },
          finish: () => finish
        })
      )
  }
  const records = yield* Records.make(kind)
  const patchCompleted = yield* makePatchRecord({
    ...kind,
    decodePatch: (document, current) =>
      kind.decodePatch({ ...document, value: completed(document.value, current) }, current)
  })
  const search = yield* Search.make({ needs: kind.needs, plural: kind.plural, members: searchMembers, repo })

  /** Adds a property. */
  const create = Effect.fn("Properties.create")(function* (request: UseCaseRequest<object>) {
    return yield* records.create(resolveMe(yield* CurrentActor, request))
  })

  /** Changes members of a property; a patch that changes nothing leaves no trace. */
  const patch = Effect.fn("Properties.patch")(function* (id: string, request: UseCaseRequest<object>) {
    return yield* records.patch(id, resolveMe(yield* CurrentActor, request))
  })

  /**
   * Changes members as `patch` does, but what a value of the patch omits stays as well: the standard of an area, or the currency of an
   * amount.
   */
  const patchValues = Effect.fn("Properties.patchValues")(function* (id: string, request: UseCaseRequest<object>) {
    return yield* patchCompleted(id, resolveMe(yield* CurrentActor, request))
  })

  /** Creates or patches up to a hundred properties. */
  const batchUpsert = Effect.fn("Properties.batchUpsert")(function* (request: UseCaseRequest<object>) {
    return yield* records.batchUpsert(resolveMe(yield* CurrentActor, request))
  })

  /** Creates or patches properties that are rows of a file. */
  const importRows = Effect.fn("Properties.importRows")(function* (request: UseCaseRequest<object>, rows: FileRows) {
    return yield* records.importRows(resolveMe(yield* CurrentActor, request), rows)
  })

  /** The UUID of a property that the caller may read, for what belongs to it. */
  const authorizeRead = Effect.fn("Properties.authorizeRead")((id: string) =>
    // Properties are never merged.
    Effect.catchTag(records.authorizeRead(id), "Merged", Effect.die)
  )

  /** The timeline of a property, newest first. */
  const actions = Effect.fn("Properties.actions")(function* (
    id: string,
    request: Pick<UseCaseRequest<TimelineQuery>, "query">
  ) {
    const { actor, uuid } = yield* authorizeRead(id)
    return yield* timelines.read({ teamId: actor.teamId, type: "property", id: uuid }, yield* request.query)
  })

  /**
   * Updates the `projectIds` of the properties that these projects list now, or listed before. Fails when one of them was deleted after
   * the project was written.
   */
  const followLists = Effect.fn("Properties.followLists")(function* (
    change: Change,
    lists: ReadonlyArray<ChangedList>
  ) {
    const written = lists.map(({ projectId }) => projectId)
    const naming = yield* repo.naming(
      change.actor.teamId,
      written.flatMap((id) => Id.toUuid("project", id) ?? [])
    )
    // Only who writes a project, and so has locked it, changes which properties name it.
    const moved = movedBetween(lists, naming)
    const locked = yield* records.lock(
      change,
      moved.flatMap((id) => Id.toUuid("property", id) ?? [])
    )
    if (locked.length === 0) return
    const living = locked.filter(({ deleted }) => !deleted)
    if (living.length < locked.length) return yield* ConcurrencyConflict.of("property")
    const listing = (id: string) => lists.filter(({ propertyIds }) => propertyIds.includes(id))
    const changes = living.map((stored) => {
      const { id, projectIds } = stored.resource
      const now = listing(id).map(({ projectId }) => projectId)
      const cause = lists.find(({ projectId }) => projectIds.includes(projectId) !== now.includes(projectId))
      return { stored, cause, projectIds: projectIdsAfter(projectIds, written, now) }
    })
    const byUuid = new Map(changes.map((one) => [one.stored.uuid, one]))
    const caused = following(change, ({ resource }) => {
      const { event, projectId } = byUuid.get(resource.id)?.cause ?? {}
      const uuid = Id.toUuid("project", projectId ?? "")
      return event === undefined || uuid === undefined ? undefined : { event, resource: { type: "project", id: uuid } }
    })
    yield* records.patchLocked(caused, living, ({ uuid }) => ({ projectIds: byUuid.get(uuid)?.projectIds ?? [] }))
  })

  return {
    ...records,
    search,
    create,
    patch,
    patchValues,
    batchUpsert,
    importRows,
    readAhead: records.readAhead,
    authorizeRead,
    actions,
    followLists,
    listOf: repo.listOf,
    findAll: repo.findAll,
    projectIdsOf: repo.projectIdsOf
  }
})

/**
 * The use-cases of properties. They need the `broker` capability; `followLists`, `listOf`, `findAll` and `projectIdsOf` are for modules
 * that have authorized their caller, and `purge` is for a job.
 */
export class Properties extends Context.Service<Properties, Effect.Success<typeof make>>()(
  "market/properties/Properties"
) {
  static readonly layer = Layer.effect(Properties, make).pipe(Layer.provide([Members.layer, PropertiesRepo.layer]))
}
