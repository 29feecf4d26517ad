/** Ways from an adapter to its first and last SQL, call by call. */

/** A function of ours that a way enters. */
export interface Call {
  readonly file: string
  readonly name: string
  /** The name by which the call before knows it, if it has another one there: an option, or a member of a service. */
  readonly calledAs?: string
  /** What it does, in a drawing. */
  readonly does?: string
}

/** The way of one request, command or job, from the adapter's handler to the function that has the SQL. */
export interface Way {
  readonly of: string
  readonly isDrawn?: boolean
  readonly calls: ReadonlyArray<Call>
}

/** A record that is read by its id: one statement for the reads of one moment. */
const byId: ReadonlyArray<Call> = [
  { file: "src/core/usecase/UseCaseRequest.ts", name: "byId" },
  { file: "src/core/records/RecordTable.ts", name: "find" },
  { file: "src/core/records/RecordTable.ts", name: "findBatched" }
]

const commit: Call = {
  file: "src/core/mutation/Changes.ts",
  name: "commit",
  does: "begin the transaction, write the change records"
}

/** The last statement of each change. */
const jobOfEvent: ReadonlyArray<Call> = [
  commit,
  { file: "src/core/mutation/Recording.ts", name: "make", calledAs: "save" },
  { file: "src/platform/jobs/Jobs.ts", name: "enqueue" }
]

/** Up to the commit. */
const createContact: ReadonlyArray<Call> = [
  { file: "src/network/contacts/http.ts", name: "create" },
  {
    file: "src/core/records/ChangeRecords.ts",
    name: "makeCreateRecord",
    calledAs: "create",
    does: "passes the steps to the pipeline"
  },
  { file: "src/core/mutation/Mutation.ts", name: "create", does: "authorize, read the body, decide" },
  { file: "src/core/mutation/GroupCommit.ts", name: "make", calledAs: "commit", does: "queue the create" },
  { file: "src/core/mutation/GroupCommit.ts", name: "drain", does: "take a batch of the queue" },
  {
    file: "src/core/records/ChangeRecords.ts",
    name: "commitAll",
    calledAs: "write",
    does: "idempotency keys, write context, decide each"
  }
]

/** Up to the commit, as the next two. */
const patchProspect: ReadonlyArray<Call> = [
  { file: "src/deals/prospects/http.ts", name: "update" },
  {
    file: "src/deals/prospects/ProspectChanges.ts",
    name: "patch",
    does: "passes the steps to the pipeline"
  },
  {
    file: "src/core/mutation/Mutation.ts",
    name: "change",
    does: "authorize, load, read the body, If-Match, decide; in the transaction lock, decide again"
  }
]

const updateProspect: ReadonlyArray<Call> = [
  { file: "src/mcp/Toolbox.ts", name: "call" },
  { file: "src/mcp/Tool.ts", name: "call" },
  { file: "src/network/projects/tools.ts", name: "write" },
  { file: "src/network/projects/ProspectUpdates.ts", name: "update" },
  { file: "src/core/mutation/Mutation.ts", name: "change" }
]

const communicateTeaser: ReadonlyArray<Call> = [
  { file: "src/cli/teasers.ts", name: "communicate" },
  { file: "src/cli/Command.ts", name: "onBehalf" },
  { file: "src/deals/lifecycle/OfferLifecycle.ts", name: "communicate", calledAs: "useCase" },
  { file: "src/core/mutation/Mutation.ts", name: "create" }
]

const searchMandates: ReadonlyArray<Call> = [
  { file: "src/market/mandates/http.ts", name: "search" },
  { file: "src/market/mandates/Mandates.ts", name: "search" }
]

const loadProject: ReadonlyArray<Call> = [{ file: "src/deals/projects/Projects.ts", name: "load" }, ...byId]

const saveRecords: Call = {
  file: "src/core/records/SaveRecords.ts",
  name: "save",
  does: "rows, references, conflicts"
}

