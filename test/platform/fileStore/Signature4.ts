/** Computes AWS Signature Version 4 of requests that are signed by header, for a server that verifies them. */
import { createHash, createHmac } from "node:crypto"

/** The signed parts of a request. Header names are in lower case. */
export interface Signed {
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly signedHeaders: ReadonlyArray<string>
  /** `YYYYMMDD/region/s3/aws4_request`. */
  readonly scope: string
}

const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()

const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  )

/** The expected signature of a request. */
export const signatureOf = (request: Signed, secret: string): string => {
  const url = new URL(request.target, "http://host")
  const query = [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join("&")
  const headers = request.signedHeaders.map((name) => `${name}:${String(request.headers[name]).trim()}\n`).join("")
  const canonical = [
    request.method,
    decodeURIComponent(url.pathname).split("/").map(encoded).join("/"),
    query,
    headers,
    request.signedHeaders.join(";"),
    String(request.headers["x-amz-content-sha256"])
  ].join("\n")
  const toSign = [
    "AWS4-HMAC-SHA256",
    String(request.headers["x-amz-date"]),
    request.scope,
    createHash("sha256").update(canonical).digest("hex")
  ].join("\n")
  const key = request.scope.split("/").reduce<string | Buffer>((signing, part) => hmac(signing, part), `AWS4${secret}`)
  return hmac(key, toSign).toString("hex")
}
