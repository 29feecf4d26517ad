/** The change records of contacts, companies and links, which follow one pattern. */
import type { ChangeRecord } from "../changes/ChangeRecord.ts"
import type { EventExtras } from "../changes/Event.ts"
import type { ToChangeRecord } from "./RecordKind.ts"
import type { AnyFields, AnyResource } from "./Table.ts"

/**
 * Makes the function that makes the change record of a write. `eventNames` are the names of members in `changed_fields`
 * (docs/behaviour/webhooks.md#changed-fields); changes of other members are not named. A record is on its own timeline
 * unless `subjectsOf` returns others. `extrasOf` returns members that all its events have.
 */
export const changeRecordMapper = <Fields extends AnyFields, Resource extends AnyResource>(options: {
  readonly type: "company" | "contact" | "link"
  readonly eventNames: { readonly [Member in keyof Fields]?: string }
  readonly subjectsOf?: (resource: Resource) => ChangeRecord["subjects"]
  readonly extrasOf?: (resource: Resource) => EventExtras
}): ToChangeRecord<Fields, Resource> => {
  const { eventNames, type } = options
  return (kind, resource, uuid, changed) => {
    const event = kind === "restored" ? (`${type}.created` as const) : (`${type}.${kind}` as const)
    const names = changed.flatMap((member) => eventNames[member] ?? [])
    const isUpdate = kind === "updated"
    return {
      change: kind,
      resource: { type, id: uuid },
      subjects: options.subjectsOf?.(resource) ?? [{ type, id: uuid }],
      timeline: { event, details: isUpdate ? { kind: "audit", changedFields: changed } : { kind: "audit" } },
      event: {
        type: event,
        resource: type,
        extras: {
          ...(isUpdate ? { changed_fields: names.length === 0 ? null : names } : {}),
          ...options.extrasOf?.(resource)
        }
      }
    }
  }
}
