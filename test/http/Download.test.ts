import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { attachment } from "../../src/http/RestResponse.ts"

describe("The header of an attachment", () => {
  it("has the file name twice: in printable ASCII and exactly", () => {
    expect(attachment("plan.pdf")).toBe("attachment; filename=\"plan.pdf\"; filename*=UTF-8''plan.pdf")
    expect(attachment('Größe "5" (neu).pdf')).toBe(
      "attachment; filename=\"Gr__e _5_ (neu).pdf\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%225%22%20%28neu%29.pdf"
    )
    expect(attachment("100%\\a'b*.txt")).toBe(
      "attachment; filename=\"100__a'b*.txt\"; filename*=UTF-8''100%25%5Ca%27b%2A.txt"
    )
  })

  it("is one line of ASCII for every name, from which the exact name can be decoded", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const header = attachment(name)
        expect(header).toMatch(/^[\x20-\x7e]*$/)
        const [, plain = "", exact = ""] =
          /^attachment; filename="([^"\\%]*)"; filename\*=UTF-8''([\w.~!%-]*)$/.exec(header) ?? []
        expect(decodeURIComponent(exact)).toBe(name)
        expect([...plain]).toHaveLength([...name].length)
      })
    )
  })
})
