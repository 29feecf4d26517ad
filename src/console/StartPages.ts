/** Where the console begins: `/console` leads to the primary team of the person, whose page says what they may do there. */
import { Effect } from "effect"
import { get, Goto, View } from "./Console.ts"
import { html } from "./Html.ts"
import { emptyState, head, pill } from "./Parts.ts"

const stateOf = (capability: "active" | "pending" | null) =>
  capability === null ? pill("plain", "No") : capability === "active" ? pill("good", "Yes") : pill("warn", "Requested")

const begin = get("/console", ({ seats }) =>
  Effect.succeed(
    seats[0] === undefined
      ? new View({
          title: "No team",
          body: html`${head({ title: "No team" })}
            <div class="card">
              ${emptyState("You belong to no team yet.", "Ask the administrator of your team, or the operator of this service, to add you.")}
            </div>`
        })
      : new Goto({ path: `/console/${seats[0].teamId}` })
  )
)

const start = get("/console/:team", ({ seat }) =>
  Effect.succeed(
    new View({
      title: seat?.teamName ?? "",
      body: html`${head({ title: seat?.teamName ?? "", subtitle: "What you may do in this team." })}
        <div class="card pad">
          <dl class="facts">
            <dt>Administrator</dt>
            <dd>${seat?.actor.role === "admin" ? pill("good", "Yes") : pill("plain", "No")}</dd>
            <dt>Broker</dt>
            <dd>${stateOf(seat?.actor.broker ?? null)}</dd>
            <dt>Investor</dt>
            <dd>${stateOf(seat?.actor.investor ?? null)}</dd>
          </dl>
        </div>`
    })
  )
)

/** The start pages. */
export const pages = [begin, start]
