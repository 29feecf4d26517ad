/** The setting `FILE_STORE`. */
import { Result } from "effect"
import { flag, type Parsed, webAddress } from "../Setting.ts"

/** A bucket of an S3-compatible service. */
export interface Bucket {
  readonly name: string
  readonly region: string
  /** The base URL of the service; defaults to Amazon's. */
  readonly endpoint: string | undefined
  /** The prefix of all keys: empty, or ending with a slash. */
  readonly prefix: string
  /** Whether requests name the bucket in the path instead of the host name. */
  readonly forcePathStyle: boolean
}

/** A local folder, or a bucket. */
export type FileStoreSetting =
  | { readonly kind: "folder"; readonly path: string }
  | ({ readonly kind: "bucket" } & Bucket)

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const bucketParameters = ["region", "endpoint", "prefix", "forcePathStyle"]

const parseBucket = (text: string): Parsed<FileStoreSetting> => {
  const url = URL.parse(text)
  // The message does not quote the value, which may contain a password.
  if (url === null || url.username !== "" || url.password !== "") {
    return Result.fail(
      "must be s3://BUCKET?region=REGION; the credentials come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    )
  }
  if (!bucketName.test(url.host)) return Result.fail(`"${url.host}" is not a valid bucket name`)
  if (url.pathname !== "" && url.pathname !== "/") {
    return Result.fail(`has a path after the bucket: write it as ?prefix=${url.pathname.replace(/^\//, "")}`)
  }
  const unknown = [...url.searchParams.keys()].find((name) => !bucketParameters.includes(name))
  if (unknown !== undefined) return Result.fail(`has no parameter "${unknown}", only ${bucketParameters.join(", ")}`)
  const endpoint = url.searchParams.get("endpoint") ?? undefined
  const address = endpoint === undefined ? undefined : webAddress(endpoint)
  if (address !== undefined && Result.isFailure(address)) return Result.fail(`its endpoint ${address.failure}`)
  const region = url.searchParams.get("region") ?? (endpoint === undefined ? "" : "us-east-1")
  if (!/^[a-z0-9-]+$/.test(region)) return Result.fail("needs a region, such as ?region=eu-central-1")
  const pathStyle = flag(url.searchParams.get("forcePathStyle") ?? "false")
  if (Result.isFailure(pathStyle)) return Result.fail(`its forcePathStyle ${pathStyle.failure}`)
  const prefix = (url.searchParams.get("prefix") ?? "").replaceAll(/^\/+|\/+$/g, "")
  return Result.succeed({
    kind: "bucket",
    name: url.host,
    region,
    endpoint: address?.success,
    prefix: prefix === "" ? "" : `${prefix}/`,
    forcePathStyle: pathStyle.success
  })
}

/** Parses `FILE_STORE`: a folder, or `s3://BUCKET?region=REGION`. */
export const parseFileStore = (text: string): Parsed<FileStoreSetting> => {
  if (/^s3:\/\//i.test(text)) return parseBucket(text)
  return text.includes("://")
    ? Result.fail("must be a folder, or a bucket such as s3://files?region=eu-central-1")
    : Result.succeed({ kind: "folder", path: text })
}
