/** What is done once its name is typed: the form that asks for the name, and the check of what was typed. */
import { Effect } from "effect"
import { bodyFault } from "../core/usecase/Input.ts"
import { InvalidRequest } from "../core/usecase/Problem.ts"
import type { Attempt, PageRequest } from "./Console.ts"
import { html, type Html, type Part } from "./Html.ts"
import { button, faultOf, field, notice } from "./Parts.ts"
import { common, texts } from "./Texts.ts"
import { formField } from "./Visit.ts"

const words = texts({
  type: [(name: string) => `Type ${name} to confirm`, (name: string) => `Zur Bestätigung ${name} eingeben`],
  other: ["This is not the same.", "Das ist nicht dasselbe."]
})

/** The form that does something to what has a name: with the label of its button, what follows from it, and the way back. */
export const typedConfirmation = (
  { reader, visit }: Pick<PageRequest, "reader" | "visit">,
  {
    action,
    attempt,
    back,
    body,
    hint,
    label,
    name
  }: {
    readonly action: string
    readonly attempt: Attempt | undefined
    readonly back: string
    /** What would be done, and further fields. */
    readonly body?: Part
    readonly hint: string
    readonly label: string
    /** What is to be typed. */
    readonly name: string
  }
): Html =>
  html`<form class="card pad stack" method="post" action="${action}">
    ${formField(visit)} ${notice("warn", hint)} ${body}
    ${field({
      id: "confirm",
      name: "confirm",
      label: words[reader.language].type(name),
      isRequired: true,
      value: attempt?.form.text("confirm"),
      fault: faultOf(attempt?.problem.errors, "confirm")
    })}
    <div class="row">
      ${button(label, { kind: "danger" })} <a class="button" href="${back}">${common[reader.language].cancel}</a>
    </div>
  </form>`

/** Refuses a form of {@link typedConfirmation} in which something else was typed. */
export const typed = ({ form, reader }: Pick<PageRequest, "form" | "reader">, name: string) =>
  form.text("confirm") === name.trim()
    ? Effect.void
    : Effect.fail(InvalidRequest.of([bodyFault("/confirm", "different", words[reader.language].other)]))
