/**
 * Names that no source has: of regions above Natural Earth's units, groups of countries, and other spellings; and the folded names under
 * which a place is found.
 */
import { fold } from "../format.ts"
import type { SourceCity } from "./sources.ts"

/** A region that consists of several units. */
export interface RegionNames {
  /** ISO 3166-2, where the region has a code there. */
  readonly code: string
  readonly name: string
  readonly aliases: ReadonlyArray<string>
}

const region = (code: string, name: string, aliases = ""): RegionNames => ({
  code,
  name,
  aliases: aliases.split("|").filter((alias) => alias !== "")
})

/** By the country and Natural Earth's name of the region. What is not here is no region that people name. */
export const regions: Readonly<Record<string, RegionNames>> = {
  "FR|Hauts-de-France": region("FR-HDF", "Hauts-de-France"),
  "FR|Grand Est": region("FR-GES", "Grand Est"),
  "FR|Provence-Alpes-Côte-d'Azur": region("FR-PAC", "Provence-Alpes-Côte d'Azur", "PACA|Région Sud"),
  "FR|Auvergne-Rhône-Alpes": region("FR-ARA", "Auvergne-Rhône-Alpes"),
  "FR|Nouvelle-Aquitaine": region("FR-NAQ", "Nouvelle-Aquitaine", "New Aquitaine|Neu-Aquitanien|Nuova Aquitania"),
  "FR|Occitanie": region("FR-OCC", "Occitanie", "Okzitanien|Occitania"),
  "FR|Bourgogne-Franche-Comté": region("FR-BFC", "Bourgogne-Franche-Comté", "Burgund-Franche-Comté"),
  "FR|Pays de la Loire": region("FR-PDL", "Pays de la Loire"),
  "FR|Bretagne": region("FR-BRE", "Bretagne", "Bretaña|Bretagna|Bretania"),
  "FR|Normandie": region("FR-NOR", "Normandie", "Normandía|Normandia"),
  "FR|Corse": region("FR-20R", "Corse", "Korsika|Corsica|Córcega|Córsega"),
  "FR|Centre-Val de Loire": region("FR-CVL", "Centre-Val de Loire", "Centre"),
  "FR|Île-de-France": region("FR-IDF", "Île-de-France", "Isla de Francia|Paris Region|Région parisienne|Grand Paris"),
  "IT|Valle d'Aosta": region("IT-23", "Valle d'Aosta", "Vallée d'Aoste|Aostatal|Aosta Valley"),
  "IT|Piemonte": region("IT-21", "Piemonte", "Piémont|Piamonte"),
  "IT|Lombardia": region("IT-25", "Lombardia", "Lombardei|Lombardie|Lombardía|Lombardije"),
  "IT|Trentino-Alto Adige": region("IT-32", "Trentino-Alto Adige", "Trentino-Südtirol|Trentin-Haut-Adige"),
  "IT|Liguria": region("IT-42", "Liguria", "Ligurien|Ligurie"),
  "IT|Emilia-Romagna": region("IT-45", "Emilia-Romagna", "Émilie-Romagne|Emilia-Romaña"),
  "IT|Marche": region("IT-57", "Marche", "Marken|Marches|Marcas"),
  "IT|Veneto": region("IT-34", "Veneto", "Venetien|Vénétie|Véneto"),
  "IT|Friuli-Venezia Giulia": region(
    "IT-36",
    "Friuli-Venezia Giulia",
    "Friaul-Julisch Venetien|Frioul-Vénétie Julienne"
  ),
  "IT|Abruzzo": region("IT-65", "Abruzzo", "Abruzzen|Abruzzes|Abruzos"),
  "IT|Molise": region("IT-67", "Molise"),
  "IT|Apulia": region("IT-75", "Puglia", "Apulien|Pouilles|Apulia"),
  "IT|Basilicata": region("IT-77", "Basilicata", "Basilikata|Basilicate"),
  "IT|Calabria": region("IT-78", "Calabria", "Kalabrien|Calabre"),
  "IT|Campania": region("IT-72", "Campania", "Kampanien|Campanie"),
  "IT|Lazio": region("IT-62", "Lazio", "Latium|Lacio"),
  "IT|Toscana": region("IT-52", "Toscana", "Toskana|Toscane"),
  "IT|Sicily": region("IT-82", "Sicilia", "Sizilien|Sicile|Sicilië"),
  "IT|Sardegna": region("IT-88", "Sardegna", "Sardinien|Sardaigne|Cerdeña"),
  "IT|Umbria": region("IT-55", "Umbria", "Umbrien|Ombrie"),
  "ES|Foral de Navarra": region("ES-NC", "Navarra", "Navarre"),
  "ES|País Vasco": region("ES-PV", "País Vasco", "Euskadi|Baskenland|Pays basque|Paesi Baschi"),
  "ES|Aragón": region("ES-AR", "Aragón", "Aragonien"),
  "ES|Cataluña": region("ES-CT", "Cataluña", "Catalunya|Katalonien|Catalogne|Catalogna|Catalonië|Catalunha"),
  "ES|Extremadura": region("ES-EX", "Extremadura", "Estrémadure"),
  "ES|Andalucía": region("ES-AN", "Andalucía", "Andalusien|Andalousie|Andalusië|Andaluzia"),
  "ES|Galicia": region("ES-GA", "Galicia", "Galicien|Galice|Galizia"),
  "ES|Castilla y León": region("ES-CL", "Castilla y León", "Kastilien und León|Castille-et-León"),
  "ES|Valenciana": region("ES-VC", "Comunidad Valenciana", "Comunitat Valenciana|País Valencià|Communauté valencienne"),
  "ES|Murcia": region("ES-MC", "Murcia", "Región de Murcia"),
  "ES|Asturias": region("ES-AS", "Asturias", "Asturien|Asturies|Principado de Asturias"),
  "ES|Cantabria": region("ES-CB", "Cantabria", "Kantabrien|Cantabrie"),
  "ES|Canarias": region("ES-CN", "Canarias", "Kanaren|Kanarische Inseln|Îles Canaries|Canaries|Islas Canarias"),
  "ES|Canary Is.": region("ES-CN", "Canarias"),
  "ES|Islas Baleares": region(
    "ES-IB",
    "Illes Balears",
    "Islas Baleares|Balearen|Baleares|Îles Baléares|Balearic Islands"
  ),
  "ES|La Rioja": region("ES-RI", "La Rioja"),
  "ES|Castilla-La Mancha": region("ES-CM", "Castilla-La Mancha", "Kastilien-La Mancha|Castille-La Manche"),
  "ES|Madrid": region("ES-MD", "Comunidad de Madrid", "Madrid|Community of Madrid|Autonome Gemeinschaft Madrid"),
  "GB|North West": region("GB:NW", "North West England", "North West|Northwest England"),
  "GB|North East": region("GB:NE", "North East England", "North East|Northeast England"),
  "GB|West Midlands": region("GB:WM", "West Midlands"),
  "GB|East Midlands": region("GB:EM", "East Midlands"),
  "GB|South West": region("GB:SW", "South West England", "South West|Southwest England"),
  "GB|South East": region("GB:SE", "South East England", "South East|Southeast England"),
  "GB|Eastern": region("GB:E", "East of England", "East England"),
  "GB|East": region("GB:E", "East of England"),
  "GB|Yorkshire and the Humber": region("GB:YH", "Yorkshire and the Humber", "Yorkshire"),
  "GB|Greater London": region("GB:LN", "Greater London", "Groß-London|Grand Londres|Gran Londres|Grande Londra"),
  "BE|Flemish Region": region("BE-VLG", "Vlaanderen", "Flanders|Flandern|Flandre|Vlaams Gewest|Flandes|Fiandre"),
  "BE|Walloon Region": region("BE-WAL", "Wallonie", "Wallonia|Wallonien|Wallonië|Région wallonne|Vallonia"),
  "PT|Alentejo": region("PT:AL", "Alentejo"),
  "PT|Algarve": region("PT:AG", "Algarve"),
  "IE|Dublin": region("IE-D", "Dublin", "County Dublin|Co. Dublin"),
  "NZ|North Island": region("NZ:N", "North Island", "Te Ika-a-Māui"),
  "NZ|South Island": region("NZ:S", "South Island", "Te Waipounamu")
}

