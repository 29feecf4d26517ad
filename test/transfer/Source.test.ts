/** The encodings of files. */
import { assert, describe, it } from "@effect/vitest"
import { asUtf8, encodingOf } from "../../src/transfer/Source.ts"

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const found = (bytes: Uint8Array, size = 65_536) => encodingOf(chunksOf(bytes, size))

const text = async (bytes: Uint8Array, encoding: string, size = 5) => {
  const parts: Array<Uint8Array> = []
  for await (const part of asUtf8(chunksOf(bytes, size), encoding)) parts.push(part)
  return Buffer.concat(parts).toString()
}

const german = 'Vorname;Straße;Größe\r\nJürgen;"Königsallee 1";5 m²\r\nZoë;Champs-Élysées;€ 5\r\n'
const inWestern = Buffer.from(german.replace("€", "\u0080"), "latin1")

describe("The encoding of a file", () => {
  it("is UTF-8, with or without a byte order mark, also where some of its rows are not", async () => {
    for (const content of ["email\n", german, `\uFEFF${german}`, "電子メール,名前\n", "Имя,Почта\n"]) {
      assert.strictEqual(await found(Buffer.from(content)), "utf-8")
      assert.strictEqual(await text(Buffer.from(content), "utf-8"), content.replace("\uFEFF", ""))
    }
    assert.strictEqual(await found(Buffer.concat([Buffer.from("Núñez\n"), Buffer.from("Büro\n", "latin1")])), "utf-8")
  })

  it("is UTF-16 of both byte orders, with or without a mark, in any script", async () => {
    for (const content of [
      "email,name\r\na@x.example,A\r\n",
      german,
      "電子メール,名前\r\na@x.example,太郎\r\n",
      "Имя;Почта\r\nАнна;a@x.example\r\n"
    ]) {
      for (const written of [content, `\uFEFF${content}`]) {
        const little = Buffer.from(written, "utf16le")
        assert.strictEqual(await found(little), "utf-16le", content)
        assert.strictEqual(await text(little, "utf-16le"), content)
        const big = Buffer.from(written, "utf16le").swap16()
        assert.strictEqual(await found(big), "utf-16be", content)
        assert.strictEqual(await text(big, "utf-16be"), content)
      }
    }
  })

  it("is Windows-1252 only where its bytes are those of western Europe", async () => {
    assert.strictEqual(await found(inWestern), "windows-1252")
    assert.strictEqual(await text(inWestern, "windows-1252"), german)
    for (const other of [
      // Windows-1251 and ISO 8859-7: Имя, Όνομα
      [0xc8, 0xec, 0xff],
      [0xbc, 0xed, 0xef, 0xec, 0xe1],
      // Windows-1250: Łódź, Přemysl, Šimek; Windows-1254: Işık
      [0xa3, 0xf3, 0x64, 0x9f],
      [0x50, 0xf8, 0x65, 0x6d],
      [0x8a, 0x69, 0x6d, 0x65, 0x6b],
      [0x49, 0xfe, 0xfd, 0x6b],
      // No character of Windows-1252
      [0x61, 0x81, 0x62]
    ]) {
      const bytes = Buffer.concat([inWestern, Buffer.from(other)])
      assert.strictEqual(await found(bytes), "utf-8", Buffer.from(other).toString("hex"))
    }
  })

  it("that is named is checked", async () => {
    const result = await text(Buffer.from("abc"), "utf-16le").then(
      () => "read",
      (error: unknown) => (error instanceof TypeError ? "refused" : "other")
    )
    assert.strictEqual(result, "refused")
  })
})
