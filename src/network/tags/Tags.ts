/**
 * The use-cases of the tags of a team (docs/behaviour/network.md#tags-of-the-team): which there are, and one in the place of another on all
 * records. The tags of properties are a closed vocabulary, which nobody renames; those of a prospect's investor follow the contact or company.
 */
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Data, Effect, Layer } from "effect"
import { administrator, authorize } from "../../core/auth/CurrentActor.ts"
import { AuditLog } from "../../core/audit/AuditLog.ts"
import { type Change, Changes } from "../../core/mutation/Changes.ts"
import { bodyFault } from "../../core/usecase/Input.ts"
import { Cursors, defaultPageSize, read as readPage } from "../../core/usecase/Page.ts"
import { Conflict, InvalidRequest } from "../../core/usecase/Problem.ts"
import { makeSlowReads } from "../../core/usecase/TeamBudget.ts"
import type { UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { ProspectTags } from "../../deals/prospects/ProspectTags.ts"
import { Companies } from "../companies/Companies.ts"
import { Contacts } from "../contacts/Contacts.ts"
import { maxTagged, type Tag, type TagCounts, TagRename } from "./Tag.ts"
import { renamedTags, totalOf } from "./rules.ts"
import { TagsRepo } from "./TagsRepo.ts"

interface Tagged {
  readonly deleted: boolean
  readonly resource: { readonly tags: ReadonlyArray<string> }
}

/** Records of a kind that has tags. */
interface TaggedRecords<Stored extends Tagged> {
  readonly lock: (change: Change, uuids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Stored>>
  readonly patchLocked: (
    change: Change,
    locked: ReadonlyArray<Stored>,
    inputOf: (stored: Stored) => { readonly tags: ReadonlyArray<string> }
  ) => Effect.Effect<unknown>
}

const decodeRename = UnvalidatedJson.decoder(TagRename)

const sameName = InvalidRequest.of([bodyFault("/to", "unchanged", "Is the name that the tag has.")])
const tooMany = Conflict.of(
  "tag_too_frequent",
  `More than ${maxTagged} records have this tag. Change some of them by the API first.`
)

/** Another number of records has the tag than was confirmed: nothing was changed. */
export class TagCountChanged extends Data.TaggedError("TagCountChanged")<object> {}

const make = Effect.gen(function* () {
  const repo = yield* TagsRepo
  const auditLog = yield* AuditLog
  const changes = yield* Changes
  const companies = yield* Companies
  const contacts = yield* Contacts
  const cursors = yield* Cursors
  const slowReads = yield* makeSlowReads
  const prospectTags = yield* ProspectTags

  /** A page of the tags of the caller's team in alphabetical order, with how many records have each. */
  const list = Effect.fn("Tags.list")(function* (query: { readonly text?: string; readonly cursor?: string }) {
    const { teamId } = yield* authorize("broker")
    return yield* readPage({
      cursors,
      binding: { list: "tags", teamId, filters: { text: query.text } },
      cursor: query.cursor,
      pageSize: defaultPageSize,
      fetch: (position, limit) =>
        slowReads(
          teamId,
          "Look for a text that few tags contain.",
          repo.list(teamId, { after: position?.[0], limit, text: query.text })
        ),
      positionOf: ({ tag }) => [tag],
      toItem: (tag): Tag => tag
    })
  })

  const counts = Effect.fnUntraced(function* (teamId: string, tag: string) {
    const found: TagCounts = {
      contacts: (yield* repo.tagged(teamId, "contacts", tag, maxTagged + 1)).length,
      companies: (yield* repo.tagged(teamId, "companies", tag, maxTagged + 1)).length,
      prospects: yield* prospectTags.count(teamId, tag, maxTagged + 1)
    }
    return totalOf(found) > maxTagged ? yield* tooMany : found
  })

  const decoded = Effect.fnUntraced(function* (request: Pick<UseCaseRequest, "body">) {
    const actor = yield* administrator
    yield* authorize("broker")
    const input = yield* decodeRename(yield* request.body)
    return input.from === input.to ? yield* sameName : { ...input, actor }
  })

  /** How many records a rename would change, and how many have the new name already: then the two tags become one. For administrators. */
  const preview = Effect.fn("Tags.preview")(function* (request: Pick<UseCaseRequest, "body">) {
    const { actor, from, to } = yield* decoded(request)
    return { from, to, changed: yield* counts(actor.teamId, from), present: yield* counts(actor.teamId, to) }
  })

  /** Renames a tag of contacts or companies in the transaction of `change`; returns how many had it. */
  const renameOn = Effect.fnUntraced(function* <Stored extends Tagged>(
    change: Change,
    { lock, patchLocked }: TaggedRecords<Stored>,
    { from, table, to }: TagRename & { readonly table: "companies" | "contacts" }
  ) {
    const uuids = yield* repo.tagged(change.actor.teamId, table, from, maxTagged + 1)
    const locked = yield* lock(change, uuids)
    const having = locked.filter(({ deleted, resource }) => !deleted && resource.tags.includes(from))
    yield* patchLocked(change, having, ({ resource }) => ({ tags: renamedTags(resource.tags, from, to) }))
    return having.length
  })

  /**
   * Puts a tag in the place of another on all contacts, companies and prospects that have it, in one transaction. `confirmed` is how many
   * records that changes, as the caller saw it: with another number, nothing is changed. For administrators.
   */
  const rename = Effect.fn("Tags.rename")(function* (request: Pick<UseCaseRequest, "body">, confirmed: number) {
    const { actor, from, to } = yield* decoded(request)
    return yield* changes.commit(actor, (change) =>
      Effect.gen(function* () {
        const renamed: TagCounts = {
          // In the order in which all writers lock.
          contacts: yield* renameOn(change, contacts, { from, to, table: "contacts" }),
          companies: yield* renameOn(change, companies, { from, to, table: "companies" }),
          prospects: yield* prospectTags.rename(change, { from, to, atMost: maxTagged + 1 })
        }
        const count = totalOf(renamed)
        if (count > maxTagged) return yield* tooMany
        if (count !== confirmed) return yield* new TagCountChanged()
        yield* auditLog.record({ action: "tags.renamed", details: { count } })
        return renamed
      })
    )
  })

  return { list, preview, rename }
})

/** The tags of a team. Its lists need the `broker` capability; who changes them also administers the team. */
export class Tags extends Context.Service<Tags, Effect.Success<typeof make>>()("network/tags/Tags") {
  static readonly layer = Layer.effect(Tags, make).pipe(
    Layer.provide([Companies.layer, Contacts.layer, ProspectTags.layer, TagsRepo.layer])
  )
}