/** The countries of the United Kingdom, by Natural Earth's name. */
export const nations: Readonly<Record<string, RegionNames>> = {
  England: region("GB-ENG", "England", "Angleterre|Inghilterra|Inglaterra|Engeland|Anglia"),
  Scotland: region("GB-SCT", "Scotland", "Schottland|Écosse|Scozia|Escocia|Schotland|Skottland|Szkocja"),
  Wales: region("GB-WLS", "Wales", "Cymru|Pays de Galles|Galles|Gales|Walia"),
  "Northern Ireland": region(
    "GB-NIR",
    "Northern Ireland",
    "Nordirland|Irlande du Nord|Irlanda del Nord|Irlanda del Norte|Noord-Ierland"
  )
}

/** Names of the groups in `groupMembers`. */
export const groups: ReadonlyArray<RegionNames> = [
  region("DACH", "DACH", "D-A-CH|DACH region|DACH-Region"),
  region("NORDICS", "Nordics", "Nordic countries|Nordische Länder|Nordic region|Pays nordiques|Norden"),
  region("SCANDINAVIA", "Scandinavia", "Skandinavien|Scandinavie|Escandinavia|Skandinavia"),
  region("BENELUX", "Benelux", "Benelux countries|Beneluxländer|Benelux-Länder"),
  region("BALTICS", "Baltics", "Baltic states|Baltic countries|Baltikum|Baltische Staaten|Pays baltes|Países bálticos"),
  region("EU", "European Union", "EU|EU27|Europäische Union|Union européenne|Unione Europea|Unión Europea"),
  region("IBERIA", "Iberia", "Iberian Peninsula|Iberische Halbinsel|Península Ibérica|Péninsule Ibérique"),
  region("EUROPE", "Europe", "Europa|Pan-Europe|Pan-European|Paneuropa|Gesamteuropa|Европа|欧洲|ヨーロッパ|أوروبا"),
  region("WESTERN_EUROPE", "Western Europe", "Westeuropa|Europe de l'Ouest|Europa Occidental|Europa occidentale"),
  region("NORTHERN_EUROPE", "Northern Europe", "Nordeuropa|Europe du Nord|Noord-Europa"),
  region("SOUTHERN_EUROPE", "Southern Europe", "Südeuropa|Europe du Sud|Europa del Sur|Sud Europa"),
  region("EASTERN_EUROPE", "Eastern Europe", "Osteuropa|Europe de l'Est|Europa del Este|Oost-Europa"),
  region("CEE", "Central and Eastern Europe", "CEE|CEE region|Mittel- und Osteuropa|MOE|Central & Eastern Europe"),
  region("SEE", "South-Eastern Europe", "SEE|Southeast Europe|Balkans|Balkan|Südosteuropa|Les Balkans"),
  region("VISEGRAD", "Visegrád Group", "Visegrad|V4|Visegrad Four|Visegrád-Staaten"),
  region("EEA", "European Economic Area", "EEA|EWR|Europäischer Wirtschaftsraum|EEE"),
  region("EUROZONE", "Eurozone", "Euro area|Euro zone|Eurozone countries|Euroraum|Zone euro|Eurozona"),
  region("UK_IRELAND", "United Kingdom and Ireland", "UK & Ireland|UK and Ireland|UKI|British Isles|UK/Ireland"),
  region("GCC", "Gulf Cooperation Council", "GCC|Gulf states|Golfstaaten|Pays du Golfe|Gulf region"),
  region("MIDDLE_EAST", "Middle East", "Naher Osten|Mittlerer Osten|Moyen-Orient|Oriente Medio|الشرق الأوسط"),
  region("MENA", "Middle East and North Africa", "MENA|Middle East & North Africa"),
  region("NORTH_AMERICA", "North America", "Nordamerika|Amérique du Nord|América del Norte"),
  region("CENTRAL_AMERICA", "Central America", "Mittelamerika|Zentralamerika|América Central|Centroamérica"),
  region("SOUTH_AMERICA", "South America", "Südamerika|Amérique du Sud|América del Sur|Sudamérica"),
  region("LATIN_AMERICA", "Latin America", "LATAM|Lateinamerika|América Latina|Amérique latine|Latinoamérica"),
  region("SOUTH_EAST_ASIA", "South-East Asia", "Southeast Asia|SEA|ASEAN|Südostasien|Asie du Sud-Est"),
  region("GREATER_CHINA", "Greater China", "大中华|大中華"),
  region("APAC", "Asia-Pacific", "APAC|Asia Pacific|Asien-Pazifik|Asie-Pacifique"),
  region("ANZ", "Australia and New Zealand", "ANZ|Australasia|Australia & New Zealand|Australien und Neuseeland")
]

