/**
 * Normalizes the names of companies (docs/behaviour/network.md#duplicates). Pure. First what names contain beside the name: legal forms,
 * abbreviated and in full, a selection of the ISO 20275 entity legal forms (the ELF code list of GLEIF), as registers and people write
 * them; and the words for a branch. All are compared without case, accents, dots and spaces.
 */
import anyAscii from "any-ascii"
import { fold } from "../../core/fields/spelling.ts"

const listed = (...lines: ReadonlyArray<string>): ReadonlyArray<string> => lines.flatMap((line) => line.split(" | "))

/** Forms that end a name. */
export const endings = listed(
  // All of the European Union
  "SE | Societas Europaea | SCE | EEIG | EWIV | GEIE",
  // Germany, Austria, Switzerland, Liechtenstein
  "AG | Aktiengesellschaft | GmbH | gGmbH | mbH | Ges.m.b.H. | Gesellschaft mbH | Gesellschaft m.b.H.",
  "Gesellschaft mit beschränkter Haftung | mit beschränkter Haftung | UG | UG haftungsbeschränkt",
  "Unternehmergesellschaft haftungsbeschränkt | Unternehmergesellschaft | haftungsbeschränkt | KG | Kommanditgesellschaft",
  "KGaA | Kommanditgesellschaft auf Aktien | OHG | offene Handelsgesellschaft | OG | offene Gesellschaft | GbR | eGbR",
  "Gesellschaft bürgerlichen Rechts | PartG | PartG mbB | PartGmbB | eG | eGen | eingetragene Genossenschaft | e.V.",
  "eingetragener Verein | e.K. | e.Kfm. | e.Kfr. | eingetragener Kaufmann | VVaG | FlexCo | FlexKapG",
  "Flexible Kapitalgesellschaft | InvAG | REIT AG | GmbH i. G. | KöR | AdöR | Stiftung bürgerlichen Rechts | Sagl",
  "Società a garanzia limitata | Anstalt | Treuunternehmen reg.",
  // United Kingdom, Ireland
  "Ltd | Limited | PLC | Public Limited Company | LLP | Limited Liability Partnership | LP | Limited Partnership | CIC",
  "Community Interest Company | CIO | DAC | Designated Activity Company | CLG | Company Limited by Guarantee | UC",
  "Unlimited Company | ULC | Teoranta | RTM Company | Charitable Incorporated Organisation",
  "Limited Liability Company by Guarantee | ICAV | OEIC | Cuideachta",
  // France
  "SA | Société anonyme | SAS | SASU | Société par actions simplifiée | Société par actions simplifiée unipersonnelle",
  "SARL | Société à responsabilité limitée | EURL | SNC | Société en nom collectif | SCI | Société civile immobilière",
  "SCPI | SCCV | SCA | Société en commandite par actions | SCS | Société en commandite simple | SELARL | GIE | SICAV",
  "SCOP | SELAS | SELAFA | SASP | SCIC | SCEA | GFA | EARL | SEML | SCM | SPPICAV | OPPCI | Sté civile | Société civile",
  "Société coopérative | & Cie | et Cie",
  // Belgium, Luxembourg, the Netherlands
  "NV | Naamloze vennootschap | BV | Besloten vennootschap | Besloten vennootschap met beperkte aansprakelijkheid | BVBA",
  "EBVBA | SPRL | SPRLU | CVBA | SCRL | CommV | SComm | ASBL | VZW | VOF | Vennootschap onder firma | CV",
  "Commanditaire vennootschap | U.A. | SARL-S | SCSp | Société en commandite spéciale | Secs | Senc | SICAF | SICAR",
  "RAIF | SIF | SPF | FCP | SICAV-RAIF | SICAV-SIF | FCP-RAIF | FCP-SIF | SICAV-FIS",
  "Société d'investissement à capital variable | Société coopérative organisée comme une société anonyme | Coöp",
  "Coöperatie | Coöperatie U.A. | Coöperatief U.A. | CVOHA | GCV | CommVA | AISBL | IVZW | BV o/g",
  // Spain
  "SL | Sociedad limitada | Sociedad de responsabilidad limitada | SLU | Sociedad limitada unipersonal | SLL | SLP | SLNE",
  "SAU | Sociedad anónima | Sociedad anónima unipersonal | SAL | S.Coop. | Sdad. Coop. | SCL | S. Com. p. A.",
  "Sociedad cooperativa | Sociedad civil | C.B. | A.I.E.",
  // Portugal
  "Lda | Limitada | Unipessoal Lda | Sociedade Unipessoal Lda | Sociedade por quotas | SGPS | SGPS SA | Sociedade anónima",
  "CRL | EIRELI | S/A | S.A. de capital aberto | Sociedade anônima | Companhia aberta | EPP | Ltda ME | Ltda EPP",
  // Italy
  "SpA | Società per azioni | Srl | Srls | Società a responsabilità limitata",
  "Società a responsabilità limitata semplificata | Sas | Società in accomandita semplice | SApA",
  "Società in accomandita per azioni | Snc | Società in nome collettivo | Soc. Coop. | Società cooperativa | Scarl | ScpA",
  "S.s. | Unipersonale | a socio unico | con socio unico | con unico socio | Società semplice | Società agricola",
  "Soc. agr. | Società consortile | SCRL | S.c.r.l. | Soc. coop. a r.l. | & C. | Società benefit",
  // Sweden
  "AB | Aktiebolag | Aktiebolaget | AB publ | publ | KB | Kommanditbolag | HB | Handelsbolag | ek. för.",
  "Ekonomisk förening | Enskild firma",
  // Denmark
  "A/S | Aktieselskab | Aktieselskabet | ApS | Anpartsselskab | IVS | I/S | Interessentskab | K/S | Kommanditselskab",
  "P/S | Partnerselskab | A.m.b.a. | S.m.b.a. | F.m.b.a. | Aktieselskab med begrænset ansvar | Iværksætterselskab",
  "Kommanditaktieselskab | ehf | hf | slf | ohf | Einkahlutafélag | Hlutafélag",
  // Norway
  "AS | Aksjeselskap | ASA | Allmennaksjeselskap | ANS | Ansvarlig selskap | DA | KS | Kommandittselskap | NUF | ENK",
  "Enkeltpersonforetak",
  // Finland
  "Oy | Osakeyhtiö | Oyj | Julkinen osakeyhtiö | Abp | Oy Ab | Oyj Abp | Ky | Kommandiittiyhtiö | Ay | Avoin yhtiö | Tmi",
  "Toiminimi | Osk | Osuuskunta | As Oy | Asunto Oy | Asunto-osakeyhtiö | Koy | Ry",
  // Poland
  "Sp. z o.o. | Spółka z o.o. | Spółka z ograniczoną odpowiedzialnością | Spółka akcyjna | Prosta spółka akcyjna | Sp. j.",
  "Spółka jawna | Sp. k. | Spółka komandytowa | Sp. p. | Spółka partnerska | SKA | Spółka komandytowo-akcyjna",
  "Spółka cywilna | Sp. z o.o. sp. k. | PSA | S.K.A. | Sp. z o.o. S.K.A.",
  "Spółka z ograniczoną odpowiedzialnością spółka komandytowa | Sp. z o.o. i Wspólnicy Sp. k.",
  // Czechia, Slovakia
  "s.r.o. | spol. s r.o. | společnost s ručením omezeným | spoločnosť s ručením obmedzeným | a.s. | akciová společnost",
  "akciová spoločnosť | v.o.s. | veřejná obchodní společnost | k.s. | komanditní společnost | o.p.s. | z.s. | z.ú.",
  "družstvo | spoločnosť | j.s.a. | s.r.o. r.s.p.",
  // Hungary, Romania, Bulgaria, Croatia, Slovenia, Serbia, Greece
  "Kft | Korlátolt Felelősségű Társaság | Zrt | Nyrt | Rt | Bt | Betéti társaság | Kkt | Societate cu răspundere limitată",
  "EOOD | OOD | EAD | ЕООД | ООД | АД | ЕАД | d.o.o. | j.d.o.o. | d.d. | A.E. | Α.Ε. | Ε.Π.Ε. | Ι.Κ.Ε. | Részvénytársaság",
  "Zártkörűen működő részvénytársaság | Nyilvánosan működő részvénytársaság | SRL-D | Societate pe acțiuni | EIK | АДСИЦ",
  "ADSIC | ДЗЗД | КД | СД | ЕТ | Еднолично дружество с ограничена отговорност | Дружество с ограничена отговорност",
  "Акционерно дружество | д.о.о. | а.д. | ДОО | ДООЕЛ | DOOEL | a.d. | društvo s ograničenom odgovornošću",
  "dioničko društvo | družba z omejeno odgovornostjo | delniška družba | obrt | Sh.p.k. | Sh.a. | Ανώνυμη Εταιρεία",
  "Ανώνυμη Εταιρία | Α.Β.Ε.Ε. | Α.Ε.Β.Ε. | Α.Τ.Ε. | Α.Ξ.Ε. | Α.Ε.Ε.Α.Π. | Ο.Ε. | Ε.Ε. | Μ.Ι.Κ.Ε. | Μονοπρόσωπη Ι.Κ.Ε.",
  "Μονοπρόσωπη Α.Ε. | Μονοπρόσωπη Ε.Π.Ε. | E.P.E. | I.K.E. | A.B.E.E. | A.E.E.A.P.",
  // Estonia, Latvia, Lithuania
  "OÜ | Osaühing | Aktsiaselts | SIA | Akciju sabiedrība | UAB | Uždaroji akcinė bendrovė | MB | Akcinė bendrovė | VšĮ",
  "Sabiedrība ar ierobežotu atbildību",
  // Russia, Ukraine, Belarus, Kazakhstan, the Caucasus
  "ООО | ОАО | ЗАО | ПАО | НАО | АО | ТОО | ЧАО | ОДО | ИП | ТОВ | ПрАТ | ПАТ | ВАТ | ЗАТ | АТ | ПП | ФОП",
  "Общество с ограниченной ответственностью | Акционерное общество | Публичное акционерное общество",
  "Открытое акционерное общество | Закрытое акционерное общество | Непубличное акционерное общество",
  "Товарищество с ограниченной ответственностью | Товариство з обмеженою відповідальністю | Акціонерне товариство",
  "Публічне акціонерне товариство | Приватне акціонерне товариство | OOO | OAO | ZAO | PAO | TOV | JSC | PJSC | OJSC",
  "CJSC | Joint Stock Company | Joint-stock Company | Public Joint Stock Company | Open Joint Stock Company",
  "Closed Joint Stock Company | შპს | სს | ՍՊԸ | ՓԲԸ | ԲԲԸ",
  // Turkey, the Middle East, Africa
  "A.Ş. | Anonim Şirketi | Ltd. Şti. | Limited Şirketi | Sanayi ve Ticaret | San. ve Tic. | San. Tic. | GYO | FZE | FZC",
  "FZCO | FZ-LLC | Free Zone Company | Free Zone Establishment | W.L.L. | With Limited Liability | P.S.C.",
  "Public Shareholding Company | Private Joint Stock Company | K.S.C. | K.S.C.C. | K.S.C.P. | B.S.C. | B.S.C. (c)",
  "Q.S.C. | Q.P.S.C. | Q.P.J.S.C. | S.A.O.G. | S.A.O.C. | S.A.E. | SAOC | ش.م.م | ش.م.ع | ش.م.ك | ش.م.ب | ش.م.ق | ذ.م.م",
  "ش.ذ.م.م | المحدودة | المساهمة | المساهمة العامة | שותפות מוגבלת | בע״מ | SARL AU | SUARL | SARLU | Pty Limited",
  "Proprietary Limited | NPC | SOC Ltd | Ltd Gte",
  // Asia and Oceania
  "Co., Ltd. | Company Limited | Kabushiki Kaisha | Kabushiki Gaisha | K.K. | Godo Kaisha | Goudou Kaisha | G.K.",
  "Yugen Kaisha | Y.K. | Tokutei Mokuteki Kaisha | TMK | Jusik Hoesa | Chusik Hoesa | Yuhan Hoesa | Sdn Bhd",
  "Sendirian Berhad | Bhd | Berhad | PLT | Private Limited Company | Pvt Limited | Private Ltd | Pvt",
  "OPC Private Limited | Tbk | Perseroan Terbatas | Persero Tbk | Persero | VCC | PCL | Public Company Limited | จำกัด",
  "จำกัด (มหาชน) | มหาชน | TNHH | TNHH MTV | CTCP",
  // Latin America
  "S.A. de C.V. | S.A.B. de C.V. | S.A.P.I. de C.V. | S.A.P.I.B. de C.V. | S. de R.L. de C.V. | S. de R.L.",
  "S.R.L. de C.V. | S. de R.L. de C.V. de I.P. | S. en C. | S. en C. por A. | S. en C. de C.V. | S.A.S. de C.V.",
  "SOFOM E.N.R. | SOFOM E.R. | S.A. de C.V. SOFOM E.N.R. | Sociedad Anónima de Capital Variable",
  "Sociedad Anónima Bursátil de Capital Variable | Sociedad de Responsabilidad Limitada de Capital Variable",
  "Sociedad por Acciones Simplificada | Sociedad Anónima Cerrada | Sociedad Anónima Abierta | S.A.C. | S.A.A. | S.A.C.I.",
  "S.A.I.C. | S.A.C.I.F. | S.A.C.I.F.I.A. | S.A.C.I.F. y A. | S.A.I.C.F. | E.I.R.L. | Cía. Ltda. | Compañía Limitada | Compañía Anónima",
  "& Cía. | y Cía. | e Cia. | C.A.",
  // United States, Canada and elsewhere
  "PLLC | P.L.L.C. | P.C. | P.A. | N.A. | National Association | GP | L.P. | Ltée | Limitée | Incorporée | S.E.C.",
  "SENCRL | S.E.N.C.R.L. | Inc | Incorporated | Corp | Corporation | Co | Company | LLC | L.L.C.",
  "Limited Liability Company | LLLP | PBC | Pty | Pty Ltd | Pte | Pte Ltd | Pvt Ltd | Private Limited | Ltda | KK",
  // What a listed property company is for the tax office
  "SIIQ | SIINQ | SOCIMI | SIIC | GVV",
  // The state that a company is in, not its name
  "in liquidation | in Liq. | i. L. | i. Liq. | in Abwicklung | in Insolvenz | in Gründung | in administration",
  "in receivership | en liquidación | en concurso | em liquidação | in concordato preventivo | under konkurs | i konkurs",
  "w likwidacji | v likvidaci | v likvidácii | felszámolás alatt | en liquidation | in liquidazione | i likvidation"
)

