/**
 * What one types in a form that changes something survives a reload and a lost session: it is kept in the storage of this tab, by the person
 * and by what the form is of, and shown again in the same form. Passwords, files and the token of the form are never kept; the ETag is, so
 * that what somebody else changed meanwhile is noticed. A draft ends when the form was done, with a sign-out in this tab, for another
 * person, and after three days (docs/behaviour/console.md#drafts).
 */

interface Draft {
  readonly at: number
  readonly values: { readonly [field: string]: boolean | string }
  readonly hidden: { readonly [name: string]: string }
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const prefix = "draft:"
const sentKey = "drafts-sent"
const maxAge = 3 * 86_400_000
const maxLength = 300_000

/** What a form has of its own each time it is shown. */
const volatile = new Set(["back", "confirmed", "etag", "filter", "form_token", "key"])

/** Whether a hidden field has what a value has besides its fields (`FormMembers.ts`). */
const isRest = (name: string) => name.endsWith(".rest")

/** Whether a hidden field belongs to what was typed. */
const isKept = (name: string) => name === "etag" || name === "key" || isRest(name)

const store = sessionStorage

const person = () => document.body.dataset["user"] ?? ""

const isDraftable = (form: unknown): form is HTMLFormElement =>
  form instanceof HTMLFormElement &&
  form.method === "post" &&
  person() !== "" &&
  form.closest("main") !== null &&
  !form.matches("#bulk, [data-upload], .menu form")

/** Where a form is sent: a path. A field of the name `action` hides the property. */
const actionOf = (form: HTMLFormElement) => new URL(form.getAttribute("action") ?? "", location.href).pathname

const hiddenOf = (form: HTMLFormElement) => [...form.querySelectorAll<HTMLInputElement>("input[type=hidden]")]

/** By what a draft is found again: the person, where the form is sent, and what it is of. */
const keyOf = (form: HTMLFormElement) => {
  const about = new URLSearchParams(
    hiddenOf(form)
      .filter(({ name }) => !volatile.has(name) && !isRest(name))
      .map(({ name, value }) => [name, value])
  )
  return `${prefix}${person()} ${actionOf(form)} ${about.toString()}`
}

const fieldsOf = (form: HTMLFormElement): ReadonlyArray<readonly [name: string, field: Field]> => {
  const counts = new Map<string, number>()
  return [...form.elements].flatMap((element) => {
    const isField =
      element instanceof HTMLTextAreaElement ||
      element instanceof HTMLSelectElement ||
      (element instanceof HTMLInputElement &&
        !/^(?:button|file|hidden|image|password|reset|submit)$/.test(element.type))
    if (!isField || element.name === "" || /password|one-time-code/.test(element.autocomplete)) return []
    const count = counts.get(element.name) ?? 0
    counts.set(element.name, count + 1)
    return [[element.id === "" ? `${element.name} ${count}` : element.id, element] as const]
  })
}

const isBox = (field: Field): field is HTMLInputElement =>
  field instanceof HTMLInputElement && (field.type === "checkbox" || field.type === "radio")

const valueOf = (field: Field) => (isBox(field) ? field.checked : field.value)

const isChanged = (field: Field): boolean => {
  if (isBox(field)) return field.checked !== field.defaultChecked
  if (!(field instanceof HTMLSelectElement)) return field.value !== field.defaultValue
  const [first] = field.options
  return field.value !== ([...field.options].find(({ defaultSelected }) => defaultSelected) ?? first)?.value
}

/** Whether this page says that something was refused. */
const isRefusal = () => document.querySelector("#notice.bad, main [aria-invalid=true]") !== null

const read = (key: string): Draft | undefined => {
  try {
    const draft = JSON.parse(store.getItem(key) ?? "null") as Draft | null
    return draft === null || Date.now() - draft.at > maxAge ? undefined : draft
  } catch {
    return undefined
  }
}

// Keeping.

/** Forms in which one has typed since this document was loaded: that what they hold is a draft is no news. */
const touched = new Set<string>()
const unsaved = new Set<HTMLFormElement>()

const keep = (form: HTMLFormElement, isSure = false) => {
  const fields = fieldsOf(form)
  const key = keyOf(form)
  if (!isSure && !fields.some(([, field]) => isChanged(field))) {
    // A form that was refused has what was typed as its own.
    if (!isRefusal()) store.removeItem(key)
    return
  }
  const draft: Draft = {
    at: Date.now(),
    values: Object.fromEntries(fields.map(([name, field]) => [name, valueOf(field)])),
    hidden: Object.fromEntries(
      hiddenOf(form)
        .filter(({ name }) => isKept(name))
        .map(({ name, value }) => [name, value])
    )
  }
  const text = JSON.stringify(draft)
  try {
    if (text.length <= maxLength) store.setItem(key, text)
  } catch {
    // The storage is full, or there is none: the form works all the same.
  }
}

const keepAll = () => {
  for (const form of unsaved) if (form.isConnected) keep(form)
  unsaved.clear()
}

let timer: ReturnType<typeof setTimeout> | undefined

const typed = ({ target }: Event) => {
  const form = target instanceof HTMLElement && "form" in target ? target.form : null
  if (!isDraftable(form)) return
  touched.add(keyOf(form))
  unsaved.add(form)
  clearTimeout(timer)
  timer = setTimeout(keepAll, 200)
}

document.addEventListener("input", typed)
document.addEventListener("change", typed)
addEventListener("pagehide", keepAll)
document.addEventListener("visibilitychange", keepAll)

// What became of forms that were sent.

interface Sent {
  readonly key: string
  readonly action: string
}

const sent = (): ReadonlyArray<Sent> => JSON.parse(store.getItem(sentKey) ?? "[]") as ReadonlyArray<Sent>

const drop = (matches: (key: string) => boolean) => {
  for (const key of Object.keys(store)) if (key.startsWith(prefix) && matches(key)) store.removeItem(key)
}

document.addEventListener("submit", (event) => {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented || form.method !== "post") return
  const action = actionOf(form)
  if (action === "/signout" || action === "/console/account/sessions/end-all") {
    unsaved.clear()
    drop(() => true)
    return
  }
  keepAll()
  if (isDraftable(form)) store.setItem(sentKey, JSON.stringify([...sent(), { key: keyOf(form), action }]))
})

