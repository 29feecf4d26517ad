/** The words of the pages of a team. */
import type { QuotaKind } from "../core/quotas/Quota.ts"
import { type Language, texts } from "./Texts.ts"

/** What they say. */
export const words = texts({
  profile: ["Team profile", "Teamprofil"],
  profileAbout: [
    "What others see of your team. You administer it, so you can change it.",
    "Was andere von Ihrem Team sehen. Sie sind Administrator und können es ändern."
  ],
  profileReadOnly: [
    "What others see of your team. Its administrators change it.",
    "Was andere von Ihrem Team sehen. Administratoren können es ändern."
  ],
  planAndTeam: ["Plan", "Tarif"],
  plan: ["Plan", "Tarif"],
  planAbout: ["The operator of this service sets the plan.", "Den Tarif legt der Betreiber dieses Dienstes fest."],
  plan_free: ["Free", "Free"],
  plan_professional: ["Professional", "Professional"],
  plan_plus: ["Plus", "Plus"],
  memberCount: ["Members", "Mitglieder"],
  legalName: ["Legal name", "Firmierung"],
  vatNumber: ["VAT number", "USt-IdNr."],
  country: ["Country", "Land"],
  countryHint: ["Two letters, such as DE.", "Zwei Buchstaben, etwa DE."],
  homepageUrl: ["Homepage", "Website"],
  profilePictureUrl: ["Address of the logo", "Adresse des Logos"],
  contactPerson: ["Contact person", "Ansprechperson"],
  contactPersonHint: [
    "Investors see this person where a project has no owner.",
    "Investoren sehen diese Person, wenn ein Projekt niemandem gehört."
  ],
  categories: ["Categories", "Kategorien"],
  description: ["Description", "Beschreibung"],
  strategy: ["Strategy", "Strategie"],
  investmentCapacity: ["Ticket size", "Investitionsvolumen"],
  propertyValue: ["Property value", "Immobilienwert"],
  restrictedInvestmentSize: ["Hard cap of a deal", "Obergrenze je Geschäft"],
  leasableArea: ["Leasable area", "Mietfläche"],
  propertyCount: ["Properties of a deal", "Immobilien je Geschäft"],
  from: ["From", "Von"],
  upTo: ["Up to", "Bis"],
  currency: ["Currency", "Währung"],
  scale: ["In", "In"],
  unit: ["units", "Einheiten"],
  thousand: ["thousand", "Tausend"],
  million: ["million", "Mio."],
  yourCapabilities: ["What you may do", "Was Sie dürfen"],
  capabilitiesAbout: [
    "Capabilities are yours, in all your teams. The operator of this service checks a request and approves it.",
    "Berechtigungen gelten für Sie, in allen Ihren Teams. Der Betreiber dieses Dienstes prüft und genehmigt einen Antrag."
  ],
  broker: ["Broker", "Makler"],
  brokerAbout: [
    "Contacts, companies, properties, projects, prospects, teasers and data rooms.",
    "Kontakte, Firmen, Immobilien, Projekte, Interessenten, Teaser und Datenräume."
  ],
  investor: ["Investor", "Investor"],
  investorAbout: ["Offers and mandates.", "Angebote und Suchprofile."],
  requestedAbout: ["Your request waits for the operator.", "Ihr Antrag wartet auf den Betreiber."],
  request: ["Request", "Beantragen"],
  requestSent: ["The request was made. The operator decides.", "Der Antrag ist gestellt. Der Betreiber entscheidet."],
  quotas: ["Quotas", "Kontingente"],
  quotasAbout: [
    "How much the team may have, and how much of it is used. The operator of this service sets them.",
    "Wie viel das Team haben darf und was davon genutzt ist. Der Betreiber dieses Dienstes legt sie fest."
  ],
  whenUsedUp: ["What is refused once one is used up:", "Was abgelehnt wird, wenn eines erschöpft ist:"],
  quota: ["Quota", "Kontingent"],
  used: ["Used", "Genutzt"],
  limit: ["Limit", "Grenze"],
  share: ["Share", "Anteil"],
  setBy: ["Set by", "Festgelegt"],
  byDefault: ["Default", "Standard"],
  byOperator: ["Operator", "Betreiber"],
  apps: ["Connected apps", "Verbundene Apps"],
  appsAbout: [
    "Apps that members let act for them in this team. Each is disconnected for the member who connected it.",
    "Apps, die Mitglieder in diesem Team für sich handeln lassen. Getrennt wird jeweils die Verbindung eines Mitglieds."
  ],
  noApps: ["No app is connected.", "Keine App ist verbunden."],
  noAppsAdvice: [
    "An app asks the member for consent when it is set up.",
    "Eine App bittet das Mitglied um Zustimmung, wenn sie eingerichtet wird."
  ],
  app: ["App", "App"],
  connectedBy: ["Connected by", "Verbunden von"],
  may: ["May", "Darf"],
  readsAndChanges: ["Read and change", "Lesen und ändern"],
  onlyReads: ["Only read", "Nur lesen"],
  since: ["Since", "Seit"],
  disconnect: ["Disconnect", "Trennen"],
  disconnected: ["The app was disconnected.", "Die App wurde getrennt."]
})

