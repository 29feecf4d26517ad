/** A store in a bucket of an S3-compatible service: `<prefix><space>/<key>`. */
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client
} from "@aws-sdk/client-s3"
import { Upload } from "@aws-sdk/lib-storage"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Option, Stream } from "effect"
import { Readable } from "node:stream"
import { type Driver, FileStoreFailure, type Place } from "./FileStore.ts"
import type { Bucket } from "./FileStoreSetting.ts"

/** The size of the pieces that a content is sent in, in bytes, and how many are held at a time. */
const partSize = 5 * 1024 * 1024
const partsHeld = 2

const attempt = <A>(operation: string, run: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (cause) => new FileStoreFailure({ operation, cause }) })

/** The store in this bucket. Every request is tried three times, and none waits for ever. */
export const make = Effect.fnUntraced(function* (bucket: Bucket) {
  const client = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new S3Client({
          region: bucket.region,
          ...(bucket.endpoint === undefined ? {} : { endpoint: bucket.endpoint }),
          forcePathStyle: bucket.forcePathStyle,
          maxAttempts: 3,
          // Checksums beyond the protocol's own are not understood by every service.
          requestChecksumCalculation: "WHEN_REQUIRED",
          responseChecksumValidation: "WHEN_REQUIRED",
          requestHandler: { connectionTimeout: 3000, requestTimeout: 30_000, throwOnRequestTimeout: true }
        })
    ),
    (made) => Effect.sync(() => made.destroy())
  )
  const Bucket = bucket.name
  const folderOf = (space: string) => `${bucket.prefix}${space}/`
  const keyOf = ({ key, space }: Place) => `${folderOf(space)}${key}`

  const write = <E, R>(place: Place, content: Stream.Stream<Uint8Array, E, R>) =>
    Effect.gen(function* () {
      let refused = Option.none<E>()
      const body = yield* NodeStream.toReadable(
        Stream.tapError(content, (error) =>
          Effect.sync(() => {
            refused = Option.some(error)
          })
        )
      )
      const upload = new Upload({
        client,
        params: { Bucket, Key: keyOf(place), Body: body },
        partSize,
        queueSize: partsHeld,
        leavePartsOnError: false
      })
      yield* Effect.tryPromise({
        try: () => upload.done(),
        catch: (cause) => Option.getOrElse(refused, () => new FileStoreFailure({ operation: "write", cause }))
      }).pipe(
        Effect.onInterrupt(() => Effect.ignore(attempt("abort", () => upload.abort()))),
        Effect.ensuring(Effect.sync(() => body.destroy()))
      )
    })

  /** The pages of a listing, one after another. */
  const pages = <A, Next>(
    read: (next: Next | undefined, signal: AbortSignal) => Promise<readonly [ReadonlyArray<A>, Next | undefined]>
  ) =>
    Stream.paginate<Next | undefined, A, FileStoreFailure>(undefined, (from) =>
      Effect.map(
        attempt("list", (signal) => read(from, signal)),
        ([found, next]) => [found, next === undefined ? Option.none() : Option.some(next)] as const
      )
    )

  const driver: Driver = {
    write,
    read: (place, range) =>
      Stream.unwrap(
        Effect.gen(function* () {
          const { Body: body } = yield* attempt("read", (abortSignal) =>
            client.send(
              new GetObjectCommand({
                Bucket,
                Key: keyOf(place),
                ...(range === undefined ? {} : { Range: `bytes=${range.first}-${range.last}` })
              }),
              { abortSignal }
            )
          )
          if (!(body instanceof Readable)) return Stream.empty
          return NodeStream.fromReadable<Uint8Array, FileStoreFailure>({
            evaluate: () => body,
            onError: (cause) => new FileStoreFailure({ operation: "read", cause })
          })
        })
      ),
    remove: (place) =>
      Effect.asVoid(
        attempt("remove", (abortSignal) =>
          client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(place) }), { abortSignal })
        )
      ),
    list: (space, before) =>
      pages<string, string>(async (ContinuationToken, abortSignal) => {
        const Prefix = folderOf(space)
        const page = await client.send(
          new ListObjectsV2Command({
            Bucket,
            Prefix,
            ...(ContinuationToken === undefined ? {} : { ContinuationToken })
          }),
          { abortSignal }
        )
        const keys = (page.Contents ?? []).flatMap(({ Key, LastModified }) =>
          Key !== undefined && LastModified !== undefined && LastModified < before ? [Key.slice(Prefix.length)] : []
        )
        return [keys, page.NextContinuationToken]
      }),
    removeUnfinished: (space, before) =>
      pages<{ readonly Key: string; readonly UploadId: string }, { KeyMarker: string; UploadIdMarker: string }>(
        async (from, abortSignal) => {
          const page = await client.send(
            new ListMultipartUploadsCommand({ Bucket, Prefix: folderOf(space), ...from }),
            { abortSignal }
          )
          const begun = (page.Uploads ?? []).flatMap(({ Initiated, Key, UploadId }) =>
            Key !== undefined && UploadId !== undefined && Initiated !== undefined && Initiated < before
              ? [{ Key, UploadId }]
              : []
          )
          const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
          const next =
            page.IsTruncated === true && KeyMarker !== undefined && UploadIdMarker !== undefined
              ? { KeyMarker, UploadIdMarker }
              : undefined
          return [begun, next]
        }
      ).pipe(
        Stream.runForEach((one) =>
          attempt("abort", (abortSignal) =>
            client.send(new AbortMultipartUploadCommand({ Bucket, ...one }), { abortSignal })
          )
        )
      )
  }
  return driver
})
