/**
 * The map of a form: what of the Earth is seen, how one moves it, what is around, and what is said of positions. What is drawn on it is the
 * matter of `drawing.ts`.
 */
import { between, earthRadius, radiansPerDegree, turned } from "./earth.ts"
import type { Position } from "./positions.ts"

/** A point of the map, in pixels. */
export type Point = readonly [x: number, y: number]

interface Layers {
  /** In how many parts of a degree its paths are. */
  readonly units: number
  readonly countries: string
  readonly regions: string
  readonly cities: ReadonlyArray<{ readonly name: string; readonly longitude: number; readonly latitude: number }>
}

/** What of the Earth the last answer was for. */
interface Around {
  readonly scale: number
  readonly west: number
  readonly east: number
  readonly south: number
  readonly north: number
}

/** How near, in pixels, counts as at. */
export const nearby = 12

/** An element of an SVG. */
export const svgElement = <K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>>
) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name)
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
  return element
}

/** The map that `root` and its `data-` attributes describe. `draw` makes what is drawn on it, whenever it moves. */
export const earthMap = (
  root: HTMLElement,
  svg: SVGSVGElement,
  draw: () => { readonly place: string; readonly marks: ReadonlyArray<SVGElement> }
) => {
  const { from = "", units = "", view: seen = "", words = "{}" } = root.dataset
  const say = JSON.parse(words) as { readonly [name: string]: string }
  const land = svg.querySelector<SVGGElement>(".land")
  const cities = svg.querySelector<SVGGElement>(".cities")
  const place = svg.querySelector<SVGPathElement>(".place")
  const said = document.getElementById("place-said")
  const marks = svgElement("g", { class: "marks" })
  svg.querySelector(".marks")?.remove()
  svg.append(marks)

  let [longitude = 0, latitude = 0, scale = 1] = seen.split(" ").map(Number)
  const { height: ownHeight, width: ownWidth } = svg.viewBox.baseVal
  let [width, height] = [ownWidth, ownHeight]

  const shrinkAt = (at: number) => Math.max(0.1, Math.cos(at * radiansPerDegree))
  const shrink = () => shrinkAt(latitude)

  const toScreen = ([x, y]: Position): Point => [
    width / 2 + (x - longitude) * scale * shrink(),
    height / 2 - (y - latitude) * scale
  ]

  const toEarth = ([x, y]: Point): Position => [
    longitude + (x - width / 2) / (scale * shrink()),
    between(-90, latitude - (y - height / 2) / scale, 90)
  ]

  const at = (event: MouseEvent): Point => {
    const { left, top, width: shown } = svg.getBoundingClientRect()
    return [((event.clientX - left) * width) / shown, ((event.clientY - top) * width) / shown]
  }

  // The copy of a position that is nearest to what is seen: the Earth goes on beyond 180°.
  const nearest = ([x, y]: Position): Position => [longitude + turned(x - longitude), y]

  /** Positions are as exact as they can be seen. */
  const exact = (position: Position): Position => {
    const digits = between(1, Math.ceil(Math.log10(scale)), 5)
    return [Number(turned(position[0]).toFixed(digits)), Number(position[1].toFixed(digits))]
  }

  // Words.

  const language = document.documentElement.lang
  const shownNumber = (value: number, digits: number) =>
    value.toLocaleString(language, { maximumFractionDigits: digits })
  const shownDegrees = (value: number, positive: string, negative: string) =>
    `${shownNumber(Math.abs(value), 4)}° ${value < 0 ? negative : positive}`
  const shownLength = (metres: number) =>
    metres < 1000 ? `${shownNumber(metres, 0)} m` : `${shownNumber(metres / 1000, metres < 100_000 ? 1 : 0)} km`

  const positionOf = (city: Element): Position => {
    const [x = 0, y = 0] = (city.getAttribute("data-at") ?? "").split(" ").map(Number)
    return nearest([x, y])
  }

  const shownPosition = (position: Position) => {
    const [x, y] = toScreen(position)
    const beside = [...(cities?.children ?? [])].find((city) => {
      const [cityX, cityY] = toScreen(positionOf(city))
      return Math.hypot(x - cityX, y - cityY) < 3 * nearby
    })
    const name = beside === undefined ? "" : `, ${(say["near"] ?? "").replace("{name}", beside.textContent.trim())}`
    return `${shownDegrees(position[1], say["north"] ?? "", say["south"] ?? "")}, ${shownDegrees(turned(position[0]), say["east"] ?? "", say["west"] ?? "")}${name}`
  }

  const announce = (name: string, values: Readonly<Record<string, number | string>> = {}) => {
    if (said === null) return
    said.textContent = Object.entries(values).reduce(
      (text, [key, value]) => text.replace(`{${key}}`, String(value)),
      say[name] ?? name
    )
  }

  // Showing.

  /** The path of a closed line, once for each turn of the Earth that may be seen. */
  const pathOfLine = (line: ReadonlyArray<Position>) => {
    const perDegree = Number(units)
    return [-360, 0, 360]
      .map((turn) => {
        const corners = line.map(([x, y]) => `${Math.round((x + turn) * perDegree)} ${Math.round(-y * perDegree)}`)
        return corners.length === 0 ? "" : `M${corners.join("L")}Z`
      })
      .join("")
  }

  const show = () => {
    const perDegree = Number(units)
    const [scaleX, scaleY] = [(scale * shrink()) / perDegree, scale / perDegree]
    const [left, top] = toScreen([0, 0])
    const drawn = draw()
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`)
    land?.setAttribute("transform", `matrix(${scaleX} 0 0 ${scaleY} ${left} ${top})`)
    place?.setAttribute("d", drawn.place)
    for (const city of cities?.children ?? []) {
      const [x, y] = toScreen(positionOf(city))
      city.setAttribute("transform", `translate(${Math.round(x)} ${Math.round(y)})`)
    }
    marks.replaceChildren(...drawn.marks)
  }

  // What is around comes from the service, for more than is seen, so that one can move on.

  let asked = new AbortController()
  let loaded: Around | undefined

  const fetchAround = async () => {
    const [west, north] = toEarth([-width / 2, -height / 2])
    const [east, south] = toEarth([1.5 * width, 1.5 * height])
    asked.abort()
    asked = new AbortController()
    const asks = { west, east, south, north, scale }
    const search = new URLSearchParams(Object.entries(asks).map(([name, value]) => [name, value.toFixed(3)]))
    const answer = await fetch(`${from}?${search}`, { signal: asked.signal })
    if (!answer.ok) return
    const layers = (await answer.json()) as Layers
    loaded = asks
    for (const [kind, path] of [
      ["country", layers.countries],
      ["region", layers.regions]
    ] as const) {
      const layer = svg.querySelector(`.${kind}`)
      layer?.setAttribute("d", path)
      layer?.setAttribute("transform", `scale(${Number(units) / layers.units})`)
    }
    cities?.replaceChildren(
      ...layers.cities.map((city) => {
        const group = svgElement("g", { "data-at": `${city.longitude} ${city.latitude}` })
        const name = svgElement("text", { x: "5", y: "4" })
        name.textContent = city.name
        group.append(svgElement("circle", { r: "2" }), name)
        return group
      })
    )
    show()
  }

  let waiting: ReturnType<typeof setTimeout> | undefined

  const moved = () => {
    show()
    const [west, north] = toEarth([0, 0])
    const [east, south] = toEarth([width, height])
    const isLoaded =
      loaded !== undefined &&
      west >= loaded.west &&
      east <= loaded.east &&
      south >= loaded.south &&
      north <= loaded.north &&
      scale < 2 * loaded.scale &&
      scale > loaded.scale / 1.4
    clearTimeout(waiting)
    // Without an answer, the map goes on with what it has.
    if (!isLoaded) waiting = setTimeout(() => void fetchAround().catch(() => undefined), 120)
  }

  const zoom = (factor: number, [x, y]: Point) => {
    const [pointLongitude, pointLatitude] = toEarth([x, y])
    scale = between(height / 180, scale * factor, 20_000)
    latitude = between(-85, pointLatitude + (y - height / 2) / scale, 85)
    longitude = pointLongitude - (x - width / 2) / (scale * shrink())
    moved()
  }

  const panBy = (x: number, y: number) => {
    latitude = between(-85, latitude + y / scale, 85)
    longitude = between(-300, longitude - x / (scale * shrink()), 300)
    moved()
  }

  const goTo = (toLongitude: number, toLatitude: number, toScale: number) => {
    longitude = turned(toLongitude)
    latitude = between(-85, toLatitude, 85)
    scale = between(height / 180, toScale, 20_000)
    moved()
  }

  /** Shows all of these positions. */
  const showAll = (positions: ReadonlyArray<Position>) => {
    const [first] = positions
    if (first === undefined) return
    const xs = positions.map(([x]) => first[0] + turned(x - first[0]))
    const ys = positions.map(([, y]) => y)
    const middle = (Math.min(...ys) + Math.max(...ys)) / 2
    const spanX = (Math.max(...xs) - Math.min(...xs)) * shrinkAt(middle)
    const spanY = Math.max(...ys) - Math.min(...ys)
    const wanted = Math.min(width / Math.max(spanX, 0.01), height / Math.max(spanY, 0.01)) / 1.3
    goTo((Math.min(...xs) + Math.max(...xs)) / 2, middle, wanted)
  }

  const isSeen = (position: Position) => {
    const [x, y] = toScreen(nearest(position))
    return x >= 0 && x <= width && y >= 0 && y <= height
  }

  /** Takes the size that it has on the screen. */
  const fit = () => {
    const { height: shownHeight, width: shownWidth } = svg.getBoundingClientRect()
    if (shownWidth === 0) return
    scale *= shownWidth / width
    ;[width, height] = [shownWidth, shownHeight]
    moved()
  }

  return {
    announce,
    at,
    exact,
    fit,
    isSeen,
    nearest,
    panBy,
    pathOfLine,
    show,
    showAll,
    shownLength,
    shownPosition,
    toEarth,
    toScreen,
    zoom,
    centre: (): Position => [longitude, latitude],
    marksWith: (selector: string) => [...marks.querySelectorAll<SVGCircleElement>(selector)],
    /** Goes to what the service would show: of a map of its own size. */
    goToView: ([toLongitude, toLatitude, toScale]: readonly [number, number, number]) =>
      goTo(toLongitude, toLatitude, (toScale * width) / ownWidth),
    size: () => ({ width, height }),
    isWidest: () => scale <= height / 180,
    /** The metres that so many pixels have from the south to the north. */
    metresOf: (pixels: number) => (pixels / scale) * earthRadius * radiansPerDegree,
    storedPlace: place?.getAttribute("d") ?? "",
    /** How wide it is, in metres. */
    shownWidth: () =>
      (width / (scale * shrink())) * earthRadius * radiansPerDegree * Math.cos(latitude * radiansPerDegree)
  }
}
