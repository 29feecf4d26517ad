import { describe, expect, it } from "@effect/vitest"
import { Result } from "effect"
import { isForm, parseForm } from "../../../src/core/usecase/Input.ts"

const members = (text: string) => {
  const parsed = parseForm(text)
  return Result.isSuccess(parsed) ? Object.fromEntries(parsed.success) : parsed.failure._tag
}

describe("a form", () => {
  it("is decoded, with a plus as a space", () => {
    expect(members("grant_type=client_credentials&scope=api%3Apublic+x&q=%C3%A4")).toEqual({
      grant_type: "client_credentials",
      scope: "api:public x",
      q: "ä"
    })
  })

  it("omits parameters without a value", () => {
    expect(members("scope=&grant_type=a&&state")).toEqual({ grant_type: "a" })
  })

  it.each(["a=1&a=1", "a=1&a=2", "a=&a=1", "a&a=1", "a=1&%61=2"])("%s repeats a parameter", (text) => {
    expect(members(text)).toBe("FormRefused")
  })

  it.each(["a=%", "a=%zz", "%=1", "a=%ff"])("%s is not correctly encoded", (text) => {
    expect(members(text)).toBe("FormRefused")
  })

  it("has at most a hundred parameters", () => {
    const text = (count: number) => Array.from({ length: count }, (_, index) => `k${index}=1`).join("&")
    expect(Object.keys(members(text(100)) as object)).toHaveLength(100)
    expect(members(text(101))).toBe("FormRefused")
  })

  it("is recognized by its content type, in UTF-8 or without a charset", () => {
    expect(isForm("application/x-www-form-urlencoded")).toBe(true)
    expect(isForm("Application/X-WWW-Form-Urlencoded; charset=UTF-8")).toBe(true)
    expect(isForm('application/x-www-form-urlencoded; charset="utf-8"')).toBe(true)
    for (const other of [
      undefined,
      "",
      "application/json",
      "text/plain",
      "application/x-www-form-urlencoded;charset=latin1"
    ]) {
      expect(isForm(other)).toBe(false)
    }
  })
})
