/** What the demo data says: companies and people of Europe's property markets, buildings, and what investors look for. Pure. */

/** A company of the demo network: its name, domain, country, what it invests in, and its people. */
interface DemoCompany {
  readonly name: string
  readonly domain: string
  readonly country: string
  readonly language: string
  readonly tags: ReadonlyArray<string>
  readonly strategy?: string
  readonly people: ReadonlyArray<readonly [firstName: string, lastName: string, jobTitle: string]>
}

/** The companies in the network of the demo brokers. */
export const companies: ReadonlyArray<DemoCompany> = [
  {
    name: "Nordkapital Invest GmbH",
    domain: "nordkapital.example",
    country: "DE",
    language: "de-DE",
    tags: ["logistics", "core-plus"],
    strategy: "Logistics along the A1 and A7 from 10,000 m², let for five years or more.",
    people: [
      ["Anna", "Berg", "Head of Acquisitions"],
      ["Henrik", "Petersen", "Investment Manager"],
      ["Julia", "Ahrens", "Analyst"]
    ]
  },
  {
    name: "Moretti Immobili S.p.A.",
    domain: "moretti-immobili.example",
    country: "IT",
    language: "it-IT",
    tags: ["office"],
    people: [
      ["Luca", "Moretti", "Managing Partner"],
      ["Giulia", "Ferrari", "Acquisitions"]
    ]
  },
  {
    name: "Lindqvist Fonder AB",
    domain: "lindqvistfonder.example",
    country: "SE",
    language: "sv-SE",
    tags: ["residential", "core"],
    strategy: "Multi-family houses in university towns, energy class C or better.",
    people: [
      ["Sofie", "Lindqvist", "Portfolio Manager"],
      ["Erik", "Nyström", "Director Transactions"]
    ]
  },
  {
    name: "Kanaal Vastgoed B.V.",
    domain: "kanaalvastgoed.example",
    country: "NL",
    language: "nl-NL",
    tags: ["retail"],
    people: [
      ["Pieter", "de Vries", "Director"],
      ["Sanne", "Bakker", "Asset Manager"]
    ]
  },
  {
    name: "Seine Investissements SAS",
    domain: "seineinvest.example",
    country: "FR",
    language: "fr-FR",
    tags: ["hotel", "value-add"],
    strategy: "City hotels from 80 rooms, in need of repositioning.",
    people: [
      ["Claire", "Dubois", "Directrice des acquisitions"],
      ["Mathieu", "Laurent", "Investment Manager"]
    ]
  },
  {
    name: "Alpenblick Immobilien AG",
    domain: "alpenblick.example",
    country: "CH",
    language: "de-CH",
    tags: ["core", "office"],
    people: [
      ["Urs", "Zimmermann", "Leiter Ankauf"],
      ["Nadja", "Frei", "Portfoliomanagerin"]
    ]
  },
  {
    name: "Donau Real Estate GmbH",
    domain: "donau-re.example",
    country: "AT",
    language: "de-AT",
    tags: ["residential", "value-add"],
    people: [
      ["Katharina", "Gruber", "Geschäftsführerin"],
      ["Stefan", "Moser", "Transaktionen"]
    ]
  },
  {
    name: "Vltava Property a.s.",
    domain: "vltava-property.example",
    country: "CZ",
    language: "cs-CZ",
    tags: ["logistics"],
    people: [
      ["Petr", "Novák", "Head of Investments"],
      ["Tereza", "Dvořáková", "Analyst"]
    ]
  },
  {
    name: "Wisła Capital Sp. z o.o.",
    domain: "wisla-capital.example",
    country: "PL",
    language: "pl-PL",
    tags: ["logistics", "light-industrial"],
    people: [
      ["Agnieszka", "Kowalska", "Managing Director"],
      ["Tomasz", "Zieliński", "Acquisitions"]
    ]
  },
  {
    name: "Øresund Ejendomme A/S",
    domain: "oresund-ejendomme.example",
    country: "DK",
    language: "da-DK",
    tags: ["residential"],
    people: [
      ["Mette", "Sørensen", "CIO"],
      ["Lars", "Mikkelsen", "Investment Manager"]
    ]
  },
  {
    name: "Ibérica Activos S.L.",
    domain: "iberica-activos.example",
    country: "ES",
    language: "es-ES",
    tags: ["hotel", "retail"],
    people: [
      ["Carmen", "Navarro", "Directora de inversiones"],
      ["Javier", "Ortega", "Analista"]
    ]
  },
  {
    name: "Liffey Partners Ltd",
    domain: "liffeypartners.example",
    country: "IE",
    language: "en-IE",
    tags: ["office", "opportunistic"],
    people: [
      ["Aoife", "Brennan", "Partner"],
      ["Conor", "Walsh", "Associate"]
    ]
  },
  {
    name: "Rheinwerk Versorgungskasse",
    domain: "rheinwerk-vk.example",
    country: "DE",
    language: "de-DE",
    tags: ["core", "residential"],
    strategy: "Direct investments of 30 to 80 million euros in the eight largest cities, no developments.",
    people: [
      ["Thomas", "Weber", "Leiter Immobilien"],
      ["Birgit", "Schäfer", "Ankauf"]
    ]
  },
  {
    name: "Brandt & Söhne Family Office",
    domain: "brandt-fo.example",
    country: "DE",
    language: "de-DE",
    tags: ["mixed-use"],
    people: [
      ["Friederike", "Brandt", "Gesellschafterin"],
      ["Moritz", "Engel", "Investment Director"]
    ]
  },
  {
    name: "Tejo Capital S.A.",
    domain: "tejo-capital.example",
    country: "PT",
    language: "pt-PT",
    tags: ["hotel"],
    people: [
      ["Inês", "Carvalho", "Head of Real Estate"],
      ["Rui", "Almeida", "Analyst"]
    ]
  },
  {
    name: "Suomen Kiinteistöt Oyj",
    domain: "suomen-kiinteistot.example",
    country: "FI",
    language: "fi-FI",
    tags: ["logistics", "core"],
    people: [
      ["Aino", "Virtanen", "Portfolio Director"],
      ["Mikko", "Laine", "Transactions"]
    ]
  },
  {
    name: "Hanse Wohnen eG",
    domain: "hanse-wohnen.example",
    country: "DE",
    language: "de-DE",
    tags: ["residential"],
    people: [
      ["Maren", "Claußen", "Vorständin"],
      ["Ole", "Jansen", "Projektentwicklung"]
    ]
  },
  {
    name: "Thames Bridge Capital LLP",
    domain: "thamesbridge.example",
    country: "GB",
    language: "en-GB",
    tags: ["opportunistic", "logistics"],
    people: [
      ["Eleanor", "Hughes", "Partner"],
      ["James", "Whitfield", "Principal"],
      ["Priya", "Shah", "Associate"]
    ]
  }
]

