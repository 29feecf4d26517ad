/** Refusals as agents read them: what was refused, and which call comes next (docs/behaviour/mcp.md#errors). */
import { Predicate } from "effect"
import type { Json } from "../core/usecase/Input.ts"
import type { Fault } from "../core/usecase/Problem.ts"
import { nounOf, referenceTypes, referredTypes } from "./References.ts"
import type { Refusal, Tool } from "./Tool.ts"

/** An error in an answer. */
export type ToolError = { readonly [member: string]: Json }

// The agent's next step after a refusal that any tool can give. A tool's own hints come before these.
const hints: { readonly [code: string]: string } = {
  capability_required:
    "The person who connected you lacks this capability in their team. Tell them; get_me shows what they have.",
  membership_pending: "The person who connected you must accept the invitation to the team first. Tell them.",
  invalid_request: "Correct the arguments in errors, and call again.",
  invalid_cursor: "Call again without cursor, or with the same arguments that gave the cursor.",
  precondition_failed: "Read the record again, apply your change to what it is now, and send its new etag.",
  concurrency_conflict: "Read the record again, apply your change to what it is now, and send its new etag.",
  duplicate: "Look at the candidates. Update one of them; or, if none is the same, call again with force true.",
  external_reference_taken:
    "Another record has this external reference: update that record, or choose another reference.",
  merged: "The record was merged into the candidate: call again with its id.",
  idempotency_key_reused: "Choose a new idempotencyKey, or repeat the first call with exactly its arguments.",
  idempotency_in_progress: "The first call with this idempotencyKey still runs: repeat it in a few seconds.",
  quota_exceeded:
    "Do not repeat the call. Tell the person who connected you that this quota is used up; the operator of the service can raise it.",
  prospect_removed:
    "Only a prospect on the list can be changed. add_prospects with its contact or company restores it.",
  query_too_expensive:
    "Narrow it as detail says, and call again: fewer texts, longer words, more conditions, a smaller page. The same call would take as long again.",
  rate_limited: "Nothing was changed. Call one tool after another, and this one again in some seconds.",
  unavailable: "Nothing was changed. Try again in a few seconds.",
  internal_error: "Try again. If the error stays, give the requestId to the operator of the service."
}

const findersOf = (tool: Tool): string => {
  const found = referredTypes(tool.input).map((type) => `${nounOf(type)}: ${referenceTypes[type].finder}`)
  return found.length === 0 ? "Check the arguments." : `Check the reference. What finds it: ${found.join(", ")}.`
}

/** Which tools show the candidates of a reference. */
const readersOf = (tool: Tool): string => {
  const readers = referredTypes(tool.input).flatMap((type) => {
    const found = referenceTypes[type]
    return "reader" in found ? [`${nounOf(type)}: ${found.reader}`] : []
  })
  return `Look at the candidates by their ids (${readers.join(", ")}), and call again with the id of the one that is meant.`
}

const hintOf = (code: string, tool: Tool): string | undefined =>
  tool.hints?.[code] ??
  (code === "not_found" ? findersOf(tool) : code === "ambiguous_reference" ? readersOf(tool) : hints[code])

const headers: { readonly [pointer: string]: string } = {
  "/If-Match": "etag",
  "/Idempotency-Key": "idempotencyKey"
}

/** The argument that a pointer is about: that of the longest renamed beginning, and what follows it. */
const argumentOf = (pointer: string, renamed: Tool["renamed"] = {}): string => {
  const path = pointer.slice(1)
  const [beginning] = Object.keys(renamed)
    .filter((member) => path === member || path.startsWith(`${member}/`))
    .toSorted((a, b) => b.length - a.length)
  return headers[pointer] ?? (beginning === undefined ? path : renamed[beginning] + path.slice(beginning.length))
}

const errorOfFault = ({ candidates, code, detail, pointer }: Fault, tool: Tool): Json => ({
  argument: argumentOf(pointer, tool.renamed),
  code,
  detail,
  ...(candidates === undefined ? {} : { candidates: candidates as never })
})

/** What is wrong with an argument; with the arguments together, if the fault names none. */
const detailOf = ({ detail, pointer }: Fault, tool: Tool): string => {
  const argument = argumentOf(pointer, tool.renamed)
  return argument === "" ? detail : `${argument}: ${detail}`
}

const maxCandidates = 5

const idsOf = (candidates: ReadonlyArray<unknown>): ReadonlyArray<Json> =>
  candidates
    .slice(0, maxCandidates)
    .flatMap((candidate) => (Predicate.hasProperty(candidate, "id") ? [{ id: String(candidate.id) }] : []))

/**
 * The error of a refusal. Candidates are named by their ids alone: an error quotes no stored text, because errors are read with more
 * trust than data.
 */
export const errorOf = (refusal: Refusal, tool: Tool, requestId: string): ToolError => {
  const hint = hintOf(refusal.code, tool)
  const members = refusal as Refusal & {
    readonly errors?: ReadonlyArray<Fault>
    readonly candidates?: ReadonlyArray<unknown>
    readonly currentEtag?: string | null
    readonly mergedInto?: string
  }
  const candidates = members.mergedInto === undefined ? members.candidates : [{ id: members.mergedInto }]
  const [first] = members.errors ?? []
  return {
    code: refusal.code,
    detail: first === undefined ? refusal.detail : detailOf(first, tool),
    ...(hint === undefined ? {} : { hint }),
    ...(members.errors === undefined ? {} : { errors: members.errors.map((fault) => errorOfFault(fault, tool)) }),
    ...(candidates === undefined ? {} : { candidates: idsOf(candidates) }),
    ...(members.currentEtag === undefined ? {} : { currentEtag: members.currentEtag }),
    requestId
  }
}
