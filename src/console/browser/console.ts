/**
 * What every page of the console gets quicker by: filters that apply themselves, forms that are sent once, and the palette. Without it,
 * all pages work.
 */

// Filters: blank fields stay out of the address, and a change applies itself.
document.addEventListener("formdata", ({ formData, target }) => {
  if (!(target instanceof HTMLFormElement) || target.method !== "get") return
  const blank = [...formData].filter(([, value]) => value === "").map(([name]) => name)
  for (const name of blank) formData.delete(name)
})

document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return
  if (target.form?.matches("form.filters") === true) target.form.requestSubmit()
})

// A form that changes something is sent once: a second press while the first is under way does nothing.
let sent = new WeakSet<HTMLFormElement>()

// A page that was answered has the same forms to send again.
document.addEventListener("console:shown", () => {
  sent = new WeakSet()
})

document.addEventListener(
  "submit",
  (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || form.method !== "post") return
    if (sent.has(form)) {
      event.preventDefault()
      return
    }
    sent.add(form)
    setTimeout(() => sent.delete(form), 5000)
  },
  { capture: true }
)

// Drafts have a script of their own, for pages with a form to type in, and for who has typed before.
const fillable = "main form[method=post]:not(#bulk, .menu form) :is(textarea, select, input:not([type=hidden]))"

const hasDrafts = () => {
  try {
    return Object.keys(sessionStorage).some((key) => key.startsWith("draft"))
  } catch {
    // A browser that keeps nothing has none.
    return false
  }
}

const loadDrafts = () => {
  const path = document.body.dataset["drafts"] ?? ""
  const isNeeded = document.querySelector(fillable) !== null || hasDrafts()
  if (isNeeded && path.startsWith("/assets/")) void import(path)
}

document.addEventListener("console:shown", loadDrafts)
loadDrafts()

// Ticked rows: one box ticks all of them, and what is ticked is said.
document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.hasAttribute("data-all")) return
  const table = target.closest("table")
  for (const box of table?.querySelectorAll<HTMLInputElement>("input[name=pick]") ?? []) box.checked = target.checked
})

// Who ticks some means these, and not all.
document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.name !== "pick" || !target.checked) return
  const some = target.form?.querySelector<HTMLInputElement>("input[type=radio][name=to][value=some]") ?? null
  if (some !== null) some.checked = true
})

// Buttons that copy the text of a field.
document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>("[data-copy]") : null
  const field = document.getElementById(button?.dataset["copy"] ?? "")
  if (button === null || !(field instanceof HTMLInputElement)) return
  const copied = button.dataset["copied"] ?? ""
  void navigator.clipboard.writeText(field.value).then(() => {
    button.textContent = copied
    const live = document.getElementById("live")
    if (live !== null) live.textContent = copied
  })
})

// The palette: the pages of the navigation by what one types, and records that the server finds.
const palette = () => {
  const dialog = document.getElementById("palette")
  return dialog instanceof HTMLDialogElement ? dialog : undefined
}

interface Found {
  readonly href: string
  readonly text: string
}

const itemOf = ({ href, text }: Found) => {
  const item = document.createElement("li")
  const link = document.createElement("a")
  link.href = href
  link.textContent = text
  item.append(link)
  return item
}

const sayNothing = (dialog: HTMLDialogElement) => {
  const item = document.createElement("li")
  item.className = "soft"
  item.textContent = dialog.dataset["none"] ?? ""
  return item
}

const textOf = (element: Element) => element.textContent.trim().replaceAll(/\s+/g, " ")

let asked = new AbortController()

const records = async (wanted: string): Promise<ReadonlyArray<Found>> => {
  asked.abort()
  asked = new AbortController()
  const find = palette()?.dataset["find"] ?? "/console/find"
  if (wanted.length < 2 || find === "/console/find") return []
  const answer = await fetch(`${find}?q=${encodeURIComponent(wanted)}`, {
    signal: asked.signal,
    headers: { accept: "application/json" }
  })
  return answer.ok ? ((await answer.json()) as ReadonlyArray<Found>) : []
}

const show = async (dialog: HTMLDialogElement, typed: string) => {
  const wanted = typed.trim().toLowerCase()
  const pages = [...document.querySelectorAll<HTMLAnchorElement>(".nav a")]
    .map((link): Found => ({ href: link.href, text: textOf(link) }))
    .filter(({ text }) => text.toLowerCase().includes(wanted))
    .slice(0, 8)
  const list = dialog.querySelector("ul")
  list?.replaceChildren(...pages.map(itemOf))
  const found = await records(wanted).catch(() => undefined)
  if (found === undefined) return
  list?.append(...found.map(itemOf))
  if (list !== null && list.children.length === 0) list.append(sayNothing(dialog))
}

const open = () => {
  const dialog = palette()
  if (dialog === undefined) return
  if (!dialog.open) dialog.showModal()
  void show(dialog, "")
  const input = dialog.querySelector("input")
  if (input === null) return
  input.value = ""
  input.focus()
}

document.addEventListener("keydown", (event) => {
  const dialog = palette()
  if (dialog === undefined) return
  if (event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey)) {
    event.preventDefault()
    open()
    return
  }
  if (!dialog.open) return
  if (event.key === "Enter" && event.target instanceof HTMLInputElement) {
    event.preventDefault()
    dialog.querySelector("a")?.click()
  }
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return
  event.preventDefault()
  const stops = [...dialog.querySelectorAll<HTMLElement>("input, a")]
  const at = stops.findIndex((stop) => stop === document.activeElement)
  stops[(at + (event.key === "ArrowDown" ? 1 : stops.length - 1)) % stops.length]?.focus()
})

// A field that names a contact or company suggests what the server finds, as lines that mean one each.
const suggest = async (field: HTMLInputElement, type: string) => {
  const found = await records(field.value.trim()).catch(() => undefined)
  if (found === undefined) return
  const list = field.list ?? document.createElement("datalist")
  list.id ||= `${field.id}-choices`
  field.after(list)
  field.setAttribute("list", list.id)
  list.replaceChildren(
    ...found.flatMap(({ href, text }) => {
      const [id] = new RegExp(`${type}_\\w+`).exec(href) ?? []
      return id === undefined ? [] : [new Option("", `${text.replace(/ · [^·]*$/, "")} (${id})`)]
    })
  )
}

document.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return
  const dialog = palette()
  const type = target.dataset["names"]
  if (dialog?.contains(target) === true) void show(dialog, target.value)
  else if (type !== undefined) void suggest(target, type)
})

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element)) return
  if (target.closest("[data-palette]") !== null) open()
  if (target.closest("#palette a") !== null) palette()?.close()
})