/**
 * Forms that begin a name, as in AB Volvo, Oy Karl Fazer Ab or SCI Les Lilas. Only those that are hardly ever the first
 * word of a proper name: SAS Institute and AG Insurance are whole names.
 */
export const beginnings = listed(
  "AB | Asunto Oy | As Oy | Aktiebolaget | Kommanditbolaget | Handelsbolaget | Aktieselskabet | A/S af | Oy | Oyj | Osakeyhtiö | SCI | SCCV",
  "SARL | EURL | Société anonyme | Société civile immobilière | Société par actions simplifiée",
  "Société à responsabilité limitée | NV | BV | Naamloze vennootschap | Besloten vennootschap | Spółka akcyjna | UAB",
  "SIA | OÜ | SIIQ | ООО | ОАО | ЗАО | ПАО | НАО | АО | ТОО | ЧАО | ОДО | ИП | ТОВ | ПрАТ | ПАТ | ВАТ | ЗАТ | АТ | ПП",
  "ФОП | Общество с ограниченной ответственностью | Акционерное общество | Публичное акционерное общество",
  "Открытое акционерное общество | Закрытое акционерное общество | Непубличное акционерное общество",
  "Товарищество с ограниченной ответственностью | Товариство з обмеженою відповідальністю | Акціонерне товариство",
  "Публічне акціонерне товариство | Приватне акціонерне товариство | OOO | OAO | ZAO | PAO | PJSC | OJSC | CJSC | JSC",
  "შპს | სს | PT | Perseroan Terbatas | Kabushiki Kaisha | Kabushiki Gaisha | บริษัท | บมจ | บจก | CTCP",
  "Công ty TNHH | Công ty TNHH MTV | Công ty Cổ phần | شركة"
)

