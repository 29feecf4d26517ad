/** A process that attacks from a message `go` until a message `stop`: `attacker.ts NAME TARGET`. Answers with its statuses. */
import * as http from "node:http"
import { type Attack, attacks, type Shot, type Target } from "./attacks.ts"

const [name, given = "{}"] = process.argv.slice(2)
const target = JSON.parse(given) as Target
const attack = attacks.find((one) => one.name === name)

process.on("disconnect", () => process.exit())

const run = ({ clients, inFlight, perMinute = 600, shots }: Attack) => {
  const { hostname, port } = new URL(target.origin)
  const agent = new http.Agent({ keepAlive: true, maxSockets: inFlight })
  const shotOf = shots(target)
  const statuses: Record<string, number> = {}
  const open = new Set<http.ClientRequest>()
  let number = 0
  let busy = 0

  const shoot = ({ body, headers, manner, method, path }: Shot, token: string) => {
    busy++
    let isOver = false
    const end = (status: string) => {
      if (isOver) return
      isOver = true
      busy--
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    const request = http.request({
      agent,
      hostname,
      port,
      method,
      path,
      headers: {
        ...(path.startsWith("/openid/") ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-length": body.length }),
        ...headers
      }
    })
    open.add(request)
    request.on("close", () => {
      open.delete(request)
      end("cut")
    })
    request.on("error", () => end("cut"))
    request.on("response", (response) => {
      response.on("end", () => end(String(response.statusCode)))
      if (manner !== "slow-reader") return response.resume()
      const read = setInterval(() => {
        response.read(65_536)
        if (response.closed || response.readableEnded) clearInterval(read)
      }, 200)
      return response
    })
    if (body === undefined) request.end()
    else if (manner === "stopped-body") request.write(body.subarray(0, -1))
    else request.end(body)
  }

  const spacing = 60_000 / (perMinute * clients)
  let begun = 0
  const tick = () => {
    // As many as are due; those for which there is no connection are left out.
    const due = Math.floor((performance.now() - begun) / spacing)
    for (; number < due; number++) {
      if (busy < inFlight) shoot(shotOf(number), target.tokens[number % clients] ?? "")
    }
  }
  let timer: NodeJS.Timeout | undefined
  process.on("message", (message) => {
    if (message === "go") {
      begun = performance.now() - spacing
      timer = setInterval(tick, Math.min(Math.max(spacing, 5), 100))
    } else {
      clearInterval(timer)
      for (const request of open) request.destroy()
      process.send?.({ statuses, left: busy })
    }
  })
  process.send?.({})
}

if (attack === undefined) throw new Error(`There is no attack ${name}`)
run(attack)
