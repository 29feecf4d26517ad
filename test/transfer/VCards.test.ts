/** Reads the cards of vCard files. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { linesOf } from "../../src/transfer/CsvRecords.ts"
import { cardsOf, columns, type FileCard } from "../../src/transfer/VCards.ts"

const inChunks = async function* (content: Uint8Array, size: number) {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size)
}

const read = async (content: Uint8Array | string, size = 64) => {
  const cards: Array<FileCard> = []
  for await (const some of cardsOf(linesOf(inChunks(Buffer.from(content), size)), ";")) cards.push(...some)
  return cards
}

const card = (version: string, ...lines: ReadonlyArray<string>) =>
  ["BEGIN:VCARD", `VERSION:${version}`, ...lines, "END:VCARD", ""].join("\r\n")

const inCard = ({ content }: FileCard) => {
  if (Result.isFailure(content)) throw new Error(content.failure.detail)
  return content.success
}

/** The cells of the only card that are not empty, by their columns. */
const cellsOf = async (content: Uint8Array | string) => {
  const found = await read(content)
  assert.lengthOf(found, 1)
  const [cells = []] = found.map((one) => inCard(one).cells)
  return Object.fromEntries(columns.map((column, index) => [column, cells[index]]).filter(([, cell]) => cell !== ""))
}

const leftOutOf = async (content: string) =>
  (await read(content)).flatMap((one) => inCard(one).leftOut.map(({ column, value }) => `${column} ${value}`))

const codeOf = ({ content }: FileCard) => (Result.isFailure(content) ? content.failure.code : "read")

