/**
 * Uploads of files that are chosen in a form with `data-upload`, or dropped on it: each is sent by itself, at most three at a time, with its
 * progress, and can be cancelled and tried again. The part of the page that `data-shows` names is read again when one has arrived.
 */

declare const Idiomorph: {
  readonly morph: (
    old: Node,
    fresh: Node,
    options: {
      readonly morphStyle: "outerHTML"
      readonly restoreFocus: boolean
      readonly callbacks: { readonly beforeNodeMorphed: (old: Node) => boolean }
    }
  ) => void
}

type Words = {
  readonly [
    name in "broken" | "cancel" | "cancelled" | "code" | "done" | "folder" | "leave" | "requestId" | "retry" | "waiting"
  ]: string
}

/** What the service answers. */
interface Outcome {
  readonly path?: string
  readonly detail?: string
  readonly code?: string
  readonly requestId?: string
}

interface Upload {
  readonly file: File
  /** What the form said when the file was chosen. */
  fields: ReadonlyArray<readonly [name: string, value: string]>
  readonly form: HTMLFormElement
  readonly words: Words
  readonly row: HTMLElement
  readonly status: HTMLElement
  readonly bar: HTMLProgressElement
  readonly button: HTMLButtonElement
  request?: XMLHttpRequest
}

const most = 3
const waiting: Array<Upload> = []
const running = new Set<Upload>()

const isBusy = () => running.size + waiting.length > 0

const wordsOf = (form: HTMLFormElement) => JSON.parse(form.dataset["upload"] ?? "{}") as Words

const percent = (part: number) =>
  new Intl.NumberFormat(document.documentElement.lang, { style: "percent" }).format(Math.floor(part * 100) / 100)

const announce = (text: string) => {
  const live = document.getElementById("live")
  if (live !== null) live.textContent = text
}

// What the page lists.

let isReading = false
let isStale = false

const readAgain = async (id: string): Promise<void> => {
  if (isReading) {
    isStale = true
    return
  }
  isReading = true
  const address = location.href
  const answer = await fetch(address, { headers: { accept: "text/html" } }).catch(() => undefined)
  const text = answer?.ok === true && !answer.redirected ? await answer.text().catch(() => "") : ""
  const [old, fresh] = [document.getElementById(id), window.consoleParse?.(text).getElementById(id) ?? null]
  if (old !== null && fresh !== null && location.href === address) {
    Idiomorph.morph(old, fresh, {
      morphStyle: "outerHTML",
      restoreFocus: false,
      callbacks: { beforeNodeMorphed: (node) => node !== document.activeElement || !("value" in node) }
    })
  }
  isReading = false
  if (!isStale) return
  isStale = false
  await readAgain(id)
}

// One upload.

