/** Groups of countries that people name: the ISO 3166-1 codes of their members, by the group's code. */

const codes = (text: string): ReadonlyArray<string> => text.split(" ")

const union = codes("AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK")
const westernBalkans = codes("AL BA ME MK RS XK")
const gulf = codes("AE BH KW OM QA SA")
const middleEast = [...gulf, ...codes("IL IQ IR JO LB PS SY YE")]
const southEastAsia = codes("BN ID KH LA MM MY PH SG TH TL VN")
const centralAmerica = codes("BZ CR GT HN NI PA SV")
const southAmerica = codes("AR BO BR CL CO EC GF GY PE PY SR UY VE")

export const groupMembers: Readonly<Record<string, ReadonlyArray<string>>> = {
  DACH: ["DE", "AT", "CH"],
  NORDICS: ["DK", "FI", "IS", "NO", "SE", "AX", "FO"],
  SCANDINAVIA: ["DK", "NO", "SE"],
  BENELUX: ["BE", "NL", "LU"],
  BALTICS: ["EE", "LV", "LT"],
  EU: union,
  IBERIA: ["ES", "PT", "AD", "GI"],
  // Without Russia and Turkey, most of which lie in Asia.
  EUROPE: [...union, ...westernBalkans, ...codes("AD AX BY CH FO GB GG GI IM IS JE LI MC MD NO SM UA VA")],
  WESTERN_EUROPE: codes("AT BE CH DE FR GB IE LI LU MC NL"),
  NORTHERN_EUROPE: codes("AX DK EE FI FO IS LT LV NO SE"),
  SOUTHERN_EUROPE: codes("AD CY ES GI GR IT MT PT SM VA"),
  EASTERN_EUROPE: codes("BG BY CZ HU MD PL RO SK UA"),
  CEE: [...codes("BG CZ EE HR HU LT LV PL RO SI SK"), ...westernBalkans],
  SEE: [...codes("BG GR HR RO SI"), ...westernBalkans],
  VISEGRAD: codes("CZ HU PL SK"),
  EEA: [...union, "IS", "LI", "NO"],
  EUROZONE: codes("AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK"),
  UK_IRELAND: codes("GB IE IM"),
  GCC: gulf,
  MIDDLE_EAST: middleEast,
  MENA: [...middleEast, ...codes("DZ EG LY MA TN")],
  NORTH_AMERICA: codes("CA MX US"),
  CENTRAL_AMERICA: centralAmerica,
  SOUTH_AMERICA: southAmerica,
  LATIN_AMERICA: [...centralAmerica, ...southAmerica, ...codes("CU DO HT MX PR")],
  SOUTH_EAST_ASIA: southEastAsia,
  GREATER_CHINA: codes("CN HK MO TW"),
  APAC: [...southEastAsia, ...codes("AU CN HK IN JP KR MO NZ TW")],
  ANZ: ["AU", "NZ"]
}
