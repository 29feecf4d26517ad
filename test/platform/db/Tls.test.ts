/** Encrypted connections to Postgres, with an authority of the test's own. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Result } from "effect"
import { execFileSync, spawnSync } from "node:child_process"
import { chown, mkdir, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Database } from "../../../src/platform/db/Database.ts"
import { EmbeddedPostgres } from "../../../src/platform/db/embedded/EmbeddedPostgres.ts"
import * as DatabaseStart from "../../../src/process/DatabaseStart.ts"
import * as Migrations from "../../../src/platform/db/Migrations.ts"
import { parseSecretKey } from "../../../src/platform/secrets/SecretKeys.ts"
import * as Tls from "../../../src/platform/db/Tls.ts"
import { runToEnd } from "../../support/Admin.ts"
import * as OwnPostgres from "../../support/OwnPostgres.ts"
import { eventually } from "../../support/polling.ts"
import { run as runProgram } from "../../support/Process.ts"
import { TestDatabase } from "../../support/TestDatabase.ts"

const hasOpenSsl = spawnSync("openssl", ["version"]).status === 0

const openssl = (folder: string, ...args: ReadonlyArray<string>) =>
  execFileSync("openssl", args, { cwd: folder, stdio: "ignore" })

/** Two authorities, and a certificate of the first for `localhost`, in the folder of the server. */
const makeCertificates = Effect.fnUntraced(function* (dataDir: string) {
  const folder = join(dataDir, "postgres")
  yield* Effect.promise(async () => {
    for (const name of ["ca", "other"]) {
      const subject = ["-subj", `/CN=${name}`, "-keyout", `${name}.key`, "-out", `${name}.crt`]
      openssl(
        folder,
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:P-256",
        "-nodes",
        "-days",
        "2",
        ...subject
      )
    }
    const request = ["-subj", "/CN=db", "-keyout", "server.key", "-out", "server.csr"]
    openssl(folder, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", ...request)
    await writeFile(join(folder, "names"), "subjectAltName=DNS:localhost")
    const signed = ["-CA", "ca.crt", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names", "-out", "server.crt"]
    openssl(folder, "x509", "-req", "-in", "server.csr", "-days", "2", ...signed)
    const { gid, uid } = await stat(folder)
    if (process.getuid?.() === 0) {
      for (const name of ["server.key", "server.crt"]) await chown(join(folder, name), uid, gid)
    }
  })
  return folder
})

const server = Effect.gen(function* () {
  const dataDir = yield* OwnPostgres.dataFolder
  const folder = yield* makeCertificates(dataDir)
  const settings = { fsync: "off", ssl: "on", ssl_cert_file: "server.crt", ssl_key_file: "server.key" }
  const { url } = yield* EmbeddedPostgres.start({ dataDir, settings })
  const address = (host: string, mode: string, authority?: string) => {
    const changed = new URL(url)
    changed.hostname = host
    changed.searchParams.set("sslmode", mode)
    if (authority !== undefined) changed.searchParams.set("sslrootcert", join(folder, authority))
    return changed.href
  }
  return { address, folder }
})

const isEncrypted = (url: string) =>
  Effect.gen(function* () {
    const sql = yield* Database
    const [row] = yield* sql<{ readonly ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
    return row?.ssl
  }).pipe(Effect.provide(Database.layer({ url: Redacted.make(url) })), Effect.scoped)

const secretKey = Buffer.alloc(32, 7).toString("base64")

describe.skipIf(!hasOpenSsl)("TLS to Postgres", () => {
  it.live("is verified by every program, and a server that is not the one named is refused", () =>
    Effect.gen(function* () {
      const { address, folder } = yield* server
      const good = address("localhost", "verify-full", "ca.crt")
      assert.isTrue(yield* isEncrypted(good))
      assert.isFalse(yield* isEncrypted(address("localhost", "disable")))
      assert.isTrue(yield* isEncrypted(address("127.0.0.1", "require")))
      assert.isTrue(yield* isEncrypted(address("127.0.0.1", "verify-ca", "ca.crt")))

      // The other driver, of migrations, jobs and backups.
      yield* Migrations.run(Redacted.make(good))
      const env = { DATABASE_URL: good, SECRET_KEY: secretKey, FILE_STORE: join(folder, "files") }
      const worker = yield* runProgram("workers/main.ts", env)
      yield* eventually(() => assert.include(worker.output.stderr, "The worker is ready.", worker.output.stderr))
      yield* Effect.promise(() => mkdir(join(dirname(folder), "backups")))
      const created = yield* runToEnd(["backup", "create", join(dirname(folder), "backups", "one")], env)
      assert.isTrue(created.ok, created.err)

      const wrong = { ...env, DATABASE_URL: address("localhost", "verify-full", "other.crt") }
      for (const command of [["migrate"], ["team", "list"], ["backup", "create", join(folder, "two")]]) {
        const { err, ok } = yield* runToEnd(command, wrong)
        assert.isFalse(ok)
        assert.include(
          err,
          "the certificate of the server is refused: it is not signed by the authority in sslrootcert"
        )
      }
      const keys = { current: yield* Effect.fromResult(parseSecretKey(secretKey)), previous: undefined }
      const refused = yield* DatabaseStart.wait(keys, "").pipe(
        Effect.provide(Database.layer({ url: Redacted.make(wrong.DATABASE_URL) })),
        Effect.flip
      )
      assert.include(refused.message, "DATABASE_URL: the certificate of the server is refused")
      const elsewhere = yield* runToEnd(["team", "list"], {
        ...env,
        DATABASE_URL: address("127.0.0.1", "verify-full", "ca.crt")
      })
      assert.include(elsewhere.err, "it is for another host than the address names")
    }).pipe(Effect.provide(TestDatabase.layer))
  )

  it("refuses modes that encrypt by chance, and files that are not there", () => {
    const reasonOf = (query: string) => Result.getFailure(Tls.parse(new URL(`postgres://a:b@db/x?${query}`)))
    assert.include(String(reasonOf("sslmode=prefer")), "must be one of disable, require, verify-ca, verify-full")
    assert.include(String(reasonOf("sslmode=verify-full&sslrootcert=/nowhere.crt")), "sslrootcert that cannot be read")
  })
})
