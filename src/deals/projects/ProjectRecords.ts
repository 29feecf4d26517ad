/** Projects as versioned records: the use-cases that they share with contacts, companies and links. */
import * as Id from "../../core/Id.ts"
import * as ReadRecords from "../../core/records/ReadRecords.ts"
import * as MergePatch from "../../core/usecase/MergePatch.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer } from "effect"
import type { Change } from "../../core/mutation/Changes.ts"
import type { ExternalRef } from "../../core/externalRefs/ExternalRef.ts"
import { ExternalRefsRepo } from "../../core/externalRefs/ExternalRefsRepo.ts"
import { Members } from "../../identity/teams/Teams.ts"
import { Properties } from "../../market/properties/Properties.ts"
import { makeChangeLocked, makeCreateRecord, makePatchRecord } from "../../core/records/ChangeRecords.ts"
import { makeTombstonePurge } from "../../core/records/DeleteRecords.ts"
import type { EditableKind, ReadableKind } from "../../core/records/RecordKind.ts"
import { ConcurrencyConflict, ExternalReferenceTaken } from "../../core/usecase/Problem.ts"
import { Project, ProjectCreate, type ProjectListQuery, ProjectPatch, type ValidationFailed } from "./Project.ts"
import { ProjectsRepo } from "./ProjectsRepo.ts"
import {
  answerOf,
  blank,
  eventOf,
  fieldsOf,
  normalize,
  type ProjectFields,
  type ProjectRecord,
  rejectionOf,
  sellerAfter,
  toChangeRecord,
  writeContextOf
} from "./rules.ts"

const make = Effect.gen(function* () {
  const repo = yield* ProjectsRepo
  const members = yield* Members
  const properties = yield* Properties
  const refs = yield* ExternalRefsRepo
  const decodeCreate = UnvalidatedJson.decoder(ProjectCreate, Project.fields)
  const decodePatch = MergePatch.make(ProjectPatch)

  /** Updates the `projectIds` of the properties that these projects (UUIDs) list now, or listed before. */
  const followLists = Effect.fnUntraced(function* (change: Change, uuids: ReadonlyArray<string>) {
    const written = yield* repo.findAll(change.actor.teamId, uuids)
    yield* properties.followLists(
      change,
      written.map(({ resource: { changeType, id, propertyIds } }) => ({
        projectId: id,
        propertyIds,
        event: eventOf(changeType)
      }))
    )
  })

  const kind: EditableKind<ProjectFields, ProjectRecord, ValidationFailed> &
    ReadableKind<ProjectRecord, ProjectListQuery> = {
    type: "project",
    needs: "broker",
    plural: "Projects",
    quota: "projects",
    blank,
    repo,
    context: Effect.fnUntraced(function* (change, wanted) {
      const { teamId } = change.actor
      const owners = yield* members.active(
        teamId,
        wanted.flatMap(({ ownerId }) => ownerId ?? [])
      )
      const uuids = wanted.flatMap(({ propertyIds }) => propertyIds.flatMap((id) => Id.toUuid("property", id) ?? []))
      return writeContextOf(
        new Set(owners.keys()),
        yield* properties.projectIdsOf(teamId, [...new Set(uuids)]),
        yield* repo.existingContacts(
          teamId,
          wanted.flatMap(({ sellerContactId }) => sellerContactId ?? [])
        )
      )
    }),
    decodeCreate: (document) => Effect.map(decodeCreate(document), fieldsOf),
    decodePatch: (document, current) => Effect.map(decodePatch(document, answerOf(current as ProjectRecord)), fieldsOf),
    rejectBody: ({ value }) => rejectionOf(value),
    normalize,
    toChangeRecord,
    denormalizedCopies: {
      members: ["propertyIds"],
      ofNew: true,
      update: followLists,
      // Projects are not deleted by the use-cases of records (deals/lifecycle/ProjectLifecycle.ts).
      removeDeleted: () => Effect.succeed("nothing" as const)
    }
  }

  /** Releases the external references of a project (UUID) that the change deletes. */
  const releaseRefs = (change: Change, uuid: string) =>
    refs.replace({ teamId: change.actor.teamId, type: "project" }, [{ id: uuid, refs: [] }])

  /** Gives a project (UUID) that the change restores its references back; fails when another project has one of them. */
  const reclaimRefs = Effect.fnUntraced(function* (
    change: Change,
    uuid: string,
    externalRefs: ReadonlyArray<ExternalRef>
  ) {
    const owners = { teamId: change.actor.teamId, type: "project" } as const
    const [taken] = yield* refs.holders(owners, externalRefs)
    if (taken !== undefined) {
      return yield* ExternalReferenceTaken.of("project", taken, Id.fromUuid("project", taken.holder))
    }
    if (!(yield* refs.replace(owners, [{ id: uuid, refs: externalRefs }]))) {
      return yield* ConcurrencyConflict.of("project")
    }
  })

  const locked = yield* makeChangeLocked(kind)

  /** Who sells a project that the change reopens or restores: see {@link sellerAfter}. */
  const sellerOf = (change: Change, project: Pick<ProjectRecord, "closedUtc" | "sellerContactId">) =>
    project.sellerContactId === null
      ? Effect.succeed(null)
      : Effect.map(repo.survivorOf(change.actor.teamId, project.sellerContactId), (living) =>
          sellerAfter(project, living)
        )

  /** Brings a project (UUID) that the change restores back to those of its properties that still exist, and to its seller. */
  const relink = Effect.fnUntraced(function* (change: Change, uuid: string) {
    const restored = yield* locked.lock(change, [uuid])
    const uuids = restored.flatMap(({ resource }) =>
      resource.propertyIds.flatMap((id) => Id.toUuid("property", id) ?? [])
    )
    const living = yield* properties.projectIdsOf(change.actor.teamId, uuids)
    const sellers = new Map(
      yield* Effect.forEach(restored, ({ resource, uuid: id }) =>
        Effect.map(sellerOf(change, resource), (seller) => [id, seller] as const)
      )
    )
    yield* locked.patchLocked(change, restored, ({ resource, uuid: id }) => ({
      propertyIds: resource.propertyIds.filter((property) => living.has(property)),
      sellerContactId: sellers.get(id) ?? null
    }))
    yield* followLists(change, [uuid])
  })

  return {
    list: yield* ReadRecords.makeList(kind),
    create: yield* makeCreateRecord(kind),
    patch: yield* makePatchRecord(kind),
    ...locked,
    followLists,
    relink,
    sellerOf,
    releaseRefs,
    reclaimRefs,
    purge: yield* makeTombstonePurge(repo)
  }
})

/** The use-cases that projects share with other records. */
export class ProjectRecords extends Context.Service<ProjectRecords, Effect.Success<typeof make>>()(
  "deals/projects/ProjectRecords"
) {
  static readonly layer = Layer.effect(ProjectRecords, make)
}
