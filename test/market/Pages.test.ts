/** The pages of properties, mandates and their matches, as a browser without scripts uses them. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Browser from "../console/Browser.ts"
import { signedIn } from "../console/people.ts"
import { TestService } from "../support/TestService.ts"

const aBroker = Effect.gen(function* () {
  const { browser, team } = yield* signedIn
  const base = `/console/${team.id}`
  const at = (path: string) => browser.get(`${base}${path}`)
  const send = Effect.fnUntraced(function* (text: string, action: string, values: Browser.Fields) {
    const form = Browser.formsOf(text).find((one) => one.action === `${base}${action}`)
    assert.isDefined(form, text)
    const reply = yield* browser.post(`${base}${action}`, { ...form.fields, ...values })
    const to = reply.headers.get("location")
    return to === null ? reply : yield* browser.get(to)
  })
  const create = Effect.fnUntraced(function* (kind: "mandates" | "properties", values: Browser.Fields) {
    const page = yield* send((yield* at(`/${kind}/new`)).text, `/${kind}/new`, values)
    assert.strictEqual(page.status, 200, page.text)
    const [, id = ""] = /<code>((?:mandate|property)_\w+)<\/code>/.exec(page.text) ?? []
    return { id, text: page.text }
  })
  return { at, create, send }
})

layer(TestService.layer, { excludeTestServices: true })("The pages of the market", (it) => {
  it.effect("write a property with amounts, measures and rows, and show it as people read it", () =>
    Effect.gen(function* () {
      const { at, create, send } = yield* aBroker
      const { id, text } = yield* create("properties", {
        name: "Bürohaus <Nord>",
        country: "DE",
        locality: "München",
        "coordinates.latitude": "48.14",
        "coordinates.longitude": "11.53",
        categories: "office",
        "lettableArea.value": "10 640",
        "pricing.askingPrice.value": "46500000",
        "pricing.askingPrice.currency": "EUR",
        "tenants.0.name": "Nordlicht GmbH",
        "tenants.0.annualRent.value": "610000"
      })
      assert.include(text, "Bürohaus &lt;Nord&gt;")
      assert.include(text, "10,640 m²")
      assert.include(text, "46,500,000 EUR")
      assert.include(text, "Nordlicht GmbH")
      assert.match(text, /<svg\s+class="map"[\s\S]*class="country" d="M/)
      assert.include((yield* at("/properties?q=burohaus%20nord&tags=")).text, id)
      const edit = (yield* at(`/properties/${id}/edit`)).text
      assert.match(edit, /name="tenants\.0\.name"[^>]*value="Nordlicht GmbH"/)
      const wrong = yield* send(edit, `/properties/${id}/edit`, { categories: "office", yearBuilt: "old" })
      assert.strictEqual(wrong.status, 400)
      assert.match(wrong.text, /name="yearBuilt"[^>]*value="old"/)
    })
  )

  it.effect("write a mandate by the name of its place, show it on a map, and match both ways with the reasons", () =>
    Effect.gen(function* () {
      const { at, create } = yield* aBroker
      const property = yield* create("properties", {
        name: "Halle Ost",
        country: "DE",
        "coordinates.latitude": "48.14",
        "coordinates.longitude": "11.6",
        categories: "logistics",
        "lettableArea.value": "4000"
      })
      const mandate = yield* create("mandates", {
        name: "Logistics, Munich",
        status: "active",
        location: "Munich",
        categories: "logistics",
        "lettableArea.min": "3000",
        "investmentSize.scale": "unit",
        "pricePerSqm.scale": "unit"
      })
      assert.match(mandate.text, /class="place" d="M/)
      assert.include(mandate.text, "3,000 – … m²")
      const wants = (yield* at(`/properties/${property.id}/matches`)).text
      assert.include(wants, mandate.id)
      assert.include(wants, "Lettable area")
      const fits = (yield* at(`/mandates/${mandate.id}/matches`)).text
      assert.include(fits, property.id)
      assert.include((yield* at("/mandates?location=Bavaria&status=")).text, mandate.id)
      assert.notInclude((yield* at("/mandates?location=Hamburg&status=")).text, mandate.id)
    })
  )
})
