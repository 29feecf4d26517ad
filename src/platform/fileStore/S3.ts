/** A file store in a bucket of an S3-compatible service, under the keys `<prefix><namespace>/<id>`. */
import * as NodeStream from "@effect/platform-node/NodeStream"
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client
} from "@aws-sdk/client-s3"
import { Upload } from "@aws-sdk/lib-storage"
import { Effect, Layer, Option, Stream } from "effect"
import { Readable } from "node:stream"
import { type Bucket, type ByteRange, type Driver, FileStore, FileStoreFailure, type ObjectKey } from "./FileStore.ts"

/** The size of the parts of an upload in bytes; S3 accepts none smaller, except the last. */
const partSize = 5 * 1024 * 1024

/** How many parts of an upload are in memory at a time. */
const maxPartsInMemory = 2

const attempt = <A>(operation: string, run: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: (cause) => new FileStoreFailure({ operation, cause }) })

/** A bucket and the client for it. */
interface Access {
  readonly client: S3Client
  readonly bucket: Bucket
}

const prefixOf = (bucket: Bucket, namespace: string) => `${bucket.prefix}${namespace}/`

const keyOf = (bucket: Bucket, { id, namespace }: ObjectKey) => `${prefixOf(bucket, namespace)}${id}`

/** The client for `bucket`. It tries each request three times, with timeouts. */
const clientOf = (bucket: Bucket) =>
  Effect.acquireRelease(
    Effect.sync(
      () =>
        new S3Client({
          region: bucket.region,
          ...(bucket.endpoint === undefined ? {} : { endpoint: bucket.endpoint }),
          forcePathStyle: bucket.forcePathStyle,
          maxAttempts: 3,
          // Not every compatible service supports the newer checksums.
          requestChecksumCalculation: "WHEN_REQUIRED",
          responseChecksumValidation: "WHEN_REQUIRED",
          requestHandler: { connectionTimeout: 3000, requestTimeout: 30_000, throwOnRequestTimeout: true }
        })
    ),
    (client) => Effect.sync(() => client.destroy())
  )

const write = <E, R>({ bucket, client }: Access, key: ObjectKey, content: Stream.Stream<Uint8Array, E, R>) =>
  Effect.gen(function* () {
    // `Upload` rejects with an error that it wraps; the stream must fail with its own.
    let contentError = Option.none<E>()
    const body = yield* NodeStream.toReadable(
      Stream.tapError(content, (error) =>
        Effect.sync(() => {
          contentError = Option.some(error)
        })
      )
    )
    const upload = new Upload({
      client,
      params: { Bucket: bucket.name, Key: keyOf(bucket, key), Body: body },
      partSize,
      queueSize: maxPartsInMemory,
      leavePartsOnError: false
    })
    yield* Effect.tryPromise({
      try: () => upload.done(),
      catch: (cause) => Option.getOrElse(contentError, () => new FileStoreFailure({ operation: "write", cause }))
    }).pipe(
      Effect.onInterrupt(() => Effect.ignore(attempt("abort", () => upload.abort()))),
      Effect.ensuring(Effect.sync(() => body.destroy()))
    )
  })

const read = ({ bucket, client }: Access, key: ObjectKey, range: ByteRange | undefined) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { Body: body } = yield* attempt("read", (abortSignal) =>
        client.send(
          new GetObjectCommand({
            Bucket: bucket.name,
            Key: keyOf(bucket, key),
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
  )

/** Streams the items of a paginated listing. */
const pages = <A, Next>(
  read: (next: Next | undefined, signal: AbortSignal) => Promise<readonly [ReadonlyArray<A>, Next | undefined]>
) =>
  Stream.paginate<Next | undefined, A, FileStoreFailure>(undefined, (from) =>
    Effect.map(
      attempt("list", (signal) => read(from, signal)),
      ([found, next]) => [found, next === undefined ? Option.none() : Option.some(next)] as const
    )
  )

const list = ({ bucket, client }: Access, namespace: string, before: Date) =>
  pages<string, string>(async (ContinuationToken, abortSignal) => {
    const Prefix = prefixOf(bucket, namespace)
    const page = await client.send(
      new ListObjectsV2Command({
        Bucket: bucket.name,
        Prefix,
        ...(ContinuationToken === undefined ? {} : { ContinuationToken })
      }),
      { abortSignal }
    )
    const ids = (page.Contents ?? []).flatMap(({ Key, LastModified }) =>
      Key !== undefined && LastModified !== undefined && LastModified < before ? [Key.slice(Prefix.length)] : []
    )
    return [ids, page.NextContinuationToken]
  })

const removeUnfinished = ({ bucket, client }: Access, namespace: string, before: Date) =>
  pages<{ readonly Key: string; readonly UploadId: string }, { KeyMarker: string; UploadIdMarker: string }>(
    async (from, abortSignal) => {
      const page = await client.send(
        new ListMultipartUploadsCommand({ Bucket: bucket.name, Prefix: prefixOf(bucket, namespace), ...from }),
        { abortSignal }
      )
      const uploads = (page.Uploads ?? []).flatMap(({ Initiated, Key, UploadId }) =>
        Key !== undefined && UploadId !== undefined && Initiated !== undefined && Initiated < before
          ? [{ Key, UploadId }]
          : []
      )
      const { NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page
      const next =
        page.IsTruncated === true && KeyMarker !== undefined && UploadIdMarker !== undefined
          ? { KeyMarker, UploadIdMarker }
          : undefined
      return [uploads, next]
    }
  ).pipe(
    Stream.runForEach((upload) =>
      attempt("abort", (abortSignal) =>
        client.send(new AbortMultipartUploadCommand({ Bucket: bucket.name, ...upload }), { abortSignal })
      )
    )
  )

const make = (bucket: Bucket) =>
  Effect.map(clientOf(bucket), (client): Driver => {
    const access: Access = { bucket, client }
    return {
      write: (key, content) => write(access, key, content),
      read: (key, range) => read(access, key, range),
      remove: (key) =>
        Effect.asVoid(
          attempt("remove", (abortSignal) =>
            client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: keyOf(bucket, key) }), { abortSignal })
          )
        ),
      list: (namespace, before) => list(access, namespace, before),
      removeUnfinished: (namespace, before) => removeUnfinished(access, namespace, before)
    }
  })

/** The store in `bucket`. The credentials come from the environment. */
export const layer = (bucket: Bucket): Layer.Layer<FileStore> =>
  Layer.effect(FileStore, Effect.map(make(bucket), FileStore.make))
