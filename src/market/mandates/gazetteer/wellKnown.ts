/**
 * Regions and islands that brokers name and no source of the gazetteer has: circles, islands of an outline, or lists of places. They
 * are drawn for searches by people, to some kilometres.
 */
import { fold } from "./format.ts"

/** What a region covers. */
export type Extent =
  /** Within so many kilometres of points: latitude, longitude, kilometres. */
  | { readonly kind: "circles"; readonly circles: ReadonlyArray<readonly [number, number, number]> }
  /** The part of a place's outline on which a point is; the circle where the outline leaves it out. */
  | { readonly kind: "island"; readonly of: string; readonly circle: readonly [number, number, number] }
  /** Places by texts that mean them. */
  | { readonly kind: "places"; readonly places: ReadonlyArray<string> }

/** A region of the table. */
export interface WellKnown {
  readonly name: string
  readonly country: string
  readonly extent: Extent
}

type Row = readonly [names: string, extent: Extent]

const circles = (...all: ReadonlyArray<readonly [number, number, number]>): Extent => ({
  kind: "circles",
  circles: all
})
const island = (of: string, ...circle: readonly [number, number, number]): Extent => ({ kind: "island", of, circle })
const places = (text: string): Extent => ({ kind: "places", places: text.split("|") })

/** By country; the first name is the one that is shown. */
const table: Readonly<Record<string, ReadonlyArray<Row>>> = {
  DE: [
    [
      "Ruhrgebiet|Ruhr|Ruhr area|Ruhr region|Ruhr valley|Metropole Ruhr|Ruhrpott|Metropolregion Ruhr|Bassin de la Ruhr",
      circles(
        [51.5, 6.65, 17],
        [51.53, 6.95, 18],
        [51.5, 7.25, 18],
        [51.53, 7.5, 18],
        [51.62, 7.8, 14],
        [51.38, 7.45, 11]
      )
    ],
    [
      "Rhein-Main|Rhein-Main-Gebiet|Rhine-Main|Rhine-Main area|Rhein/Main|RheinMain|Frankfurt Rhein-Main|Frankfurt/Rhein-Main|Metropolregion Rhein-Main|Rhein-Main-Region",
      circles([50.05, 8.55, 42], [49.98, 9.12, 16])
    ],
    [
      "Rhein-Ruhr|Metropolregion Rhein-Ruhr|Rhine-Ruhr|Rhein-Ruhr-Gebiet",
      circles(
        [51.5, 6.65, 17],
        [51.53, 6.95, 18],
        [51.5, 7.25, 18],
        [51.53, 7.5, 18],
        [51.62, 7.8, 14],
        [51.38, 7.45, 11],
        [51.2, 6.8, 28],
        [50.92, 6.98, 26],
        [50.72, 7.1, 15]
      )
    ],
    [
      "Rheinland|Rhineland|Rhénanie|Metropolregion Rheinland",
      circles([51.2, 6.75, 32], [50.92, 6.95, 32], [50.72, 7.1, 22], [50.78, 6.15, 25], [51.6, 6.4, 28])
    ],
    [
      "Rhein-Neckar|Rhein-Neckar-Kreis|Metropolregion Rhein-Neckar|Rhine-Neckar|Rhein-Neckar-Region",
      circles([49.45, 8.5, 32])
    ],
    ["Rhein-Sieg|Rhein-Sieg-Kreis", circles([50.75, 7.2, 25])],
    ["Niederrhein|Lower Rhine", circles([51.55, 6.35, 32], [51.3, 6.4, 20])],
    ["Bergisches Land", circles([51.1, 7.3, 28])],
    ["Münsterland", circles([51.96, 7.6, 42])],
    ["Ostwestfalen-Lippe|OWL|Ostwestfalen|East Westphalia", circles([51.95, 8.7, 45])],
    ["Sauerland", circles([51.25, 8.1, 42])],
    ["Eifel", circles([50.35, 6.7, 42])],
    ["Spessart", circles([50.05, 9.45, 28])],
    ["Schwarzwald|Black Forest|Forêt-Noire", circles([48.55, 8.3, 34], [48.05, 8.15, 36])],
    ["Bodensee|Bodenseeregion|Lake Constance|Lac de Constance", circles([47.65, 9.3, 32])],
    ["Allgäu", circles([47.65, 10.25, 35])],
    ["Oberbayern|Upper Bavaria", circles([48.0, 11.7, 62], [48.7, 11.45, 25])],
    ["Niederbayern|Lower Bavaria", circles([48.65, 12.8, 52])],
    ["Oberpfalz", circles([49.35, 12.1, 48])],
    ["Franken|Franconia", circles([49.45, 10.9, 50], [49.95, 10.1, 45], [50.05, 11.3, 40])],
    ["Mittelfranken|Middle Franconia", circles([49.4, 10.8, 40])],
    ["Oberfranken|Upper Franconia", circles([50.05, 11.35, 42])],
    ["Unterfranken|Lower Franconia", circles([49.98, 9.95, 48])],
    ["Schwaben|Swabia", circles([48.25, 10.45, 50])],
    ["Pfalz|Palatinate", circles([49.35, 7.95, 38])],
    ["Taunus|Hochtaunus", circles([50.25, 8.45, 20])],
    ["Südhessen", circles([49.9, 8.75, 40])],
    ["Nordhessen", circles([51.2, 9.4, 42])],
    ["Mittelhessen", circles([50.6, 8.65, 35])],
    [
      "Region Stuttgart|Großraum Stuttgart|Metropolregion Stuttgart|Stuttgart Region|Greater Stuttgart",
      circles([48.78, 9.2, 33])
    ],
    ["Metropolregion Hamburg|Großraum Hamburg|Greater Hamburg", circles([53.55, 10.0, 45])],
    ["Berlin-Brandenburg|Hauptstadtregion|Metropolregion Berlin-Brandenburg", places("Berlin|Brandenburg, region")],
    ["Speckgürtel Berlin|Großraum Berlin|Berliner Umland|Greater Berlin|Umland Berlin", circles([52.52, 13.4, 42])],
    ["Mitteldeutschland|Central Germany", places("Sachsen, region|Sachsen-Anhalt, region|Thüringen, region")],
    [
      "Ostdeutschland|Neue Bundesländer|Eastern Germany|East Germany",
      places(
        "Sachsen, region|Sachsen-Anhalt, region|Thüringen, region|Brandenburg, region|Mecklenburg-Vorpommern, region|Berlin"
      )
    ],
    [
      "Norddeutschland|Northern Germany|North Germany",
      places("Schleswig-Holstein, region|Hamburg|Bremen, region|Niedersachsen, region|Mecklenburg-Vorpommern, region")
    ],
    ["Süddeutschland|Southern Germany|South Germany", places("Bayern, region|Baden-Württemberg, region")],
    [
      "Westdeutschland|Western Germany",
      places("Nordrhein-Westfalen, region|Hessen, region|Rheinland-Pfalz, region|Saarland, region")
    ],
    ["Lausitz|Lusatia", circles([51.5, 14.3, 45])],
    [
      "Großraum Nürnberg|Metropolregion Nürnberg|Nürnberg-Fürth-Erlangen|Greater Nuremberg",
      circles([49.48, 11.02, 28])
    ],
    ["Sylt|Insel Sylt", island("Schleswig-Holstein", 54.9, 8.33, 16)],
    ["Föhr", island("Schleswig-Holstein", 54.72, 8.5, 7)],
    ["Fehmarn|Insel Fehmarn", island("Schleswig-Holstein", 54.45, 11.13, 12)],
    ["Rügen|Insel Rügen", island("Mecklenburg-Vorpommern", 54.42, 13.42, 26)],
    ["Usedom|Insel Usedom", island("Mecklenburg-Vorpommern", 53.95, 14.05, 20)],
    ["Norderney", island("Niedersachsen", 53.71, 7.2, 8)]
  ],
  AT: [
    ["Großraum Wien|Vienna Region|Greater Vienna|Wiener Umland|Metropolregion Wien", circles([48.21, 16.37, 35])],
    ["Salzkammergut", circles([47.72, 13.6, 28])],
    ["Westösterreich", places("Tirol, region|Vorarlberg, region|Salzburg, region")]
  ],
  CH: [
    [
      "Romandie|Westschweiz|Suisse romande|French-speaking Switzerland|Welschland",
      places("Genève, region|Vaud, region|Neuchâtel, region|Jura, region|Fribourg, region|Valais, region")
    ],
    [
      "Deutschschweiz|German-speaking Switzerland|Suisse alémanique",
      circles([47.35, 8.3, 65], [47.0, 7.5, 35], [46.85, 9.5, 45])
    ],
    [
      "Großraum Zürich|Greater Zurich|Greater Zurich Area|Metropolregion Zürich|Wirtschaftsraum Zürich",
      circles([47.38, 8.54, 30])
    ],
    [
      "Arc lémanique|Genferseeregion|Lake Geneva region|Genferseegebiet",
      circles([46.28, 6.2, 20], [46.5, 6.6, 25], [46.42, 6.95, 15])
    ],
    [
      "Zentralschweiz|Innerschweiz|Central Switzerland",
      places("Luzern, region|Zug, region|Schwyz, region|Uri, region|Obwalden, region|Nidwalden, region")
    ],
    ["Nordwestschweiz", places("Basel|Basel-Landschaft, region|Aargau, region|Solothurn, region")],
    [
      "Ostschweiz|Eastern Switzerland",
      places(
        "Sankt Gallen, region|Thurgau, region|Appenzell Ausserrhoden, region|Appenzell Innerrhoden, region|Glarus, region"
      )
    ]
  ],
  FR: [
    [
      "Côte d'Azur|Cote d'Azur|Cote d Azur|French Riviera|Riviera française|Costa Azul|Costa Azzurra|Französische Riviera",
      circles([43.68, 7.2, 30], [43.5, 6.75, 25], [43.27, 6.6, 18], [43.75, 7.42, 14])
    ],
    ["Petite couronne|Première couronne|Paris inner suburbs", circles([48.86, 2.35, 17])],
    ["La Défense|Paris La Défense", circles([48.892, 2.238, 2.5])],
    ["Quartier central des affaires|Paris QCA|QCA|Paris CBD", circles([48.873, 2.315, 2.5])],
    ["Alsace|Elsass|Alsacia", circles([48.55, 7.55, 30], [48.0, 7.35, 32], [48.85, 7.7, 26])],
    ["Lorraine|Lothringen", circles([48.7, 6.2, 65], [49.2, 6.3, 35])],
    ["Normandy|Normandía", places("Normandie, region")],
    ["Provence", circles([43.6, 5.4, 60], [43.95, 4.95, 35], [43.9, 6.1, 45])],
    ["Languedoc", circles([43.55, 3.6, 50], [43.2, 2.6, 45])],
    ["Champagne", circles([49.0, 4.1, 45])],
    ["Bourgogne|Burgundy|Burgund", circles([47.2, 4.6, 75], [46.6, 4.5, 40])],
    ["Savoie Mont Blanc|French Alps|Alpes françaises|Französische Alpen", circles([45.8, 6.5, 50], [45.3, 6.3, 40])],
    ["Pays Basque français|French Basque Country|Côte basque", circles([43.35, -1.4, 28])]
  ],
  NL: [
    [
      "Randstad|De Randstad|Randstad Holland|Randstad area",
      circles([52.35, 4.9, 24], [52.1, 5.1, 18], [51.95, 4.45, 26], [52.12, 4.4, 18])
    ],
    ["Noordvleugel|Metropoolregio Amsterdam|Amsterdam Metropolitan Area|MRA", circles([52.37, 4.88, 30])],
    ["Brabant", places("Noord-Brabant, region")],
    ["Texel", island("Noord-Holland", 53.07, 4.8, 13)],
    ["Brainport|Brainport Eindhoven", circles([51.44, 5.48, 18])]
  ],
  BE: [
    ["Vlaamse Ruit|Flemish Diamond|Flämische Raute", circles([51.0, 4.35, 40], [51.05, 3.75, 14])],
    ["Ardennes|Ardennen|Belgian Ardennes", circles([50.15, 5.6, 45])]
  ],
  GB: [
    ["Midlands|The Midlands|English Midlands", places("East Midlands, region|West Midlands, region")],
    ["Greater Manchester|Manchester metropolitan area", circles([53.5, -2.3, 24])],
    ["West Midlands conurbation|Greater Birmingham", circles([52.48, -1.9, 22], [52.59, -2.12, 10])],
    [
      "Northern England|North of England|The North",
      places("North West England, region|North East England, region|Yorkshire and the Humber, region")
    ],
    [
      "Thames Valley|M4 corridor",
      circles([51.45, -0.95, 22], [51.55, -0.6, 16], [51.56, -1.75, 16], [51.75, -1.25, 15])
    ],
    ["Home Counties", places("South East England, region|East of England, region")],
    ["South Wales", circles([51.6, -3.3, 35], [51.65, -4.0, 28])],
    ["Central Belt|Scottish Central Belt", circles([55.87, -4.25, 26], [55.93, -3.25, 26], [56.0, -3.75, 20])],
    ["Golden Triangle|Logistics Golden Triangle", circles([52.45, -1.3, 35])],
    ["Docklands|London Docklands|Canary Wharf", circles([51.505, -0.02, 3])],
    ["West End|London West End", circles([51.513, -0.14, 2.2])],
    ["City of London|The City|Square Mile|London EC", circles([51.515, -0.09, 1.4])],
    ["M25|Inside the M25", circles([51.5, -0.12, 27])],
    ["Merseyside", circles([53.42, -2.95, 20])],
    ["Tyneside|Tyne and Wear", circles([54.95, -1.55, 17])],
    ["Cotswolds|The Cotswolds", circles([51.85, -1.85, 32])],
    ["Isle of Wight", island("South East England", 50.68, -1.3, 18)],
    ["Anglesey|Isle of Anglesey", island("Wales", 53.28, -4.35, 20)],
    ["Isle of Skye|Skye", island("Scotland", 57.3, -6.25, 35)]
  ],
  ES: [
    ["Mallorca|Majorca|Majorque|Maiorca", island("Illes Balears", 39.6, 3.0, 45)],
    ["Canary Islands|Kanaren|Kanarische Inseln|Îles Canaries|Islas Canarias", places("Canarias, region")],
    ["Menorca|Minorca|Minorque", island("Illes Balears", 39.95, 4.05, 24)],
    ["Ibiza|Eivissa|Isla de Ibiza", island("Illes Balears", 38.98, 1.43, 22)],
    ["Formentera", island("Illes Balears", 38.7, 1.45, 11)],
    ["Tenerife|Teneriffa|Ténérife", island("Canarias", 28.27, -16.6, 40)],
    ["Gran Canaria|Grande Canarie", island("Canarias", 27.96, -15.6, 28)],
    ["Lanzarote", island("Canarias", 29.04, -13.63, 32)],
    ["Fuerteventura", island("Canarias", 28.4, -14.0, 48)],
    [
      "Costa del Sol",
      circles([36.55, -4.65, 18], [36.5, -5.0, 20], [36.73, -4.35, 18], [36.75, -3.95, 16], [36.4, -5.2, 14])
    ],
    ["Costa Brava", circles([41.75, 2.85, 18], [42.0, 3.1, 22], [42.3, 3.15, 18])],
    ["Costa Blanca", circles([38.35, -0.45, 22], [38.6, -0.05, 20], [38.8, 0.1, 16], [38.0, -0.7, 18])],
    ["Costa Dorada|Costa Daurada", circles([41.1, 1.2, 24], [40.95, 0.85, 20])],
    ["Levante", places("Comunidad Valenciana, region|Murcia, region")],
    ["Área metropolitana de Barcelona|Greater Barcelona|Gran Barcelona|Großraum Barcelona", circles([41.4, 2.1, 22])]
  ],
  PT: [
    [
      "Grande Lisboa|Greater Lisbon|Lisbon Metropolitan Area|Área Metropolitana de Lisboa|Großraum Lissabon",
      circles([38.74, -9.15, 30])
    ],
    ["Grande Porto|Greater Porto|Área Metropolitana do Porto", circles([41.16, -8.6, 25])],
    ["Madeira|Ilha da Madeira", island("Madeira, region", 32.75, -17.0, 32)]
  ],
  CZ: [
    ["Bohemia|Böhmen|Čechy|Bohême", circles([49.95, 13.3, 70], [50.0, 14.6, 90], [49.2, 14.5, 55], [50.1, 15.9, 55])],
    ["Moravia|Mähren|Morava|Moravie", circles([49.2, 16.6, 60], [49.5, 17.6, 60], [49.85, 18.2, 35])]
  ],
  AR: [
    ["Patagonia|Patagonien|Patagonie", places("Neuquén, region|Río Negro, region|Chubut, region|Santa Cruz, region")]
  ],
  IT: [
    ["Langhe|Le Langhe", circles([44.6, 8.05, 25])],
    ["Sardinia|Sardinien|Sardaigne", places("Sardegna, region")],
    ["Lago di Garda|Gardasee|Lake Garda|Lac de Garde", circles([45.6, 10.7, 30])],
    ["Lago di Como|Comer See|Lake Como|Lac de Côme", circles([46.0, 9.25, 25])],
    ["Lago Maggiore|Lake Maggiore|Lac Majeur", circles([46.0, 8.65, 27])],
    ["Costa Smeralda", circles([41.1, 9.53, 12])],
    ["Costiera Amalfitana|Amalfi Coast|Amalfiküste|Côte amalfitaine", circles([40.63, 14.58, 16])],
    ["Brianza", circles([45.7, 9.25, 15])],
    ["Romagna", circles([44.15, 12.2, 40])],
    [
      "Norditalien|Northern Italy|Nord Italia|Italie du Nord|Norte de Italia|Italia settentrionale",
      places(
        "Piemonte, region|Lombardia, region|Veneto, region|Liguria, region|Emilia-Romagna, region|Friuli-Venezia Giulia, region|Trentino-Alto Adige, region|Valle d'Aosta, region"
      )
    ],
    [
      "Süditalien|Southern Italy|Sud Italia|Mezzogiorno|Italie du Sud",
      places(
        "Campania, region|Puglia, region|Basilicata, region|Calabria, region|Molise, region|Abruzzo, region|Sicilia, region|Sardegna, region"
      )
    ],
    [
      "Centro Italia|Central Italy|Mittelitalien",
      places("Toscana, region|Umbria, region|Marche, region|Lazio, region")
    ],
    ["Elba|Isola d'Elba", island("Toscana", 42.77, 10.27, 16)],
    ["Capri", island("Campania", 40.55, 14.23, 5)],
    ["Ischia", island("Campania", 40.73, 13.9, 7)]
  ],
  DK: [
    ["Sjælland|Seeland|Zealand", island("Denmark", 55.5, 11.9, 65)],
    ["Fyn|Fünen|Funen", island("Denmark", 55.3, 10.4, 45)],
    ["Bornholm", island("Denmark", 55.13, 14.9, 24)],
    ["Jylland|Jütland|Jutland", circles([56.9, 9.7, 60], [56.2, 9.3, 75], [55.4, 9.1, 55])],
    [
      "Hovedstadsområdet|Greater Copenhagen|Storkøbenhavn|Großraum Kopenhagen|Copenhagen area",
      circles([55.7, 12.45, 22])
    ],
    ["Trekantområdet|Triangle Region", circles([55.55, 9.55, 25])]
  ],
  SE: [
    [
      "Öresund|Øresund|Öresundregion|Øresund region|Oresund region",
      circles([55.65, 12.6, 30], [55.6, 13.1, 22], [56.0, 12.65, 20])
    ],
    ["Storstockholm|Greater Stockholm|Stockholmsregionen|Großraum Stockholm", circles([59.33, 18.0, 32])],
    ["Mälardalen|Mälaren Valley", circles([59.33, 18.0, 35], [59.55, 16.8, 40], [59.85, 17.65, 25])],
    ["Gotland", island("Gotland, region", 57.5, 18.5, 62)],
    ["Öland", island("Kalmar, region", 56.75, 16.7, 65)]
  ],
  NO: [
    ["Østlandet|Eastern Norway", circles([59.9, 10.6, 75], [60.8, 10.9, 60])],
    ["Greater Oslo|Osloregionen|Stor-Oslo|Großraum Oslo|Oslo region", circles([59.91, 10.75, 35])]
  ],
  FI: [
    [
      "Helsinki metropolitan area|Pääkaupunkiseutu|Greater Helsinki|Capital Region|Großraum Helsinki",
      circles([60.25, 24.9, 26])
    ]
  ],
  PL: [
    ["Trójmiasto|Tricity|Tri-City|Dreistadt", circles([54.42, 18.55, 20])],
    ["Upper Silesia|Oberschlesien|Górny Śląsk|GOP|Katowice conurbation", circles([50.28, 18.95, 30])],
    ["Großraum Warschau|Greater Warsaw|Warsaw area", circles([52.23, 21.0, 32])]
  ],
  GR: [
    ["Crete|Kreta|Kriti|Crète|Creta|Κρήτη", island("Greece", 35.24, 24.9, 120)],
    ["Rhodes|Rhodos|Rodos", island("Greece", 36.2, 27.95, 38)],
    ["Corfu|Korfu|Kerkyra|Corfou", island("Greece", 39.6, 19.82, 28)],
    ["Mykonos", island("Greece", 37.45, 25.38, 9)],
    ["Santorini|Thira", island("Greece", 36.4, 25.45, 10)],
    ["Cyclades|Kykladen|Kyklades", circles([37.1, 25.2, 75])],
    ["Athens Riviera", circles([37.83, 23.8, 14])]
  ],
  HR: [
    ["Dalmatien|Dalmatia|Dalmacija", circles([44.0, 15.5, 45], [43.5, 16.5, 45], [42.75, 17.9, 40])],
    ["Istrien|Istria|Istra", circles([45.2, 13.9, 40])]
  ],
  US: [
    ["Silicon Valley|Santa Clara Valley", circles([37.39, -122.03, 22], [37.3, -121.87, 16])],
    [
      "Bay Area|San Francisco Bay Area|SF Bay Area",
      circles([37.75, -122.3, 45], [37.39, -122.03, 30], [38.2, -122.3, 25])
    ],
    ["Manhattan|Manhattan, New York", circles([40.815, -73.945, 4], [40.775, -73.965, 3.2], [40.73, -73.995, 3.2])],
    ["Tri-State Area|Greater New York|New York metropolitan area|NYC metro", circles([40.73, -73.98, 65])],
    [
      "New England|Neuengland",
      places(
        "Maine, region|New Hampshire, region|Vermont, region|Massachusetts, region|Rhode Island, region|Connecticut, region"
      )
    ],
    ["West Coast|US West Coast", places("California, region|Oregon, region|place:USA-3519")],
    [
      "Southern California|SoCal",
      circles([34.0, -118.0, 75], [32.95, -117.0, 45], [34.4, -119.5, 50], [33.9, -116.8, 50])
    ],
    ["Greater Los Angeles|Los Angeles area|LA metro", circles([34.0, -118.1, 65])],
    ["Greater Boston", circles([42.36, -71.06, 40])],
    ["Chicagoland|Greater Chicago", circles([41.85, -87.85, 60])],
    ["DFW|Dallas-Fort Worth|Dallas–Fort Worth|Metroplex", circles([32.8, -96.8, 38], [32.75, -97.3, 32])],
    ["South Florida", circles([25.8, -80.25, 30], [26.15, -80.2, 25], [26.65, -80.15, 30])],
    [
      "Long Island|Long Island, NY|Long Island, New York",
      circles([40.72, -73.75, 24], [40.8, -73.2, 24], [40.9, -72.6, 28], [41.0, -72.1, 18])
    ],
    ["Oahu", island("Hawaii, region", 21.46, -157.97, 40)],
    ["Maui", island("Hawaii, region", 20.8, -156.33, 38)]
  ],
  AE: [
    ["Palm Jumeirah|The Palm", circles([25.115, 55.138, 3.5])],
    ["Downtown Dubai|DIFC", circles([25.2, 55.277, 3])]
  ],
  JP: [
    [
      "Kantō|Kanto|関東",
      places(
        "Tokyo, region|Kanagawa, region|Saitama, region|Chiba, region|Ibaraki, region|Tochigi, region|Gunma, region"
      )
    ],
    [
      "Kansai|Kinki|関西|近畿",
      places("Osaka, region|Kyoto, region|Hyogo, region|Nara, region|Shiga, region|Wakayama, region")
    ],
    ["Greater Tokyo|Greater Tokyo Area|首都圏|Großraum Tokio", circles([35.65, 139.7, 52])]
  ],
  CN: [
    ["Pearl River Delta|Perlflussdelta|珠三角|珠江三角洲", circles([22.9, 113.4, 70])],
    [
      "Yangtze River Delta|长三角|长江三角洲|Jangtse-Delta",
      circles([31.2, 121.4, 60], [31.4, 120.4, 70], [30.3, 120.2, 60], [32.0, 118.9, 50])
    ]
  ]
}

const rows = Object.entries(table).flatMap(([country, all]) =>
  all.map(([names, extent]) => {
    const aliases = names.split("|")
    return { names: aliases, region: { name: aliases[0] ?? "", country, extent } satisfies WellKnown }
  })
)

const byName = new Map(rows.flatMap(({ names, region }) => names.map((name) => [fold(name), region] as const)))

/** All names of the table with their regions. */
export const wellKnownNames: ReadonlyArray<readonly [name: string, region: WellKnown]> = rows.flatMap(
  ({ names, region }) => names.map((name) => [name, region] as const)
)

/** The region of a folded name; with `country`, only if it is there. */
export const wellKnown = (name: string, country?: string): WellKnown | undefined => {
  const region = byName.get(name)
  return region === undefined || (country !== undefined && region.country !== country) ? undefined : region
}
