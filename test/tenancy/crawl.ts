/** Everything that a person of a team can read over HTTP, to compare it with what another installation answers. */
import { Effect } from "effect"
import { operations } from "../support/Surface.ts"
import { TestService } from "../support/TestService.ts"

/** The prefix of the ids that come after a segment of a path. */
const prefixes: { readonly [segment: string]: string } = {
  companies: "company",
  contacts: "contact",
  deliveries: "dlv",
  files: "file",
  links: "link",
  mandates: "mandate",
  notes: "act",
  offers: "offer",
  projects: "project",
  properties: "property",
  prospects: "prospect",
  questions: "question",
  rooms: "room",
  tasks: "task",
  teams: "team",
  webhooks: "webhook"
}

/** The paths that an operation has with some of these ids. */
const pathsOf = (path: string, ids: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyArray<string> =>
  path.split("/").reduce<ReadonlyArray<string>>(
    (some, segment, index, segments) => {
      if (!segment.startsWith(":")) return some.map((begun) => `${begun}${index === 0 ? "" : "/"}${segment}`)
      const known = [...(ids.get(prefixes[segments[index - 1] ?? ""] ?? "") ?? [])].toSorted().slice(0, 3)
      return some.flatMap((begun) => known.map((id) => `${begun}/${id}`))
    },
    [""]
  )

// Signed for a moment, or by an installation.
const ofAnInstallation = new Set(["nextCursor", "nextSince"])
// What an import changes of webhooks: docs/operations.md#move-a-team.
const ofWebhooks = new Set(["disabledReason", "disabledUtc", "etag", "health", "status", "updatedUtc"])

const comparable = (value: unknown, isWebhook = false): unknown => {
  if (Array.isArray(value)) return value.map((item) => comparable(item))
  if (typeof value !== "object" || value === null) return value
  const members = Object.entries(value)
  const ofWebhook =
    isWebhook ||
    (typeof (value as { id?: unknown }).id === "string" && String((value as { id: string }).id).startsWith("webhook_"))
  return Object.fromEntries(
    members
      .filter(([name]) => !ofAnInstallation.has(name) && !(ofWebhook && ofWebhooks.has(name)))
      .map(([name, member]) => [name, comparable(member)])
  )
}

/** The answers to all GET requests of a person, by their paths; with `paths`, those alone. */
export const crawl = Effect.fnUntraced(function* (token: string, paths?: Iterable<string>) {
  const { request } = yield* TestService
  const answers = new Map<string, unknown>()
  const ids = new Map<string, Set<string>>()
  const get = (path: string) =>
    Effect.gen(function* () {
      const { body, status, text } = yield* request<unknown>("GET", path, { token })
      const isJson = text.startsWith("{") || text.startsWith("[")
      // A refusal names its request.
      const { code } = isJson ? (body as { readonly code?: string }) : {}
      answers.set(path, [status, status >= 400 ? code : isJson ? comparable(body) : text])
      for (const [id = "", prefix = ""] of text.matchAll(/\b([a-z]+)_[0-9a-z]{26}\b/g)) {
        const known = ids.get(prefix) ?? new Set()
        known.add(id)
        ids.set(prefix, known)
      }
    })
  if (paths !== undefined) {
    yield* Effect.forEach(paths, get, { concurrency: 4 })
    return answers
  }
  const readable = operations.filter(({ hasCaller, method }) => hasCaller && method === "GET")
  yield* get("/api/v1/changes?after=0&types=*&page_size=500")
  yield* get("/api/v1/offers?filter=all")
  // What one round finds leads to more in the next.
  for (let round = 0; round < 3; round += 1) {
    const found = readable.flatMap(({ path }) => pathsOf(path, ids)).filter((path) => !answers.has(path))
    yield* Effect.forEach(found, get, { concurrency: 4 })
  }
  return answers
})
