/**
 * Uploads: a form that takes files, chosen or dropped, and what its route does with each. Without a script, one form brings them all, one
 * after the other; with one (`browser/uploads.ts`), each is sent by itself, with its progress.
 */
import { Effect, Result } from "effect"
import { parseKey } from "../core/usecase/Idempotency.ts"
import { maxFileBytes, type PendingUpload, type Upload } from "../core/usecase/UseCaseRequest.ts"
import { assetPath } from "./Assets.ts"
import { formRequest, Goto, outcomeOf, type PageRequest, type Problem, View } from "./Console.ts"
import { html, type Html, type Part } from "./Html.ts"
import { button, head, notice } from "./Parts.ts"
import { common, texts } from "./Texts.ts"
import { formField } from "./Visit.ts"

const words = texts({
  one: ["A file of at most 100 MB", "Eine Datei von höchstens 100 MB"],
  several: ["Files of at most 100 MB each", "Dateien von je höchstens 100 MB"],
  drop: ["Or drop them here.", "Oder hierher ziehen."],
  dropOne: ["Or drop it here.", "Oder hierher ziehen."],
  list: ["Uploads", "Uploads"],
  waiting: ["Waiting", "Wartet"],
  done: ["Uploaded", "Hochgeladen"],
  cancelled: ["Cancelled", "Abgebrochen"],
  retry: ["Try again", "Noch einmal"],
  broken: ["The connection broke off.", "Die Verbindung ist abgebrochen."],
  folder: ["This is a folder: choose the files in it.", "Das ist ein Ordner: Wählen Sie die Dateien darin."],
  leave: [
    "Files are still being uploaded. Leave this page, and cancel them?",
    "Es werden noch Dateien hochgeladen. Die Seite verlassen und das abbrechen?"
  ],
  someRefused: ["Not all files were uploaded", "Nicht alle Dateien wurden hochgeladen"],
  taken: [
    (count: number) =>
      count === 1 ? "One file was uploaded, these were not:" : `${count} files were uploaded, these were not:`,
    (count: number) =>
      count === 1 ? "Eine Datei wurde hochgeladen, diese nicht:" : `${count} Dateien wurden hochgeladen, diese nicht:`
  ]
})

/** A form that takes files. */
export const uploadForm = (
  page: PageRequest,
  {
    accept,
    action,
    fields,
    id,
    isSingle = false,
    label,
    labelled,
    shows
  }: {
    readonly action: string
    /** The id of the field of the files. */
    readonly id: string
    /** The button. */
    readonly label: string
    /** What stands before the files. */
    readonly fields?: Part
    /** The id of the part of the page that lists what was uploaded. */
    readonly shows?: string
    /** Whether it takes one file, which waits for the button, and leads to another page. */
    readonly isSingle?: boolean
    readonly accept?: string
    /** The name of the field of the files, where it says more. */
    readonly labelled?: string
  }
): Html => {
  const [t, c] = [words[page.reader.language], common[page.reader.language]]
  const said = {
    waiting: t.waiting,
    done: t.done,
    cancelled: t.cancelled,
    cancel: c.cancel,
    retry: t.retry,
    broken: t.broken,
    folder: t.folder,
    leave: t.leave,
    code: c.code,
    requestId: c.requestId
  }
  return html`<form
    class="stack"
    method="post"
    enctype="multipart/form-data"
    action="${action}"
    data-upload="${JSON.stringify(said)}"
    data-most="${maxFileBytes}"
    data-script="${assetPath("uploads.js")}"
    ${shows !== undefined && html`data-shows="${shows}"`}
  >
    ${formField(page.visit)} ${fields}
    <div class="drop">
      <label for="${id}">${labelled ?? (isSingle ? t.one : t.several)}</label>
      <div class="row">
        <input
          id="${id}"
          type="file"
          name="file"
          required
          ${!isSingle && html`multiple`}
          ${accept !== undefined && html`accept="${accept}"`}
        />
        ${
          // A script sends several as they are chosen.
          isSingle ? button(label, { kind: "main" }) : html`<span class="unscripted">${button(label)}</span>`
        }
      </div>
      <p class="hint scripted pointed">${isSingle ? t.dropOne : t.drop}</p>
    </div>
    <ul class="uploads" id="${id}-uploads" role="list" aria-label="${t.list}"></ul>
  </form>`
}

/** One file of a form. */
export interface FileOfForm {
  readonly file: PendingUpload
  readonly filename: string
  /** How many were chosen before it. */
  readonly index: number
  /** What its use-case is asked with: an idempotency key of its own. */
  readonly request: Pick<ReturnType<typeof formRequest>, "idempotencyKey" | "operation" | "query">
}

/** Stores the files of a form, one after the other: one that is refused stops no other. `path` is where it leads. */
export const storeEach = <R>(
  page: PageRequest,
  { note, path }: { readonly path: string; readonly note: (count: number) => string },
  store: (one: FileOfForm) => Effect.Effect<unknown, Problem, R>
) =>
  Effect.gen(function* () {
    const [t, c] = [words[page.reader.language], common[page.reader.language]]
    const { idempotencyKey, operation, query } = formRequest(page)
    const [key, chosenBefore] = [page.form.text("key"), Number(page.form.text("index") ?? 0)]
    const refused: Array<readonly [name: string, problem: Problem]> = []
    let count = 0
    for (let sent: Upload | undefined = yield* page.file; sent !== undefined; sent = yield* page.nextFile) {
      const request = {
        operation,
        query,
        idempotencyKey: count === 0 || key === undefined ? idempotencyKey : parseKey(`${key}-${count}`)
      }
      const { filename } = sent
      const one = { file: Effect.succeed(sent), filename, index: chosenBefore + count, request }
      const stored: Result.Result<unknown, Problem> = yield* Effect.result(store(one))
      if (Result.isFailure(stored)) refused.push([filename, stored.failure])
      count += 1
    }
    const [first] = refused
    if (first === undefined) return new Goto({ path, note: note(count) })
    if (count === 1) return yield* Effect.fail(first[1])
    return new View({
      title: t.someRefused,
      status: first[1].status,
      body: html`${head({ title: t.someRefused })}
        ${count > refused.length && notice("warn", t.taken(count - refused.length))}
        <ul class="stack" role="list">
          ${refused.map(([name, problem]) => {
            const { code = "", detail, requestId, title } = outcomeOf(page.reader, problem, page.requestId)
            return html`<li class="note bad">
              <div>
                <strong>${name}: ${title}</strong> ${detail}
                <span class="below"
                  >${c.code} <a href="/help/${code.replaceAll("_", "-")}"><code>${code}</code></a
                  >, ${c.requestId} <code>${requestId}</code></span
                >
              </div>
            </li>`
          })}
        </ul>
        <p><a class="button" href="${path}">${c.back}</a></p>`
    })
  })
