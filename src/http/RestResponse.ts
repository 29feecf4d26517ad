/** What a REST handler returns: a status, headers, and a body that is written without further encoding. */
import type { Once } from "../usecase/Idempotency.ts"
import type { Page } from "../usecase/Page.ts"

/** A response whose body is `A`. */
export interface RestResponse<A> {
  readonly status: number
  readonly body: A
  readonly headers?: { readonly [name: string]: string }
}

/** 200 with a body that has no ETag. */
export const ok = <A>(body: A): RestResponse<A> => ({ status: 200, body })

const replayHeaders = (once: Once<unknown>) => (once.replayed ? { headers: { "idempotency-replayed": "true" } } : {})

/** As {@link ok}, with `Idempotency-Replayed` on a replay. */
export const okOnce = <A>(once: Once<A>): RestResponse<A> => ({ ...ok(once.value), ...replayHeaders(once) })

/** 200 with a resource and its ETag. */
export const resource = <A extends { readonly etag: string }>(body: A): RestResponse<A> => ({
  status: 200,
  body,
  headers: { etag: body.etag }
})

/** 201 with a resource, its ETag and its path below `collection`, with `Idempotency-Replayed` on a replay. */
export const created = <A extends { readonly id: string; readonly etag: string }>(
  collection: string,
  once: Once<A>
): RestResponse<A> => ({
  status: 201,
  body: once.value,
  headers: {
    etag: once.value.etag,
    location: `${collection}/${once.value.id}`,
    ...(once.replayed ? { "idempotency-replayed": "true" } : {})
  }
})

/** 200 with a page. The REST adapter adds the `Link` to the next page. */
export const page = <A>(body: Page<A>): RestResponse<Page<A>> => ({ status: 200, body })

/** 207 with the receipts of a batch. The REST adapter completes their problems. */
export const receipts = <A extends { readonly results: ReadonlyArray<object> }>(body: A): RestResponse<A> => ({
  status: 207,
  body
})

/** As {@link receipts}, with `Idempotency-Replayed` on a replay. */
export const receiptsOnce = <A extends { readonly results: ReadonlyArray<object> }>(
  once: Once<A>
): RestResponse<A> => ({
  ...receipts(once.value),
  ...replayHeaders(once)
})

/** 204. */
export const noContent: RestResponse<undefined> = { status: 204, body: undefined }
