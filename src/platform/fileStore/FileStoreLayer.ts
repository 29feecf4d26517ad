/** Chooses the driver of the file store by the setting. */
import * as Folder from "./Folder.ts"
import { Effect, Layer } from "effect"
import type { FileStore, FileStoreSetting } from "./FileStore.ts"

/** The store that `setting` names. The credentials of a bucket come from the environment. */
export const layer = (setting: FileStoreSetting): Layer.Layer<FileStore> =>
  setting.kind === "folder"
    ? Folder.layer(setting.path)
    : // The client of S3 is large, and most installations do not use it.
      Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./S3.ts")),
          (S3) => S3.layer(setting)
        )
      )
