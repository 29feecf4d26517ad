/**
 * What files say for the values of vocabularies, in English and German, besides the values themselves. Compared by `plain`. The lookups
 * of RESO and the values of OpenImmo that mean the same are among them; those that mean more than one value are left out. Pure.
 */
import type {
  categories,
  conditions,
  conversions,
  dealStructures,
  energyBases,
  energyClasses,
  grades,
  hotelContractTypes,
  indexations,
  leaseTypes,
  lifecycleStages,
  planningPermissions,
  priceQualifiers,
  propertyTags,
  subcategories,
  tenures,
  vatTreatments,
  zoningStatuses,
  zoningUses
} from "../market/properties/members/vocabulary.ts"

/** The labels of the values of a vocabulary. */
export type Labels<Values extends ReadonlyArray<string>> = {
  readonly [Value in Values[number]]?: ReadonlyArray<string>
}

const uses = {
  office: ["Büro", "Büros", "Bürogebäude", "Bürohaus", "Offices", "buero_praxen"],
  retail: ["Einzelhandel", "Handel", "Handelsimmobilie", "Laden"],
  logistics: ["Logistik", "Lager", "Logistikimmobilie", "Warehouse"],
  light_industrial: ["Leichtindustrie"],
  residential: ["Wohnen", "Wohnimmobilie", "Mehrfamilienhaus", "MultiFamily", "SingleFamily"],
  student_housing: ["Studentenwohnen", "Studentisches Wohnen", "Studentenwohnheim", "PBSA"],
  senior_living: ["Seniorenwohnen", "Betreutes Wohnen", "Seniorenheim", "Senior housing"],
  healthcare: ["Gesundheit", "Gesundheitsimmobilie", "Pflege", "Health care"],
  hotel: ["Hotels", "Beherbergung", "HotelMotel"],
  leisure: ["Freizeit", "Freizeitimmobilie", "freizeitimmobilie_gewerblich"],
  mixed_use: ["Gemischt", "Gemischte Nutzung", "Mischnutzung", "Wohn- und Geschäftshaus", "Mixed"],
  data_centre: ["Rechenzentrum", "Data center"],
  life_science: ["Life sciences"],
  self_storage: ["Selfstorage", "MiniStorage"],
  parking: ["Parken", "Parkhaus", "Tiefgarage", "Car park"],
  education: ["Bildung", "Schule"],
  public: ["Öffentlich", "Öffentliche Hand", "Öffentliche Verwaltung"],
  land: ["Grundstück", "Bauland", "Unimproved", "UnimprovedLand"],
  other: ["Sonstige", "Sonstiges", "Andere"]
} as const satisfies Labels<typeof categories>

const kinds = {
  business_park: ["Gewerbepark", "Bürozentrum"],
  serviced_office: ["Coworking", "SHARED_OFFICE"],
  medical_office: ["Ärztehaus", "Praxishaus", "MedicalDental"],
  high_street: ["Geschäftshaus", "1a-Lage"],
  shopping_centre: ["Einkaufszentrum", "Shopping center", "Shoppingcenter"],
  retail_park: ["Fachmarktzentrum"],
  supermarket: ["Supermarkt", "Verbrauchermarkt"],
  showroom: ["Ausstellungsfläche"],
  distribution_warehouse: ["Distributionszentrum", "Speditionslager", "Distribution centre", "Distribution center"],
  cold_storage: ["Kühlhaus", "Kühllager"],
  manufacturing: ["Produktion", "Produktionshalle"],
  workshop: ["Werkstatt"],
  care_home: ["Pflegeheim", "Nursing home"],
  clinic: ["Klinik"],
  restaurant: ["Gastronomie"],
  multifamily: ["Mehrfamilienhaus", "MFH"],
  development_site: ["Entwicklungsgrundstück"],
  petrol_station: ["Tankstelle", "Gas station"]
} as const satisfies Labels<typeof subcategories>

