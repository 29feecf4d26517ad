/** The tool of the caller's identity. */
import { Effect, Schema, Struct } from "effect"
import * as Tool from "../../mcp/Tool.ts"
import { contentEtag } from "../../usecase/Precondition.ts"
import { Users } from "./Users.ts"

/** The tool of the caller's identity. It needs no capability. */
export const tools = Effect.gen(function* () {
  const users = yield* Users
  return [
    Tool.read({
      name: "get_me",
      title: "Get the caller",
      description: "Who you act for: their capabilities (broker, investor), teams, language and time zone.",
      toolset: "identity",
      input: {},
      output: { id: Schema.String, name: Schema.String, etag: Schema.String },
      read: () =>
        Effect.map(users.me(), (me) => ({
          ...Struct.omit(me, ["profilePictureUrl", "emailConfirmed", "phoneConfirmed"]),
          etag: contentEtag(JSON.stringify(me))
        }))
    })
  ]
})