/**
 * Forms that stand in the middle of a name, as in Fastighets AB Balder, Wohnbau-Aktiengesellschaft Berlin or Bauwerk GmbH &
 * Co. Objekt 7 KG. Only those that are no words or initials besides.
 */
const middles = listed(
  "AB | Aktiebolaget | Oy | Oyj | AG | Aktiengesellschaft | GmbH | gGmbH | mbH | KG | KGaA | Kommanditgesellschaft | OHG",
  "Co | Ltd | Limited | PLC | LLP | LLC | BV | NV | SARL | Srl | ApS | Kft"
)

/**
 * The legal forms of East Asia, which are written without a space before or after the name, in a text that is folded and composed (NFC);
 * abbreviated in brackets.
 */
const eastAsian =
  /株式会社|株式會社|有限会社|有限會社|合同会社|合資会社|合名会社|特定目的会社|投資法人|(?:一般|公益)(?:社団|財団)法人|(?:股份)?有限(?:责任|責任)?公司|股份公司|有限合伙企业|有限合夥|주식회사|유한책임회사|유한회사|합자회사|\((?:株|有|同|資|名|社|財|주|유|合|재|사)\)/g

/** The branch at the end of an East Asian name, after a space or a legal form. */
const eastAsianBranches =
  /(?<=\s|会社|會社|公司|法人|회사|\))[\p{L}\p{N}]{1,12}(?:支店|支社|営業所|出張所|分公司|分行|分店|支行|办事处|辦事處|지점|지사|영업소)\s*$/u

