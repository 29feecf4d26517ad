/** The parts of the names and tags of inserted records. */

/** First names, the most common first. */
export const firstNames: ReadonlyArray<string> = (
  "Anna Maria Thomas Michael Andreas Stefan Julia Peter Laura Martin Sarah Daniel Katharina Marco Giulia Pierre Camille " +
  "Jan Eva Sofia Luca Elena Paul Lena Jonas Nina Tobias Claudia Matteo Chiara Antoine Hélène Carlos Lucía Javier Ingrid " +
  "Lars Søren Mette Piotr Agnieszka Tomáš Zoë Björn Åsa François Jürgen Günther Renée Niamh Declan Fiona Graham Beatrix " +
  "Leopold Ottilie Wilhelmina Cornelius Theodora Balthasar"
).split(" ")

/** The onsets of surnames, which consist of onset, vowel, coda and ending. */
export const onsets: ReadonlyArray<string> =
  "S B M H K W R L G F D T N P V Sch St Br Kr Gr Fr Tr Kl Schm Dr Pf Z J Qu Ch".split(" ")

/** The vowels of surnames. */
export const vowels: ReadonlyArray<string> = "a e i o u ü ö ei".split(" ")

/** The codas of surnames. */
export const codas: ReadonlyArray<string> = "r n l ll ck tz ss mm rt nd b g ch hl pp x".split(" ")

/** The endings of surnames. */
export const endings: ReadonlyArray<string> = (
  "er mann berg sen son ski el le feld hardt ini etti i ova stein bach hofer inger ard eau ez es os ić ák meier ton field " +
  "wood ley haus brecht wein thal kamp rath gaard holm qvist"
).split(" ")

/**
 * Surnames that exactly {@link holders} contacts of a team have, whatever its size. No other contact has them.
 */
export const rareSurnames: ReadonlyArray<string> = [
  "Grollton",
  "Schmechbrecht",
  "Pfindgaard",
  "Klixhofer",
  "Drertinger"
]

/** How many contacts have each of the rare surnames. */
export const holders = 40

/** Domains of e-mail addresses, the most common first. */
export const domains: ReadonlyArray<string> = (
  "example.com capital.example invest.example realestate.example fonds.example partners.example holding.example " +
  "pension.example assets.example family-office.example immobilien.example patrimoine.example inmuebles.example " +
  "grundbesitz.example vastgoed.example"
).split(" ")

/** Tags of contacts, in decreasing frequency. */
export const tags: ReadonlyArray<string> = (
  "investor core office residential logistics core-plus value-add retail germany opportunistic hotel family-office " +
  "institutional nordics italy france spain healthcare student-housing light-industrial data-center land development " +
  "sale-and-leaseback forward-funding esg debt mezzanine joint-venture club-deal off-market micro-living parking forest " +
  "agriculture self-storage life-science film-studio marina vineyard"
).split(" ")

/** Project tags of prospects, in decreasing frequency. */
export const projectTags: ReadonlyArray<string> = [
  "A-List",
  "Long list",
  "Short list",
  "Call first",
  "NDA sent",
  "Local"
]

/** Investment strategies of contacts. */
export const strategies: ReadonlyArray<string> = [
  "Core-plus offices in the big seven, from 20 to 80 million, fully let",
  "Logistics along the Rhine and in northern Italy; forward funding is welcome",
  "Residential portfolios above 200 units, any state, no new development",
  "Value-add retail with food anchors, WAULT below five years",
  "Hotels under management contracts in gateway cities"
]

/** Languages of contacts. */
export const languages: ReadonlyArray<string> = ["de-DE", "en-GB", "it-IT", "fr-FR", "es-ES", "nl-NL", "sv-SE"]
