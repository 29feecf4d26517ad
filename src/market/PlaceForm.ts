/**
 * The place of a mandate in its form: by its name, as a circle by numbers, or as an area by its corners; and the map on which a script draws
 * them into these fields. What is wrong with a place, the use-case says; this says in which line.
 */
import { Effect, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import { type Attempt, type Form, get, type PageRequest } from "../console/Console.ts"
import { PageRefused } from "../console/Visit.ts"
import { faultText } from "../console/faultTexts.ts"
import { cornersIn, degreesIn, isJson, jsonIn, polygonsOf, textOf } from "../console/browser/positions.ts"
import type { Member } from "../console/FormMembers.ts"
import { memberFields } from "../console/Forms.ts"
import { html } from "../console/Html.ts"
import { memberLabel } from "../console/memberNames.ts"
import { decimalSeparator } from "../console/Numbers.ts"
import { icon } from "../console/Parts.ts"
import { countryOptions, number, type Reader, texts } from "../console/Texts.ts"
import type { Json } from "../core/usecase/Input.ts"
import { type Fault, valuesOf } from "../core/usecase/Problem.ts"
import { type Area, type Box, circleAt, toUnits } from "./mandates/geography/Area.ts"
import { maxRadius, minRadius } from "./mandates/geography/Geography.ts"
import { maxPositions, maxRings, parseGeography } from "./mandates/geography/parseGeography.ts"
import { Locations } from "./mandates/Locations.ts"
import type { Mandate } from "./mandates/Mandate.ts"
import { locatedOf, wholeCountriesOf } from "./mandates/rules.ts"
import { boxOf, pathUnits, placePath } from "./mapPaths.ts"
import { drawing, layersIn, mapHeight, mapWidth, viewAround } from "./PlaceMap.ts"

const words = texts({
  place: ["Place", "Lage"],
  placeHint: [
    "In one way: a name, a circle or an area. With a country alone, all of it; with none of them, anywhere.",
    "Auf eine Art: ein Name, ein Kreis oder ein Gebiet. Ein Land allein meint das ganze Land; nichts davon meint überall."
  ],
  location: ["Place by its name", "Ort mit Namen"],
  locationHint: [
    "Such as Munich, 75008 Paris, Ruhrgebiet. It replaces the present place.",
    "Etwa München, 75008 Paris, Ruhrgebiet. Ersetzt den bisherigen Ort."
  ],
  latitude: ["Circle: latitude", "Kreis: Breitengrad"],
  longitude: ["Circle: longitude", "Kreis: Längengrad"],
  radius: ["Circle: radius (m)", "Kreis: Radius (m)"],
  geography: ["Area: its corners", "Gebiet: seine Ecken"],
  geographyHint: [
    "One corner a line: latitude, longitude. An empty line begins another area, a line with - a hole in it. GeoJSON is read, too.",
    "Eine Ecke je Zeile: Breitengrad, Längengrad. Eine Leerzeile beginnt ein weiteres Gebiet, eine Zeile mit - eine Aussparung darin. Auch GeoJSON wird gelesen."
  ],
  numbers: ["By numbers: a circle or corners", "Mit Zahlen: ein Kreis oder Ecken"],
  line: [(line: string) => `Line ${line}: `, (line: string) => `Zeile ${line}: `],
  outOfRange: [
    "Latitude must be from -90 to 90, longitude from -180 to 180. Here, latitude comes first.",
    "Der Breitengrad muss von -90 bis 90 sein, der Längengrad von -180 bis 180. Hier kommt der Breitengrad zuerst."
  ],
  noCorner: [
    "Must be a latitude and a longitude in degrees, such as 48.1372, 11.5755.",
    "Muss ein Breitengrad und ein Längengrad sein, wie 48.1372, 11.5755."
  ],
  crosses: [
    (other: string) => `The edge from here crosses or touches the one from line ${other}.`,
    (other: string) => `Die Kante von hier kreuzt oder berührt die von Zeile ${other}.`
  ],
  aroundTheEarth: [
    "The edge to this corner goes more than halfway around the Earth. Cut the area in two at 180°, or set a corner between.",
    "Die Kante zu dieser Ecke führt mehr als halb um die Erde. Teilen Sie das Gebiet bei 180°, oder setzen Sie eine Ecke dazwischen."
  ],
  holeOutside: ["A hole must lie inside its area.", "Eine Aussparung muss in ihrem Gebiet liegen."],
  holesOverlap: [
    (other: string) => `A hole must not lie inside the one that begins in line ${other}.`,
    (other: string) => `Eine Aussparung darf nicht in der liegen, die in Zeile ${other} beginnt.`
  ],
  tooMany: [
    (corners: string, rings: string) => `At most ${corners} corners in ${rings} areas and holes, all counted together.`,
    (corners: string, rings: string) =>
      `Höchstens ${corners} Ecken in ${rings} Gebieten und Aussparungen, alles zusammen.`
  ],
  fewCorners: ["An area has at least three different corners.", "Ein Gebiet hat mindestens drei verschiedene Ecken."],
  map: ["Map: draw the place", "Karte: Lage zeichnen"],
  tools: ["Draw on the map", "Auf der Karte zeichnen"],
  move: ["Move", "Bewegen"],
  circle: ["Circle", "Kreis"],
  polygon: ["Area", "Gebiet"],
  undo: ["Undo the corner", "Ecke zurücknehmen"],
  close: ["Close the area", "Gebiet schließen"],
  remove: ["Delete", "Löschen"],
  zoomIn: ["Zoom in", "Vergrößern"],
  zoomOut: ["Zoom out", "Verkleinern"],
  showPlace: ["Show all of it", "Alles zeigen"],
  help: ["Keys", "Tasten"],
  keys: [
    "By keyboard, with the map in focus: arrows move the crosshair (with Shift in small steps), + and - zoom. Enter sets a corner, or the centre of a circle and then its edge; with Move, it takes up a corner and puts it down. Backspace undoes a corner, C closes the area, Delete deletes, Escape leaves off.",
    "Mit der Tastatur, wenn die Karte den Fokus hat: Pfeile bewegen das Fadenkreuz (mit Umschalt in kleinen Schritten), + und - vergrößern und verkleinern. Enter setzt eine Ecke, oder die Mitte eines Kreises und dann seinen Rand; bei „Bewegen“ nimmt es eine Ecke auf und setzt sie ab. Rücktaste nimmt eine Ecke zurück, C schließt das Gebiet, Entf löscht, Esc bricht ab."
  ]
})

/** What the script says, by its own names; braces hold what it fills in. */
const spoken = texts({
  area: [
    "Area with {corners} corners closed. {areas} in all.",
    "Gebiet mit {corners} Ecken geschlossen. Insgesamt {areas}."
  ],
  centre: [
    "Centre at {position}. Go to the edge, then press Enter.",
    "Mitte bei {position}. Zum Rand gehen, dann Enter."
  ],
  circle: ["Circle around {position}, radius {radius}.", "Kreis um {position}, Radius {radius}."],
  circleTool: [
    "Circle: press on the centre and drag to the edge.",
    "Kreis: auf die Mitte drücken und bis zum Rand ziehen."
  ],
  corner: ["Corner {corners} at {position}.", "Ecke {corners} bei {position}."],
  cutOff: ["Drawing left off.", "Zeichnen abgebrochen."],
  deleted: ["Deleted. {areas} left.", "Gelöscht. Noch {areas}."],
  east: ["E", "O"],
  few: ["An area has at least three corners.", "Ein Gebiet hat mindestens drei Ecken."],
  found: ["On the map: {name}.", "Auf der Karte: {name}."],
  moveTool: [
    "Move: drag the map, a corner, or the edge of a circle.",
    "Bewegen: die Karte, eine Ecke oder den Rand eines Kreises ziehen."
  ],
  near: ["near {name}", "bei {name}"],
  nothing: ["There is nothing to delete.", "Es gibt nichts zu löschen."],
  north: ["N", "N"],
  polygonTool: [
    "Area: press on one corner after the other; press on the first one again, or Close the area, to finish.",
    "Gebiet: eine Ecke nach der anderen setzen; zum Schluss noch einmal die erste oder „Gebiet schließen“."
  ],
  put: ["Put down at {position}.", "Abgesetzt bei {position}."],
  shown: ["{position}. The map is {width} wide.", "{position}. Die Karte ist {width} breit."],
  south: ["S", "S"],
  taken: ["Taken up. Arrows move it, Enter puts it down.", "Aufgenommen. Pfeile bewegen es, Enter setzt es ab."],
  undone: ["Corner taken back. {corners} left.", "Ecke zurückgenommen. Noch {corners}."],
  west: ["W", "W"]
})

type Geographic = Pick<Mandate, "geography" | "near" | "radius">

const isCircle = (form: Form) =>
  ["near.latitude", "near.longitude", "radius"].every((name) => form.text(name) !== undefined)

/** The GeoJSON of what was typed. A line that is no corner stays as it is: the use-case says that it is none. */
const geographyOf = (text: string): Json => {
  if (isJson(text)) return jsonIn(text) as Json
  const polygons = cornersIn(text).map((rings) =>
    rings.map((ring) => {
      const positions = ring.map(({ position, text: typed }): Json => position ?? [typed])
      return [...positions, ...positions.slice(0, 1)]
    })
  )
  const [first = [], ...others] = polygons
  return others.length === 0 ? { type: "Polygon", coordinates: first } : { type: "MultiPolygon", coordinates: polygons }
}

/** The members that say where a mandate is, for forms. */
export const placeMembers = (reader: Reader): ReadonlyArray<Member> => {
  const t = words[reader.language]
  return [
    { name: "country", label: memberLabel(reader, "country"), kind: "choice", options: countryOptions(reader) },
    {
      name: "location",
      label: t.location,
      kind: "text",
      hint: t.locationHint,
      // No read answers it, so a blank one says nothing.
      read: (form) => form.text("location")
    },
    { name: "near.latitude", label: t.latitude, kind: "degrees", isPart: true },
    { name: "near.longitude", label: t.longitude, kind: "degrees", isPart: true },
    { name: "radius", label: t.radius, kind: "number" },
    {
      name: "geography",
      label: t.geography,
      kind: "long",
      hint: t.geographyHint,
      write: (record) => {
        const { geography, near } = record as Geographic
        return near === null ? textOf(polygonsOf(geography)) : ""
      },
      // Of a circle, reads answer an outline, which no field has.
      read: (form) => {
        const text = form.text("geography")
        return text === undefined ? (isCircle(form) ? undefined : null) : geographyOf(text)
      }
    }
  ]
}

/** What is wrong with the corners of an area, in the words of this form: it has lines, and no positions of arrays. */
const cornerFault = (reader: Reader, text: string, fault: Fault, isCorner: boolean): string => {
  const t = words[reader.language]
  const { code, detail } = fault
  const [, ...other] = valuesOf(fault).other ?? []
  const otherLine = number(reader, cornerAt(text, other.map(Number))?.line ?? 0)
  switch (code) {
    case "ambiguous_edge":
      return t.aroundTheEarth
    case "area_too_complex":
      return t.tooMany(number(reader, maxPositions), number(reader, maxRings))
    case "coordinate_out_of_range":
      return t.outOfRange
    case "hole_outside":
      return t.holeOutside
    case "holes_overlap":
      return t.holesOverlap(otherLine)
    case "ring_crosses_itself":
    case "rings_cross":
      return t.crosses(otherLine)
    case "too_few_positions":
      return t.fewCorners
    case "wrong_type":
      return isCorner ? detail : t.noCorner
    default:
      return detail
  }
}

/** The corner at a path below the coordinates of the GeoJSON of a text. */
const cornerAt = (text: string, indexes: ReadonlyArray<number>) => {
  const polygons = cornersIn(text)
  const [polygon = 0, ring = 0, corner = 0] = polygons.length > 1 ? indexes : [0, ...indexes]
  const corners = polygons[polygon]?.[ring] ?? []
  // The last position of a ring is its first one again.
  return corners[corner] ?? corners[0]
}

/** A fault of the corners of an area, with the line in which it is. */
const atItsLine = (reader: Reader, text: string, fault: Fault): Fault => {
  const [, path] = /^\/geography\/coordinates\/?(.*)$/.exec(fault.pointer) ?? []
  if (isJson(text) || path === undefined) return fault
  const found = cornerAt(text, path.split("/").map(Number))
  const detail = cornerFault(reader, text, fault, found?.position !== undefined)
  const isOfAll = found === undefined || fault.code === "area_too_complex"
  return { ...fault, detail: isOfAll ? detail : `${words[reader.language].line(number(reader, found.line))}${detail}` }
}

const explained = (reader: Reader, attempt: Attempt | undefined): Attempt | undefined => {
  const text = attempt?.form.text("geography")
  const errors = attempt?.problem.errors
  if (attempt === undefined || text === undefined || errors === undefined) return attempt
  return { ...attempt, problem: { ...attempt.problem, errors: errors.map((fault) => atItsLine(reader, text, fault)) } }
}

/** The area that was typed, as far as it is one; undefined where it is none. */
const typedArea = (form: Form): Area | undefined => {
  const text = form.text("geography")
  if (text !== undefined) {
    const parsed = parseGeography(geographyOf(text))
    return Result.isSuccess(parsed) ? parsed.success : undefined
  }
  const [latitude = 91, longitude = 0] = ["near.latitude", "near.longitude"].map((name) =>
    degreesIn(form.text(name) ?? "")
  )
  const radius = Number(form.number("radius"))
  return isCircle(form) &&
    Math.abs(latitude) <= 90 &&
    Math.abs(longitude) <= 180 &&
    radius >= minRadius &&
    radius <= maxRadius
    ? circleAt(longitude, latitude, radius)
    : undefined
}

/** What a mandate covers, as it is compared; undefined for anywhere. */
export const areaOfMandate = Effect.fnUntraced(function* (mandate: Mandate) {
  const { areaOf } = yield* Locations
  return yield* areaOf(locatedOf({ ...mandate, wholeCountries: wholeCountriesOf(mandate) }))
})

/** How far from its centre a city names a circle, in degrees of latitude: some three kilometres. */
const nearCentre = 0.03

/** The largest city whose centre is at a position. */
export const cityAt = Effect.fnUntraced(function* ({ latitude, longitude }: NonNullable<Mandate["near"]>) {
  const { featuresIn } = yield* Locations
  const aside = nearCentre / Math.max(0.1, Math.cos((latitude * Math.PI) / 180))
  const box = {
    west: toUnits(longitude - aside),
    east: toUnits(longitude + aside),
    south: toUnits(latitude - nearCentre),
    north: toUnits(latitude + nearCentre)
  }
  const { cities } = yield* featuresIn(box, { cities: 1, withRegions: false })
  return cities[0]?.name
})

const icons = {
  zoomIn: "M10 4v12M4 10h12",
  zoomOut: "M4 10h12",
  showPlace: "M3 7V3h4M13 3h4v4M17 13v4h-4M7 17H3v-4"
} as const

/** The fields of a place, and the map on which it is drawn. */
const drawn = Effect.fnUntraced(function* (
  page: PageRequest,
  mandate: Mandate | undefined,
  attempt: Attempt | undefined
) {
  const { reader } = page
  const t = words[reader.language]
  const stored = mandate === undefined ? undefined : yield* areaOfMandate(mandate)
  const place = attempt === undefined ? stored : typedArea(attempt.form)
  const view = viewAround(place ?? stored)
  const layers = yield* layersIn(view, boxOf(view, mapWidth, mapHeight))
  const tool = (name: "circle" | "move" | "polygon") =>
    html`<button type="button" class="small" data-tool="${name}" aria-pressed="${name === "move" ? "true" : "false"}">
      ${t[name]}
    </button>`
  const act = (name: keyof typeof icons | "close" | "remove" | "undo") =>
    name === "close" || name === "remove" || name === "undo"
      ? html`<button type="button" class="small" data-do="${name}">${t[name]}</button>`
      : html`<button type="button" class="small" data-do="${name}" aria-label="${t[name]}" title="${t[name]}">
          ${icon(icons[name])}
        </button>`
  return html`<div
    class="stack tight"
    id="place"
    data-from="${page.base}/mandates/map"
    data-view="${[view.longitude, view.latitude, view.scale].join(" ")}"
    data-units="${pathUnits}"
    data-radius="${minRadius} ${maxRadius}"
    data-decimal="${decimalSeparator(reader)}"
    data-words="${JSON.stringify(spoken[reader.language])}"
  >
    <div class="spread scripted" role="group" aria-label="${t.tools}">
      <div class="row">${tool("move")}${tool("circle")}${tool("polygon")}</div>
      <div class="row">
        ${act("undo")}${act("close")}${act("remove")}${act("zoomIn")}${act("zoomOut")}${act("showPlace")}
      </div>
    </div>
    <svg class="map" id="place-map" viewBox="0 0 ${mapWidth} ${mapHeight}" role="img" aria-label="${t.map}">
      ${drawing(view, layers, place)}
    </svg>
    <p class="small scripted" id="place-said" role="status"></p>
    <details class="scripted pointed small">
      <summary>${t.help}</summary>
      <p class="soft" id="place-keys">${t.keys}</p>
    </details>
  </div>`
})

/** The fields that say where a mandate is. */
export const placeFields = Effect.fnUntraced(function* (
  page: PageRequest,
  mandate: Mandate | undefined,
  attempt: Attempt | undefined
) {
  const t = words[page.reader.language]
  const members = placeMembers(page.reader)
  const shown = explained(page.reader, attempt)
  const fields = (some: ReadonlyArray<Member>) => memberFields(page.reader, some, mandate, shown)
  const isFaulty = shown?.problem.errors?.some(({ pointer }) => /^\/(?:near|radius|geography)/.test(pointer)) === true
  return html`<fieldset class="placed">
    <legend>${t.place}</legend>
    <p class="hint">${t.placeHint}</p>
    <div class="grid-2">
      <div>${fields(members.slice(0, 2))}</div>
      ${yield* drawn(page, mandate, attempt)}
      <details class="disclosure typed" id="place-numbers" ${isFaulty && html`open`}>
        <summary>${t.numbers}</summary>
        <div class="stack tight">${fields(members.slice(2, 5))} ${fields(members.slice(5))}</div>
      </details>
    </div>
  </fieldset>`
})

// What the map asks for while one moves it.

/** The widest part of the Earth that is asked for at once, in degrees: all of it, once around on either side. */
const widest = 1080

const numberOf = (search: URLSearchParams, name: string, limit: number): number | undefined => {
  const value = Number(search.get(name) ?? Number.NaN)
  return Number.isFinite(value) && Math.abs(value) <= limit ? value : undefined
}

const askedBox = (search: URLSearchParams): Box | undefined => {
  const [west, east] = [numberOf(search, "west", widest), numberOf(search, "east", widest)]
  const [south, north] = [numberOf(search, "south", 90), numberOf(search, "north", 90)]
  if (west === undefined || east === undefined || south === undefined || north === undefined) return undefined
  return west < east && south < north
    ? { west: toUnits(west), east: toUnits(east), south: toUnits(south), north: toUnits(north) }
    : undefined
}

const noMap = new PageRefused({
  status: 400,
  title: ["There is no such map", "Diese Karte gibt es nicht"],
  detail: [
    "It needs west, south, east and north in degrees, and a scale.",
    "Sie braucht West, Süd, Ost und Nord in Grad, und einen Maßstab."
  ]
})

/** How many cities are looked at for their names in what a map asks for, which is several times what is seen. */
const citiesAround = 150

/** What lies around, for a box in degrees and so many pixels a degree. The same for everybody, and as it is for the time of a release. */
const features = get("/console/:team/mandates/map", ({ search }) =>
  Effect.gen(function* () {
    const box = askedBox(search)
    const scale = numberOf(search, "scale", 1e6)
    if (box === undefined || scale === undefined || scale <= 0) return yield* noMap
    const latitude = (box.north + box.south) / 2 / toUnits(1)
    const layers = yield* layersIn({ longitude: 0, latitude, scale }, box, citiesAround)
    return HttpServerResponse.jsonUnsafe(layers, { headers: { "cache-control": "private, max-age=86400" } })
  })
)

/** The outline of a place by its name, or what is wrong with it. */
const named = get("/console/:team/mandates/place", ({ reader, search }) =>
  Effect.gen(function* () {
    const { resolve } = yield* Locations
    const country = search.get("country") ?? ""
    const found = yield* Effect.result(
      resolve(search.get("location")?.trim() ?? "", country === "" ? undefined : country)
    )
    if (Result.isFailure(found)) {
      const [fault] = found.failure.errors
      return HttpServerResponse.jsonUnsafe({ fault: fault === undefined ? "" : faultText(reader, fault) })
    }
    const { area, resolvedLocation } = found.success
    const view = viewAround(area)
    const box = boxOf(view, mapWidth, mapHeight)
    return HttpServerResponse.jsonUnsafe({
      name: resolvedLocation?.name,
      outline: placePath(area, view, box),
      view: [view.longitude, view.latitude, view.scale]
    })
  })
)

/** What the map of a form fetches. */
export const mapPages = [features, named]
