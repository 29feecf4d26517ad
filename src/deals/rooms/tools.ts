/** The tools of data rooms. Those of their questions are in `questions/tools.ts`. */
import * as Tool from "../../mcp/Tool.ts"
import { Effect, Schema, Struct } from "effect"
import { reference, References } from "../../mcp/References.ts"
import { fitting } from "../../mcp/text.ts"
import type { Room, RoomDetails } from "./Room.ts"
import { Rooms } from "./Rooms.ts"

const line = { id: Schema.String, name: Schema.String, status: Schema.String, openQuestionCount: Schema.Int }

const lineOf = (room: Room) =>
  Struct.pick(room, ["id", "name", "status", "openQuestionCount", "memberCount", "documentCount"])

const ofOne = <A extends Room>(room: A) => Struct.omit(room, ["changeType", "changeOrigin", "deletedUtc"])

// What the lists of one room may take of an answer, in characters.
const maxDocuments = 20_000
const maxMembers = 12_000

/** How many documents and members an earlier answer had. */
interface Skipped {
  readonly skipDocuments?: number
  readonly skipMembers?: number
}

/**
 * A room with as much of its lists as an answer has room for, after what was skipped: `leftOut` counts what comes after, and
 * `continueWith` has the arguments that read it.
 */
const viewOf = (
  { documents: allDocuments, members: allMembers, ...room }: RoomDetails,
  { skipDocuments = 0, skipMembers = 0 }: Skipped
) => {
  const documents = allDocuments.slice(skipDocuments).map((document) => Struct.omit(document, ["name", "sha256"]))
  const members = allMembers.slice(skipMembers)
  const [documentCount, memberCount] = [fitting(documents, maxDocuments), fitting(members, maxMembers)]
  const leftOut = { documents: documents.length - documentCount, members: members.length - memberCount }
  const continueWith = { skipDocuments: skipDocuments + documentCount, skipMembers: skipMembers + memberCount }
  return {
    ...ofOne(room),
    members: members.slice(0, memberCount),
    documents: documents.slice(0, documentCount),
    ...(leftOut.documents + leftOut.members === 0 ? {} : { leftOut, continueWith })
  }
}

const skip = Schema.optionalKey(
  Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)).annotate({ description: "From continueWith." })
)

/** The tools of data rooms. They need the `broker` capability. */
export const tools = Effect.gen(function* () {
  const rooms = yield* Rooms
  const { resolve } = yield* References
  return [
    Tool.list({
      name: "list_rooms",
      title: "List data rooms",
      description: "The data rooms of a project, closed ones too, the latest last.",
      toolset: "rooms",
      input: { project: reference("project") },
      items: "rooms",
      item: line,
      rows: ({ project }, page) =>
        Effect.flatMap(resolve("project", "project", project), (id) => rooms.list(id, page.request({}))),
      concise: lineOf,
      detailed: ofOne
    }),
    Tool.read({
      name: "get_room",
      title: "Get a data room",
      description:
        "One data room with its members, its documents, and in qa how many questions it has and which it takes. Long lists end early: leftOut counts the rest, and a call with continueWith reads on.",
      toolset: "rooms",
      input: { room: reference("room"), skipDocuments: skip, skipMembers: skip },
      output: { ...line, qa: Schema.Struct({ open: Schema.Int }), etag: Schema.String },
      read: ({ room, ...skipped }) =>
        Effect.map(
          resolve("room", "room", room).pipe(
            Effect.flatMap(rooms.locate),
            Effect.flatMap(({ projectId, roomId }) => rooms.get(projectId, roomId))
          ),
          (details) => viewOf(details, skipped)
        )
    })
  ]
})
