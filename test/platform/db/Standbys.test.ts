import * as fc from "fast-check"
import { assert, describe, it } from "@effect/vitest"
import {
  caughtUpTo,
  type Mark,
  meets,
  parseLsn,
  parseServer,
  parseToken,
  refusalOf,
  type Report,
  toToken,
  withMark
} from "../../../src/platform/db/Standbys.ts"

const maxLag = 2000

const primary = { name: "7.00000002", system: 7n, timeline: 2n }

const report: Report = { isStandby: true, system: 7n, hasTimeline: true, replayed: 100n, horizon: 50n }

describe("A standby", () => {
  it("has everything up to when the primary was asked for the place that it has replayed", () => {
    const log = fc.array(fc.record({ after: fc.nat(1000), written: fc.nat(50) }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(log, fc.nat(500), (steps, replayed) => {
        let [at, lsn] = [0, 0]
        const all: Array<Mark> = []
        let kept: ReadonlyArray<Mark> = []
        for (const { after, written } of steps) {
          const mark = { askedAt: (at += after), lsn: BigInt((lsn += written)) }
          all.push(mark)
          kept = withMark(kept, mark, maxLag)
        }
        const upTo = caughtUpTo(kept, BigInt(replayed))
        // Nothing that the primary had until then is missing.
        for (const mark of all) if (mark.askedAt < upTo) assert.isAtMost(Number(mark.lsn), replayed)
        // What is forgotten makes nobody late who is not.
        const exact = caughtUpTo(all, BigInt(replayed))
        if (at - exact <= maxLag) assert.strictEqual(upTo, exact)
      })
    )
  })

  it("of a primary that writes nothing is not late", () => {
    let marks: ReadonlyArray<Mark> = []
    for (let askedAt = 0; askedAt <= 60_000; askedAt += 250) marks = withMark(marks, { askedAt, lsn: 100n }, maxLag)
    assert.strictEqual(caughtUpTo(marks, 100n), 60_000)
    assert.isAtMost(marks.length, 10)
    assert.isUndefined(refusalOf(report, { ...primary, marks }, { maxLag, now: 60_000 }))
  })

  it("is not read from when it is late, was promoted, or copies another server or timeline", () => {
    const marks: ReadonlyArray<Mark> = [
      { askedAt: 1000, lsn: 100n },
      { askedAt: 1250, lsn: 101n }
    ]
    const refusal = (of: Partial<Report>, now = 3000) =>
      refusalOf({ ...report, ...of }, { ...primary, marks }, { maxLag, now })
    assert.isUndefined(refusal({}))
    assert.strictEqual(refusal({}, 3001), "late")
    assert.strictEqual(refusal({ replayed: 99n }), "late")
    assert.isUndefined(refusal({ replayed: 101n }, 3001))
    assert.strictEqual(refusal({ isStandby: false }), "promoted")
    assert.strictEqual(refusal({ system: 8n }), "foreign")
    assert.strictEqual(refusal({ hasTimeline: false }), "diverged")
  })

  it("shows a write that it has replayed, also of an earlier timeline, and none that this process cannot judge", () => {
    const shows = (...writes: ReadonlyArray<readonly [system: bigint, timeline: bigint, lsn: bigint]>) =>
      meets(report, primary, { seen: [], writes: writes.map(([system, timeline, lsn]) => ({ system, timeline, lsn })) })
    assert.isTrue(shows())
    assert.isTrue(shows([7n, 2n, 100n]))
    assert.isTrue(shows([7n, 1n, 100n], [7n, 2n, 99n]))
    assert.isFalse(shows([7n, 2n, 101n]))
    assert.isFalse(shows([7n, 1n, 101n]))
    assert.isFalse(shows([7n, 2n, 100n], [7n, 2n, 101n]))
    assert.isFalse(shows([7n, 3n, 1n]))
    assert.isFalse(shows([8n, 2n, 1n]))
    assert.isFalse(meets(report, primary, { seen: [], writes: undefined }))
  })

  it("goes on only with deltas whose reader has not seen more", () => {
    const continues = (server: string, horizon: string) =>
      meets(report, primary, { writes: [], seen: [{ server, horizon }] })
    assert.isTrue(continues("7.00000002", "50"))
    assert.isFalse(continues("7.00000002", "51"))
    // The ids of another server mean nothing here.
    assert.isTrue(continues("7.00000001", "51"))
  })
})

describe("A consistency token", () => {
  const unsigned = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })

  it("spells a place in a log, and nothing else is one", () => {
    fc.assert(
      fc.property(fc.record({ system: unsigned, timeline: unsigned, lsn: unsigned }), (position) => {
        const token = toToken(position)
        assert.match(token, /^[0-9a-z.]{5,41}$/)
        assert.deepStrictEqual(parseToken(token), position)
        assert.isUndefined(parseToken(`${token}.0`))
        assert.isUndefined(parseToken(token.slice(0, token.lastIndexOf("."))))
      })
    )
    for (const text of ["", "..", "1.1", "1.1.A", "1.1.-1", "1.1.1 ", "zzzzzzzzzzzzz.1.1", "10000000000000.1.1"]) {
      assert.isUndefined(parseToken(text), text)
    }
  })

  it("has the place and the name as Postgres writes them", () => {
    assert.strictEqual(parseLsn("16/B374D848"), 0x16_b374_d848n)
    assert.deepStrictEqual(parseServer("7711456009900137662.0000000A"), { system: 7711456009900137662n, timeline: 10n })
  })
})
