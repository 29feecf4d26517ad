// What `PageFaults.ts` looks at inside a page: a script for the browser, because the project's types know no DOM.
// `window.inPage` holds the functions.
;(() => {
  const describe = (element) => {
    const { id, name, tagName, textContent } = element
    const text = textContent.trim().replaceAll(/\s+/g, " ").slice(0, 40)
    return `${tagName.toLowerCase()} ${id || name || text}`.trim()
  }

  /** The innermost elements by which the page is wider than the window, but for a few. */
  const overflowing = () => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const wide = [...document.body.querySelectorAll("*")].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 0.5
    )
    return wide
      .filter((element) => !wide.some((other) => other !== element && element.contains(other)))
      .slice(0, 3)
      .map(describe)
  }

  // Where texts become more than text, one finds such elements and attributes. The policy of the pages forbids most of them.
  const foreign =
    "[data-planted], [style], script:not([src]), iframe, object, embed, [href^='javascript:' i], [action^='javascript:' i]"

  const hasHandler = ({ attributes }) => [...attributes].some(({ name }) => name.startsWith("on"))

  const repeatedIds = () => {
    const seen = new Set()
    return [...document.querySelectorAll("[id]")].filter(({ id }) => seen.size === seen.add(id).size)
  }

  /** What is wrong with the elements of the page and where they are; it also opens what is folded. */
  /** The most stops before the button of a form that has no shorter way to it. */
  const maxStops = 30

  const stopsOf = (form) => operable().filter((element) => form.contains(element) || element.form === form)

  /** Forms whose button the keyboard reaches late. */
  const longForms = () =>
    [...document.querySelectorAll("main form[method=post]")].filter((form) => {
      const stops = stopsOf(form)
      const button = stops.findIndex(({ type }) => type === "submit")
      return button > maxStops && !stops.some((stop) => stop.matches(".skip") && stop.hash === `#${stops[button].id}`)
    })

  const look = () => {
    const closed = overflowing()
    const late = longForms()
    for (const details of document.querySelectorAll("details:not(.menu)")) details.open = true
    return [
      ...[...new Set([...closed, ...overflowing()])].map((one) => `is wider than the window: ${one}`),
      ...[...document.querySelectorAll("*")]
        .filter((element) => element.matches(foreign) || hasHandler(element))
        .map((element) => `is no element of a page: ${element.outerHTML.slice(0, 100)}`),
      ...late.map((form) => `has a form whose button is far: ${form.outerHTML.slice(0, 100)}`),
      ...repeatedIds().map(({ id }) => `has an id twice: ${id}`),
      ...(window.planted === undefined ? [] : ["ran what was planted"])
    ]
  }

  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true })

  /** What a person can operate, in the order of the document. Of radio buttons with one name, the keyboard reaches one. */
  const operable = () =>
    [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
      .filter((element) => element.type !== "hidden" && !element.disabled && isVisible(element))
      .filter((element) => element.type !== "radio" || element.checked)

  const controls = () => operable().map(describe)

  const cutOff = (box) =>
    box.top < 0 || box.left < 0 || box.right > window.innerWidth + 0.5 || box.top >= window.innerHeight

  /** What has the focus; undefined if nothing has. */
  const focused = () => {
    const element = document.activeElement
    if (element === null || element === document.body) return undefined
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const hasRing = outlineStyle === "auto" || (outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2)
    return {
      control: describe(element),
      index: operable().indexOf(element),
      fault: !hasRing ? "shows no focus" : cutOff(element.getBoundingClientRect()) ? "is out of sight" : undefined
    }
  }

  window.inPage = { look, controls, focused }
})()
