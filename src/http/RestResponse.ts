/** What a REST handler returns: a status, headers, and a body that is written without further encoding. */
import type { IdempotentResult } from "../core/usecase/Idempotency.ts"
import type { Page } from "../core/usecase/Page.ts"

/** A response whose body is `A`. */
export interface RestResponse<A> {
  readonly status: number
  readonly body: A
  readonly headers?: { readonly [name: string]: string }
}

/** 200 with a body that has no ETag. */
export const ok = <A>(body: A): RestResponse<A> => ({ status: 200, body })

const replayHeaders = (result: IdempotentResult<unknown>) =>
  result.replayed ? { headers: { "idempotency-replayed": "true" } } : {}

/** As {@link ok}, with `Idempotency-Replayed` on a replay. */
export const idempotentOk = <A>(result: IdempotentResult<A>): RestResponse<A> => ({
  ...ok(result.value),
  ...replayHeaders(result)
})

/** 200 with a resource and its ETag. */
export const resource = <A extends { readonly etag: string }>(body: A): RestResponse<A> => ({
  status: 200,
  body,
  headers: { etag: body.etag }
})

/** 201 with a resource, its ETag and its path below `collection`, with `Idempotency-Replayed` on a replay. */
export const created = <A extends { readonly id: string; readonly etag: string }>(
  collection: string,
  result: IdempotentResult<A>
): RestResponse<A> => ({
  status: 201,
  body: result.value,
  headers: {
    etag: result.value.etag,
    location: `${collection}/${result.value.id}`,
    ...(result.replayed ? { "idempotency-replayed": "true" } : {})
  }
})

/** 200 with a page. The REST adapter adds the `Link` to the next page. */
export const page = <P extends Page<unknown>>(body: P): RestResponse<P> => ({ status: 200, body })

/** 207 with the receipts of a batch. The REST adapter completes their problems. */
export const receipts = <A extends { readonly results: ReadonlyArray<object> }>(body: A): RestResponse<A> => ({
  status: 207,
  body
})

/** As {@link receipts}, with `Idempotency-Replayed` on a replay. */
export const idempotentReceipts = <A extends { readonly results: ReadonlyArray<object> }>(
  result: IdempotentResult<A>
): RestResponse<A> => ({
  ...receipts(result.value),
  ...replayHeaders(result)
})

/** 204. */
export const noContent: RestResponse<undefined> = { status: 204, body: undefined }
