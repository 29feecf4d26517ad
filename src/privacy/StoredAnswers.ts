/** The stored answers to creates that name a person, opened (docs/behaviour/http.md#idempotency-keys). */
import * as Id from "../core/Id.ts"
import { Effect } from "effect"
import { fromStored } from "../core/usecase/Idempotency.ts"
import { SecretBox } from "../platform/secrets/SecretBox.ts"
import type { PersonInTeam } from "./Person.ts"
import { PersonRowsRepo } from "./PersonRowsRepo.ts"
import { type Json, type Marks, names } from "./rules.ts"

/** A stored answer that names a person. */
export interface OpenedAnswer {
  readonly teamId: string
  readonly scope: Uint8Array
  readonly storedAt: Date
  readonly answer: Json
  /** What names the person in it. */
  readonly marks: Marks
}

const encoded = (prefix: Id.Prefix, uuids: ReadonlyArray<string>) => uuids.map((uuid) => Id.fromUuid(prefix, uuid))

/** By what texts name a person in a team. */
export const marksOf = (person: PersonInTeam): Marks => ({
  ids: new Set<string>([
    ...encoded("contact", person.contacts),
    ...encoded("link", person.links),
    ...encoded("mandate", person.mandates),
    ...encoded("prospect", person.prospects),
    ...encoded("task", person.tasks),
    ...encoded("question", person.questions)
  ]),
  words: [...person.emails, ...person.names.map((name) => name.toLowerCase())]
})

/** Makes the function that opens the stored answers which name a person, of their team and of those of investors. */
export const makeStoredAnswers = Effect.gen(function* () {
  const repo = yield* PersonRowsRepo
  const box = (yield* SecretBox).for("idempotency answers")

  const open = Effect.fnUntraced(function* (person: PersonInTeam) {
    const { contacts, mandates, offers, prospects, teamId: own } = person
    const marks = marksOf(person)
    const times = yield* repo.timesOf(person)
    const found: Array<OpenedAnswer> = []
    for (const teamId of new Set([own, ...offers.map((offer) => offer.teamId)])) {
      const sealed = yield* repo.answersOf(teamId, times)
      const subjects =
        teamId === own
          ? [...contacts, ...prospects, ...mandates]
          : offers.filter((offer) => offer.teamId === teamId).map(({ id }) => id)
      // The answers to notes have no other id than that of their row.
      const actions = yield* repo.actionsAt(
        teamId,
        subjects,
        sealed.map(({ created_at }) => created_at)
      )
      const ids = new Set([...marks.ids, ...encoded("act", actions)])
      for (const { answer, created_at, scope } of sealed) {
        // One that was sealed under a lost key says nothing to anybody.
        const text = yield* Effect.exit(box.open(answer, Buffer.from(scope).toString("hex")))
        if (text._tag === "Failure") continue
        const parsed: Json = JSON.parse(fromStored(text.value))
        const ofAnswer: Marks = { ids, words: marks.words }
        if (names(parsed, ofAnswer))
          found.push({ teamId, scope, storedAt: created_at, answer: parsed, marks: ofAnswer })
      }
    }
    return found
  })

  return { open }
})
