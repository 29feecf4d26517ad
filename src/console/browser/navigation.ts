/**
 * Goes from page to page of the console by fetching the next one and morphing this one into it (the browser's Navigation API and
 * idiomorph), so that the focus, what is open and what one types stay. Without that API, pages load as ever.
 */

// What idiomorph (a script of its own) and browsers have that TypeScript's declarations lack.
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

interface PolicyFactory {
  readonly createPolicy: (
    name: string,
    rules: { readonly createHTML: (text: string) => string }
  ) => { readonly createHTML: (text: string) => string }
}

declare global {
  interface Window {
    readonly trustedTypes?: PolicyFactory
    consoleParse?: (text: string) => Document
  }
}

// The one place where text becomes HTML: answers of this service alone, because the policy of its pages lets it fetch nothing else.
const policy = window.trustedTypes?.createPolicy("console", { createHTML: (text) => text })

const parse = (text: string): Document => new DOMParser().parseFromString(policy?.createHTML(text) ?? text, "text/html")

window.consoleParse = parse

const isTypedIn = (node: Node) =>
  node === document.activeElement &&
  node instanceof HTMLElement &&
  node.matches("input:not([type=checkbox], [type=radio]), textarea")

/** Makes this page another one. What one is typing stays, unless it was just sent. */
const show = (fresh: Document, isSent: boolean) => {
  document.title = fresh.title
  // Around it is what is shown already: the document is the page alone.
  const isAlone = fresh.body.dataset["same"] !== undefined
  const of = (page: Document) => (isAlone ? page.getElementById("main") : null) ?? page.body
  if (!isAlone) {
    const { lang } = fresh.documentElement
    const { theme } = fresh.documentElement.dataset
    document.documentElement.lang = lang
    if (theme === undefined) delete document.documentElement.dataset["theme"]
    else document.documentElement.dataset["theme"] = theme
  }
  // What one has opened or closed of a record stays so, also after a form in it was sent.
  for (const { id, open } of document.querySelectorAll<HTMLDetailsElement>("details.section:not(.group)")) {
    fresh.getElementById(id)?.toggleAttribute("open", open)
  }
  Idiomorph.morph(of(document), of(fresh), {
    morphStyle: "outerHTML",
    restoreFocus: false,
    callbacks: {
      // What a script fills while it works, such as the list of uploads, is its own.
      beforeNodeMorphed: (old) =>
        !((!isSent && isTypedIn(old)) || (old instanceof HTMLElement && old.matches("#palette, [data-running]")))
    }
  })
}

// The scripts of a page that this one had not: the head is not morphed. Their addresses are those of the page, which is of this service.
const loadScripts = (fresh: Document) => {
  for (const { src } of fresh.querySelectorAll<HTMLScriptElement>("script[src]")) {
    const path = new URL(src, location.href).pathname
    const isLoaded = [...document.querySelectorAll<HTMLScriptElement>("script[src]")].some(
      (one) => new URL(one.src).pathname === path
    )
    if (!isLoaded && path.startsWith("/assets/")) void import(path)
  }
}

/** The scripts that parts of the page need. */
const loadPartScripts = () => {
  const paths = [...document.querySelectorAll<HTMLElement>("[data-script]")].map(
    ({ dataset }) => dataset["script"] ?? ""
  )
  for (const path of new Set(paths)) if (path.startsWith("/assets/")) void import(path)
}

const say = (text: string) => {
  const live = document.getElementById("live")
  if (live !== null) live.textContent = text
}