/** The buildings that the demo brokers sell, by the project in which they do. */
export const buildings = [
  {
    project: "harbour",
    name: "Speicherhaus am Hafen",
    country: "DE",
    locality: "Hamburg",
    address: { street: "Am Sandtorkai", houseNumber: "48", postalCode: "20457" },
    coordinates: { latitude: 53.5436, longitude: 9.9943 },
    categories: ["office"],
    tenure: "freehold",
    lettableArea: { value: 8_240, unit: "sqm", standard: "gla" },
    yearBuilt: 1908,
    yearRenovated: 2017,
    tags: ["multi_tenant", "heritage_listed", "waterfront"],
    pricing: { askingPrice: { value: 52_000_000, currency: "EUR" }, qualifier: "guide" }
  },
  {
    project: "harbour",
    name: "Kaihaus Nord",
    country: "DE",
    locality: "Hamburg",
    address: { street: "Versmannstraße", houseNumber: "12", postalCode: "20457" },
    categories: ["office"],
    tenure: "freehold",
    lettableArea: { value: 5_310, unit: "sqm" },
    yearBuilt: 2011,
    tags: ["multi_tenant", "waterfront"],
    pricing: { askingPrice: { value: 31_500_000, currency: "EUR" }, qualifier: "guide" }
  },
  {
    project: "logistics",
    name: "Logistikpark Billwerder",
    country: "DE",
    locality: "Hamburg",
    coordinates: { latitude: 53.5126, longitude: 10.0903 },
    categories: ["logistics"],
    subcategories: ["distribution_warehouse"],
    lettableArea: { value: 24_500, unit: "sqm" },
    industrial: { clearHeightM: 12.2, dockDoors: 32 },
    tags: ["single_tenant", "fully_let", "motorway_access"],
    income: { passingRent: { value: 1_764_000, currency: "EUR" }, waultToBreak: { value: 6.5, unit: "years" } },
    pricing: { askingPrice: { value: 34_000_000, currency: "EUR" }, qualifier: "guide" }
  },
  {
    project: "logistics",
    name: "Umschlaghalle Maschen",
    country: "DE",
    locality: "Seevetal",
    categories: ["logistics"],
    lettableArea: { value: 11_900, unit: "sqm" },
    yearBuilt: 2019,
    tags: ["single_tenant", "motorway_access"]
  },
  {
    project: "living",
    name: "Wohnhof Plagwitz",
    country: "DE",
    locality: "Leipzig",
    address: { street: "Karl-Heine-Straße", houseNumber: "71", postalCode: "04229" },
    categories: ["residential"],
    lettableArea: { value: 6_480, unit: "sqm" },
    yearBuilt: 1912,
    yearRenovated: 2019,
    pricing: { askingPrice: { value: 18_900_000, currency: "EUR" } }
  },
  {
    project: "living",
    name: "Quartier Südvorstadt",
    country: "DE",
    locality: "Leipzig",
    categories: ["residential"],
    lettableArea: { value: 9_150, unit: "sqm" },
    yearBuilt: 1998,
    pricing: { askingPrice: { value: 27_400_000, currency: "EUR" } }
  },
  {
    project: null,
    name: "Hotel Altstadtblick",
    country: "DE",
    locality: "Nürnberg",
    categories: ["hotel"],
    lettableArea: { value: 4_700, unit: "sqm" },
    yearBuilt: 1974
  },
  {
    project: null,
    name: "Fachmarktzentrum Lüneburg",
    country: "DE",
    locality: "Lüneburg",
    categories: ["retail"],
    subcategories: ["retail_park"],
    lettableArea: { value: 7_850, unit: "sqm" },
    yearBuilt: 2006
  }
] as const