/** Words for a branch before its place, as in Niederlassung Berlin. */
export const branches = listed(
  "Niederlassung | Niederlassungen | Ndl. | Zweigniederlassung | Zweigndl. | Hauptniederlassung | Hauptverwaltung",
  "Hauptsitz | Zweigstelle | Zweigbüro | Geschäftsstelle | Außenstelle | Repräsentanz | Regionalbüro | Regionaldirektion",
  "Standort | Filiale | Filialdirektion | Branch Office | Branch of | Branch in | Head Office | Headquarters",
  "Representative Office | Succursale | Établissement secondaire | Établissement stable | Sucursal",
  "Establecimiento permanente | Sede secondaria | Unità locale | Stabile organizzazione | Vestiging | Nevenvestiging",
  "Bijkantoor | Filiaal | Filial | Avdeling | Afdeling | Sivuliike | Sivukonttori | Oddział | Filia | Pobočka",
  "Odštěpný závod | Organizační složka | Organizačná zložka | Fióktelep | Fióktelepe | Fiókja | Sucursala",
  "Punct de lucru | Podružnica | Ogranak | Филиал | Представительство | Обособленное подразделение | Філія",
  "Представництво | Клон | Огранак | Υποκατάστημα | Şubesi | Filiāle | Filialas"
)

