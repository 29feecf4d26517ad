/** What happens to rooms when their project is closed, deleted, comes back or is purged (docs/behaviour/rooms.md#states). */
import { Effect, Layer } from "effect"
import { following } from "../../core/mutation/Causes.ts"
import type { Change } from "../../core/mutation/Changes.ts"
import { ProjectRooms } from "../projects/ProjectRooms.ts"
import * as Purge from "../../core/records/Purge.ts"
import { AccessRepo } from "./AccessRepo.ts"
import { RoomQuestions } from "./RoomQuestions.ts"
import { RoomsRepo, type RoomRow } from "./RoomsRepo.ts"
import { RoomStates } from "./RoomStates.ts"

const make = Effect.gen(function* () {
  const repo = yield* RoomsRepo
  const access = yield* AccessRepo
  const states = yield* RoomStates
  const questions = yield* RoomQuestions
  const purgeStep = yield* Purge.make

  const moveAll = (event: "project_closed" | "project_reopened") =>
    Effect.fnUntraced(function* (change: Change, projectUuid: string) {
      const caused = following(change, () => ({
        event: "project.updated",
        resource: { type: "project", id: projectUuid }
      }))
      yield* states.move(caused, yield* repo.lockOf(change, projectUuid), event)
    })

  /** Listed by dry runs only: no timeline row and no event. */
  const recordSilently = (change: Change, rooms: ReadonlyArray<RoomRow>, kind: "deleted" | "restored") => {
    for (const { uuid } of rooms) {
      change.record({ change: kind, resource: { type: "room", id: uuid }, subjects: [] })
    }
    return rooms.map(({ uuid }) => uuid)
  }

  const deleted = Effect.fn("ProjectCascades.deleted")(function* (change: Change, projectUuid: string) {
    const rooms = yield* repo.lockOf(change, projectUuid)
    yield* repo.delete(change, recordSilently(change, rooms, "deleted"))
    if (rooms.length > 0) yield* questions.deleteAll(change, projectUuid)
  })

  const restored = Effect.fn("ProjectCascades.restored")(function* (change: Change, projectUuid: string) {
    const rooms = yield* repo.lockOf(change, projectUuid, true)
    yield* repo.restore(change, recordSilently(change, rooms, "restored"))
    if (rooms.length > 0) yield* questions.restoreAll(change, projectUuid)
  })

  return ProjectRooms.of({
    hasMembers: (change, projectUuid) => access.hasMembers(change.actor.teamId, projectUuid, change.at),
    closed: moveAll("project_closed"),
    reopened: moveAll("project_reopened"),
    deleted,
    restored,
    purge: (projects, limit) =>
      purgeStep({ lock: (max) => repo.lockForPurge(projects, max), remove: repo.purge }, limit)
  })
})

/** The rooms of projects, for the module of projects. */
export const layer = Layer.effect(ProjectRooms, make)
