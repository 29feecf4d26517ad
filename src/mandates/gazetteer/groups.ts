/** Groups of countries that people name: the ISO 3166-1 codes of their members, by the group's code. */
export const groupMembers: Readonly<Record<string, ReadonlyArray<string>>> = {
  DACH: ["DE", "AT", "CH"],
  NORDICS: ["DK", "FI", "IS", "NO", "SE", "AX", "FO"],
  SCANDINAVIA: ["DK", "NO", "SE"],
  BENELUX: ["BE", "NL", "LU"],
  BALTICS: ["EE", "LV", "LT"],
  EU: "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
  IBERIA: ["ES", "PT", "AD", "GI"]
}