/** Words for a branch after its place, as in London Branch. */
const branchesOfPlaces = listed(
  "Branch | Branch Office | Representative Office | Rep. Office | Head Office | Filial | Filiaal | Filialas | Filiāle",
  "Sivuliike | Fióktelepe | Şubesi | Sucursal | Succursale | Niederlassung | Филиал"
)

/** Words for a branch in a part of its own, before or after its place, as in "Strabag, Büro München". */
export const offices = listed(
  "Büro | Agentur | Agence | Bureau | Office | Offices | Oficina | Delegación | Ufficio | Escritório | Kantoor | Kontor | Kontoret",
  "Toimisto | Biuro | Kancelář | Iroda | Birou | Ured | Pisarna | Офис | Γραφείο | Ofisi"
)

// Normalizes the names of companies (docs/behaviour/network.md#duplicates). Pure. The column `name_key` and the search for duplicates use
// the same function: whoever changes what it gives raises `nameKeyVersion`, and the job `housekeeping/nameKeys` writes the column again.

// The words for `&` in several languages. A single letter is not one between other single letters, where it may be an initial.
const conjunctions = new Set(["und", "and", "et", "och", "og", "en", "ja", "oraz", "ve", "και"])
const letterConjunctions = new Set(["e", "y", "u", "и", "і", "ו"])

// The words for a saint, which are abbreviated more often than not.
const saints = new Set(["st", "ste", "skt", "sct", "saint", "sainte", "sankt", "sint"])

// What stands before the name of a firm and is no part of it.
const announced =
  /^\s*(?:fa\.\s*(?=\S)|(?:firma|firmaet|fa:|ditta|messrs\.?|m\/s\.?|фирма|фірма|компания|компанія)\s+(?=\S))/

