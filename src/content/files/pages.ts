/** The files of a record in the console: their list, uploads, downloads, deletions. Pages of records show them by `filesSection`. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { formRequest, get, Goto, type PageRequest, post, postFile, View } from "../../console/Console.ts"
import { html } from "../../console/Html.ts"
import { addressWith, backOf, confirmation } from "../../console/Lists.ts"
import { button, card, hidden } from "../../console/Parts.ts"
import { storeEach, uploadForm } from "../../console/Uploads.ts"
import { common, moment, number, texts } from "../../console/Texts.ts"
import { formField } from "../../console/Visit.ts"
import { NotFound } from "../../core/usecase/Problem.ts"
import { Download, respond } from "../../http/RestResponse.ts"
import { Files } from "./Files.ts"
import type { FileOwner } from "./FileWrites.ts"

const words = texts({
  title: ["Files", "Dateien"],
  none: ["No files yet.", "Noch keine Dateien."],
  upload: ["Upload", "Hochladen"],
  uploaded: [
    (count: number) => (count === 1 ? "The file was uploaded." : `${count} files were uploaded.`),
    (count: number) => (count === 1 ? "Die Datei wurde hochgeladen." : `${count} Dateien wurden hochgeladen.`)
  ],
  deleted: ["The file was deleted.", "Die Datei wurde gelöscht."],
  deleteTitle: [(name: string) => `Delete ${name}?`, (name: string) => `${name} löschen?`],
  final: ["It cannot come back by itself.", "Sie lässt sich nicht einzeln zurückholen."],
  more: ["There are more: the API lists all of them.", "Es gibt noch mehr: Die API listet alle."]
})

/** A size, as people read it. */
export const sizeOf = (page: Pick<PageRequest, "reader">, bytes: number): string =>
  bytes < 1000
    ? `${number(page.reader, bytes)} B`
    : bytes < 1_000_000
      ? `${number(page.reader, Math.round(bytes / 100) / 10)} kB`
      : `${number(page.reader, Math.round(bytes / 100_000) / 10)} MB`

/** The files of a record, and the form of an upload. */
export const filesSection = Effect.fnUntraced(function* (page: PageRequest, type: FileOwner, id: string) {
  const { list } = yield* Files
  const t = words[page.reader.language]
  const c = common[page.reader.language]
  const found = yield* list(type, id, { query: Effect.succeed({ page_size: 100 }) })
  return card(
    "files",
    t.title,
    html`<div id="files-list">
        ${found.data.length === 0 && html`<p class="soft">${t.none}</p>`}
        <ul class="items" role="list">
          ${found.data.map(
            (file) =>
              html`<li id="${file.id}">
                <div>
                  <a href="${page.base}/files/${file.id}" download>${file.name}</a>
                  <span class="below">${sizeOf(page, file.size)}, ${moment(page.reader, file.createdUtc)}</span>
                </div>
                <form method="post" action="${page.base}/files/${file.id}/delete">
                  ${formField(page.visit)} ${hidden("etag", file.etag)} ${hidden("name", file.name)}
                  ${hidden("back", addressWith(page, {}))} ${button(c.delete, { kind: "quiet", of: file.name })}
                </form>
              </li>`
          )}
        </ul>
        ${found.page.hasMore && html`<p class="soft">${t.more}</p>`}
      </div>
      ${uploadForm(page, {
        id: "upload-file",
        action: `${page.base}/files/of/${type}/${id}`,
        label: t.upload,
        fields: hidden("back", addressWith(page, {})),
        shows: "files-list"
      })}`
  )
})

const owners: ReadonlyArray<FileOwner> = ["contact", "company", "property"]

const upload = postFile("/console/:team/files/of/:type/:id", (page) =>
  Effect.gen(function* () {
    const { upload: store } = yield* Files
    const type = owners.find((owner) => owner === page.params["type"])
    if (type === undefined) return yield* new NotFound({ detail: "Such a record has no files." })
    const to = { path: `${backOf(page, page.base)}#files`, note: words[page.reader.language].uploaded }
    return yield* storeEach(page, to, ({ file, request }) =>
      Effect.scoped(store(type, page.params["id"] ?? "", { ...request, file }))
    )
  })
)

const download = get("/console/:team/files/:file", (page) =>
  Effect.gen(function* () {
    const { content } = yield* Files
    const { etag, file, read } = yield* content(page.params["file"] ?? "")
    const { contentType, name, size } = file
    return yield* respond(new Download({ name, contentType, size, etag, read }), page.visit.request)
  })
)

/** Browsers show these by themselves; whatever else a file is, it is downloaded. */
const viewable = /^(?:image\/(?:png|jpeg|gif|webp)|application\/pdf)$/

const view = get("/console/:team/files/:file/view", (page) =>
  Effect.gen(function* () {
    const { content } = yield* Files
    const { etag, file, read } = yield* content(page.params["file"] ?? "")
    const { contentType, name, size } = file
    const response = yield* respond(new Download({ name, contentType, size, etag, read }), page.visit.request)
    if (!viewable.test(contentType)) return response
    return HttpServerResponse.setHeaders(response, {
      "content-disposition": "inline",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; object-src 'self'; frame-ancestors 'none'"
    })
  })
)

const remove = post("/console/:team/files/:file/delete", (page) =>
  Effect.gen(function* () {
    const files = yield* Files
    const t = words[page.reader.language]
    const back = backOf(page, page.base)
    if (page.form.has("confirmed")) {
      yield* files.delete(page.params["file"] ?? "", formRequest(page))
      return new Goto({ path: `${back}#files`, note: t.deleted })
    }
    const title = t.deleteTitle(page.form.text("name") ?? "")
    return new View({
      title,
      body: confirmation(page, {
        title,
        body: html`<p>${t.final}</p>`,
        label: common[page.reader.language].delete,
        confirmed: "yes",
        back
      })
    })
  })
)

/** The uploads, downloads and deletions of files. */
export const pages = [upload, download, view, remove]
