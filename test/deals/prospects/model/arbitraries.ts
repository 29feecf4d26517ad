/** Random operations. */
import * as fc from "fast-check"
import {
  type Addition,
  type Change,
  companies,
  contacts,
  investorNames,
  type InvestorChange,
  type Operation,
  stages,
  type InvestorName
} from "./operations.ts"

const whom = fc.constantFrom(...investorNames)
/** Mostly the same few, so that operations build on each other. */
const frequent = fc.oneof(
  { weight: 4, arbitrary: fc.constant<InvestorName>("anna") },
  { weight: 4, arbitrary: fc.constantFrom<InvestorName>("ben", "tal") },
  { weight: 1, arbitrary: whom }
)
/** Mostly the latest. */
const latest = fc.constantFrom(0, 0, 1)
const classification = fc.constantFrom("not_contacted", "contacted", "bidder")
const projectTags = fc.subarray(["first", "First", "late"])
const refs = fc.subarray(["crm:1", "crm:2", "erp:1"], { maxLength: 2 })

const addition: fc.Arbitrary<Addition> = fc.record(
  { whom, classification, projectTags, refs },
  { requiredKeys: ["whom"] }
)

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record(
    { classification, interest: fc.constantFrom("interested", "maybe", null), projectTags },
    { requiredKeys: [] }
  ),
  fc.record(
    { classification, stage: fc.constantFrom(...stages), stageReason: fc.constantFrom("Met", "Called") },
    { requiredKeys: [] }
  ),
  fc.record({ stage: fc.constantFrom(...stages) }),
  fc.record(
    { owner: fc.constantFrom("me", null), accessExpiry: fc.constantFrom("2099-01-01", null) },
    { requiredKeys: [] }
  ),
  fc.record({ refs, projectTags }, { requiredKeys: [] })
)

const tags = fc.subarray(["core", "logistics"])
const nth = fc.constantFrom(0 as const, 1 as const)
const ofContact: fc.Arbitrary<InvestorChange> = fc.record(
  { name: nth, tags, other: fc.constantFrom("+39 02 1", "+39 02 2"), email: fc.option(nth) },
  { requiredKeys: [] }
)
const ofCompany: fc.Arbitrary<InvestorChange> = fc.record(
  {
    name: nth,
    tags,
    other: fc.constantFrom("Tal AB", "Val AB"),
    domain: fc.option(nth),
    country: fc.constantFrom("SE", "DE", null)
  },
  { requiredKeys: [] }
)

const of = <const Name extends Operation["do"], Members extends object>(
  name: Name,
  members: { [K in keyof Members]: fc.Arbitrary<Members[K]> }
) => fc.record(members).map((how) => ({ do: name, ...how }))

const merge = (kind: ReadonlyArray<InvestorName>) =>
  fc
    .shuffledSubarray([...kind], { minLength: 2, maxLength: Math.min(3, kind.length) })
    .map(([into = "anna", ...from]): Operation => ({
      do: "merge",
      whom: into,
      from
    }))

const moving = {
  whom: frequent,
  task: latest,
  move: fc.constantFrom("complete", "complete", "cancel", "reopen", "reopen"),
  by: fc.constantFrom("task", "activity")
}

/** Any operation; the weights let prospects go through many changes before they are deleted. */
export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: of("add", { item: addition }) },
  { weight: 2, arbitrary: of("batch", { items: fc.array(addition, { minLength: 1, maxLength: 4 }) }) },
  {
    weight: 3,
    arbitrary: of("upsert", {
      items: fc.uniqueArray(addition, { minLength: 1, maxLength: 4, selector: (one) => one.whom })
    })
  },
  {
    weight: 10,
    arbitrary: of("patch", {
      whom: frequent,
      change,
      match: fc.constantFrom("none", "none", "none", "present", "stale")
    })
  },
  { weight: 3, arbitrary: of("withdraw", { whom: frequent }) },
  {
    weight: 4,
    arbitrary: of("milestone", { whom: frequent, milestone: fc.constantFrom("im_shared", "bid_recorded") })
  },
  {
    weight: 1,
    arbitrary: of("milestone", { whom, milestone: fc.constantFrom("teaser_communicated", "room_access_granted") })
  },
  { weight: 2, arbitrary: of("remove", { whom: frequent }) },
  { weight: 3, arbitrary: of("restore", { whom: frequent }) },
  { weight: 1, arbitrary: of("delete", { whom: frequent }) },
  {
    weight: 3,
    arbitrary: of("classify", {
      whom: fc.array(frequent, { minLength: 1, maxLength: 4 }),
      classification,
      note: fc.boolean()
    })
  },
  { weight: 3, arbitrary: of("note", { whom: frequent }) },
  {
    weight: 6,
    arbitrary: of("revise", {
      whom: frequent,
      note: latest,
      action: fc.constantFrom("archive", "unarchive", "supersede")
    })
  },
  {
    weight: 5,
    arbitrary: of("task", {
      whom: frequent,
      type: fc.constantFrom("call", "meeting"),
      due: fc.constantFrom(-3, 0, 5),
      assignee: fc.boolean()
    })
  },
  { weight: 8, arbitrary: of("move", moving) },
  { weight: 1, arbitrary: of("move", { ...moving, at: frequent }) },
  { weight: 3, arbitrary: of("patchInvestor", { whom: fc.constantFrom(...contacts), change: ofContact }) },
  { weight: 2, arbitrary: of("patchInvestor", { whom: fc.constantFrom(...companies), change: ofCompany }) },
  { weight: 1, arbitrary: of("deleteInvestor", { whom }) },
  { weight: 2, arbitrary: fc.oneof(merge(contacts), merge(contacts), merge(companies)) },
  {
    weight: 5,
    arbitrary: of("project", {
      move: fc.constantFrom("close", "reopen", "reopen", "delete", "restore", "restore", "restore")
    })
  }
)