/** What stands above the page on paper. */
const sayPrinted = () => {
  const printed = document.getElementById("printed")
  const time = new Date().toLocaleString(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" })
  if (printed !== null) printed.textContent = [printed.dataset["of"] ?? "", time, location.href].join(" · ")
}

/** Where one is after a page has changed: at what the page says, or where one was, or at its beginning. */
const focusAfter = (before: Element | null) => {
  const notice = document.getElementById("notice")
  const marked = document.querySelector<HTMLElement>("main [autofocus]")
  if (marked !== null) marked.focus()
  else if (notice !== null) notice.focus({ preventScroll: true })
  else if (before === null || !before.isConnected || before === document.body) {
    document.getElementById("main")?.focus({ preventScroll: true })
  }
}

/** Closes the menu of narrow windows: the page that one chose in it would stay behind it. */
const closeMenu = (): boolean => {
  const menu = document.querySelector<HTMLElement>("#nav:popover-open")
  menu?.hidePopover()
  return menu !== null
}

const isPage = (url: URL) => url.origin === location.origin && url.pathname.startsWith("/console")

/** The address that the browser itself is to load. */
let left: string | undefined

const leaveTo = (url: URL) => {
  left = url.href
  location.assign(url)
}

/** What the page says where the service does not answer; what one typed stays. */
const sayOffline = () => {
  const text = document.getElementById("live")?.dataset["offline"] ?? ""
  const notice = document.createElement("div")
  notice.className = "note bad"
  notice.id = "offline"
  notice.setAttribute("role", "alert")
  notice.textContent = text
  document.getElementById("offline")?.remove()
  document.getElementById("main")?.prepend(notice)
  scrollTo(0, 0)
}

/** Shows that something is under way where it takes longer than a person expects. */
const whileBusy = async <A>(work: Promise<A>): Promise<A> => {
  const root = document.documentElement
  const slow = setTimeout(() => {
    root.classList.add("busy")
    say(document.getElementById("live")?.dataset["loading"] ?? "")
  }, 300)
  try {
    return await work
  } finally {
    clearTimeout(slow)
    root.classList.remove("busy")
  }
}

/** `from` is the address that the page had before: that of a form is no page. */
const load = async (event: NavigateEvent, url: URL, from: string) => {
  const before = document.activeElement
  const pressed = event.sourceElement instanceof HTMLButtonElement ? event.sourceElement : undefined
  pressed?.setAttribute("aria-busy", "true")
  const form = event.formData
  const body = form === null ? undefined : new URLSearchParams([...form].map(([name, value]) => [name, String(value)]))
  const asked = fetch(url, {
    signal: event.signal,
    referrer: from,
    headers: { accept: "text/html", "console-frame": document.body.dataset["frame"] ?? "" },
    ...(body === undefined ? {} : { method: "POST", body })
  }).finally(() => pressed?.removeAttribute("aria-busy"))
  const answer = await whileBusy(asked).catch(() => undefined)
  if (answer === undefined) {
    // A navigation that another one replaced says nothing.
    if (event.signal.aborted) return
    if (body !== undefined) history.replaceState(history.state, "", from)
    sayOffline()
    return
  }
  if (answer.headers.has("console-again")) {
    // The form is of an earlier session: the page has what was typed as a draft.
    history.replaceState(history.state, "", from)
    location.reload()
    return
  }
  const shown = new URL(answer.url)
  const isHtml = answer.headers.get("content-type")?.startsWith("text/html") === true
  if (!isHtml || !isPage(shown)) {
    leaveTo(isPage(shown) ? url : shown)
    return
  }
  const fresh = parse(await answer.text())
  show(fresh, body !== undefined)
  // The address is that of the page to which a form has led, or where it was refused, of the page that it is on.
  const at = body !== undefined && !answer.ok && !answer.redirected ? from : shown.href
  if (at !== location.href) history.replaceState(history.state, "", at)
  sayPrinted()
  loadScripts(fresh)
  loadPartScripts()
  const outcome = body === undefined ? {} : { isLed: answer.redirected }
  document.dispatchEvent(new CustomEvent("console:shown", { detail: outcome }))
  say(document.title)
  // The browser places a page that a link leads to; that of a form would stay where the form was, which may be its end.
  if (body !== undefined && new URL(at).pathname !== new URL(from).pathname) scrollTo(0, 0)
  focusAfter(closeMenu() ? null : before)
}

/** Whether a form of the page leads to a file, which the browser itself saves. */
const isDownload = (url: URL) =>
  [...document.querySelectorAll<HTMLFormElement>("form[data-download]")].some(({ action }) => action === url.href)

const follow = (going: NavigateEvent) => {
  const url = new URL(going.destination.url)
  const isOurs =
    going.canIntercept &&
    !going.hashChange &&
    // Back and forth, this document is that of the other page, too.
    (!going.destination.sameDocument || going.navigationType === "traverse") &&
    going.downloadRequest === null &&
    going.navigationType !== "reload" &&
    isPage(url) &&
    !isDownload(url) &&
    // Files are sent as the browser sends them.
    ![...(going.formData?.values() ?? [])].some((value) => value instanceof File)
  if (!isOurs || url.href === left) {
    left = undefined
    return
  }
  const from = location.href
  going.intercept({
    focusReset: "manual",
    scroll: going.formData === null ? "after-transition" : "manual",
    handler: () => load(going, url, from)
  })
}

loadPartScripts()
if ("navigation" in window) {
  window.navigation.addEventListener("navigate", follow)
  // Where the browser itself has loaded this page from another one of the service, as after a file was sent, one is at its beginning, too.
  // It forgets the focus on its way to the part that the address names, until it has loaded all.
  const { activation } = window.navigation
  const isLoadedAnew = activation?.navigationType === "push" || activation?.navigationType === "replace"
  if (isLoadedAnew && activation.from !== null) {
    addEventListener("load", () => {
      if (document.activeElement === document.body) focusAfter(null)
    })
  }
}
