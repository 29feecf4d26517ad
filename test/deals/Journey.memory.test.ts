/** The whole deal by the keyboard alone: the focus is somewhere on each page, and where a form has led, at what was done. */
import * as Chromium from "../support/Chromium.ts"
import * as Id from "../../src/core/Id.ts"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Database } from "../../src/platform/db/Database.ts"
import { ConsoleImports } from "../../src/transfer/ConsoleImports.ts"
import { handsOf, openFor, seated, type Way } from "../console/Hands.ts"
import { password } from "../console/people.ts"
import { recordErrors } from "../support/PageFaults.ts"
import { TestService } from "../support/TestService.ts"

const way: Way = "by the keyboard alone"

/** A file that somebody uploads. */
const fileOf = (name: string, mimeType: string, content: string) => ({ name, mimeType, buffer: Buffer.from(content) })

/** A broker, who is an operator as well, in a browser. */
const aBroker = Effect.gen(function* () {
  const sql = yield* Database
  const { perform } = yield* ConsoleImports
  const broker = yield* seated(way)
  yield* sql`update users set is_operator = true where id = ${broker.userId}`
  const { page, team } = broker
  /** What the worker does with the import whose page is shown. */
  const work = Effect.suspend(() =>
    perform({ teamId: Id.toUuid("team", team.id) ?? "", importId: page.url().split("/").at(-1) ?? "" })
  )
  return { ...broker, work, email: `nora.${team.id.slice(-8)}@example.com` }
})

/** A browser of somebody who is not signed in. */
const aVisitor = Effect.gen(function* () {
  const context = yield* openFor(way)
  const errors = recordErrors(context)
  const page = yield* Effect.promise(() => context.newPage())
  return { page, errors, ...handsOf(page, way) }
})

