import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { parseFileStore } from "../../../src/platform/fileStore/FileStore.ts"

const reasonOf = (text: string) =>
  Result.match(parseFileStore(text), { onSuccess: () => undefined, onFailure: (reason) => reason })

describe("FILE_STORE", () => {
  it("names a folder, or a bucket with parameters", () => {
    expect(parseFileStore("/var/lib/files")).toStrictEqual(Result.succeed({ kind: "folder", path: "/var/lib/files" }))
    expect(parseFileStore("s3://files?region=eu-central-1")).toStrictEqual(
      Result.succeed({
        kind: "bucket",
        name: "files",
        region: "eu-central-1",
        endpoint: undefined,
        prefix: "",
        forcePathStyle: false
      })
    )
    expect(parseFileStore("s3://files/?endpoint=http://minio:9000&prefix=/a/b/&forcePathStyle=true")).toStrictEqual(
      Result.succeed({
        kind: "bucket",
        name: "files",
        region: "us-east-1",
        endpoint: "http://minio:9000",
        prefix: "a/b/",
        forcePathStyle: true
      })
    )
  })

  it.each([
    ["s3://files", "needs a region, such as ?region=eu-central-1"],
    ["s3://files?region=EU", "needs a region, such as ?region=eu-central-1"],
    ["s3://?region=x", '"" is not a valid bucket name'],
    ["s3://My_Bucket?region=x", '"My_Bucket" is not a valid bucket name'],
    ["s3://files/a/b?region=x", "has a path after the bucket: write it as ?prefix=a/b"],
    ["s3://files?region=x&regoin=y", 'has no parameter "regoin", only region, endpoint, prefix, forcePathStyle'],
    [
      "s3://files?endpoint=minio",
      'its endpoint must be an http or https address without a path, such as https://api.example.com, not "minio"'
    ],
    ["s3://files?region=x&forcePathStyle=yes", 'its forcePathStyle must be true or false, not "yes"'],
    ["gs://files", "must be a folder, or a bucket such as s3://files?region=eu-central-1"]
  ])("is refused when it is %s", (text, reason) => {
    expect(reasonOf(text)).toBe(reason)
  })

  it("does not quote a value that may contain a password", () => {
    expect(reasonOf("s3://AKIA:secret@files?region=x")).not.toContain("secret")
  })
})
