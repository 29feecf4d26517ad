/** What a REST handler answers with: a status, headers, and a body that is written as it is. */
import type { Once } from "../usecase/Idempotency.ts"
import type { Page } from "../usecase/Page.ts"

/** An answer whose body is `A`. */
export interface RestResponse<A> {
  readonly status: number
  readonly body: A
  readonly headers?: { readonly [name: string]: string }
}

/** 200 with a body that has no ETag. */
export const ok = <A>(body: A): RestResponse<A> => ({ status: 200, body })

const replayHeaders = (once: Once<unknown>) => (once.replayed ? { headers: { "idempotency-replayed": "true" } } : {})

/** As {@link ok}; a repeated request says so. */
export const okOnce = <A>(once: Once<A>): RestResponse<A> => ({ ...ok(once.value), ...replayHeaders(once) })

/** 200 with a resource and its ETag. */
export const resource = <A extends { readonly etag: string }>(body: A): RestResponse<A> => ({
  status: 200,
  body,
  headers: { etag: body.etag }
})

/** 201 with a resource, its ETag and its place below `collection`; a repeated create says so. */
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

/** 200 with a page; the door adds the `Link` to the next. */
export const page = <A>(body: Page<A>): RestResponse<Page<A>> => ({ status: 200, body })

/** 207 with the receipts of a batch; the door completes the problems in them. */
export const receipts = <A extends { readonly results: ReadonlyArray<object> }>(body: A): RestResponse<A> => ({
  status: 207,
  body
})

/** As {@link receipts}; a repeated batch says so. */
export const receiptsOnce = <A extends { readonly results: ReadonlyArray<object> }>(
  once: Once<A>
): RestResponse<A> => ({
  ...receipts(once.value),
  ...replayHeaders(once)
})

/** 204. */
export const noContent: RestResponse<undefined> = { status: 204, body: undefined }
