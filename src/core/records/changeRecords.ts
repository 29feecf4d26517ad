/** The change records of contacts, companies, links, mandates and properties, which follow one pattern. */
import type { ChangeRecord } from "../mutation/ChangeRecord.ts"
import { type FieldNames, namesOf } from "../mutation/ChangedFields.ts"
import type { EventNames } from "../mutation/Event.ts"
import type { ToChangeRecord } from "./RecordKind.ts"
import type { AnyFields, AnyResource } from "./Table.ts"

/**
 * Makes the function that makes the change record of a write. `fieldNames` are the names of members in `changed_fields`
 * (docs/behaviour/webhooks.md#changed-fields). A record is on its own timeline unless `subjectsOf` returns others.
 * `namesOf` returns what all its events name.
 */
export const changeRecordMapper = <Fields extends AnyFields, Resource extends AnyResource>(options: {
  readonly type: "company" | "contact" | "link" | "mandate" | "property"
  readonly fieldNames: FieldNames<keyof Fields & string>
  readonly subjectsOf?: (resource: Resource) => ChangeRecord["subjects"]
  readonly namesOf?: (resource: Resource) => EventNames
}): ToChangeRecord<Fields, Resource> => {
  const { fieldNames, type } = options
  return (kind, resource, uuid, changed) => {
    const event = kind === "restored" ? (`${type}.created` as const) : (`${type}.${kind}` as const)
    const isUpdate = kind === "updated"
    return {
      change: kind,
      resource: { type, id: uuid },
      subjects: options.subjectsOf?.(resource) ?? [{ type, id: uuid }],
      timeline: { event, details: isUpdate ? { kind: "audit", changedFields: changed } : { kind: "audit" } },
      event: {
        type: event,
        extras: isUpdate ? { changed_fields: namesOf(fieldNames, changed) } : {}
      },
      ...(options.namesOf === undefined ? {} : { names: options.namesOf(resource) })
    }
  }
}