/** The projects of the demo brokers, with how many investors are on each list. */
export const projects = [
  { key: "harbour", name: "Hafenquartier", exclusivity: "exclusive", investors: 18 },
  { key: "logistics", name: "Norddeutsche Logistik", exclusivity: "exclusive", investors: 13 },
  { key: "living", name: "Wohnportfolio Leipzig", exclusivity: "non_exclusive", investors: 9 }
] as const

/** What investors look for. The index is that of a company. */
export const mandates = [
  {
    company: 0,
    name: "Logistics, northern Germany",
    country: "DE",
    categories: ["logistics"],
    lettableArea: { min: 10_000, max: 40_000, unit: "sqm" }
  },
  { company: 2, name: "Multi-family, university towns", country: "DE", categories: ["residential"] },
  { company: 4, name: "City hotels to reposition", country: "DE", categories: ["hotel"] },
  { company: 5, name: "Core offices, seven largest cities", country: "DE", categories: ["office"] },
  { company: 12, name: "Residential portfolios, direct", country: "DE", categories: ["residential"] },
  { company: 17, name: "Logistics, opportunistic", country: "DE", categories: ["logistics"], status: "paused" }
] as const

/** The projects of the other brokers, each with what becomes of the offer to the demo user. */
export const otherProjects = [
  {
    name: "Ijburg Offices",
    title: "Offices by the water",
    building: "Haveneiland 3",
    locality: "Amsterdam",
    category: "office",
    becomes: "unanswered"
  },
  {
    name: "Groningen Student Living",
    title: "Student housing in a university town",
    building: "Zernike Hof",
    locality: "Groningen",
    category: "student_housing",
    becomes: "unanswered"
  },
  {
    name: "Rotterdam Cold Store",
    title: "Cold store with a long lease",
    building: "Maasvlakte Koelhuis",
    locality: "Rotterdam",
    category: "logistics",
    becomes: "accepted"
  },
  {
    name: "Utrecht Retail Park",
    title: "Retail park, fully let",
    building: "Overvecht Park",
    locality: "Utrecht",
    category: "retail",
    becomes: "rejected"
  },
  {
    name: "Eindhoven Campus",
    title: "Halls of a technology campus",
    building: "Strijp Hal 9",
    locality: "Eindhoven",
    category: "light_industrial",
    becomes: "expired"
  },
  {
    name: "Den Haag Hotel",
    title: "Hotel by the sea",
    building: "Hotel Scheveningen",
    locality: "Den Haag",
    category: "hotel",
    becomes: "closed"
  },
  {
    name: "Haarlem Mixed Use",
    title: "Former shipyard, mixed use",
    building: "Spaarne Werf",
    locality: "Haarlem",
    category: "mixed_use",
    becomes: "removed"
  },
  {
    name: "Breda Warehouse",
    title: "Warehouse at a motorway",
    building: "Hazeldonk 44",
    locality: "Breda",
    category: "logistics",
    becomes: "invited"
  }
] as const