/** Other names of countries. */
export const countryAliases: Readonly<Record<string, string>> = {
  US: "USA|United States of America|U.S.A.|U.S.|America",
  GB: "UK|U.K.|Great Britain|Großbritannien|Grande-Bretagne|Gran Bretagna|Gran Bretaña|Britain",
  NL: "Holland|The Netherlands",
  CZ: "Czech Republic|Tschechische Republik",
  DE: "Bundesrepublik Deutschland|BRD|Federal Republic of Germany",
  AE: "UAE|VAE",
  IE: "Republic of Ireland|Eire",
  CD: "DR Congo|Democratic Republic of the Congo",
  CI: "Ivory Coast",
  CV: "Cape Verde",
  KR: "Korea|Republic of Korea",
  MK: "Macedonia",
  MM: "Burma",
  RU: "Russian Federation",
  SZ: "Swaziland",
  TR: "Turkey",
  VA: "Vatican|Holy See",
  CH: "Swiss Confederation"
}

/** Codes of countries that are used beside those of ISO 3166. */
export const countryCodes: Readonly<Record<string, string>> = { GB: "UK" }

/** Other names of units, by their ISO 3166-2 code. */
export const unitAliases: Readonly<Record<string, string>> = {
  "DE-NW": "NRW",
  "DE-BW": "BaWü|Ba-Wü",
  "DE-MV": "Meck-Pomm|Mecklenburg-Western Pomerania",
  "AT-7": "Tirol",
  "US-DC": "Washington DC|Washington, D.C."
}

