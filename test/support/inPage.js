// What `PageFaults.ts` looks at inside a page: a script for the browser, because the project's types know no DOM.
// `window.inPage` holds the functions.
;(() => {
  const describe = (element) => {
    const { id, name, tagName, textContent } = element
    return `${tagName.toLowerCase()} ${id || name || textContent.trim().slice(0, 40)}`.trim()
  }

  /** The elements by which the page is wider than the window. */
  const overflowing = () => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    return [...document.body.querySelectorAll("*")]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      .map(describe)
  }

  const isVisible = (element) => element.checkVisibility({ visibilityProperty: true })

  /** What a person can operate, in the order of the document. Of radio buttons with one name, the keyboard reaches one. */
  const operable = () =>
    [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
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

  window.inPage = { overflowing, controls, focused }
})()
