/** The stored answers to creates that name a person, opened (docs/behaviour/http.md#idempotency-keys). */
import * as Id from "../core/Id.ts"
import { Effect } from "effect"
import { fromStored } from "../core/usecase/Idempotency.ts"
import { SecretBox } from "../platform/secrets/SecretBox.ts"
import type { Account, PersonInTeam } from "./Person.ts"
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

  /** A sealed answer, opened, if it names somebody. One that was sealed under a lost key says nothing to anybody. */
  const openOne = Effect.fnUntraced(function* (
    teamId: string,
    {
      answer,
      created_at,
      scope
    }: { readonly answer: Uint8Array; readonly created_at: Date; readonly scope: Uint8Array },
    marks: Marks
  ) {
    const text = yield* Effect.exit(box.open(answer, Buffer.from(scope).toString("hex")))
    if (text._tag === "Failure") return undefined
    const parsed: Json = JSON.parse(fromStored(text.value))
    if (!names(parsed, marks)) return undefined
    const opened: OpenedAnswer = { teamId, scope, storedAt: created_at, answer: parsed, marks }
    return opened
  })

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
      for (const one of sealed) {
        const opened = yield* openOne(teamId, one, { ids, words: marks.words })
        if (opened !== undefined) found.push(opened)
      }
    }
    return found
  })

  /** Calls `use` with each stored answer of the teams of an account that names its user. */
  const ofAccount = Effect.fnUntraced(function* <E, R>(
    account: Account,
    use: (answer: OpenedAnswer) => Effect.Effect<void, E, R>
  ) {
    const marks: Marks = {
      ids: new Set([Id.fromUuid("user", account.uuid)]),
      words: account.email === null ? [] : [account.email.toLowerCase()]
    }
    for (const teamId of yield* repo.teamsOf(account)) {
      for (let after: Uint8Array = new Uint8Array(); ;) {
        const page: Effect.Success<ReturnType<typeof repo.answersAfter>> = yield* repo.answersAfter(teamId, after)
        for (const one of page) {
          const opened = yield* openOne(teamId, one, marks)
          if (opened !== undefined) yield* use(opened)
        }
        const last = page.at(-1)
        if (last === undefined) break
        after = last.scope
      }
    }
  })

  return { open, ofAccount }
})