/** Names of units, by Natural Earth's code, instead of its own: those of another place. The first is shown. */
export const unitNames: Readonly<Record<string, string>> = {
  "ITA-5459": "Südtirol|Alto Adige|South Tyrol|Bozen|Bolzano|Haut-Adige|Provincia di Bolzano",
  "RUS-2364": "Moskovskaya Oblast|Moscow Oblast|Oblast Moskau",
  "UKR-321": "Kyiv Oblast|Kiev Oblast|Oblast Kiew"
}

/** Cities that GeoNames lists by an English name, by id: the name at home. */
export const homeNames: Readonly<Record<number, string>> = {
  2867714: "München",
  2761369: "Wien",
  3067696: "Praha",
  2618425: "København",
  3173435: "Milano",
  3169070: "Roma",
  3176959: "Firenze",
  3164603: "Venezia",
  3172394: "Napoli",
  3165524: "Torino",
  3176219: "Genova",
  756135: "Warszawa",
  2267057: "Lisboa",
  2510911: "Sevilla",
  683506: "București",
  792680: "Beograd",
  2658576: "Sion",
  3104499: "Vitoria-Gasteiz",
  2964180: "Galway"
}

/** Other spellings of cities, by id. */
export const cityAliases: Readonly<Record<number, string>> = {
  2925533: "Frankfurt a.M.|Frankfurt a. M.|Frankfurt/M.|FFM",
  2925535: "Frankfurt a.d. Oder|Frankfurt/O.",
  5128581: "NYC"
}

