/**
 * What the API reference at `/docs` asks of the console (docs/behaviour/console.md#documentation): whether somebody is signed in, and a
 * token with which they try operations there. Its script keeps that in memory alone.
 */
import { briefSeconds } from "../identity/tokens/Token.ts"
import { OwnTokens } from "../identity/tokens/Tokens.ts"
import { get, type LinksOf, post } from "./Console.ts"
import { texts } from "./Texts.ts"
import { themeOf } from "./Visit.ts"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"

const words = texts({
  title: ["API reference", "API-Referenz"],
  team: ["Team", "Team"],
  tryAs: ["Try operations for 15 minutes", "Operationen 15 Minuten lang ausprobieren"],
  trying: ["You are trying operations until", "Sie probieren Operationen aus bis"],
  failed: ["No token could be made", "Es konnte kein Token erstellt werden"],
  tokenName: ["API reference", "API-Referenz"]
})

const noStore = { "cache-control": "no-store" }

/** Who is signed in, for the script of the page: their teams, what it says, and the token of its form. */
const session = get("/console/docs/session", ({ reader, seats, visit }) =>
  Effect.sync(() =>
    HttpServerResponse.jsonUnsafe(
      {
        teams: seats
          .filter(({ actor }) => actor.membership === "active")
          .map(({ teamId, teamName }) => ({ id: teamId, name: teamName })),
        formToken: visit.sentFormToken,
        theme: themeOf(visit) ?? null,
        culture: reader.culture,
        timeZone: reader.timeZone,
        words: words[reader.language]
      },
      { headers: noStore }
    )
  )
)

/** Makes a personal token for a team. Nothing stores the answer. */
const makeToken = post("/console/docs/token", ({ form, reader, userId }) =>
  Effect.gen(function* () {
    const { createBrief } = yield* OwnTokens
    const { token } = yield* createBrief(userId, form.text("team") ?? "", words[reader.language].tokenName)
    return HttpServerResponse.jsonUnsafe({ token, expiresInSeconds: briefSeconds }, { headers: noStore })
  })
)

/** What the API reference asks. */
export const pages = [session, makeToken]

/** The API reference is of everyone in a team. */
export const links: LinksOf = ({ reader, seat }) =>
  seat === undefined || seat.actor.membership !== "active"
    ? []
    : [{ href: "/docs", name: words[reader.language].title, icon: "M5 3h10v14H5zM8 7h4M8 10h4M8 13h2" }]
