/** The receipts of items that were not written. Pure. */
import type * as Id from "../Id.ts"
import { shortened } from "../fields/KnownNames.ts"
import { InvalidRequest } from "../usecase/Problem.ts"
import type { ItemProblem, MissingReceipt } from "./Batch.ts"
import { mergedRejection } from "./MergeRecords.ts"
import type { Stored } from "./Table.ts"

/** The members of a problem, as the answer of a request would have them. */
const problemOf = (problem: object): ItemProblem => JSON.parse(JSON.stringify(problem)) as ItemProblem

/** The problem of an item, with pointers that begin at the batch. */
export const itemProblem = (index: number, problem: object): ItemProblem => {
  const members = problemOf(problem)
  if (members.errors === undefined) return members
  const errors = members.errors.map((fault) => ({ ...fault, pointer: `/items/${index}${fault.pointer}` }))
  return { ...members, detail: InvalidRequest.of(errors, members.moreErrors).detail, errors }
}

/** The receipt of an id that has no living record. `stored` is its tombstone, if there is one: it may say where to go on. */
export const missingReceipt = <Resource>(
  type: Id.Prefix,
  { id, index, stored }: { readonly index: number; readonly id: string; readonly stored: Stored<Resource> | undefined }
): MissingReceipt => {
  const rejection = stored === undefined ? undefined : mergedRejection(type)(stored)
  return {
    index,
    status: "missing",
    id: shortened(id),
    etag: null,
    ...(rejection === undefined ? {} : { problem: problemOf(rejection) })
  }
}
