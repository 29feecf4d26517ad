/**
 * Rows that appear by themselves: `<tbody data-live="PATH">` takes them, as the server renders them, from a stream of events. A browser
 * allows six connections to a host, so only the page that is seen has one; it goes on after the last row that it has.
 */

declare global {
  interface Window {
    consoleParse?: (text: string) => Document
  }
}

const parse = (text: string): Element | null =>
  window.consoleParse?.(`<table><tbody>${text}</tbody></table>`).querySelector("tr") ?? null

const most = 200

let source: EventSource | undefined
let of: Element | undefined

const stop = () => {
  source?.close()
  source = undefined
  of = undefined
}

const follow = () => {
  const body = document.querySelector<HTMLElement>("tbody[data-live]") ?? undefined
  if (body === of && source !== undefined) return
  stop()
  if (body === undefined || document.hidden) return
  of = body
  const path = body.dataset["live"] ?? ""
  const last = body.querySelector<HTMLElement>("tr[data-after]")?.dataset["after"]
  source = new EventSource(last === undefined ? path : `${path}${path.includes("?") ? "&" : "?"}after=${last}`)
  source.addEventListener("row", ({ data }: MessageEvent<string>) => {
    const row = parse(data)
    if (row === null) return
    const present = document.getElementById(row.id)
    if (present !== null) {
      present.replaceWith(row)
      return
    }
    row.classList.add("fresh")
    body.prepend(row)
    while (body.children.length > most) body.lastElementChild?.remove()
  })
}

document.addEventListener("visibilitychange", follow)
document.addEventListener("console:shown", follow)
addEventListener("pagehide", stop)
follow()