export const ways: ReadonlyArray<Way> = [
  {
    of: "GET a contact",
    calls: [
      { file: "src/network/contacts/http.ts", name: "get" },
      { file: "src/core/records/Records.ts", name: "get" },
      { file: "src/core/records/Records.ts", name: "load" },
      ...byId
    ]
  },
  {
    of: "POST a contact, to the time of its transaction",
    calls: [
      ...createContact,
      commit,
      { file: "src/core/mutation/Changes.ts", name: "begin" },
      { file: "src/core/mutation/Recording.ts", name: "begin" }
    ]
  },
  {
    of: "POST a contact, to its row",
    isDrawn: true,
    calls: [
      ...createContact,
      commit,
      saveRecords,
      { file: "src/core/records/RecordTable.ts", name: "insert", does: "the SQL" }
    ]
  },
  { of: "POST a contact, to the job of its event", calls: [...createContact, ...jobOfEvent] },
  {
    of: "PATCH a prospect, to the prospect as it is",
    calls: [...patchProspect, { file: "src/deals/prospects/Prospects.ts", name: "load" }, ...loadProject]
  },
  {
    of: "PATCH a prospect, to its row",
    isDrawn: true,
    calls: [
      ...patchProspect,
      commit,
      { file: "src/deals/prospects/ProspectWrites.ts", name: "write", does: "what the decision changes" },
      { file: "src/deals/prospects/ProspectWrites.ts", name: "saveAll", does: "the next version of each row" },
      saveRecords,
      { file: "src/core/records/RecordTable.ts", name: "update", does: "the SQL" }
    ]
  },
  { of: "PATCH a prospect, to the job of its event", calls: [...patchProspect, ...jobOfEvent] },
  {
    of: "a search of mandates, to their places",
    calls: [
      ...searchMandates,
      { file: "src/market/mandates/Mandates.ts", name: "meeting" },
      { file: "src/market/mandates/Mandates.ts", name: "scanBy" },
      { file: "src/market/mandates/MandatesRepo.ts", name: "lookUp" }
    ]
  },
  {
    of: "a search of mandates, to the found ones",
    calls: [
      ...searchMandates,
      { file: "src/core/records/RecordTable.ts", name: "findAll" },
      { file: "src/core/records/RecordTable.ts", name: "select" }
    ]
  },
  {
    of: "the tool update_prospect, to the prospect as it is",
    calls: [
      ...updateProspect,
      { file: "src/deals/prospects/Prospects.ts", name: "loadById", calledAs: "load" },
      ...byId
    ]
  },
  { of: "the tool update_prospect, to the job of its event", calls: [...updateProspect, ...jobOfEvent] },
  { of: "the command teaser communicate, to the project", calls: [...communicateTeaser, ...loadProject] },
  {
    of: "the command teaser communicate, to the job of its event",
    calls: [
      ...communicateTeaser,
      { file: "src/core/mutation/Mutation.ts", name: "once", calledAs: "commit" },
      ...jobOfEvent
    ]
  },
  {
    of: "a delivery, from the job of its event to the claim",
    isDrawn: true,
    calls: [
      { file: "workers/handlers.ts", name: "fanOut", does: "the job that the commit has enqueued" },
      {
        file: "src/webhooks/deliveries/Dispatcher.ts",
        name: "fanOut",
        does: "create the deliveries of a transaction, then schedule the team"
      },
      { file: "src/webhooks/deliveries/Scheduler.ts", name: "fanOutTransaction", does: "one at a time for each team" },
      {
        file: "src/webhooks/deliveries/Scheduler.ts",
        name: "transaction",
        does: "in the team's cell, three at a time"
      },
      {
        file: "src/webhooks/deliveries/DeliveryWorker.ts",
        name: "schedule",
        calledAs: "effect",
        does: "claim, and send after the commit"
      },
      { file: "src/webhooks/deliveries/Scheduler.ts", name: "claim", does: "lock the team, set its wake-up" },
      { file: "src/webhooks/deliveries/SchedulerRepo.ts", name: "claim", does: "the SQL" }
    ]
  },
  {
    of: "a delivery, from the claim to the recorded attempt",
    isDrawn: true,
    calls: [
      {
        file: "src/webhooks/deliveries/DeliveryWorker.ts",
        name: "send",
        does: "make the request (Sender), and keep its result"
      },
      {
        file: "src/webhooks/deliveries/DeliveryWorker.ts",
        name: "sendNext",
        does: "when it has ended: what the limits allow, and write"
      },
      { file: "src/webhooks/deliveries/DeliveryWorker.ts", name: "writeResults", does: "all that have accumulated" },
      {
        file: "src/webhooks/deliveries/Recorder.ts",
        name: "record",
        does: "evaluate; if the batch fails, each by itself"
      },
      {
        file: "src/webhooks/deliveries/Recorder.ts",
        name: "commit",
        does: "effects on webhooks, then schedule the team"
      },
      { file: "src/webhooks/deliveries/AttemptsRepo.ts", name: "record", does: "end the claims" },
      { file: "src/webhooks/deliveries/AttemptsRepo.ts", name: "log", does: "attempts, failures and counts, the SQL" }
    ]
  }
]

/** A way as a diagram for ARCHITECTURE.md. */
export const drawingOf = ({ calls }: Way): string =>
  [
    "```mermaid",
    "flowchart TB",
    ...calls.map(
      ({ does, file, name }, index) => `  c${index}["${name}${does === undefined ? "" : `: ${does}`}<br>${file}"]`
    ),
    `  ${calls.map((_, index) => `c${index}`).join(" --> ")}`,
    "```"
  ].join("\n")