/** The words of a folded text: letters, digits and what belongs to them; ä, ae and a are one letter. */
const wordsOf = (folded: string): ReadonlyArray<string> =>
  folded
    .normalize("NFC")
    .replace(/(?<![\p{L}\p{N}])s:ta?(?![\p{L}\p{N}])/gu, "sankt")
    .replaceAll("&amp;", "&")
    .replaceAll("'", "")
    // An abbreviation, as in בע"מ.
    .replace(/(?<=\p{sc=Hebrew})"(?=\p{sc=Hebrew})/gu, "")
    .replace(/[&+]/g, " und ")
    // Initials: S.p.A. is one word, E.ON is two.
    .replace(/(?<![\p{L}\p{N}])\p{L}(?:\.\p{L}(?![\p{L}\p{N}]))+/gu, (initials) => initials.replaceAll(".", ""))
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "")
    // Müller, Mueller and Muller are equal, and Häuser and Haeuser, Ålborg and Aalborg. Bauer, Quelle, Blue and Monroe stay as they are.
    .map((word) =>
      word
        .replace(/(?<![aeiouyq])([aou])e(?=[b-df-hj-np-tv-xz])/g, "$1")
        .replace(/(?<![aeiouyq])ae(?=u)/g, "a")
        .replace(/a{2,}/g, "a")
        // The х of Хилтон, as some write it.
        .replace(/kh/g, "h")
    )
    .map((word) => (saints.has(word) ? "sankt" : word))

// The й that ends a syllable is y (Толстой, Район) and otherwise i (Лукойл). Folding takes its breve away.
const foldName = (name: string) => fold(name.normalize("NFC").replace(/й(?![бвгджзклмнпрстфхцчшщ])/giu, "y"))

const compact = (forms: ReadonlyArray<string>) => new Set(forms.map((form) => wordsOf(foldName(form)).join("")))

const atEnd = compact(endings)
const atBeginning = compact(beginnings)
const inTheMiddle = compact(middles)
const ofBranches = compact(branches)
const ofBranchesOfPlaces = compact(branchesOfPlaces)
const ofOffices = compact(offices)
// In code points, so that a key fits into an index: NFKD can expand one character to a phrase.
const maxKeyLength = 300
// In words, because a form with dots may be split into letters.
const maxLength = 7

/** The number of words at the end (or the beginning) that are a legal form. At least one word remains. */
const formLength = (words: ReadonlyArray<string>, side: "end" | "beginning"): number => {
  for (let length = Math.min(maxLength, words.length - 1); length > 0; length--) {
    const part = side === "end" ? words.slice(-length) : words.slice(0, length)
    if ((side === "end" ? atEnd : atBeginning).has(part.join(""))) return length
  }
  return 0
}

const withoutForms = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  let rest = words
  for (let length = formLength(rest, "end"); length > 0; length = formLength(rest, "end")) {
    rest = rest.slice(0, -length)
    // GmbH & Co. KG
    while (rest.length > 1 && (conjunctions.has(rest.at(-1) ?? "") || rest.at(-1) === "u")) rest = rest.slice(0, -1)
  }
  return rest.slice(formLength(rest, "beginning"))
}

/** The words without conjunctions and legal forms between others: `&`, and the AB of Fastighets AB Balder. */
const withoutJoints = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.filter((word, index) => {
    const before = words[index - 1]
    const after = words[index + 1]
    if (before === undefined || after === undefined) return true
    return (
      !conjunctions.has(word) &&
      !inTheMiddle.has(word) &&
      !(letterConjunctions.has(word) && before.length > 1 && after.length > 1)
    )
  })

const isForm = (word: string) => inTheMiddle.has(word) || (atEnd.has(word) && word.length > 1)

/** How many words, from `index`, say that a branch is meant; 0 if none does. */
const branchLength = (words: ReadonlyArray<string>, index: number, names: ReadonlySet<string>): number => {
  for (const length of [3, 2, 1]) {
    if (index + length <= words.length && names.has(words.slice(index, index + length).join(""))) return length
  }
  return 0
}

