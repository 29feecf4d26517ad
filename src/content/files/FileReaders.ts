/**
 * Who reads files besides the brokers of their team. The modules that share files import this one, so the questions are declared here
 * and answered there.
 */
import { Context, type Effect } from "effect"
import type { Actor } from "../../core/auth/CurrentActor.ts"

/** A file of some team, by UUIDs. */
export interface FileOfTeam {
  readonly uuid: string
  readonly teamId: string
  readonly subject: { readonly type: string; readonly id: string }
}

interface FileReaders {
  /** Whether the actor, an investor, may read a file at a time. */
  readonly canRead: (actor: Actor, file: FileOfTeam, now: Date) => Effect.Effect<boolean>
}

/** The readers of files of subjects `prospect` and `offer`: what the broker and the investor shared with each other. */
export class SharedFiles extends Context.Service<SharedFiles, FileReaders>()("content/files/SharedFiles") {}

/** The readers of files of subject `room`. */
export class RoomFiles extends Context.Service<RoomFiles, FileReaders>()("content/files/RoomFiles") {}