/** What is noted on records. */
export const notes = [
  "Called on Tuesday: wants the rent roll before the end of the month.",
  "Met at the fair. Looks for a second building in the same street.",
  "Their committee meets on the first Monday. Send everything a week before.",
  "Prefers share deals. Ask the tax adviser what that means for the price.",
  "Would go to 4.2 % if the anchor tenant extends."
]

/** What investors ask in a room, with the answer if there is one. */
export const questions = [
  { text: "Is the roof of hall B under warranty?", answer: "Yes, until 2031: see the file in folder 3." },
  { text: "Which leases have an index clause?", answer: "All but the two of the ground floor." },
  { text: "Has the soil been surveyed?", answer: null },
  { text: "What does the heritage authority require for the façade?", answer: null }
]

/** The documents of a room: their paths and contents. */
export const documents = [
  [
    "1 Overview/Memorandum.txt",
    "Information memorandum. Two office buildings on the water, 13,550 square metres, 94 % let."
  ],
  [
    "2 Leases/Rent roll.csv",
    "tenant;area;rent;until\nReederei Nissen;2140;46.50;2031-06-30\nKontor Neun;880;41.00;2028-12-31\n"
  ],
  ["3 Technical/Roof warranty.txt", "Warranty of the roof of hall B, until 30 June 2031."],
  ["3 Technical/Energy certificate.txt", "Energy certificate: class B, valid until 2033."]
] as const

/** The e-mail address of a person of a company. */
export const emailOf = (firstName: string, lastName: string, domain: string): string => {
  const plain = `${firstName}.${lastName}`
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("ł", "l")
    .normalize("NFD")
    .replaceAll(/[^a-z.]/g, "")
  return `${plain}@${domain}`
}

/** All people, with their companies. */
export const people = companies.flatMap(({ domain, language, people: some, tags }, company) =>
  some.map(([firstName, lastName, jobTitle]) => ({
    company,
    firstName,
    lastName,
    jobTitle,
    email: emailOf(firstName, lastName, domain),
    primaryLanguage: language,
    tags
  }))
)
