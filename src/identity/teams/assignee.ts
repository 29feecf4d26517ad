/** Assignees in unvalidated patches. Pure. */
import * as MergePatch from "../../core/usecase/MergePatch.ts"
import type { UnvalidatedJson } from "../../core/usecase/UnvalidatedJson.ts"

/** The assignee of an unvalidated body as it is sent, if it has one. */
export const assigneeOf = ({ value }: UnvalidatedJson): unknown =>
  typeof value === "object" && value !== null && "assignee" in value ? value.assignee : undefined

/** A body without the assignee if that is sent as it was answered, with a name: it stays. */
export const withoutSameAssignee = (
  document: UnvalidatedJson,
  { assignee }: { readonly assignee: object | null }
): UnvalidatedJson => {
  const sent = assigneeOf(document)
  if (typeof sent !== "object" || sent === null || MergePatch.differing({ assignee: sent }, { assignee }).length > 0) {
    return document
  }
  const { assignee: _, ...others } = document.value as { readonly assignee: never }
  return { ...document, value: others }
}
