/**
 * Headers of tables of properties in French, Spanish, Italian and Dutch, by the path of their member. Those in English and German are in
 * `properties/columns.ts`. A name is only here if it means the member and nothing else.
 */
import { names } from "./Headers.ts"

/** The headers by the path of the member. */
export const propertyHeaders: { readonly [member: string]: ReadonlyArray<string> } = {
  name: names(`
    nom du bien | nom de l'immeuble | immeuble | bien | actif | nombre del inmueble | inmueble | activo |
    nome immobile | nome dell'immobile | immobile | naam object | object | naam vastgoed | vastgoed | pand
  `),
  description: names(`descriptif | descripción | descrizione | omschrijving`),
  country: names(`pays | país | paese | nazione | landcode`),
  locality: names(
    `ville | commune | ciudad | municipio | localidad | población | città | comune | plaats | stad | gemeente`
  ),
  "address.street": names(`rue | voie | calle | via | indirizzo via | straat | straatnaam`),
  "address.houseNumber": names(
    `numéro de rue | numéro de voie | número de calle | numero civico | civico | huisnummer`
  ),
  "address.postalCode": names(`code postal | código postal | CAP | codice postale`),
  "address.region": names(`région | département | región | provincia | comunidad autónoma | regione | provincie`),
  "coordinates.latitude": names(`latitud | latitudine | breedtegraad`),
  "coordinates.longitude": names(`longitud | longitudine | lengtegraad`),
  categories: names(`
    type de bien | type d'actif | classe d'actif | usage | tipo de inmueble | tipo de activo | uso | tipologia |
    tipologia immobile | destinazione d'uso | type object | type vastgoed | gebruik
  `),
  parcelArea: names(`
    surface du terrain | superficie du terrain | surface terrain | superficie de parcela | superficie del terreno |
    superficie terreno | superficie lotto | perceeloppervlakte | kaveloppervlakte
  `),
  grossFloorArea: names(`
    surface de plancher | superficie construida | superficie edificada | superficie lorda | bruto vloeroppervlakte | BVO
  `),
  lettableArea: names(`
    surface locative | surface louable | superficie alquilable | superficie locabile | SBA | GLA m2 |
    verhuurbare oppervlakte | verhuurbaar vloeroppervlak | VVO
  `),
  yearBuilt: names(`année de construction | año de construcción | anno di costruzione | bouwjaar`),
  yearRenovated: names(`année de rénovation | año de reforma | anno di ristrutturazione | renovatiejaar`),
  floorCount: names(`nombre d'étages | número de plantas | numero di piani | aantal verdiepingen`),
  unitCount: names(`nombre de lots | número de unidades | numero di unità | aantal eenheden`),
  parkingSpaces: names(`
    places de parking | nombre de parkings | plazas de aparcamiento | plazas de garaje | posti auto | parkeerplaatsen
  `),
  "income.tenantCount": names(`nombre de locataires | número de inquilinos | numero di inquilini | aantal huurders`),
  "income.vacancyRate": names(`taux de vacance | tasa de desocupación | tasso di sfitto | leegstandspercentage`),
  "income.occupancyRate": names(`
    taux d'occupation | tasa de ocupación | tasso di occupazione | bezettingsgraad
  `),
  "pricing.askingPrice": names(`
    prix de vente | prix demandé | prix | precio de venta | precio | prezzo di vendita | prezzo richiesto | prezzo |
    vraagprijs | verkoopprijs
  `),
  "energy.class": names(`
    classe énergétique | étiquette énergétique | calificación energética | clase energética | classe energetica |
    energielabel
  `)
}
