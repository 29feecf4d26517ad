/**
 * The API reference at `/docs`, for who is signed in: a button makes a token of 15 minutes, with which the page tries operations. The token
 * is in the memory of this page alone, and ends with it.
 */

interface DocsSession {
  readonly teams: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly formToken: string
  readonly theme: string | null
  readonly culture: string
  readonly timeZone: string
  readonly words: { readonly [name in "failed" | "team" | "tryAs" | "trying"]: string }
}

interface Explorer extends HTMLElement {
  readonly setAuthenticationConfiguration: (scheme: string, values: { readonly token: string }) => Promise<void>
}

const isJson = (response: Response) =>
  response.ok && response.headers.get("content-type")?.startsWith("application/json") === true

const rendered = new Promise<void>((resolve) => {
  document.addEventListener("spec-loaded", () => resolve(), { once: true })
})

const authenticate = async (token: string) => {
  await rendered
  await document.querySelector<Explorer>("openapi-explorer")?.setAuthenticationConfiguration("bearer", { token })
}

const show = (form: HTMLFormElement, session: DocsSession) => {
  const { culture, formToken, teams, timeZone, words } = session
  const label = document.createElement("label")
  label.htmlFor = "try-team"
  label.textContent = words.team
  const select = document.createElement("select")
  select.id = "try-team"
  for (const { id, name } of teams) select.add(new Option(name, id))
  const button = document.createElement("button")
  button.className = "small main"
  button.textContent = words.tryAs
  const said = document.createElement("span")
  said.setAttribute("role", "status")
  said.className = "small"
  form.replaceChildren(label, select, button, said)
  form.hidden = false
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    button.disabled = true
    const body = new URLSearchParams({ form_token: formToken, team: select.value })
    void fetch("/console/docs/token", { method: "POST", body, redirect: "manual" }).then(async (response) => {
      button.disabled = false
      if (!isJson(response)) {
        said.textContent = words.failed
        return
      }
      const made = (await response.json()) as { readonly token: string; readonly expiresInSeconds: number }
      const milliseconds = made.expiresInSeconds * 1000
      await authenticate(made.token)
      const end = new Intl.DateTimeFormat(culture, { timeStyle: "short", timeZone }).format(Date.now() + milliseconds)
      said.textContent = `${words.trying} ${end}`
      setTimeout(() => {
        said.textContent = ""
        void authenticate("")
      }, milliseconds)
    })
  })
}

const showSignIn = (form: HTMLFormElement) => {
  const link = document.createElement("a")
  link.href = "/signin?next=/docs"
  link.textContent = "Sign in to try operations"
  form.replaceChildren(link)
  form.hidden = false
}

void fetch("/console/docs/session", { redirect: "manual" }).then(async (response) => {
  const form = document.getElementById("try")
  if (form instanceof HTMLFormElement && response.type === "opaqueredirect") showSignIn(form)
  if (!isJson(response)) return
  const session = (await response.json()) as DocsSession
  if (session.theme !== null) document.documentElement.dataset["theme"] = session.theme
  if (form instanceof HTMLFormElement && session.teams.length > 0) show(form, session)
})
