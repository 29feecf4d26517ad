/** A migrated primary and its standbys. */
import { join } from "node:path"
import { migrated } from "./runFolder.ts"
import { scratch } from "./scratch.ts"
import * as StreamingPostgres from "./StreamingPostgres.ts"

export { caughtUp, type Server } from "./StreamingPostgres.ts"

/** Starts a server for the scope: a standby if it `follows` another one. */
export const start = (
  name: string,
  {
    follows,
    ...settings
  }: { readonly follows?: StreamingPostgres.Server } & {
    readonly [setting: string]: string | StreamingPostgres.Server
  } = {}
) =>
  StreamingPostgres.start(name, {
    source: join(scratch, migrated),
    parent: scratch,
    follows,
    settings: settings as Readonly<Record<string, string>>
  })