describe.skipIf(Chromium.missing !== undefined)("By the keyboard alone", () => {
  layer(Layer.merge(TestService.layer, Chromium.layer), { excludeTestServices: true })((it) => {
    it.effect(
      "a deal goes from the list of investors to the closed project",
      () =>
        Effect.gen(function* () {
          const broker = yield* aBroker
          const investor = yield* aVisitor
          const { email, page } = broker

          // The investors come from a file.
          yield* Effect.promise(async () => {
            await page.goto(broker.base)
            await broker.go("Import", "Import")
            const list = `Vorname,Nachname,E-Mail\nNora,Lind,${email}\nAda,Berg,ada.${email}\n`
            await broker.upload(/^A CSV/, fileOf("investors.csv", "text/csv", list))
            await broker.press("button", "Upload, and look at the columns")
            await broker.isOn("investors.csv")
            await broker.press("button", "Dry run: see what would happen")
            await broker.isAt("Progress")
          })
          yield* broker.work
          yield* Effect.promise(async () => {
            await broker.isAt("What would happen")
            await broker.press("button", "Import 2 rows")
            await broker.isAt("Progress")
          })
          yield* broker.work

          const link = yield* Effect.promise(async () => {
            await broker.isAt("What happened")

            // The property, and the project that sells it.
            await broker.go("Properties", "Properties")
            await broker.go("New", "New: property")
            await broker.fill("Name", "Hafenkontor")
            await broker.choose("Country", "Germany")
            await broker.tick("Office")
            // Enter in a field sends its form.
            await broker.keyboard.press("Enter")
            await broker.isOn("Hafenkontor")
            await broker.go("Projects", "Projects")
            await broker.go("New project", "New project")
            await broker.fill("Name", "Sale of the Hafenkontor")
            await broker.press("button", "Save")
            await broker.isTold("The project was created.")
            await broker.press("link", "Properties")
            await broker.fill("Find a property by its name or place", "Hafen")
            await broker.keyboard.press("Enter")
            await broker.press("button", "Add to the project Hafenkontor")
            await broker.isTold("Saved.")
            await broker.press("link", "Prospects")
            await broker.go("Add investors", "Add investors")
            await broker.tick("Tick Nora Lind")
            await broker.press("button", "Add to the project")
            await broker.isTold("1 investor was added.")

            // The teaser.
            await broker.press("link", "Teaser")
            await broker.press("button", "Publish")
            await broker.isTold("The teaser is published, and the project is open.")
            await broker.go("Communicate", "Who will receive it")
            await broker.isAt(email)
            await broker.press("button", "Communicate")
            await broker.isAt("This would happen")
            await broker.keyboard.press("Enter")
            await broker.isTold("Communicated to 1 prospect. 1 of them has no account here")

            // The operator makes an account for the address, and a link to hand over.
            await broker.go("Teams", "Teams")
            await broker.go("Create a team", "Create a team")
            await broker.fill("Name", "Nordkapital")
            await broker.press("button", "Create")
            await broker.isOn("Nordkapital")
            await broker.go("Create a user in this team", "Create a user")
            await broker.fill("E-mail address", email)
            await broker.fill("Name", "Nora Lind")
            await broker.choose("Investor", "Active")
            await broker.press("button", "Create")
            await broker.isTold("The user was created.")
            await broker.press("button", "Make a sign-in link")
            await broker.isOn("Sign-in link")
            return page.getByLabel("Sign-in link", { exact: true }).inputValue()
          })

          yield* Effect.promise(async () => {
            // The investor signs in, and accepts.
            await investor.page.goto(link)
            await investor.fill("New password", password)
            await investor.press("button", "Set the password and sign in")
            await investor.isOn("Nordkapital")
            await investor.go(/^Offers to answer/, "Offers")
            await investor.go("Office, Germany", "Office, Germany")
            await investor.press("button", "Accept")
            await investor.isOn("Accept “Office, Germany”?")
            await investor.press("button", "Accept")
            await investor.isTold("You accepted the offer.")
            await investor.isAt("Eva Brandt")

            // The broker hears of it, and opens a room with a document.
            await broker.go("Today", "Today")
            await broker.press("link", "Nora Lind")
            await broker.isAt("Bids")
            await broker.press("link", "Data rooms")
            await broker.fill("Name", "Due diligence")
            await broker.press("button", "Open a data room")
            await broker.isTold("The data room was opened.")
            await broker.unfold("Give access")
            await broker.tick(/^Nora Lind/)
            await broker.press("button", "Give access")
            await broker.isTold("Access was given.")
            await broker.upload(/^Files of at most/, fileOf("rents.pdf", "application/pdf", "%PDF-1.7"))
            await broker.isAt(/version 1/)

            // The investor asks, and reads the answer.
            await investor.go("Offers", "Offers")
            await investor.go("Office, Germany", "Office, Germany")
            await investor.isAt("rents.pdf")
            await investor.fill("Question", "Who leaves in 2027?")
            await investor.press("button", "Ask")
            await investor.isTold("The question was asked.")
            await broker.go("Today", "Today")
            await broker.go("1. Who leaves in 2027?", "Question 1")
            await broker.fill("Answer", "Nobody does")
            await broker.press("button", "Publish the answer")
            await broker.isTold("The answer was published.")
            await investor.go("Offers", "Offers")
            await investor.go("Office, Germany", "Office, Germany")
            await investor.isAt("Nobody does")

            // The bid, and the end.
            await broker.press("link", "Sale of the Hafenkontor")
            await broker.press("link", "Prospects")
            await broker.press("link", "Nora Lind")
            await broker.unfold("Bids")
            await broker.fill("Amount", "12500000")
            await broker.press("button", "Record the bid")
            await broker.isTold("The bid was recorded.")
            await broker.press("link", "Overview")
            await broker.press("button", "Close Sale of the Hafenkontor")
            await broker.isOn("Close Sale of the Hafenkontor?")
            await broker.keyboard.press("Enter")
            await broker.isTold("The project is closed.")
            await investor.go("Offers", "Offers")
            await investor.isAt("Closed by the broker")
          })
          assert.deepStrictEqual([...broker.errors, ...investor.errors], [])
        }),
      120_000
    )
  })
})
