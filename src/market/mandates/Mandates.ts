/** The use-cases of mandates. */
import * as Id from "../../core/Id.ts"
import * as Records from "../../core/records/Records.ts"
import * as MergePatch from "../../core/usecase/MergePatch.ts"
import * as UnvalidatedJson from "../../core/usecase/UnvalidatedJson.ts"
import { Context, Effect, Layer } from "effect"
import { authorize } from "../../core/auth/CurrentActor.ts"
import { type Change, followingDeletions } from "../../core/mutation/Changes.ts"
import type { TimelineQuery } from "../../core/mutation/Timeline.ts"
import { Timelines } from "../../core/mutation/Timelines.ts"
import { type EditableKind, type ReadableKind, StepSize } from "../../core/records/RecordKind.ts"
import type { NextVersion } from "../../core/records/Table.ts"
import { omitMembers, textOf } from "../../core/records/UpsertMatching.ts"
import { orReject } from "../../core/usecase/Input.ts"
import { byId, type UseCaseRequest } from "../../core/usecase/UseCaseRequest.ts"
import { type Box, halfTurn, quarterTurn } from "./geography/Area.ts"
import { boxesOf, maxBoxes } from "./geography/boxes.ts"
import {
  MandateCreate,
  type MandateFields,
  type MandateListQuery,
  MandatePatch,
  type StoredMandate,
  WrittenMandate
} from "./Mandate.ts"
import { MandateBoxesRepo } from "./MandateBoxesRepo.ts"
import { type Investors, MandatesRepo } from "./MandatesRepo.ts"
import {
  blank,
  countriesOf,
  countryAfter,
  faultsOf,
  fieldsOf,
  followingCountry,
  locatedOf,
  nowhere,
  toChangeRecord,
  toPlace,
  wantedPlace,
  wholeCountriesOf,
  type WithCountry,
  writeContextOf
} from "./rules.ts"
import { Locations } from "./Locations.ts"

/** The box of a mandate without a place. */
const everywhere: Box = { west: -halfTurn, south: -quarterTurn, east: halfTurn, north: quarterTurn }