/** The names of the investment-profile categories. */
export const categoryNames: Readonly<Record<Language, { readonly [category: string]: string }>> = {
  en: {
    institutional: "Institutional investor",
    public: "Public company",
    private: "Private company",
    unlisted: "Unlisted fund",
    family: "Family office",
    private_equity: "Private equity",
    investment_trust: "Investment trust",
    construction: "Construction company",
    property_developer: "Property developer",
    residential_developer: "Residential developer",
    investment: "Investment company",
    asset_management: "Asset manager",
    foundation: "Foundation"
  },
  de: {
    institutional: "Institutioneller Investor",
    public: "Börsennotiertes Unternehmen",
    private: "Privates Unternehmen",
    unlisted: "Nicht notierter Fonds",
    family: "Family Office",
    private_equity: "Private Equity",
    investment_trust: "Investmentfonds",
    construction: "Bauunternehmen",
    property_developer: "Projektentwickler",
    residential_developer: "Wohnbauträger",
    investment: "Investmentgesellschaft",
    asset_management: "Asset Manager",
    foundation: "Stiftung"
  }
}

/** The names of the quotas. */
export const quotaNames: Readonly<Record<Language, { readonly [Kind in QuotaKind]: string }>> = {
  en: {
    contacts: "Contacts",
    companies: "Companies",
    links: "Links",
    properties: "Properties",
    projects: "Projects",
    prospects: "Prospects",
    tasks: "Tasks",
    mandates: "Mandates",
    rooms: "Data rooms",
    documents: "Documents in data rooms",
    questions: "Questions in data rooms",
    messages: "Messages and logged calls",
    file_bytes: "Files",
    stored_answer_bytes: "Stored answers",
    links_of_record: "Links of one contact or company",
    notes_of_resource: "Notes of one record",
    tasks_of_prospect: "Tasks of one prospect",
    deletions_per_hour: "Deletions by each client in an hour"
  },
  de: {
    contacts: "Kontakte",
    companies: "Firmen",
    links: "Verknüpfungen",
    properties: "Immobilien",
    projects: "Projekte",
    prospects: "Interessenten",
    tasks: "Aufgaben",
    mandates: "Suchprofile",
    rooms: "Datenräume",
    documents: "Dokumente in Datenräumen",
    questions: "Fragen in Datenräumen",
    messages: "Nachrichten und Anrufe",
    file_bytes: "Dateien",
    stored_answer_bytes: "Gespeicherte Antworten",
    links_of_record: "Verknüpfungen eines Kontakts oder einer Firma",
    notes_of_resource: "Notizen eines Eintrags",
    tasks_of_prospect: "Aufgaben eines Interessenten",
    deletions_per_hour: "Löschungen je Client und Stunde"
  }
}