/** The English name of cities that GeoNames lists by another one, and that at home of others, by country and name. */
export const cityNames: Readonly<Record<string, string>> = {
  "AT|Vienna": "Wien",
  "BE|Antwerpen": "Antwerp|Anvers",
  "BE|Brugge": "Bruges",
  "BE|Brussels": "Bruxelles|Brussel|Brüssel",
  "BE|Gent": "Ghent|Gand",
  "BE|Kortrijk": "Courtrai",
  "BE|Leuven": "Louvain",
  "BE|Liège": "Luik|Lüttich",
  "BE|Mechelen": "Malines",
  "BE|Mons": "Bergen",
  "BE|Namur": "Namen",
  "BE|Tournai": "Doornik",
  "BG|Sofia": "Sofiya",
  "CH|Basel": "Bâle|Basle|Basilea",
  "CH|Bern": "Berne|Berna",
  "CH|Fribourg": "Freiburg",
  "CH|Genève": "Geneva|Genf|Ginevra",
  "CH|Luzern": "Lucerne|Lucerna",
  "CH|Neuchâtel": "Neuenburg",
  "CH|Sitten": "Sion",
  "CH|Sankt Gallen": "Saint-Gall|San Gallo|St. Gallen",
  "CH|Zürich": "Zurich|Zurigo",
  "CZ|Brno": "Brünn",
  "CZ|Prague": "Praha",
  "DE|Braunschweig": "Brunswick",
  "DE|Frankfurt am Main": "Frankfurt on the Main",
  "DE|Freiburg": "Freiburg im Breisgau",
  "DE|Hannover": "Hanover",
  "DE|Köln": "Cologne",
  "DE|Koblenz": "Coblenz",
  "DE|Mainz": "Mayence",
  "DE|Munich": "München",
  "DE|Nürnberg": "Nuremberg",
  "DK|Copenhagen": "København",
  "DK|Helsingør": "Elsinore",
  "EG|Alexandria": "Al Iskandariyah",
  "EG|Cairo": "Al Qahirah",
  "ES|A Coruña": "La Coruña|Corunna|Coruña",
  "ES|Alicante": "Alacant",
  "ES|Bilbao": "Bilbo",
  "ES|Donostia / San Sebastián": "San Sebastián|Donostia|San Sebastian",
  "ES|Elche": "Elx",
  "ES|Girona": "Gerona",
  "ES|Lleida": "Lérida",
  "ES|Ourense": "Orense",
  "ES|Palma": "Palma de Mallorca",
  "ES|Pamplona": "Iruña|Pamplona/Iruña",
  "ES|Sevilla": "Seville",
  "ES|Gasteiz / Vitoria": "Vitoria|Gasteiz",
  "ES|Zaragoza": "Saragossa",
  "FI|Helsinki": "Helsingfors",
  "FI|Tampere": "Tammerfors",
  "FI|Turku": "Åbo",
  "FR|Lyon": "Lyons",
  "FR|Marseille": "Marseilles",
  "FR|Reims": "Rheims",
  "FR|Strasbourg": "Straßburg",
  "GR|Athens": "Athína|Athina",
  "GR|Thessaloníki": "Thessaloniki|Salonica",
  "GR|Piraeus": "Piraiás|Pireas",
  "IE|Gaillimh": "Galway",
  "IT|Florence": "Firenze",
  "IT|Genoa": "Genova",
  "IT|Livorno": "Leghorn",
  "IT|Mantova": "Mantua",
  "IT|Milan": "Milano",
  "IT|Naples": "Napoli",
  "IT|Padova": "Padua",
  "IT|Rome": "Roma",
  "IT|Siracusa": "Syracuse",
  "IT|Turin": "Torino",
  "IT|Trento": "Trent",
  "IT|Bolzano": "Bozen",
  "IT|Merano": "Meran",
  "IT|Bressanone": "Brixen",
  "IT|Venice": "Venezia",
  "JP|Tokyo": "Tōkyō",
  "LU|Luxembourg": "Luxembourg City|Luxemburg|Lëtzebuerg",
  "MX|Mexico City": "Ciudad de México|CDMX",
  "NL|The Hague": "Den Haag|'s-Gravenhage",
  "NL|'s-Hertogenbosch": "Den Bosch",
  "NL|Vlissingen": "Flushing",
  "PL|Gdańsk": "Danzig",
  "PL|Kraków": "Cracow",
  "PL|Łódź": "Lodz",
  "PL|Poznań": "Posen",
  "PL|Warsaw": "Warszawa",
  "PL|Wrocław": "Breslau",
  "PT|Lisbon": "Lisboa",
  "PT|Porto": "Oporto",
  "RO|Bucharest": "București",
  "RS|Belgrade": "Beograd",
  "RS|Novi Sad": "Neusatz",
  "RU|Moscow": "Moskva",
  "RU|Saint Petersburg": "Sankt-Peterburg|St. Petersburg",
  "SE|Göteborg": "Gothenburg",
  "TR|Istanbul": "İstanbul",
  "UA|Kyiv": "Kiev",
  "UA|Lviv": "Lvov",
  "UA|Odesa": "Odessa",
  "US|New York City": "New York",
  "IN|Mumbai": "Bombay",
  "IN|Kolkata": "Calcutta",
  "IN|Chennai": "Madras",
  "IN|Bengaluru": "Bangalore",
  "VN|Ho Chi Minh City": "Saigon",
  "SY|Damascus": "Dimashq",
  "IL|Jerusalem": "Yerushalayim"
}