const make = Effect.gen(function* () {
  const repo = yield* MandatesRepo
  const boxes = yield* MandateBoxesRepo
  const locations = yield* Locations
  const timelines = yield* Timelines

  /** The members to store for a body. The present place of a new mandate is none. */
  const toFields = Effect.fnUntraced(function* (sent: MandatePatch, current: WithCountry) {
    const named = yield* orReject(wantedPlace(sent, current))
    const wanted = followingCountry(named, sent, current)
    if (wanted.kind === "unchanged") return fieldsOf(sent, undefined)
    const resolved = yield* locations.areaOfWanted(wanted, sent.country)
    const place = resolved === undefined ? nowhere : toPlace(resolved.area, resolved.wholeCountries)
    return { ...fieldsOf(sent, place), ...countryAfter(sent, current, resolved) }
  })

  const decodeCreate = UnvalidatedJson.decoder(MandateCreate, WrittenMandate.fields)
  const decodePatch = MergePatch.make(MandatePatch)

  /** Writes the boxes of the mandates of a change. */
  const writeBoxes = Effect.fnUntraced(function* (
    { actor: { teamId } }: Change,
    versions: ReadonlyArray<NextVersion<MandateFields>>
  ) {
    const written = yield* Effect.forEach(versions, ({ fields, uuid }) =>
      Effect.gen(function* () {
        const located = locatedOf(fields)
        const countries = countriesOf(located)
        if (located.area === undefined && countries.length === 0) return { mandate: uuid, boxes: [everywhere] }
        if (countries.length === 0)
          return { mandate: uuid, boxes: located.area === undefined ? [] : boxesOf(located.area) }
        const limit = Math.max(1, Math.floor(maxBoxes / countries.length))
        const ofCountries = yield* Effect.forEach(countries, (country) =>
          Effect.map(locations.territoryOf(country), (territory) =>
            (territory === undefined ? [] : boxesOf(territory, limit)).map((box) => ({ ...box, country }))
          )
        )
        return { mandate: uuid, boxes: ofCountries.flat() }
      })
    )
    yield* boxes.replace(teamId, written)
  })

  const kind: EditableKind<MandateFields, StoredMandate> & ReadableKind<StoredMandate, MandateListQuery> = {
    type: "mandate",
    needs: "broker-or-investor",
    plural: "Mandates",
    quota: "mandates",
    requiresIds: true,
    blank,
    repo: {
      ...repo,
      insert: (change, versions) => Effect.tap(repo.insert(change, versions), () => writeBoxes(change, versions)),
      update: (change, versions) => Effect.tap(repo.update(change, versions), () => writeBoxes(change, versions)),
      delete: (change, versions, mergedInto) =>
        Effect.tap(repo.delete(change, versions, mergedInto), () =>
          boxes.replace(
            change.actor.teamId,
            versions.map(({ uuid }) => ({ mandate: uuid, boxes: [] }))
          )
        )
    },
    context: (change, wanted) => {
      const uuidsOf = (type: "company" | "contact") =>
        wanted.flatMap(({ investor }) => Id.toUuid(type, investor?.[`${type}Id`] ?? "") ?? [])
      return Effect.map(
        repo.lockInvestors(change, { contacts: uuidsOf("contact"), companies: uuidsOf("company") }),
        writeContextOf
      )
    },
    decodeCreate: (document) => Effect.flatMap(decodeCreate(document), (sent) => toFields(sent, blank)),
    // Only answers of writes have `resolvedLocation`, so no present value could be compared with what is sent back.
    decodePatch: (document, current) =>
      Effect.flatMap(decodePatch(omitMembers(document, ["resolvedLocation"]), current), (sent) =>
        toFields(sent, { ...blank, ...current, wholeCountries: wholeCountriesOf(current) })
      ),
    faultsOf,
    toChangeRecord
  }
  const records = yield* Records.make(kind)

  /** What the `location` of a body means; undefined without one, and for one that the write refuses. */
  const meaningOf = (body: UnvalidatedJson.UnvalidatedJson) => {
    const location = textOf(body, "location")
    return location === undefined
      ? Effect.undefined
      : locations.resolve(location, textOf(body, "country")).pipe(
          Effect.map(({ resolvedLocation }) => resolvedLocation),
          Effect.orElseSucceed(() => undefined)
        )
  }

  /**
   * A write whose answer says what the `location` of its body means. That is found out when the write reads the body, because nothing may
   * fail any more once the write is committed.
   */
  const locating = <Request extends Pick<UseCaseRequest, "body">, A, Located, E, R>(
    request: Request,
    write: (request: Request) => Effect.Effect<A, E, R>,
    withLocation: (written: A, meant: Partial<Pick<WrittenMandate, "resolvedLocation">>) => Located
  ) =>
    Effect.suspend(() => {
      let meant: Partial<Pick<WrittenMandate, "resolvedLocation">> = {}
      const body = Effect.tap(request.body, (read) =>
        Effect.map(meaningOf(read), (resolvedLocation) => {
          meant = resolvedLocation === undefined ? {} : { resolvedLocation }
        })
      )
      return Effect.map(write({ ...request, body }), (written) => withLocation(written, meant))
    })

  /** Creates a mandate. */
  const create = Effect.fn("Mandates.createAndLocate")((request: Parameters<typeof records.create>[0]) =>
    locating(request, records.create, (created, meant) => ({ ...created, value: { ...created.value, ...meant } }))
  )

  /** Changes a mandate. */
  const patch = Effect.fn("Mandates.patchAndLocate")((id: string, request: Parameters<typeof records.patch>[1]) =>
    locating(
      request,
      (located) => records.patch(id, located),
      (mandate, meant): WrittenMandate => ({ ...mandate, ...meant })
    )
  )

  /** The timeline of a mandate, newest first. */
  const actions = Effect.fn("Mandates.actions")(function* (
    id: string,
    request: Pick<UseCaseRequest<TimelineQuery>, "query">
  ) {
    const { teamId } = yield* authorize(kind.needs)
    const { uuid } = yield* byId("mandate", id, (uuid) => repo.find(teamId, uuid))
    return yield* timelines.read({ teamId, type: "mandate", id: uuid }, yield* request.query)
  })

  /**
   * Locks the mandates that a step of a merge takes of those of contacts or companies (UUIDs). Call it before these are locked, as all
   * writers do.
   */
  const lockOf = Effect.fn("Mandates.lockOf")(function* (change: Change, of: Investors) {
    return yield* repo.lockOf(change.actor.teamId, of, { limit: yield* StepSize, closed: true })
  })

  /**
   * Closes the mandates of deleted contacts or companies (UUIDs), as many as a step takes: nobody is left to buy. They still name them.
   */
  const closeOf = Effect.fn("Mandates.closeOf")(function* (change: Change, of: Investors) {
    const following = followingDeletions(change, "contacts" in of ? "contact" : "company")
    const { left, taken } = yield* repo.lockOf(change.actor.teamId, of, { limit: yield* StepSize, closed: false })
    yield* records.patchLocked(following, taken, () => ({ status: "closed" }))
    return left
  })

  /** Gives mandates of merged contacts or companies to the one that they are merged into (UUIDs), as many as a step takes. */
  const reassign = Effect.fn("Mandates.reassign")(function* (
    change: Change,
    {
      from,
      to,
      type
    }: { readonly type: "company" | "contact"; readonly from: ReadonlyArray<string>; readonly to: string }
  ) {
    const { left, taken } = yield* lockOf(change, type === "contact" ? { contacts: from } : { companies: from })
    yield* records.patchLocked(change, taken, () => ({
      investor: type === "contact" ? { contactId: Id.fromUuid(type, to) } : { companyId: Id.fromUuid(type, to) }
    }))
    return left
  })

  return { ...records, create, patch, actions, findAll: repo.findAll, lockOf, closeOf, reassign }
})

/**
 * The use-cases of mandates. They need the `investor` capability, approved or requested, or the `broker` capability; `findAll` is
 * for modules that have authorized their caller, as are `lockOf`, `closeOf` and `reassign`, which run inside the transaction of
 * `change`.
 */
export class Mandates extends Context.Service<Mandates, Effect.Success<typeof make>>()("market/mandates/Mandates") {
  static readonly layer = Layer.effect(Mandates, make)
}
