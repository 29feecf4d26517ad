/** The journal: a team's events in order, for clients that would rather poll (decisions §7). */
import { Schema, SchemaTransformation } from "effect"
import { OpenEnum } from "../fields/OpenEnum.ts"
import { check } from "../fields/Text.ts"
import { Timestamp } from "../fields/Timestamp.ts"
import { pageQuery } from "../usecase/Page.ts"
import { IdOf } from "../Id.ts"
import { EventType, eventTypes } from "../changes/Event.ts"

/** How long events are kept, in days. */
export const keptDays = 90

const resourceTypes = ["contact", "company", "link", "project", "prospect"] as const

/** An event with its number. */
export const JournalEntry = Schema.Struct({
  seq: Schema.Int.annotate({
    description: "The event's number in the team's journal: 1, 2, 3 and so on, without gaps.",
    examples: [1042]
  }),
  event: OpenEnum(eventTypes, "The type of the event."),
  resource_type: OpenEnum(resourceTypes, "The kind of the resource."),
  resource_id: Schema.String.annotate({
    description: "The id of the resource.",
    examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"]
  }),
  timestamp: Timestamp.annotate({ description: "When it happened: ISO 8601 in UTC, with milliseconds." }),
  action_id: Schema.Int.annotate({ description: "The number of the change.", examples: [4711] }),
  actor_user_id: Schema.NullOr(IdOf("user")).annotate({
    description: "Who made the change; null when no user did."
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
      description: "Updates only: the names of what was changed; null when only members without such a name were.",
      examples: [["email", "phone"]]
    })
  ),
  action: Schema.optionalKey(
    Schema.Struct({
      type: Schema.String.annotate({ description: "What kind of move it was.", examples: ["merged"] }),
      from: Schema.optionalKey(Schema.String.annotate({ description: "What it was before." })),
      to: Schema.optionalKey(
        Schema.String.annotate({
          description: "What it is now; of a merge, the id of what the resource has become part of.",
          examples: ["contact_01kb3n7x2ferwt5z8q4j6m9d0c"]
        })
      ),
      note_id: Schema.optionalKey(IdOf("act").annotate({ description: "The note that was written with it." }))
    }).annotate({ description: "The move that made the change, where there was one." })
  ),
  contact_id: Schema.optionalKey(IdOf("contact").annotate({ description: "Links only: whom it joins." })),
  company_id: Schema.optionalKey(IdOf("company").annotate({ description: "Links only: and with which company." })),
  external_refs: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        namespace: Schema.String.annotate({ examples: ["crm"] }),
        id: Schema.String.annotate({ examples: ["4711"] })
      })
    ).annotate({ description: "Deletions of projects and prospects only: the references that were active." })
  )
}).annotate({
  identifier: "JournalEntry",
  description:
    "An event of the journal: its number, and the members of the payload that webhooks get. The members after `change_initiator` are there for some types only, and others may be added.",
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
        "The number of the last event that was looked at, those that `types` left out included: the `after` of the next request, at once or at any later time.",
      examples: [1042]
    }),
    pageSize: Schema.Int.annotate({ description: "The events per page that were asked for.", examples: [50] }),
    hasMore: Schema.Boolean.annotate({
      description: "Whether more can be read at once. A page may be short, or empty, and have more after it.",
      examples: [false]
    })
  })
}).annotate({ identifier: "JournalPage", description: "A page of the journal." })
export type JournalPage = typeof JournalPage.Type

const wholeNumber = /^(?:0|[1-9]\d{0,15})$/

const After = Schema.String.check(
  check(
    "out_of_range",
    `Must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}.`,
    (text: string) => wholeNumber.test(text) && Number.isSafeInteger(Number(text))
  )
).pipe(
  Schema.decodeTo(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })).annotate({
      description:
        "Events with greater numbers: the `nextAfter` of the page before. From the oldest that is kept unless told.",
      examples: [1042]
    }),
    SchemaTransformation.transform({ decode: Number, encode: String })
  )
)

const known: ReadonlySet<string> = new Set(eventTypes)

const named = (values: ReadonlyArray<string>): ReadonlyArray<string> => values.flatMap((value) => value.split(","))

const Types = Schema.Array(Schema.String)
  .check(
    check(
      "not_allowed",
      `Must be one of: ${eventTypes.join(", ")}; or several of these.`,
      (values: ReadonlyArray<string>) => named(values).every((name) => known.has(name))
    )
  )
  .pipe(
    Schema.decodeTo(
      Schema.Array(EventType).annotate({
        description: "Events of these types only. Repeat the parameter, or put commas between types.",
        examples: [["contact.created", "contact.updated"]]
      }),
      SchemaTransformation.transform({
        decode: (values) => [...new Set(named(values))] as ReadonlyArray<EventType>,
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
