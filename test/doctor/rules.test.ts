import { assert, describe, it } from "@effect/vitest"
import * as rules from "../../src/doctor/rules.ts"

const gibibyte = 2 ** 30

const server = {
  version: 170_004,
  fsync: "on",
  fullPageWrites: "on",
  maxConnections: 100,
  connections: 30,
  isStandby: false
}

describe("the doctor", () => {
  it("warns of a disk that fills, and fails when it is nearly full", () => {
    assert.strictEqual(rules.judgeDisk("/srv", 50 * gibibyte, 100 * gibibyte).status, "ok")
    assert.strictEqual(rules.judgeDisk("/srv", 1.5 * gibibyte, 20 * gibibyte).status, "warning")
    assert.strictEqual(rules.judgeDisk("/srv", 0.1 * gibibyte, 20 * gibibyte).status, "failed")
  })

  it("wants a connection over a network to be encrypted and verified", () => {
    assert.strictEqual(rules.judgeTls("127.0.0.1", "", false).status, "ok")
    assert.strictEqual(rules.judgeTls("/run/postgresql", "", false).status, "ok")
    assert.strictEqual(rules.judgeTls("db.internal", "", false).status, "failed")
    assert.strictEqual(rules.judgeTls("db.internal", "require", true).status, "warning")
    assert.strictEqual(rules.judgeTls("db.internal", "verify-ca", true).status, "warning")
    assert.strictEqual(rules.judgeTls("db.internal", "verify-full", true).status, "ok")
  })

  it("compares the clocks", () => {
    assert.strictEqual(rules.judgeClock(-300).status, "ok")
    assert.strictEqual(rules.judgeClock(5000).status, "warning")
    assert.include(rules.judgeClock(-60_000).detail, "60.0 s behind")
    assert.strictEqual(rules.judgeClock(-60_000).status, "failed")
  })

  it("names transactions, prepared ones and slots that hold something back", () => {
    assert.strictEqual(rules.judgeTransactions([{ kind: "open", name: "report", seconds: 30 }]).status, "ok")
    const old = rules.judgeTransactions([
      { kind: "idle", name: "psql, process 7", seconds: 90 },
      { kind: "slot", name: "standby", seconds: 0 }
    ])
    assert.strictEqual(old.status, "warning")
    assert.include(old.detail, "psql, process 7")
    assert.include(old.detail, "standby")
    assert.strictEqual(rules.judgeTransactions([{ kind: "prepared", name: "x", seconds: 3600 }]).status, "failed")
  })

  it("knows jobs that were given up, workers that are missing, and receivers that fail", () => {
    assert.strictEqual(rules.judgeJobs([], 3).status, "ok")
    assert.strictEqual(rules.judgeJobs([], 300).status, "warning")
    assert.strictEqual(rules.judgeJobs([{ name: "webhooks/due", count: 2 }], 0).status, "failed")
    assert.strictEqual(rules.judgeWorkers(0).status, "failed")
    assert.strictEqual(rules.judgeWorkers(2).status, "ok")
    assert.strictEqual(rules.judgeReceivers([{ health: "healthy", id: "webhook_a" }]).status, "ok")
    assert.include(rules.judgeReceivers([{ health: "disabled", id: "webhook_a" }]).detail, "webhook_a disabled")
  })

  it("warns of standbys that are late or away, and fails when none follows", () => {
    const late = { host: "a", answer: { isStandby: true, lagSeconds: 9 } }
    const good = { host: "b", answer: { isStandby: true, lagSeconds: 0.1 } }
    assert.strictEqual(rules.judgeReplicas([], 2).status, "ok")
    assert.strictEqual(rules.judgeReplicas([good], 2).status, "ok")
    assert.strictEqual(rules.judgeReplicas([late, good], 2).status, "warning")
    assert.strictEqual(rules.judgeReplicas([late, { host: "c", answer: null }], 2).status, "failed")
    assert.include(
      rules.judgeReplicas([{ host: "p", answer: { isStandby: false, lagSeconds: 0 } }], 2).detail,
      "not a standby"
    )
  })

  it("knows versions and settings of Postgres that the service cannot use", () => {
    assert.strictEqual(rules.judgeServer(server).status, "ok")
    assert.strictEqual(rules.judgeServer({ ...server, version: 140_011 }).status, "failed")
    assert.strictEqual(rules.judgeServer({ ...server, fsync: "off" }).status, "failed")
    assert.strictEqual(rules.judgeServer({ ...server, isStandby: true }).status, "failed")
    assert.strictEqual(rules.judgeServer({ ...server, connections: 95 }).status, "warning")
  })
})

describe("A statement without its values", () => {
  it.each([
    [
      "select * from users where email = 'eva''s@example.com' and id = $1",
      "select * from users where email = ? and id = $1"
    ],
    ["select 'cut off", "select ?"],
    [
      "select E'it\\'s', $tag$a ' b$tag$, $$c$$, x'ff', 12.5e3, col1, \"a'1\" -- 'secret'",
      'select ?, ?, ?, ?, ?, col1, "a\'1"'
    ],
    ["set application_name /* eva */ to\n  'x'", "set application_name to ?"],
    ["select $12, t1.c2 from t1 limit 50", "select $12, t1.c2 from t1 limit ?"]
  ])("%s", (text, shown) => {
    assert.strictEqual(rules.withoutLiterals(text), shown)
  })
})