/** Cities whose outline is that of a region of another name: id, and the region's code. */
export const cityOutlines: Readonly<Record<number, string>> = { 2643743: "GB:LN" }

// The folded names under which a place is found.

const umlauts: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", å: "aa" }

/** "Münster" is also looked for as "Muenster", "Sankt Gallen" and "Saint-Denis" with "St", "Halle (Saale)" as "Halle". */
const variants = (name: string, isWhole: boolean): ReadonlyArray<string> => {
  const lower = name.normalize("NFC").toLowerCase()
  const written = [
    lower,
    lower.replaceAll(/[äöüå]/g, (letter) => umlauts[letter] ?? letter),
    lower.replaceAll("ø", "oe")
  ]
  const bare = isWhole ? [] : written.map((text) => text.replaceAll(/\s*\([^)]*\)/g, ""))
  const folded = [...written, ...bare].map(fold)
  return [...folded, ...folded.map((text) => text.replaceAll(/\b(?:saint|sankt|sint|sainte)\b/g, "st"))]
}

/** The different folded forms of names, without empty ones; of a whole name, what is in parentheses is a part. */
export const keysOf = (names: ReadonlyArray<string>, isWhole = false): ReadonlySet<string> =>
  new Set(names.flatMap((name) => variants(name, isWhole)).filter((key) => key !== ""))

// Names in scripts of other countries are looked up for cities of the first size, in that of their own for the second.
const [largeCity, town] = [50_000, 5_000]

