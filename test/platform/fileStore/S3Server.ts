/** An S3-compatible server with the operations that the file store uses. It checks every signature and every hash. */
import { Effect } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { signatureOf } from "./Signature4.ts"

/** The credentials that it accepts. */
export const credentials = { id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" }

/** Its only bucket. */
export const bucket = "files"

interface StoredObject {
  readonly bytes: Buffer
  readonly at: Date
}

interface MultipartUpload {
  readonly key: string
  readonly at: Date
  readonly parts: Map<number, Buffer>
}

const xml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
const tagOf = (bytes: Buffer) => `"${createHash("md5").update(bytes).digest("hex")}"`

const isSigned = (request: IncomingMessage, body: Buffer): boolean => {
  const [, id, scope = "", names = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? ""
    ) ?? []
  const expected = signatureOf(
    {
      method: request.method ?? "",
      target: request.url ?? "",
      headers: request.headers,
      signedHeaders: names.split(";"),
      scope
    },
    credentials.secret
  )
  const hash = request.headers["x-amz-content-sha256"]
  return (
    id === credentials.id &&
    signature === expected &&
    names.split(";").includes("host") &&
    (hash === "UNSIGNED-PAYLOAD" || hash === createHash("sha256").update(body).digest("hex"))
  )
}

/** A server on a free port for as long as the scope lasts. It answers the next requests with the statuses in `faults`. */
export const make = Effect.gen(function* () {
  const objects = new Map<string, StoredObject>()
  const uploads = new Map<string, MultipartUpload>()
  const faults: Array<number> = []
  const received = { bytes: 0 }

  const list = (query: URLSearchParams) => {
    const prefix = query.get("prefix") ?? ""
    const after = query.get("continuation-token") ?? ""
    const found = [...objects]
      .filter(([key]) => key.startsWith(prefix) && key > after)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const page = found.slice(0, 2)
    const next = found.length > 2 ? `<NextContinuationToken>${xml(page.at(-1)?.[0] ?? "")}</NextContinuationToken>` : ""
    const contents = page.map(
      ([key, { at, bytes }]) =>
        `<Contents><Key>${xml(key)}</Key><LastModified>${at.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`
    )
    return `<ListBucketResult><IsTruncated>${next !== ""}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`
  }

  const unfinished = () => {
    const found = [...uploads].map(
      ([id, { at, key }]) =>
        `<Upload><Key>${xml(key)}</Key><UploadId>${id}</UploadId><Initiated>${at.toISOString()}</Initiated></Upload>`
    )
    return `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${found.join("")}</ListMultipartUploadsResult>`
  }

  /** Assembles the parts of an upload if they are those that the client lists. */
  const complete = (id: string, body: string) => {
    const upload = uploads.get(id)
    const named = [...body.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = ""]) => ({
      number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
      tag: (/<ETag>(.*?)</.exec(part)?.[1] ?? "").replaceAll("&quot;", '"')
    }))
    const parts = named.map(({ number, tag }) => {
      const bytes = upload?.parts.get(number)
      return bytes !== undefined && tagOf(bytes) === tag ? bytes : undefined
    })
    const whole = parts.filter((part) => part !== undefined)
    if (
      upload === undefined ||
      whole.length !== parts.length ||
      whole.slice(0, -1).some(({ length }) => length < 5 * 1024 * 1024)
    ) {
      return undefined
    }
    objects.set(upload.key, { bytes: Buffer.concat(whole), at: new Date() })
    uploads.delete(id)
    return `<CompleteMultipartUploadResult><Key>${xml(upload.key)}</Key><ETag>"x"</ETag></CompleteMultipartUploadResult>`
  }

  const answer = (request: IncomingMessage, body: Buffer, response: ServerResponse): void => {
    const url = new URL(request.url ?? "", "http://host")
    const [, named, ...rest] = decodeURIComponent(url.pathname).split("/")
    const key = rest.join("/")
    const query = url.searchParams
    const id = query.get("uploadId") ?? ""
    const send = (status: number, text = "", headers: Record<string, string> = {}) =>
      void response.writeHead(status, { "content-type": "application/xml", ...headers }).end(text)
    const refuse = (status: number, code: string) =>
      send(status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`)
    const fault = faults.shift()
    if (fault !== undefined) return refuse(fault, fault === 503 ? "SlowDown" : "AccessDenied")
    if (!isSigned(request, body)) return refuse(403, "SignatureDoesNotMatch")
    if (named !== bucket) return refuse(404, "NoSuchBucket")
    switch (`${request.method} ${key === "" ? "bucket" : "object"}`) {
      case "GET bucket":
        return send(200, query.has("uploads") ? unfinished() : list(query))
      case "POST object": {
        if (query.has("uploads")) {
          const uploadId = randomUUID()
          uploads.set(uploadId, { key, at: new Date(), parts: new Map() })
          return send(
            200,
            `<InitiateMultipartUploadResult><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`
          )
        }
        const done = complete(id, body.toString())
        return done === undefined ? refuse(400, "InvalidPart") : send(200, done)
      }
      case "PUT object": {
        if (id === "") objects.set(key, { bytes: body, at: new Date() })
        else uploads.get(id)?.parts.set(Number(query.get("partNumber")), body)
        return send(200, "", { etag: tagOf(body) })
      }
      case "DELETE object":
        if (id === "") objects.delete(key)
        else uploads.delete(id)
        return send(204)
      case "GET object": {
        const found = objects.get(key)
        if (found === undefined) return refuse(404, "NoSuchKey")
        const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? []
        const bytes = from === undefined ? found.bytes : found.bytes.subarray(Number(from), Number(to) + 1)
        response.writeHead(from === undefined ? 200 : 206, { "content-length": bytes.length, etag: tagOf(found.bytes) })
        return void response.end(bytes)
      }
      default:
        return refuse(405, "MethodNotAllowed")
    }
  }

  const server = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const made = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => {
          chunks.push(chunk)
          received.bytes += chunk.length
        })
        request.on("end", () => answer(request, Buffer.concat(chunks), response))
      }).listen(0, "127.0.0.1")
      await once(made, "listening")
      return made
    }),
    (made) =>
      Effect.promise(async () => {
        made.closeAllConnections()
        made.close()
        await once(made, "close")
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { endpoint: `http://127.0.0.1:${port}`, objects, uploads, faults, received }
})
