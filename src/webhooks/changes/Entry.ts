/** The model of the journal: a team's events in order, for clients that poll (docs/behaviour/webhooks.md#journal). */
import { Schema, SchemaIssue, SchemaTransformation } from "effect"
import { check, OpenEnum } from "../../core/fields/Text.ts"
import { Timestamp } from "../../core/fields/Timestamp.ts"
import { mustBeOneOf } from "../../core/fields/spelling.ts"
import { pageQuery } from "../../core/usecase/Page.ts"
import { IdOf } from "../../core/Id.ts"
import { EventPattern, eventResources, eventTypes, wildcards } from "../../core/mutation/Event.ts"

/** An event with its number. */
export const JournalEntry = Schema.Struct({
  seq: Schema.Int.annotate({
    description: "The event's number in the team's journal: 1, 2, 3 and so on, without gaps.",
    examples: [1042]
  }),
  event: OpenEnum(eventTypes, "The type of the event."),
  resource_type: OpenEnum(eventResources, "The type of the resource: the part of `event` before the dot."),
  resource_id: Schema.String.annotate({
    description: "The id of the resource.",
    examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"]
  }),
  timestamp: Timestamp.annotate({ description: "When it happened: ISO 8601 in UTC, with milliseconds." }),
  action_id: Schema.Int.annotate({
    description:
      "A number from a sequence, unique to this event. A request that emits several events draws one for each.",
    examples: [4711]
  }),
  actor_user_id: Schema.NullOr(IdOf("user")).annotate({
    description: "The user who made the change; null when no user did."
  }),
  change_initiator: Schema.NullOr(
    Schema.Struct({
      type: OpenEnum(["oauth_client"], "What made the change."),
      client_id: IdOf("client")
    })
  ).annotate({
    description:
      "The OAuth client that made the change; null if it was made with a personal access token, by the operator or by the service."
  }),
  changed_fields: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.String)).annotate({
      description:
        "The names of the changed fields, on updates and on events that say which member changed. Null if `action` tells what changed.",
      examples: [["email", "phone"]]
    })
  ),
  action: Schema.optionalKey(
    Schema.Struct({
      type: Schema.String.annotate({ description: "The kind of action.", examples: ["merged"] }),
      from: Schema.optionalKey(
        Schema.String.annotate({
          description: "The previous classification, interest or stage of a prospect; absent if there was none."
        })
      ),
      to: Schema.optionalKey(
        Schema.String.annotate({
          description:
            "The new classification, interest or stage of a prospect; absent if it was cleared. The id of the record that this one was merged into, or of the note that replaced this one.",
          examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"]
        })
      ),
      note_id: Schema.optionalKey(IdOf("act").annotate({ description: "The note that was written with the change." })),
      reason: Schema.optionalKey(
        OpenEnum(["receiver_gone", "deliveries_exhausted"], "Why the service disabled a webhook.")
      )
    }).annotate({ description: "What happened; absent if `event` and `changed_fields` tell it." })
  ),
  project_id: Schema.optionalKey(
    IdOf("project").annotate({ description: "Prospects, and what belongs to one or to a project: the project." })
  ),
  prospect_id: Schema.optionalKey(IdOf("prospect").annotate({ description: "Notes on a prospect: the prospect." })),
  task_id: Schema.optionalKey(IdOf("task").annotate({ description: "Follow-up tasks: the task." })),
  contact_id: Schema.optionalKey(
    IdOf("contact").annotate({
      description:
        "Links: the contact. Prospects and mandates: the contact that is the investor, if it is one. Notes and files: the contact that they belong to."
    })
  ),
  company_id: Schema.optionalKey(
    IdOf("company").annotate({
      description:
        "Links: the company. Prospects and mandates: the company that is the investor, if it is one. Notes and files: the company that they belong to."
    })
  ),
  property_id: Schema.optionalKey(
    IdOf("property").annotate({ description: "Notes, files and teasers: the property that they belong to." })
  ),
  room_id: Schema.optionalKey(IdOf("room").annotate({ description: "Teasers of a data room: the room." })),
  question_id: Schema.optionalKey(
    IdOf("question").annotate({ description: "Questions in a data room: the question." })
  ),
  team_id: Schema.optionalKey(
    Schema.String.annotate({
      description: "On entries of the audit log: the id of the team that it concerns.",
      examples: ["team_01kb3n7x2ferwt5z8q4j6m9d0c"]
    })
  ),
  target_id: Schema.optionalKey(
    Schema.String.annotate({
      description: "On entries of the audit log: the id of what was acted upon.",
      examples: ["client_01kb3n7x2ferwt5z8q4j6m9d0c"]
    })
  ),
  external_refs: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        namespace: Schema.String.annotate({ examples: ["crm"] }),
        id: Schema.String.annotate({ examples: ["4711"] })
      })
    ).annotate({
      description:
        "Deletions of projects and prospects only: the external references that the resource had when it was deleted."
    })
  ),
  caused_by: Schema.optionalKey(
    Schema.Struct({
      event: OpenEnum(eventTypes, "The type of that event."),
      resource_id: Schema.String.annotate({
        description: "The id of its resource.",
        examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"]
      })
    }).annotate({ description: "The event from which this one follows; absent on what was requested itself." })
  )
}).annotate({
  identifier: "JournalEntry",
  description:
    "An event of the journal: its number, and the members of the webhook payload. Only some event types have the members after `change_initiator`. More members may be added.",
  examples: [
    {
      seq: 1042,
      event: "contact.updated",
      resource_type: "contact",
      resource_id: "contact_01kb3n7x2ferwt5z8q4j6m9d0c",
      timestamp: "2026-11-21T09:30:00.000Z",
      action_id: 4711,
      actor_user_id: "user_01kb3n7x2ferwt5z8q4j6m9d0c",
      change_initiator: null,
      changed_fields: ["email", "phone"]
    }
  ]
})
export type JournalEntry = typeof JournalEntry.Type