/** The scripts in which names are looked up, and where they are at home. */
const scripts: ReadonlyArray<readonly [pattern: RegExp, countries: string]> = [
  [/^[\p{Script=Greek}\p{Script=Common}\p{Script=Inherited}]+$/u, "GR CY"],
  [/^[\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]+$/u, "RU UA BY BG RS MK ME BA KZ KG TJ MN"],
  [/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Common}]+$/u, "CN TW HK MO JP"],
  [/^[\p{Script=Hangul}\p{Script=Common}]+$/u, "KR KP"],
  [
    /^[\p{Script=Arabic}\p{Script=Common}\p{Script=Inherited}]+$/u,
    "AE SA QA KW BH OM YE IQ SY LB JO PS EG LY TN DZ MA SD MR IR AF PK"
  ],
  [/^[\p{Script=Hebrew}\p{Script=Common}\p{Script=Inherited}]+$/u, "IL"],
  [/^[\p{Script=Thai}\p{Script=Common}\p{Script=Inherited}]+$/u, "TH"],
  [/^[\p{Script=Devanagari}\p{Script=Common}\p{Script=Inherited}]+$/u, "IN NP"],
  [/^[\p{Script=Georgian}\p{Script=Common}\p{Script=Inherited}]+$/u, "GE"],
  [/^[\p{Script=Armenian}\p{Script=Common}\p{Script=Inherited}]+$/u, "AM"]
]

/** The countries in which the script of a name is at home; undefined for the Latin script, and for those without names here. */
const homesOf = (name: string): ReadonlyArray<string> | undefined =>
  scripts.find(([pattern]) => pattern.test(name))?.[1].split(" ")

/** Whether a name is in a script, other than the Latin, of the place's country. */
export const isInOwnScript = (name: string, country: string): boolean =>
  /\p{L}/u.test(name) && homesOf(name)?.includes(country) === true

// Other names of smaller places in the United States are former ones, and those of other places.
const knownCity = 300_000

/**
 * Whether one of GeoNames' other names is one that people write. Its transcriptions are in lower case, its codes of airports and
 * railway stations in upper case.
 */
export const isUsualName = (name: string, { country, population }: SourceCity): boolean => {
  if (country === "US" && population < knownCity) return false
  if (/^\p{Lu}{1,5}$/u.test(name) || name.length > 60 || !/\p{L}/u.test(name)) return false
  const isLatin = /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+$/u.test(name)
  if (isLatin) return /^['’]?(?:\p{Lu}|s-)/u.test(name)
  const homes = homesOf(name)
  return homes !== undefined && population >= (homes.includes(country) ? town : largeCity)
}

/** Languages in which countries are looked for. */
const languages = [
  "ar",
  "fa",
  "he",
  "hi",
  "id",
  "ja",
  "ko",
  "th",
  "vi",
  "zh",
  "zh-Hant",
  "bg",
  "bs",
  "ca",
  "cs",
  "cy",
  "da",
  "de",
  "el",
  "en",
  "es",
  "et",
  "eu",
  "fi",
  "fr",
  "ga",
  "gl",
  "hr",
  "hu",
  "is",
  "it",
  "lb",
  "lt",
  "lv",
  "mk",
  "mt",
  "nb",
  "nl",
  "nn",
  "pl",
  "pt",
  "pt-PT",
  "ro",
  "ru",
  "sk",
  "sl",
  "sq",
  "sr",
  "sr-Latn",
  "sv",
  "tr",
  "uk"
]

const namesIn = (languages: ReadonlyArray<string>, code: string): ReadonlyArray<string> =>
  Intl.DisplayNames.supportedLocalesOf(languages).flatMap((language) =>
    (["long", "short"] as const).flatMap(
      (style) => new Intl.DisplayNames(language, { type: "region", style, fallback: "none" }).of(code) ?? []
    )
  )

/** The names of a country: its own, English first, in the languages that are spoken there, and those of other languages. */
export const countryNames = (
  code: string,
  spoken: ReadonlyArray<string>
): { readonly own: ReadonlyArray<string>; readonly others: ReadonlyArray<string> } => ({
  own: [...namesIn(["en"], code), ...namesIn(spoken, code)],
  others: namesIn(languages, code)
})