describe("A vCard file", () => {
  it("of version 3.0 has names, the preferred addresses, tags, profiles, pictures and references", async () => {
    const text = card(
      "3.0",
      "N:van der Berg;Anna;Maria;Dr.;",
      "FN:Dr. Anna Maria van der Berg",
      "item1.EMAIL;type=INTERNET:anna@home.example",
      "EMAIL;type=INTERNET;type=WORK;type=pref:anna@",
      " hall.example",
      "TEL;type=HOME,FAX;type=pref:+49 30 1",
      "TEL;TYPE=CELL,VOICE:+49 170 5550199",
      "ORG:Hall \\; Partner\\, Berlin;Acquisitions",
      "TITLE:Head of Acquisitions",
      "CATEGORIES:logistics,core\\, plus",
      "item2.URL;type=pref:http\\://www.linkedin.com/in/anna-berg",
      "URL;type=WORK:https://www.hall.example",
      "PHOTO;VALUE=uri:https://cdn.example/anna.jpg",
      "ADR;type=WORK:;;Street 1;Berlin;;10115;Germany",
      "NOTE:one\\ntwo",
      "UID:AB-1"
    )
    assert.deepStrictEqual(await cellsOf(text), {
      UID: "AB-1",
      "N.given": "Anna",
      "N.family": "van der Berg",
      EMAIL: "anna@hall.example",
      TEL: "+49 170 5550199",
      CATEGORIES: "logistics;core, plus",
      LINKEDIN: "http://www.linkedin.com/in/anna-berg",
      PHOTO: "https://cdn.example/anna.jpg",
      ORG: "Hall ; Partner, Berlin",
      TITLE: "Head of Acquisitions",
      URL: "https://www.hall.example",
      "ADR.country": "Germany",
      NOTE: "one\ntwo"
    })
    assert.sameMembers(await leftOutOf(text), ["EMAIL anna@home.example", "TEL +49 30 1"])
  })

  it("of version 4.0 has addresses for phones, ranks from 1 to 100, and languages", async () => {
    const text = card(
      "4.0",
      "KIND:individual",
      "FN:Anna Berg",
      'TEL;VALUE=uri;PREF=2;TYPE="voice,work":tel:+49-30-1;ext=5',
      "TEL;VALUE=uri;PREF=1:tel:+49-30-2;ext=5",
      "LANG;PREF=2:en",
      "LANG;PREF=1:de",
      "SOCIALPROFILE;SERVICE-TYPE=LinkedIn:https://de.linkedin.com/in/anna",
      "UID:urn:uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1",
      'X-SIGN;LABEL="a:b;c":1'
    )
    assert.deepStrictEqual(await cellsOf(text), {
      UID: "urn:uuid:4fbe8971-0bc3-424c-9c26-36c3e1eff6b1",
      "N.given": "Anna",
      "N.family": "Berg",
      TEL: "+49-30-2 ext. 5",
      LANG: "de",
      LINKEDIN: "https://de.linkedin.com/in/anna"
    })
    assert.sameMembers(await leftOutOf(text), ["TEL +49-30-1 ext. 5", "LANG en", "X-SIGN 1"])
  })

  it("of version 2.1 has quoted-printable text in its character set, folded at spaces and within characters", async () => {
    const latin = Buffer.from("TITLE;CHARSET=ISO-8859-1:Geschäftsführer\r\n", "latin1")
    const [before, after] = card(
      "2.1",
      "N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:M=C3=BC=",
      "ller, geb. Gro=C3=9F;Hans;;;",
      "TEL;WORK;VOICE:030 1",
      "ADR;WORK;ENCODING=QUOTED-PRINTABLE:;;Stra=DFe 1;Z=FCrich;;;Schweiz",
      "TEL;CELL;PREF:0170 1",
      "ORG;QUOTED-PRINTABLE;CHARSET=windows-1252:Stra=DFenbau; Abteilung",
      "NOTE:folded at a",
      " space",
      "MARK",
      "PHOTO;JPEG;ENCODING=BASE64:AAAA",
      " BBBB",
      "",
      "CATEGORIES:a,b"
    ).split("MARK\r\n")
    const file = Buffer.concat([Buffer.from(before ?? ""), latin, Buffer.from(after ?? "")])
    assert.deepStrictEqual(await cellsOf(file), {
      "N.given": "Hans",
      "N.family": "Müller, geb. Groß",
      TEL: "0170 1",
      CATEGORIES: "a;b",
      "ADR.country": "Schweiz",
      ORG: "Straßenbau",
      TITLE: "Geschäftsführer",
      NOTE: "folded at a space"
    })
    const transcoded = card("2.1", "N;CHARSET=ISO-8859-1:Müller;Jörg")
    assert.deepStrictEqual(await cellsOf(transcoded), { "N.given": "Jörg", "N.family": "Müller" })
    const bytes = Buffer.from("é")
    const split = Buffer.concat([
      Buffer.from("BEGIN:VCARD\r\nVERSION:3.0\r\nN:Ren"),
      bytes.subarray(0, 1),
      Buffer.from("\r\n "),
      bytes.subarray(1),
      Buffer.from(";;;;\r\nEND:VCARD")
    ])
    assert.deepStrictEqual(await cellsOf(split), { "N.family": "René" })
  })

  it("loses only its broken cards, and says where each begins and what is wrong", async () => {
    const text = [
      card("3.0", "FN:One"),
      card("3.0", "FN:Two", "no property"),
      "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Three\r\n",
      "\r\n",
      card("3.0", "FN:Four"),
      "stray\r\n",
      card("9.9", "FN:Five"),
      card("4.0", "KIND:org", "FN:Six"),
      card("3.0", "EMAIL;TYPE:a@b.example"),
      "begin:vcard\r\nVERSION:3.0\r\nAGENT:\r\nBEGIN:VCARD\r\nVERSION:3.0\r\nFN:Agent\r\nEND:VCARD\r\nFN:Seven\r\nend:vcard\r\n",
      "BEGIN:VCARD\nFN:Eight"
    ].join("")
    const cards = await read(text, 7)
    assert.deepStrictEqual(
      cards.map((one) => [one.line, one.lastLine, codeOf(one)]),
      [
        [1, 4, "read"],
        [5, 9, "invalid_card"],
        [10, 13, "invalid_card"],
        [14, 17, "read"],
        [18, 18, "invalid_card"],
        [19, 22, "invalid_card"],
        [23, 27, "not_a_person"],
        [28, 31, "invalid_card"],
        [32, 40, "read"],
        [41, 42, "invalid_card"]
      ]
    )
    const details = cards.map(({ content }) => (Result.isFailure(content) ? content.failure.detail : ""))
    assert.include(details[1], 'Line 8 is no property of a vCard: "no property"')
    assert.include(details[2], "END:VCARD")
    assert.include(details[5], "9.9")
    assert.include(details[7], "Line 30")
  })

  it("does not take the name of a company for that of a person", async () => {
    assert.deepStrictEqual(
      await cellsOf(card("3.0", "FN:Hall GmbH", "N:;;;;", "ORG:Hall GmbH", "EMAIL:i@hall.example")),
      {
        EMAIL: "i@hall.example",
        ORG: "Hall GmbH"
      }
    )
    assert.deepStrictEqual(await cellsOf(card("4.0", "FN:Berg, Anna")), { "N.given": "Anna", "N.family": "Berg" })
  })

  it("keeps no pictures in memory, however long, and refuses other cards of more than 1 MiB", async () => {
    const folded = "QUJD".repeat(18)
    const picture = `PHOTO;ENCODING=b;TYPE=JPEG:${folded}\r\n${` ${folded}\r\n`.repeat(15_000)}`
    const cards = await read(
      [
        `BEGIN:VCARD\r\nVERSION:3.0\r\n${picture}FN:Anna Berg\r\nEND:VCARD\r\n`,
        `BEGIN:VCARD\r\nVERSION:3.0\r\nPHOTO:${"A".repeat(2 ** 21)}\r\nFN:Bo\r\nEND:VCARD\r\n`,
        `BEGIN:VCARD\r\nVERSION:3.0\r\nNOTE:${"A".repeat(2 ** 20)}\r\n B\r\nFN:Bo\r\nEND:VCARD\r\n`,
        `BEGIN:VCARD\r\nVERSION:3.0\r\nNOTE:${`${"A".repeat(2 ** 10)}\r\n `.repeat(2 ** 10)}\r\nFN:Bo\r\nEND:VCARD\r\n`
      ].join(""),
      2 ** 16
    )
    assert.deepStrictEqual(cards.map(codeOf), ["read", "read", "too_long", "too_long"])
    assert.deepStrictEqual(
      cards.slice(0, 2).flatMap((one) => inCard(one).leftOut.map(({ column, value }) => `${column} ${value}`)),
      ["PHOTO ", "PHOTO "]
    )
  })
})
