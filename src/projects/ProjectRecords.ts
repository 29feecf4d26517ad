/** Projects as versioned records: what they share with contacts, companies and links. */
import { Context, Effect, Layer } from "effect"
import { Members } from "../identity/teams/Members.ts"
import type { RecordKind } from "../records/RecordKind.ts"
import * as Records from "../records/Records.ts"
import * as MergePatch from "../usecase/MergePatch.ts"
import * as UnvalidatedJson from "../usecase/UnvalidatedJson.ts"
import { Project, ProjectCreate, type ProjectListQuery, ProjectPatch } from "./Project.ts"
import { ProjectsRepo } from "./ProjectsRepo.ts"
import {
  answerOf,
  blank,
  fieldsOf,
  type ProjectFields,
  type ProjectRecord,
  rejectionOf,
  toChangeRecord,
  writeContextOf
} from "./rules.ts"

const make = Effect.gen(function* () {
  const repo = yield* ProjectsRepo
  const members = yield* Members
  const decodeCreate = UnvalidatedJson.decoder(ProjectCreate, Project.fields)
  const decodePatch = MergePatch.make(ProjectPatch)

  const kind: RecordKind<ProjectFields, ProjectRecord, ProjectListQuery> = {
    type: "project",
    plural: "Projects",
    blank,
    decodeCreate: (document) => Effect.map(decodeCreate(document), fieldsOf),
    decodePatch: (document, current) => Effect.map(decodePatch(document, answerOf(current as ProjectRecord)), fieldsOf),
    normalize: (sent) => sent,
    faultsOf: () => [],
    toChangeRecord,
    repo: {
      ...repo,
      context: (change, written) =>
        Effect.map(
          members.active(
            change.actor.teamId,
            written.flatMap(({ ownerId }) => ownerId ?? [])
          ),
          (names) => writeContextOf(new Set(names.keys()))
        )
    },
    cascade: () => Effect.void
  }
  return yield* Records.make(kind, { refusalOf: ({ value }) => rejectionOf(value) })
})

/** The use-cases that projects share with other records. */
export class ProjectRecords extends Context.Service<ProjectRecords, Effect.Success<typeof make>>()(
  "projects/ProjectRecords"
) {
  static readonly layer = Layer.effect(ProjectRecords, make)
}