const element = <K extends keyof HTMLElementTagNameMap>(name: K, text = ""): HTMLElementTagNameMap[K] => {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

const showFault = ({ status, words }: Upload, { code, detail = words.broken, requestId }: Outcome) => {
  status.className = "fault"
  status.replaceChildren(detail)
  if (code !== undefined) {
    const link = element("a")
    link.href = `/help/${code.replaceAll("_", "-")}`
    link.append(element("code", code))
    status.append(` ${words.code} `, link)
  }
  if (requestId !== undefined) status.append(`, ${words.requestId} `, element("code", requestId))
}

/** Ends an upload: `fault` is what went wrong, if it did. */
const settle = (upload: Upload, fault: Outcome | undefined, said: string) => {
  const { bar, button, file, form, row, status, words } = upload
  running.delete(upload)
  delete upload.request
  bar.hidden = true
  status.className = "below"
  status.textContent = said
  if (fault !== undefined) showFault(upload, fault)
  button.textContent = words.retry
  button.dataset["does"] = "retry"
  button.hidden = fault === undefined && said === words.done
  button.setAttribute("aria-label", `${words.retry}: ${file.name}`)
  announce(`${file.name}: ${status.textContent}`)
  const { shows } = form.dataset
  if (button.hidden && shows !== undefined) void readAgain(shows)
  // A list that has nothing under way goes with its page.
  if (![...running, ...waiting].some((other) => other.form === form)) row.parentElement?.removeAttribute("data-running")
  next()
}

const answered = (upload: Upload, request: XMLHttpRequest) => {
  let outcome: Outcome = {}
  try {
    outcome = JSON.parse(request.responseText) as Outcome
  } catch {
    // What is no JSON comes from something between this browser and the service.
  }
  if (request.status !== 200 || outcome.path === undefined) {
    settle(upload, outcome, "")
    return
  }
  settle(upload, undefined, upload.words.done)
  if (upload.form.dataset["shows"] === undefined) location.assign(outcome.path)
}

const start = (upload: Upload) => {
  const { bar, button, fields, file, form, status, words } = upload
  running.add(upload)
  const isTooLarge = file.size > Number(form.dataset["most"])
  const data = new FormData()
  for (const [name, value] of fields) data.append(name, value)
  data.append("size", String(file.size))
  // The service says what is wrong with it: its bytes need not be sent for that.
  data.append("file", isTooLarge ? new Blob([]) : file, file.name)
  const request = new XMLHttpRequest()
  upload.request = request
  request.open("POST", form.action)
  request.setRequestHeader("accept", "application/json")
  request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
    if (!lengthComputable || total === 0) return
    bar.value = loaded / total
    status.textContent = percent(loaded / total)
  })
  request.addEventListener("load", () => answered(upload, request))
  request.addEventListener("error", () => settle(upload, {}, ""))
  request.addEventListener("abort", () => settle(upload, undefined, words.cancelled))
  bar.hidden = false
  bar.value = 0
  status.className = "below"
  status.textContent = percent(0)
  button.hidden = false
  request.send(data)
}

const next = () => {
  while (running.size < most) {
    const upload = waiting.shift()
    if (upload === undefined) return
    start(upload)
  }
}

const enqueue = (upload: Upload) => {
  const { button, file, row, status, words } = upload
  row.parentElement?.setAttribute("data-running", "")
  status.className = "below"
  status.textContent = words.waiting
  button.textContent = words.cancel
  button.dataset["does"] = "cancel"
  button.setAttribute("aria-label", `${words.cancel}: ${file.name}`)
  waiting.push(upload)
  next()
}

const cancel = (upload: Upload) => {
  const at = waiting.indexOf(upload)
  if (at !== -1) waiting.splice(at, 1)
  if (upload.request === undefined) settle(upload, undefined, upload.words.cancelled)
  else upload.request.abort()
}

/** Tries again with the token that the page has by now: one may have signed in again since. */
const retry = async (upload: Upload) => {
  const answer = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => undefined)
  const page = window.consoleParse?.((await answer?.text().catch(() => "")) ?? "")
  const token = page?.querySelector<HTMLInputElement>("form[data-upload] [name=form_token]")?.value
  upload.fields = upload.fields.map(([name, value]) => [
    name,
    name === "form_token" && token !== undefined ? token : value
  ])
  enqueue(upload)
}

/** The uploads, by their rows in the list. */
const uploads = new WeakMap<HTMLElement, Upload>()

const add = (form: HTMLFormElement, files: ReadonlyArray<File>, folders: ReadonlyArray<string> = []) => {
  const list = form.querySelector<HTMLElement>(".uploads")
  if (list === null) return
  const words = wordsOf(form)
  const typed = [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === "string" && name !== "key" ? [[name, value] as const] : []
  )
  const rowOf = (name: string) => {
    const [row, about, status] = [element("li"), element("div", name), element("span")]
    about.append(status)
    row.append(about)
    list.append(row)
    return { row, status }
  }
  for (const name of folders) {
    const { status } = rowOf(name)
    status.className = "fault below"
    status.textContent = words.folder
  }
  for (const [index, file] of files.entries()) {
    const { row, status } = rowOf(file.name)
    const [bar, button] = [element("progress"), element("button")]
    bar.hidden = true
    bar.setAttribute("aria-label", file.name)
    button.type = "button"
    button.className = "small quiet"
    row.append(button, bar)
    // The same key with every try: what has arrived after all is not there twice.
    const fields = [...typed, ["key", crypto.randomUUID()], ["index", String(index)]] as const
    const upload: Upload = { file, fields, form, words, row, status, bar, button }
    uploads.set(row, upload)
    enqueue(upload)
  }
}

const formOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLFormElement>("form[data-upload]") : null

const isSingle = (form: HTMLFormElement) => form.dataset["shows"] === undefined

const fieldOf = (form: HTMLFormElement) => form.querySelector<HTMLInputElement>("input[type=file]")

const send = (form: HTMLFormElement) => {
  const field = fieldOf(form)
  const files = [...(field?.files ?? [])]
  if (field === null || files.length === 0) return
  add(form, files)
  field.value = ""
}

document.addEventListener("change", ({ target }) => {
  const form = formOf(target)
  // One file may wait for what else the form asks.
  if (form !== null && !isSingle(form) && target === fieldOf(form)) send(form)
})

document.addEventListener("submit", (event) => {
  const form = formOf(event.target)
  if (form === null) return
  event.preventDefault()
  send(form)
})

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>(".uploads [data-does]") : null
  const upload = button?.closest("li") ?? null
  const found = upload === null ? undefined : uploads.get(upload)
  if (found === undefined) return
  if (button?.dataset["does"] === "cancel") cancel(found)
  else void retry(found)
})

// Dropping.

const bringsFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") === true

/** The form that takes what is dropped: the one below, or the only one of the page. */
const takerOf = ({ target }: DragEvent) => {
  const forms = document.querySelectorAll<HTMLFormElement>("form[data-upload]")
  return formOf(target) ?? (forms.length === 1 ? (forms[0] ?? null) : null)
}

const markOver = (form: HTMLFormElement | null) => {
  const zone = form?.querySelector(".drop")
  for (const other of document.querySelectorAll(".drop.over")) if (other !== zone) other.classList.remove("over")
  zone?.classList.add("over")
}

document.addEventListener("dragover", (event) => {
  const form = bringsFiles(event) ? takerOf(event) : null
  if (form === null) return
  event.preventDefault()
  markOver(form)
})

document.addEventListener("dragleave", ({ relatedTarget }) => {
  if (relatedTarget === null) markOver(null)
})

document.addEventListener("drop", (event) => {
  const form = bringsFiles(event) ? takerOf(event) : null
  const { dataTransfer } = event
  if (form === null || dataTransfer === null) return
  event.preventDefault()
  markOver(null)
  const folders = [...dataTransfer.items].flatMap((item) => {
    const entry = item.webkitGetAsEntry()
    return entry?.isDirectory === true ? [entry.name] : []
  })
  const files = [...dataTransfer.files].filter(({ name }) => !folders.includes(name))
  const field = fieldOf(form)
  if (!isSingle(form) || field === null) {
    add(form, files, folders)
    return
  }
  const one = new DataTransfer()
  for (const file of files.slice(0, 1)) one.items.add(file)
  field.files = one.files
  field.focus()
})

// Leaving the page ends what is under way.

addEventListener("beforeunload", (event) => {
  if (isBusy()) event.preventDefault()
})

if ("navigation" in window) {
  window.navigation.addEventListener("navigate", (going) => {
    const url = new URL(going.destination.url)
    const [upload] = [...running, ...waiting]
    // A form of this page leads back to it.
    if (upload === undefined || !going.canIntercept || going.hashChange || url.pathname === location.pathname) return
    if (going.formData !== null || going.downloadRequest !== null) return
    if (going.cancelable && !confirm(upload.words.leave)) {
      going.preventDefault()
      return
    }
    for (const one of [...waiting, ...running]) cancel(one)
  })
}