/** The labels by their vocabulary. */
export const labels = {
  categories: uses as Labels<typeof categories>,
  subcategories: kinds as Labels<typeof subcategories>,
  lifecycleStages: {
    operating: ["Bestand", "Bestandsobjekt", "in Betrieb"],
    refurbishment: ["Revitalisierung", "Sanierung"],
    development: ["Projektentwicklung", "im Bau", "under construction"],
    pre_development: ["Vorentwicklung", "projektiert"],
    land: ["Grundstück"]
  } as Labels<typeof lifecycleStages>,
  tenures: {
    freehold: ["Volleigentum", "Alleineigentum", "Eigentum", "Fee simple"],
    ground_lease: ["Erbbaurecht", "Erbpacht"],
    condominium: ["Teileigentum", "Wohnungseigentum", "WEG"],
    mixed: ["Gemischt"],
    other: ["Sonstige", "Sonstiges"]
  } as Labels<typeof tenures>,
  dealStructures: {
    asset: ["Asset Deal"],
    share: ["Share Deal"],
    either: ["Asset oder Share Deal", "Asset or share deal", "beides"]
  } as Labels<typeof dealStructures>,
  zoningUses: {
    residential: ["Wohnen", "Wohngebiet"],
    commercial: ["Gewerbe", "Gewerbegebiet"],
    industrial: ["Industrie", "Industriegebiet"],
    mixed: ["Mischgebiet", "Gemischt"],
    public: ["Öffentlich", "Gemeinbedarf"],
    agricultural: ["Landwirtschaft"],
    recreation: ["Erholung"],
    transport: ["Verkehr"],
    special: ["Sondergebiet"]
  } as Labels<typeof zoningUses>,
  zoningStatuses: {
    zoned: ["rechtskräftig", "Baurecht vorhanden"],
    in_progress: ["im Verfahren", "in Aufstellung"],
    expected: ["erwartet", "Bauerwartungsland"],
    unzoned: ["nicht beplant", "kein Baurecht"]
  } as Labels<typeof zoningStatuses>,
  planningPermissions: {
    none: ["keine", "nein", "no"],
    pending: ["beantragt", "eingereicht", "applied for"],
    approved: ["erteilt", "genehmigt", "ja", "yes", "granted"]
  } as Labels<typeof planningPermissions>,
  conversions: {
    to_residential: ["in Wohnen", "residential"],
    to_hotel: ["in Hotel", "hotel"],
    to_office: ["in Büro", "office"],
    to_retail: ["in Einzelhandel", "retail"],
    to_logistics: ["in Logistik", "logistics"],
    to_data_centre: ["in Rechenzentrum", "data centre", "to data center"],
    densification: ["Nachverdichtung"],
    demolition: ["Abriss"]
  } as Labels<typeof conversions>,
  tags: {
    multi_tenant: ["Multi-let"],
    single_tenant: ["Single-let"],
    fully_let: ["vollvermietet", "voll vermietet", "fully leased"],
    partly_vacant: ["teilweise leerstehend", "Teilleerstand"],
    vacant_possession: ["leerstehend", "vacant"],
    sale_and_leaseback: ["Sale-and-Lease-back", "Sale & Leaseback"],
    development_potential: ["Entwicklungspotenzial", "Entwicklungspotential"],
    newly_built: ["Neubau", "new build"],
    refurbished: ["saniert", "modernisiert"],
    heritage_listed: ["Denkmal", "denkmalgeschützt", "listed"],
    contaminated_land: ["Altlasten"],
    city_centre: ["Innenstadt", "city center"],
    waterfront: ["Wasserlage"],
    rail_access: ["Gleisanschluss"],
    motorway_access: ["Autobahnanschluss"]
  } as Labels<typeof propertyTags>,
  grades: {} as Labels<typeof grades>,
  conditions: {
    new: ["neu", "Neubau", "ERSTBEZUG", "NewConstruction"],
    refurbished: ["saniert", "modernisiert", "VOLL_SANIERT", "TEIL_VOLLRENOVIERT", "UpdatedRemodeled"],
    maintained: ["gepflegt"],
    needs_refurbishment: ["sanierungsbedürftig", "renovierungsbedürftig", "TEIL_VOLLRENOVIERUNGSBED", "Fixer"],
    shell: ["Rohbau"],
    demolition: ["Abriss", "Abrissobjekt"]
  } as Labels<typeof conditions>,
  hotelContractTypes: {
    lease: ["Pacht", "Pachtvertrag"],
    management: ["Managementvertrag", "Management agreement"],
    franchise: ["Franchisevertrag"],
    owner_operated: ["eigenbetrieben", "Eigenbetrieb"]
  } as Labels<typeof hotelContractTypes>,
  leaseTypes: {
    double_net: ["NN"],
    triple_net: ["NNN"],
    full_repairing: ["FRI", "Dach und Fach"]
  } as Labels<typeof leaseTypes>,
  indexations: {
    none: ["keine", "nein", "no"],
    cpi: ["VPI", "Verbraucherpreisindex", "Indexmiete", "CpiAdjustment"],
    fixed_steps: ["Staffelmiete", "Staffel", "Stepped"],
    turnover: ["Umsatzmiete"]
  } as Labels<typeof indexations>,
  priceQualifiers: {
    asking: ["Angebotspreis", "Kaufpreis", "asking price"],
    guide: ["Richtpreis", "guide price"],
    offers_over: ["Mindestpreis", "offers in excess of", "OIEO"],
    offers_around: ["ca.", "VB", "Verhandlungsbasis"],
    on_application: ["auf Anfrage", "a. A.", "on request", "POA"]
  } as Labels<typeof priceQualifiers>,
  vatTreatments: {
    exclusive: ["zzgl. MwSt.", "zzgl. USt.", "netto", "excl. VAT", "plus VAT"],
    inclusive: ["inkl. MwSt.", "inkl. USt.", "brutto", "incl. VAT"],
    exempt: ["steuerfrei", "umsatzsteuerfrei"]
  } as Labels<typeof vatTreatments>,
  energyClasses: {} as Labels<typeof energyClasses>,
  energyBases: {
    demand: ["Bedarf", "Bedarfsausweis", "Energiebedarfsausweis"],
    consumption: ["Verbrauch", "Verbrauchsausweis", "Energieverbrauchsausweis"]
  } as Labels<typeof energyBases>
}