/** A page of the journal. */
export const JournalPage = Schema.Struct({
  data: Schema.Array(JournalEntry),
  page: Schema.Struct({
    nextAfter: Schema.Int.annotate({
      description:
        "The `after` of the next request: the number of the last event that this request looked at, whether or not `types` includes it.",
      examples: [1042]
    }),
    pageSize: Schema.Int.annotate({ description: "The requested page size.", examples: [50] }),
    hasMore: Schema.Boolean.annotate({
      description: "Whether more events can be read now. A short or empty page may have more after it.",
      examples: [false]
    })
  })
}).annotate({ identifier: "JournalPage", description: "A page of the journal." })
export type JournalPage = typeof JournalPage.Type

const wholeNumber = /^(?:0|[1-9]\d{0,15})$/

const After = Schema.String.check(
  check(
    "out_of_range",
    `Must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, or \`latest\`.`,
    (text: string) => text === "latest" || (wholeNumber.test(text) && Number.isSafeInteger(Number(text)))
  )
).pipe(
  Schema.decodeTo(
    Schema.Union([
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      Schema.Literal("latest")
    ]).annotate({
      description:
        "Returns events with greater numbers. Pass the `nextAfter` of the previous page; defaults to the oldest event that is kept. `latest` returns no event, and as `nextAfter` the number after which new ones come. Where more than 10,000 events were not read before, `hasMore` is true: ask for `latest` again, or go on from `nextAfter`.",
      examples: [1042]
    }),
    SchemaTransformation.transform({
      decode: (text: string) => (text === "latest" ? text : Number(text)),
      encode: String
    })
  )
)

const patterns = [...eventTypes, ...wildcards] as const

const known: ReadonlySet<string> = new Set(patterns)

const named = (values: ReadonlyArray<string>): ReadonlyArray<string> => values.flatMap((value) => value.split(","))

const Types = Schema.Array(Schema.String)
  .check(
    Schema.makeFilter<ReadonlyArray<string>>((values) => {
      const unknown = named(values).find((name) => !known.has(name))
      return unknown === undefined
        ? undefined
        : new SchemaIssue.InvalidValue({ code: "not_allowed", message: mustBeOneOf(unknown, patterns) })
    })
  )
  .pipe(
    Schema.decodeTo(
      Schema.Array(EventPattern).annotate({
        description:
          "Returns events of these types: names, all of one type of resource (`prospect.*`), or everything (`*`). Repeat the parameter, or separate types with commas. Defaults to the events of contacts, companies, links, properties, projects and prospects that are `created`, `updated`, `deleted` or `restored`; the numbers of other events are skipped then.",
        examples: [["contact.created", "contact.updated"]]
      }),
      SchemaTransformation.transform({
        decode: (values) => [...new Set(named(values))] as ReadonlyArray<EventPattern>,
        encode: (types) => types
      })
    )
  )

/** The parameters of the journal. */
export const JournalQuery = Schema.Struct({
  after: Schema.optionalKey(After),
  types: Schema.optionalKey(Types),
  page_size: pageQuery.page_size
})
export type JournalQuery = typeof JournalQuery.Type
