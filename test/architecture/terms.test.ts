/** Private words that this code once used where its field has a standard term: they must not come back. */
import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { documents, files, root } from "./kinds.ts"

/** A word that may not occur in identifiers, file names or prose, and the standard term to use instead. */
const privateWords: ReadonlyArray<readonly [word: RegExp, term: string]> = [
  [/\bhappening/i, "ChangeRecord"],
  [/\btold\b/i, "notified, reported, AuditEntry"],
  [/\btelling\b/i, "eventMapper"],
  [/\bsurroundings\b/i, "WriteContext"],
  [/\b(?:formerOf|sameAs|clashOf)\b/, "findTombstone, findMatch, findConflict"],
  [/\bnamesakes?\b/i, "DuplicateIndex, candidates"],
  [/\bgather(?:ed|ing)\b/i, "BatchedQuery, planMerge"],
  [/\bdoomed\b/i, "PurgeCandidates"],
  [/\bfollowers\b/i, "denormalizedCopies"],
  [/\bOnProject\b|\btakeOff\b/, "ProspectRef, removeFromList"],
  [/\bcourier/i, "DeliveryWorker"],
  [/\badmitted\b|\bgiveBack\b|\bflying\b/i, "claimed, release, inFlight"],
  [/\blifeline|\bclockwork\b/i, "WorkerLease, JobClock"],
  [/\bForgottenRepo\b/, "SchedulerRepo, DispatchRepo"],
  [/\bshelf\b|\bshelves\b|\bplaceOf\b/i, "TimelinePartition"],
  [/\bdoors?\b/i, "RestAdapter, adapter"],
  [/\b(?:neverLost|namesState|anyIsOne)\b/, "retryOnConflict, hasPrecondition"],
  [/\bstanding\b/i, "WebhookStatus"],
  [/\b(?:most|longest|least)[A-Z]\w*/, "max…, min…, …Timeout"],
  [/\breachToWrite\b/, "authorizeWrite"],
  [/\banew\b|\bbefalls?\b/i, "again, from the start; affects"]
]

/** The words are in this list, and in the history of releases. */
const excepted = new Set(["CHANGELOG.md", "test/architecture/terms.test.ts"])

const sources = await Promise.all(
  [...files, ...documents].map(async (path) => ({ path, text: await readFile(new URL(path, root), "utf8") }))
)

test("Code and documents use the field's terms", () => {
  const found = sources
    .filter(({ path }) => !excepted.has(path))
    .flatMap(({ path, text }) =>
      privateWords.flatMap(([word, term]) => {
        const match = word.exec(text) ?? word.exec(path)
        return match === null ? [] : [`${path}: "${match[0]}"; say ${term}`]
      })
    )
  expect(found).toStrictEqual([])
})
