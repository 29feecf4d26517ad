/** Replaces the placeholders of cases, sends them, and asks for what their placeholders need. */
import type { Case, CallerName, Described } from "./cases.ts"
import * as client from "./client.ts"
import type { RawCase } from "./rawCases.ts"
import type { World } from "./World.ts"

const exampleId = /\b([a-z]+)_01kb3n[0-9a-z]{17}([do])(\d)c|\b([a-z]+)_01kb3n[0-9a-z]{20}\b/g

/** What placeholders are read from. */
interface Answered {
  readonly etag?: string
  readonly page?: { readonly nextCursor?: string | null; readonly nextSince?: string | null }
}

/** A sender to the world's service. `deadline` is in milliseconds. */
export const make = (world: World, operations: ReadonlyArray<Described>, deadline: number) => {
  const http = client.make(world.baseUrl, deadline)
  const known = new Map(operations.map((operation) => [operation.id, operation]))
  const positions = new Map<string, { readonly cursor: string; readonly since: string }>()
  let sent = 0

  // The example of a receiver is of a host that does not exist.
  const withIds = (text: string) =>
    text
      .replaceAll("https://hooks.example.com/property-network", "http://127.0.0.1:9/hook")
      .replaceAll(
        exampleId,
        (all, type: string | undefined, origin: string, number: string, other: string | undefined) =>
          world.record(type ?? other ?? "", Number(number ?? all.charCodeAt(all.length - 2)), origin === "o") ?? all
      )

  const ask = (caller: CallerName, method: string, target: string, body?: string) =>
    http.send({
      method,
      target,
      headers: [
        ["authorization", `Bearer ${world.tokens[caller]}`],
        ...(body === undefined ? [] : [["content-type", "application/json"] as const])
      ],
      ...(body === undefined ? {} : { body: Buffer.from(body) })
    })

  const pathOf = (id: string, resource: number) =>
    world.resource(id, resource).reduce((path, one) => path.replace(/\{\w+\}/, one), known.get(id)?.path ?? "")

  const memberOf = (outcome: client.Outcome, read: (body: Answered) => unknown): string => {
    if (typeof outcome === "string" || outcome.status !== 200) return ""
    try {
      return String(read(JSON.parse(outcome.text)) ?? "")
    } catch {
      return ""
    }
  }

  /** The current ETag of the resource of a case, or of the one that its action belongs to. */
  const etagOf = async ({ operation, resource }: Case) => {
    const path = pathOf(operation, resource)
    const target = path.replace(/\/(?!teaser$)[a-z-]+$/, "")
    return memberOf(await ask("owner", "GET", target), ({ etag }) => etag) || '"v1"'
  }

  /** The cursor after the first row of a list, and its position. */
  const positionOf = async ({ operation, resource }: Case) => {
    const key = `${operation} ${resource % 2}`
    const cached = positions.get(key)
    if (cached !== undefined) return cached
    const { method = "GET" } = known.get(operation) ?? {}
    const path = pathOf(operation, resource)
    const page =
      method === "GET"
        ? await ask("owner", "GET", `${path}?page_size=1`)
        : await ask("owner", method, path, '{"page_size":1}')
    const whole = method === "GET" ? await ask("owner", "GET", `${path}?page_size=500`) : page
    const found = {
      cursor: memberOf(page, ({ page }) => page?.nextCursor) || "x",
      since: memberOf(whole, ({ page }) => page?.nextSince) || "2026-01-01"
    }
    positions.set(key, found)
    return found
  }

  const fill = async (one: Case): Promise<client.Outgoing> => {
    const all = [one.target, one.body ?? "", ...one.headers.map(([, value]) => value)].join(" ")
    const etag = all.includes("{etag}") ? await etagOf(one) : ""
    const position = /\{(?:cursor|since)\}/.test(all) ? await positionOf(one) : { cursor: "", since: "" }
    const values: { readonly [name: string]: string } = {
      ...world.secrets,
      token: world.tokens[one.caller],
      etag,
      ...position,
      now: String(sent)
    }
    const resource = world.resource(one.operation, one.resource)
    const filled = (text: string, encode = (value: string) => value) =>
      text.replaceAll(/\{(token|etag|cursor|since|now|basic|client_id|client_secret|access)\}/g, (_, name: string) =>
        encode(values[name] ?? "")
      )
    const target = filled(one.target, encodeURIComponent).replaceAll(
      /\{p(\d)\}/g,
      (_, at: string) => resource[Number(at)] ?? "x"
    )
    return {
      method: one.method,
      target: withIds(target),
      headers: one.headers.map(([name, value]) => [name, filled(value)] as const),
      ...(one.body === undefined ? {} : { body: Buffer.from(withIds(filled(one.body)), one.encoding ?? "utf8") })
    }
  }

  return {
    /** Sends a case; also returns the request with its placeholders replaced. */
    send: async (one: Case) => {
      sent++
      const request = await fill(one)
      return { request, outcome: await http.send(request) }
    },
    sendRaw: (one: RawCase) => {
      sent++
      const host = new URL(world.baseUrl).host
      const bytes = Buffer.from(
        one.text.replaceAll("{token}", world.tokens[one.caller]).replaceAll("{host}", host),
        "latin1"
      )
      const ends = [...new Set([...one.cuts.filter((at) => at < bytes.length), bytes.length])].sort((a, b) => a - b)
      return http.sendRaw(
        ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)),
        one
      )
    },
    /** Whether a help page exists. */
    helps: async (url: string) => {
      const outcome = await http.send({ method: "GET", target: new URL(url).pathname, headers: [] })
      return typeof outcome !== "string" && outcome.status === 200
    },
    close: http.close
  }
}

/** The sender. */
export type Sender = ReturnType<typeof make>