/** The words of the company whose branch a name is of: those before "London Branch", or before "Niederlassung Berlin". */
const withoutBranch = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const last = words.findIndex((_, index) => {
    const length = branchLength(words, index, ofBranchesOfPlaces)
    return length > 0 && index + length === words.length
  })
  if (last > 1) {
    // After a legal form, all that is left is the place. Otherwise it is taken to have one word.
    const form = words.slice(0, last).findLastIndex((word, index) => index > 0 && isForm(word))
    return words.slice(0, form > 0 ? form + 1 : last - 1)
  }
  const at = words.findIndex((_, index) => index > 0 && branchLength(words, index, ofBranches) > 0)
  return at > 0 ? words.slice(0, at) : words
}

/** The parts of a folded name between commas, brackets and dashes, without those that say which branch is meant. */
const withoutBranchParts = (folded: string): string => {
  const [first = "", ...others] = folded.split(/\s*[,;()[\]|]\s*|\s+-+\s+/)
  const isBranch = (part: string) => {
    const words = wordsOf(part)
    // Büro München, agence de Lyon, London Office
    const isOffice =
      words.length > 1 && words.length < 4 && (ofOffices.has(words[0] ?? "") || ofOffices.has(words.at(-1) ?? ""))
    return (
      (isOffice && !words.some((word) => conjunctions.has(word))) ||
      words.some(
        (_, index) => branchLength(words, index, ofBranches) > 0 || branchLength(words, index, ofBranchesOfPlaces) > 0
      )
    )
  }
  return first.trim() === "" || !others.some(isBranch)
    ? folded
    : [first, ...others.filter((part) => !isBranch(part))].join(" ")
}

/** A name without the legal forms of East Asia, which are written without a space, and without the branch after them or after a space. */
const withoutEastAsianForms = (name: string): string => {
  if (!/[\p{sc=Han}\p{sc=Hangul}\u3200-\u33ff]/u.test(name)) return name
  const rest = name.normalize("NFKC").replace(eastAsianBranches, "").replace(eastAsian, " ").trim()
  return /[\p{L}\p{N}]/u.test(rest) ? rest : name
}

// Greek letters that stand for one sound together, which any-ascii spells one by one.
const greekPairs: ReadonlyArray<readonly [RegExp, string]> = [
  [/ου/g, "ou"],
  [/([αε])υ(?=[θκξπστφχψ]|$)/g, "$1φ"],
  [/([αε])υ/g, "$1β"],
  [/γγ/g, "ng"],
  [/^μπ/g, "b"],
  [/^ντ/g, "d"]
]

/** Whether the key of a name spells Cyrillic or Greek letters of it in Latin ones. */
export const isTransliterated = (name: string): boolean => /[\p{sc=Cyrillic}\p{sc=Greek}]/u.test(name)

/** A Cyrillic or Greek word in Latin letters, as they are mostly written in English: `Невский` is `nevsky`, `Τράπεζα` is `trapeza`. */
const latin = (word: string): string => {
  if (!isTransliterated(word)) return word
  const greek = greekPairs.reduce((text, [pair, by]) => text.replace(pair, by), word)
  // In Ukrainian, и is y.
  const cyrillic = /[\u0456\u0454\u0491]/.test(greek) ? greek.replaceAll("и", "y") : greek
  const english = cyrillic
    .replace(/ь|ъ(?=[еюя])/g, "")
    // In Bulgarian, ъ is a vowel.
    .replace(/ъ/g, "a")
    .replace(/[ыи][иy]$/, "y")
    .replace(/кс/g, "x")
    .replace(/х/g, "h")
  const spelled = anyAscii(english)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")
  return spelled === "" ? word : spelled
}

/** The version of what {@link nameKeyOf} gives: one more whenever it gives another key for a name. */
export const nameKeyVersion = 2

/**
 * The name of a company as duplicates are compared: its words in lower case, in Latin letters if they were Cyrillic or Greek, and in their
 * order, without accents, punctuation, legal forms, conjunctions, "Firma" before it and the branch that it names. It is empty for blank
 * names only: a company called AG keeps `ag`. The key of a key is the key itself.
 */
export const nameKeyOf = (name: string): string => {
  const folded = withoutBranchParts(foldName(withoutEastAsianForms(name)).replace(announced, ""))
  const words = withoutJoints(withoutForms(withoutBranch(withoutForms(wordsOf(folded))))).map(latin)
  const key = [...(words.length === 0 ? name.trim().toLowerCase() : words.join(" "))]
    .slice(0, maxKeyLength)
    .join("")
    .trim()
  return key === name ? key : nameKeyOf(key)
}
