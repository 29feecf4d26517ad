/** The headers of files of companies: docs/behaviour/known-exports.md. */
import type { CompanyFields } from "../../../network/companies/Company.ts"
import { type KnownHeaders, names, type OfMembers } from "./Headers.ts"

/** The headers of files of companies, by what they mean. */
export const companyHeaders: KnownHeaders & OfMembers<"id" | keyof CompanyFields> = {
  members: {
    id: names(`companyId`),
    name: names(`
      company name | company | organization | organisation | organization name | account name | Firma | Firmenname |
      Unternehmen | Unternehmensname | Name des Unternehmens | Gesellschaft | société | entreprise | nom |
      nom de la société | nom de l'entreprise | empresa | nombre | nombre de la empresa | compañía | sociedad | azienda |
      nome | nome azienda | società | ditta | bedrijf | bedrijfsnaam | naam | organisatie
    `),
    legalName: names(`
      registered name | legal entity | legal entity name | registered company name | rechtlicher Name | Firmierung |
      eingetragener Name | raison sociale | dénomination sociale | razón social | denominación social | ragione sociale |
      denominazione sociale | statutaire naam | handelsnaam
    `),
    country: names(`
      country code | country/region | country of registration | headquarters country | address country | Land |
      Land/Region | Ländercode | Staat | Sitzland | pays | code pays | país | código de país | paese | nazione | stato |
      land | landcode
    `),
    homepageUrl: names(`
      homepage | website | website URL | web site | web page | web address | URL | www | Webseite | Website-URL |
      Internet | Internetseite | Internetadresse | Homepage | site | site web | site internet | adresse web | sitio web |
      página web | web | sito | sito web | sito internet | webpagina | webadres
    `),
    domain: names(`
      company domain | company domain name | domain name | e-mail domain | Domäne | Internet-Domain | Domainname |
      Domain-Name des Unternehmens | Unternehmensdomain | Unternehmens-Domain-Name | domaine | nom de domaine | dominio |
      nombre de dominio | domein | domeinnaam
    `),
    linkedInUrl: names(`
      LinkedIn | LinkedIn company page | LinkedIn URL | LinkedIn page | LinkedIn profile | LinkedIn-Unternehmensseite |
      LinkedIn-Seite | LinkedIn-Profil | page LinkedIn | página de LinkedIn | pagina LinkedIn | LinkedIn-pagina
    `),
    tags: names(`
      labels | label | tag | categories | Kategorien | Schlagwörter | Schlagworte | Stichwörter | étiquettes |
      catégories | etiquetas | categorías | etichette | categorie | trefwoorden
    `),
    strategy: names(`
      investment strategy | investment criteria | Anlagestrategie | Investmentstrategie | Strategie |
      stratégie d'investissement | stratégie | estrategia de inversión | estrategia | strategia di investimento |
      strategia | beleggingsstrategie
    `),
    profilePictureUrl: names(`profile picture | picture URL | logo URL | logo | image URL | Logo-URL | Bild-URL`),
    externalRefs: names(`external references`)
  },
  externalId: names(`Record ID | Record ID - Company | Datensatz-ID | Datensatz-ID - Unternehmen`),
  linked: {},
  without: names(`
    address | address # | street | street address | street address # | city | town | state | state/region |
    state/province | county | province | region | postal code | postcode | zip | zip code | zip/postal code | Adresse |
    Anschrift | Straße | Straße und Hausnummer | Hausnummer | Adresszusatz | Postleitzahl | PLZ | Ort | Stadt | Sitz |
    PLZ Ort | Bundesland | Bundesland/Region | Kanton | Postfach | rue | code postal | ville | région | département |
    dirección | calle | código postal | ciudad | población | localidad | provincia | indirizzo | via | CAP |
    codice postale | città | regione | adres | straat | huisnummer | plaats | vestigingsplaats | stad | provincie |
    phone | phone # | phone number | telephone | tel | fax | fax number | e-mail | e-mail address | Telefon |
    Telefonnummer | Zentrale | Telefax | Faxnummer | E-Mail-Adresse | téléphone | numéro de téléphone | télécopie |
    adresse e-mail | courriel | teléfono | correo | correo electrónico | telefono | indirizzo e-mail | telefoon |
    telefoonnummer | e-mailadres | industry | sector | annual revenue | revenue | employees | number of employees |
    no. of employees | company size | founded | year founded | description | about | about us | notes | note | comments |
    Branche | Umsatz | Jahresumsatz | Mitarbeiter | Mitarbeiterzahl | Anzahl Mitarbeiter | Gründungsjahr | Beschreibung |
    Notizen | Bemerkung | Bemerkungen | secteur | secteur d'activité | chiffre d'affaires | effectif | effectifs |
    remarques | commentaires | industria | facturación | empleados | número de empleados | descripción | notas |
    observaciones | settore | fatturato | dipendenti | numero di dipendenti | descrizione | osservazioni | branche |
    omzet | medewerkers | aantal medewerkers | omschrijving | opmerkingen | created | created at | create date |
    created date | modified | last modified | updated at | Erstellt am | Erstellt von | Erstellungsdatum | Geändert am |
    Letzte Änderung | date de création | date de modification | fecha de creación | fecha de modificación |
    data di creazione | data di modifica | aangemaakt op | aanmaakdatum | gewijzigd op | legal form | contact person |
    registration number | VAT number | VAT ID | Ansprechpartner | Geschäftsführer | Rechtsform |
    Handelsregisternummer | Handelsregister | USt-IdNr | Steuernummer | forme juridique | SIREN | SIRET |
    numéro de TVA | forma jurídica | CIF | NIF | forma giuridica | partita IVA | codice fiscale | rechtsvorm |
    KvK-nummer | btw-nummer | contactpersoon | persona de contacto | interlocuteur | referente | owner
  `),
  exports: {
    hubspot: {
      without: names(`
        company owner | owner assigned date | hubspot team | company keywords | type | time zone | lifecycle stage |
        lead status | parent company* | is public | target account* | ideal customer profile tier | buying role |
        total money raised | total revenue | web technologies | twitter * | facebook * | linkedin bio | google plus page |
        last * | latest * | next * | recent * | first * | original * | number of * | close date | days to close |
        date entered * | date exited * | cumulative time in * | became a * | associated * | record source* | merged * |
        created by user id | updated by user id | user ids of * | Zuständiger Mitarbeiter* | Unternehmens-Zuständiger |
        Lifecycle-Phase | Lead-Status | Typ | Zeitzone | Letzte * | Letztes * | Datum der letzten * | Nächste * |
        Nächstes * | Anzahl * | Übergeordnetes Unternehmen | Ursprüngliche * | Zugeordnete * | Zugeordneter * |
        Facebook-* | Twitter-*
      `)
    },
    pipedrive: {
      members: {
        country: names(`
          Organization - Country of Address | Organisation - Country of Address | Organisation - Land von Adresse |
          Organisation - Land der Adresse
        `)
      },
      externalId: names(`Organization - ID | Organisation - ID`),
      without: names(`
        Organization - Owner | Organisation - Owner | Organisation - Besitzer | Organisation - Eigentümer |
        Organization - Organization created | Organisation - Organisation erstellt | Organization - Update time |
        Organisation - Aktualisierungszeit | Organization - Visible to | Organisation - Sichtbar für |
        Organization - People | Organisation - Personen | Organization - * deals | Organisation - * Deals |
        Organisation - * Geschäfte | Organization - * activities | Organisation - * Aktivitäten |
        Organization - Activities to do | Organization - Next activity date | Organization - Last activity date |
        Organisation - Nächste Aktivität* | Organisation - Letzte Aktivität* | Organisation - Datum der * |
        Organization - Email messages count | Organisation - Anzahl * | Organization - Profile picture |
        Organisation - Profilbild | Organization - * of Address | Organisation - * of Address |
        Organisation - * von Adresse | Organisation - * der Adresse | Organization - Archive* |
        Person - * | Deal - * | Lead - *
      `)
    },
    salesforce: {
      members: {
        id: names(`id | account id | Account-ID`),
        name: names(`name | account name | Accountname | Account-Name`),
        country: names(`
          Billing Country | Billing Country/Territory | BillingCountry | BillingCountryCode | Billing Country Code |
          Rechnungsanschrift (Land) | Rechnungsadresse (Land) | Rechnungsland | Land der Rechnungsanschrift
        `)
      },
      without: names(`
        account number | AccountNumber | account owner* | owner* | OwnerId | account site | account source |
        AccountSource | billing * | Billing* | shipping * | Shipping* | Rechnungsanschrift* | Rechnungsadresse* |
        Lieferanschrift* | Lieferadresse* | type | Typ | rating | Bewertung | ownership | parent account* | ParentId |
        Übergeordneter Account | ticker symbol | TickerSymbol | sic* | naics* | tradestyle | year started | YearStarted |
        d-u-n-s number | DunsNumber | DandbCompanyId | OperatingHoursId | employees | NumberOfEmployees | AnnualRevenue |
        data.com key | Jigsaw* | CleanStatus | clean status | PhotoUrl | IsDeleted | MasterRecordId | RecordTypeId |
        account record type | record type* | SystemModstamp | created * | Created* | last modified * | LastModified* |
        last activity* | LastActivityDate | LastViewedDate | LastReferencedDate | Account*inhaber* | Erstelldatum |
        Erstellt * | Letzte * | Zuletzt * | Datum der letzten *
      `)
    }
  }
}