/** After a form was sent; `isLed`: the answer has led to another page. */
const settle = (isLed: boolean) => {
  const last = sent().at(-1)
  if (last === undefined) return
  if (isLed || !(isRefusal() || document.querySelector("main [name=confirmed]") !== null)) {
    // Where it was confirmed first, the form was another one, sent to the same address.
    for (const { action, key } of sent()) if (action === last.action) store.removeItem(key)
    store.removeItem(sentKey)
    return
  }
  for (const form of document.querySelectorAll<HTMLFormElement>("main form[method=post]")) {
    // It is shown again as the service has it now, such as with both versions, and of the present one.
    if (isDraftable(form) && keyOf(form) === last.key) keep(form, true)
  }
}

// Showing again.

/** Says that a form shows a draft; `hidden` is what it had instead, if one discards that. */
const say = (form: HTMLFormElement, hidden: Draft["hidden"]) => {
  const live = document.getElementById("live")
  const [note, text, button] = [
    document.createElement("div"),
    document.createElement("div"),
    document.createElement("button")
  ]
  text.textContent = `${live?.dataset["draft"] ?? ""} `
  button.type = "button"
  button.className = "small"
  button.textContent = live?.dataset["discard"] ?? ""
  button.addEventListener("click", () => {
    store.removeItem(keyOf(form))
    form.reset()
    for (const field of hiddenOf(form)) if (field.name in hidden) field.value = hidden[field.name] ?? ""
    note.remove()
    fieldsOf(form)[0]?.[1].focus()
  })
  text.append(button)
  note.append(text)
  note.className = "note warn draft"
  note.setAttribute("role", "status")
  form.querySelector(".draft")?.remove()
  form.prepend(note)
}

const restore = (form: HTMLFormElement) => {
  const key = keyOf(form)
  const draft = read(key)
  if (draft === undefined) return
  const differing = fieldsOf(form).filter(
    ([name, field]) => name in draft.values && valueOf(field) !== draft.values[name]
  )
  if (differing.length === 0 && !fieldsOf(form).some(([, field]) => isChanged(field))) return
  for (const [name, field] of differing) {
    const value = draft.values[name] ?? ""
    if (isBox(field)) field.checked = value === true
    else field.value = String(value)
    const group = field.closest("details")
    if (group !== null) group.open = true
  }
  const before = hiddenOf(form).flatMap(({ name, value }) => (isKept(name) ? [[name, value] as const] : []))
  for (const field of hiddenOf(form)) field.value = draft.hidden[field.name] ?? field.value
  if (touched.has(key)) return
  const folded = form.closest("details")
  if (folded !== null) folded.open = true
  say(form, Object.fromEntries(before))
}

const restoreAll = () => {
  drop((key) => !key.startsWith(`${prefix}${person()} `) || read(key) === undefined)
  for (const form of document.querySelectorAll<HTMLFormElement>("main form[method=post]")) {
    if (isDraftable(form)) restore(form)
  }
}

document.addEventListener("console:shown", (event) => {
  // Otherwise a part of this page was read again.
  if (event instanceof CustomEvent) {
    const { isLed } = event.detail as { readonly isLed?: boolean }
    if (isLed === undefined) store.removeItem(sentKey)
    else settle(isLed)
  }
  if (person() !== "") restoreAll()
})

// This document may be the answer to a form that the browser itself has sent, or that to which it led. After a sign-in, the browser does
// not say where one was.
const arrival = performance.getEntriesByType("navigation").find((entry) => entry instanceof PerformanceNavigationTiming)
if (sent().length > 0 && arrival !== undefined) {
  const isLed = arrival.redirectCount > 0
  const isFromConsole = document.referrer.startsWith(`${location.origin}/console`)
  if (arrival.type === "navigate" && (!isLed || isFromConsole)) settle(isLed)
  store.removeItem(sentKey)
}
if (person() !== "") restoreAll()

// Somebody may have begun to type before this script came.
for (const form of document.querySelectorAll<HTMLFormElement>("main form[method=post]")) {
  if (!isDraftable(form) || store.getItem(keyOf(form)) !== null) continue
  if (!fieldsOf(form).some(([, field]) => isChanged(field))) continue
  touched.add(keyOf(form))
  keep(form)
}
