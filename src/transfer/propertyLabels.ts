/**
 * What files say for the values of vocabularies, in English and German, besides the values themselves and what the console calls them
 * (`console/Vocabulary.ts`). Compared by `plain`. The lookups of RESO and the values of OpenImmo that mean the same are among them; those
 * that mean more than one value are left out. Pure.
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
  office: ["Büros", "Bürogebäude", "Bürohaus", "Offices", "buero_praxen"],
  retail: ["Handel", "Handelsimmobilie", "Laden"],
  logistics: ["Lager", "Logistikimmobilie", "Warehouse"],
  light_industrial: ["Leichtindustrie"],
  residential: ["Wohnimmobilie", "Mehrfamilienhaus", "MultiFamily", "SingleFamily"],
  student_housing: ["Studentisches Wohnen", "Studentenwohnheim", "PBSA"],
  senior_living: ["Betreutes Wohnen", "Seniorenheim", "Senior housing"],
  healthcare: ["Gesundheitsimmobilie", "Pflege"],
  hotel: ["Hotels", "Beherbergung", "HotelMotel"],
  leisure: ["Freizeitimmobilie", "freizeitimmobilie_gewerblich"],
  mixed_use: ["Gemischt", "Mischnutzung", "Wohn- und Geschäftshaus", "Mixed"],
  data_centre: ["Data center"],
  life_science: ["Life sciences"],
  self_storage: ["MiniStorage"],
  parking: ["Parkhaus", "Tiefgarage", "Car park"],
  education: ["Schule"],
  public: ["Öffentliche Hand", "Öffentliche Verwaltung"],
  land: ["Bauland", "Unimproved", "UnimprovedLand"],
  other: ["Sonstige", "Andere"]
} as const satisfies Labels<typeof categories>

const kinds = {
  business_park: ["Bürozentrum"],
  serviced_office: ["Coworking", "SHARED_OFFICE"],
  medical_office: ["Praxishaus", "MedicalDental"],
  high_street: ["Geschäftshaus", "1a-Lage"],
  shopping_centre: ["Shopping center", "Shoppingcenter"],
  supermarket: ["Verbrauchermarkt"],
  showroom: ["Ausstellungsfläche"],
  distribution_warehouse: ["Distributionszentrum", "Speditionslager", "Distribution centre", "Distribution center"],
  cold_storage: ["Kühlhaus"],
  manufacturing: ["Produktionshalle"],
  care_home: ["Nursing home"],
  multifamily: ["MFH"],
  petrol_station: ["Gas station"]
} as const satisfies Labels<typeof subcategories>

/** The labels by their vocabulary. */
export const labels = {
  categories: uses as Labels<typeof categories>,
  subcategories: kinds as Labels<typeof subcategories>,
  lifecycleStages: {
    operating: ["Bestand", "Bestandsobjekt", "in Betrieb"],
    refurbishment: ["Revitalisierung"],
    development: ["Projektentwicklung", "im Bau", "under construction"],
    pre_development: ["projektiert"]
  } as Labels<typeof lifecycleStages>,
  tenures: {
    freehold: ["Alleineigentum", "Eigentum", "Fee simple"],
    ground_lease: ["Erbpacht"],
    condominium: ["Wohnungseigentum", "WEG"],
    other: ["Sonstige"]
  } as Labels<typeof tenures>,
  dealStructures: {
    either: ["Asset oder Share Deal", "Asset or share deal"]
  } as Labels<typeof dealStructures>,
  zoningUses: {
    residential: ["Wohngebiet"],
    commercial: ["Gewerbegebiet"],
    industrial: ["Industriegebiet"],
    mixed: ["Mischgebiet"],
    public: ["Gemeinbedarf"]
  } as Labels<typeof zoningUses>,
  zoningStatuses: {
    zoned: ["Baurecht vorhanden"],
    in_progress: ["in Aufstellung"],
    expected: ["Bauerwartungsland"],
    unzoned: ["nicht beplant", "kein Baurecht"]
  } as Labels<typeof zoningStatuses>,
  planningPermissions: {
    none: ["keine", "nein", "no"],
    pending: ["eingereicht", "applied for"],
    approved: ["erteilt", "ja", "yes", "granted"]
  } as Labels<typeof planningPermissions>,
  conversions: {
    to_residential: ["in Wohnen", "residential"],
    to_hotel: ["in Hotel", "hotel"],
    to_office: ["in Büro", "office"],
    to_retail: ["in Einzelhandel", "retail"],
    to_logistics: ["in Logistik", "logistics"],
    to_data_centre: ["in Rechenzentrum", "data centre", "to data center"]
  } as Labels<typeof conversions>,
  tags: {
    multi_tenant: ["Multi-let"],
    single_tenant: ["Single-let"],
    fully_let: ["fully leased"],
    partly_vacant: ["teilweise leerstehend", "Teilleerstand"],
    vacant_possession: ["leerstehend", "vacant"],
    sale_and_leaseback: ["Sale & Leaseback"],
    development_potential: ["Entwicklungspotential"],
    newly_built: ["new build"],
    refurbished: ["modernisiert"],
    heritage_listed: ["Denkmal", "denkmalgeschützt", "listed"],
    city_centre: ["city center"],
    waterfront: ["Wasserlage"]
  } as Labels<typeof propertyTags>,
  grades: {} as Labels<typeof grades>,
  conditions: {
    new: ["Neubau", "ERSTBEZUG", "NewConstruction"],
    refurbished: ["modernisiert", "VOLL_SANIERT", "TEIL_VOLLRENOVIERT", "UpdatedRemodeled"],
    needs_refurbishment: ["renovierungsbedürftig", "TEIL_VOLLRENOVIERUNGSBED", "Fixer"],
    demolition: ["Abrissobjekt"]
  } as Labels<typeof conditions>,
  hotelContractTypes: {
    lease: ["Pachtvertrag"],
    management: ["Management agreement"],
    franchise: ["Franchisevertrag"],
    owner_operated: ["eigenbetrieben"]
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
    asking: ["Kaufpreis", "asking price"],
    guide: ["guide price"],
    offers_over: ["Mindestpreis", "offers in excess of", "OIEO"],
    offers_around: ["ca.", "VB", "Verhandlungsbasis"],
    on_application: ["a. A.", "on request", "POA"]
  } as Labels<typeof priceQualifiers>,
  vatTreatments: {
    exclusive: ["zzgl. MwSt.", "zzgl. USt.", "netto", "excl. VAT", "plus VAT"],
    inclusive: ["inkl. MwSt.", "inkl. USt.", "brutto", "incl. VAT"],
    exempt: ["steuerfrei", "umsatzsteuerfrei"]
  } as Labels<typeof vatTreatments>,
  energyClasses: {} as Labels<typeof energyClasses>,
  energyBases: {
    demand: ["Bedarfsausweis", "Energiebedarfsausweis"],
    consumption: ["Verbrauchsausweis", "Energieverbrauchsausweis"]
  } as Labels<typeof energyBases>
}
