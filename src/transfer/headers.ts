/** What the columns of files of other systems mean: docs/behaviour/known-exports.md. */
import type { ContactFields } from "../network/contacts/Contact.ts"
import type { CompanyFields } from "../network/companies/Company.ts"
import type { LinkFields } from "../network/links/rules.ts"

/** A system whose exports are recognised. Its name is the namespace of its ids, unless `--namespace` names another. */
export type System = "hubspot" | "pipedrive" | "salesforce" | "google" | "outlook"

/**
 * The headers of a kind by what they mean, compared without case, accents, spaces and punctuation. `#` stands for a number, `*` for any
 * text.
 */
export interface Headers {
  /** By the member that they set. Several columns may set a member of {@link severalColumns}. */
  readonly members: { readonly [member: string]: ReadonlyArray<string> }
  /** Ids of the records in the other system. */
  readonly externalId: ReadonlyArray<string>
  /** What a contact's link to its company has, by part. */
  readonly linked: { readonly [part in LinkedPart]?: ReadonlyArray<string> }
  /** Names of a person that are not reported apart. */
  readonly fullName?: ReadonlyArray<string>
  /** What records of the kind have no member for. */
  readonly without: ReadonlyArray<string>
}

/** What a row of a contact may say of its company: its name, id in the other system and domain, and the contact's title there. */
export type LinkedPart = "company" | "companyId" | "companyDomain" | "jobTitle"

/** The headers of a kind: those of any file, and those that mean something else, or something at all, in the export of a system. */
export interface KnownHeaders extends Headers {
  readonly exports: { readonly [S in System]?: Partial<Headers> }
}

/** Headers of all members of a kind. */
interface OfMembers<Member extends string> {
  readonly members: { readonly [M in Member]: ReadonlyArray<string> }
}

/** What a column means. */
export type Meaning =
  | { readonly is: "member"; readonly member: string }
  | { readonly is: "externalId" }
  | { readonly is: "linked"; readonly part: LinkedPart }
  | { readonly is: "fullName" }
  | { readonly is: "without" }

/** A list of headers, which are separated by `|`. */
export const names = (text: string): ReadonlyArray<string> => text.split("|").map((name) => name.trim())

// The headers of files of contacts: docs/behaviour/known-exports.md.

/** The headers of files of contacts, by what they mean. */
export const contactHeaders: KnownHeaders & OfMembers<"id" | keyof ContactFields> = {
  members: {
    id: names(`contactId`),
    firstName: names(`
      given name | forename | first | fname | contact first name | Vorname | Vornamen | Rufname | prénom | prénoms |
      nombre | nombres | nombre de pila | primer nombre | nome | nome di battesimo | voornaam | voornamen
    `),
    lastName: names(`
      surname | family name | last | lname | contact last name | Nachname | Familienname | Zuname | nom | nom de famille |
      apellido | apellidos | primer apellido | cognome | achternaam | familienaam
    `),
    email: names(`
      e-mail address | e-mail # | e-mail address # | mail | work e-mail address | business e-mail |
      business e-mail address | private e-mail | personal e-mail | primary e-mail | secondary e-mail | contact e-mail |
      E-Mail-Adresse | E-Mail-Adresse # | E-Mail geschäftlich | E-Mail (geschäftlich) | E-Mail privat | Mailadresse |
      adresse e-mail | adresse e-mail professionnelle | e-mail professionnel | adresse mail | adresse électronique | courriel | mél | correo | correo electrónico |
      dirección de correo | dirección de correo electrónico | indirizzo e-mail | indirizzo mail | posta elettronica |
      e-mailadres | mailadres
    `),
    phone: names(`
      phone # | phone number | phone number # | telephone | telephone number | tel | mobile | mobile phone |
      mobile phone number | mobile number | cell | cell phone | business phone | business phone # | work phone |
      office phone | home phone | home phone # | primary phone | other phone | direct phone | direct dial | direct line |
      contact phone | Telefon | Telefon # | Telefonnummer | Telefonnummer # | Telefon geschäftlich |
      Telefon geschäftlich # | Telefon dienstlich | Telefon privat | Telefon privat # | Telefon mobil | Mobil |
      Mobiltelefon | Mobiltelefon # | Mobiltelefonnummer | Mobilnummer | Mobilfunk | Handy | Handynummer | Durchwahl |
      Rufnummer | Festnetz | téléphone | téléphone # | tél | numéro de téléphone | n° de téléphone | n° de portable | téléphone fixe | téléphone portable |
      téléphone mobile | téléphone professionnel | portable | teléfono | teléfono # | número de teléfono |
      teléfono móvil | teléfono fijo | móvil | celular | telefono | numero di telefono | telefono cellulare |
      telefono fisso | cellulare | telefoon | telefoonnummer | mobiel | mobiele telefoon | mobiel nummer | gsm
    `),
    primaryLanguage: names(`
      language | preferred language | correspondence language | Sprache | Korrespondenzsprache | Bevorzugte Sprache |
      langue | langue préférée | idioma | idioma preferido | lingua | lingua preferita | taal | voorkeurstaal
    `),
    primaryCompanyId: names(`companyId`),
    tags: names(`
      labels | label | tag | categories | groups | Kategorien | Schlagwörter | Schlagworte | Stichwörter | étiquettes |
      catégories | etiquetas | categorías | etichette | categorie | trefwoorden
    `),
    strategy: names(`
      investment strategy | investment criteria | Anlagestrategie | Investmentstrategie | Strategie |
      stratégie d'investissement | stratégie | estrategia de inversión | estrategia | strategia di investimento |
      strategia | beleggingsstrategie
    `),
    linkedInUrl: names(`
      LinkedIn | LinkedIn profile | LinkedIn profile URL | LinkedIn-Profil | LinkedIn-Profil-URL | profil LinkedIn |
      perfil de LinkedIn | perfil LinkedIn | profilo LinkedIn | LinkedIn-profiel
    `),
    profilePictureUrl: names(`
      profile picture | picture URL | photo URL | photo | image URL | avatar | Bild-URL | Foto | Profilbild
    `),
    externalRefs: names(`external references`)
  },
  externalId: names(`Record ID | Record ID - Contact | Datensatz-ID | Datensatz-ID - Kontakt`),
  linked: {
    company: names(`
      company | company name | company/account | organization | organisation | organization name | employer | account |
      account name | Firma | Firmenname | Unternehmen | Unternehmensname | Name des Unternehmens | Arbeitgeber | société |
      entreprise | nom de la société | nom de l'entreprise | raison sociale | empresa | nombre de la empresa | compañía |
      sociedad | azienda | nome azienda | società | ditta | ragione sociale | bedrijf | bedrijfsnaam | organisatie
    `),
    companyDomain: names(`company domain | company domain name`),
    jobTitle: names(`
      job title | position | function | role | job role | Jobtitel | Funktion | Stellung | Stellenbezeichnung |
      Positionsbezeichnung | Berufsbezeichnung | fonction | poste | intitulé du poste | titre du poste | cargo | puesto |
      función | qualifica | ruolo | mansione | posizione | functie | functietitel | functieomschrijving
    `)
  },
  fullName: names(`
    name | full name | contact name | contact | display name | vollständiger Name | Ansprechpartner | Kontakt |
    Kontaktname | nom complet | nombre completo | nombre y apellidos | nome completo | nome e cognome | naam |
    volledige naam
  `),
  without: names(`
    salutation | name prefix | name suffix | middle name | middle names | suffix | nickname | initials | Anrede | Titel |
    Briefanrede | akademischer Titel | zweiter Vorname | weitere Vornamen | Namenszusatz | Spitzname | civilité |
    deuxième prénom | tratamiento | segundo nombre | segundo apellido | titolo di cortesia | secondo nome | aanhef |
    tussenvoegsel | address | address # | street | street address | street address # | city | town | state |
    state/region | state/province | county | province | region | postal code | postcode | zip | zip code |
    zip/postal code | country | country/region | country code | Adresse | Anschrift | Straße | Straße und Hausnummer |
    Hausnummer | Adresszusatz | Postleitzahl | PLZ | Ort | Stadt | PLZ Ort | Bundesland | Bundesland/Region | Kanton |
    Land | Land/Region | Postfach | rue | code postal | ville | région | département | pays | dirección | calle |
    código postal | ciudad | población | localidad | provincia | país | indirizzo | via | CAP | codice postale | città |
    regione | paese | nazione | adres | straat | straatnaam | huisnummer | plaats | woonplaats | stad | provincie | land |
    fax | fax number | telefax | Faxnummer | télécopie | department | Abteilung | service | departamento | reparto |
    dipartimento | afdeling | birthday | birthdate | birth date | date of birth | Geburtstag | Geburtsdatum |
    date de naissance | fecha de nacimiento | data di nascita | geboortedatum | gender | sex | Geschlecht | sexe | genre |
    género | sexo | sesso | genere | geslacht | notes | note | comment | comments | remarks | Notizen | Notiz |
    Bemerkung | Bemerkungen | Kommentar | remarque | remarques | commentaire | commentaires | notas | observaciones |
    comentarios | osservazioni | commenti | opmerkingen | notities | website | website URL | web page | web site |
    homepage | Webseite | Internet | Internetseite | site web | site internet | sitio web | página web | web | sito web |
    sito internet | created | created at | created date | create date | creation date | modified | last modified |
    updated at | Erstellt am | Erstellt von | Erstellungsdatum | Geändert am | Letzte Änderung | date de création |
    date de modification | fecha de creación | fecha de modificación | data di creazione | data di modifica |
    aangemaakt op | aanmaakdatum | gewijzigd op | owner | contact owner
  `),
  exports: {
    hubspot: {
      members: {
        email: names(`
          work email | additional email addresses | E-Mail-Adresse (geschäftlich) | Zusätzliche E-Mail-Adressen
        `),
        phone: names(`phone number | mobile phone number | Telefonnummer | Mobiltelefonnummer | Mobilfunknummer`),
        linkedInUrl: names(`LinkedIn URL | LinkedIn Bio | HS LinkedIn URL | LinkedIn-URL`)
      },
      linked: {
        company: names(`
          associated company | primary associated company | primary company | associated company name |
          Zugeordnetes Unternehmen
        `),
        companyId: names(`
          associated company id | associated company ids | associated company ids (primary) |
          primary associated company id | Zugeordnete Unternehmens-ID | Zugeordnete Unternehmens-IDs |
          ID des zugeordneten Unternehmens
        `),
        companyDomain: names(`email domain | E-Mail-Domain`)
      },
      without: names(`
        contact owner | owner assigned date | hubspot team | hubspot score | last * | latest * | next * | recent * |
        first * date | first page seen | first url seen | original * | number of * | create date | created by user id |
        close date | days to close | date entered * | date exited * | cumulative time in * | became a * |
        lifecycle stage | lead status | marketing contact status* | industry | annual revenue | total revenue |
        company size | seniority | employment * | persona | buying role | relationship status | marital status |
        military status | degree | field of study | graduation date | school | start date | work location | job function |
        message | membership notes | twitter * | facebook * | follower count | time zone | ip * | average pageviews |
        event revenue | opted out of * | unsubscribed from * | email * (hubspot) | emails * | marketing emails * |
        invalid email address | email hard bounce reason | email confirmation status | email address quarantined* |
        sends since last engagement | currently in sequence | currently in workflow* | associated deal* |
        associated ticket* | associated contact* | associated note* | associated * | record source* | legal basis* |
        merged * | user ids of * | updated by user id | Kontakt-Zuständiger | Zuständiger Mitarbeiter* | Lifecycle-Phase |
        Lead-Status | Marketing-Kontaktstatus | Letzte * | Letztes * | Datum der letzten * | Nächste * | Nächstes * |
        Anzahl * | Branche | Jahresumsatz | Ursprüngliche * | Zugeordnete * | Zeitzone
      `)
    },
    pipedrive: {
      members: {
        email: names(`
          Person - Email - * | Person - E-Mail - * | Person - E-Mail-Adresse - * | Person - Email | Person - E-Mail |
          Person - E-Mail-Adresse
        `),
        phone: names(`
          Person - Phone - * | Person - Telefon - * | Person - Phone | Person - Telefon | Person - Telefonnummer - *
        `)
      },
      externalId: names(`Person - ID`),
      linked: {
        company: names(`
          Person - Organization | Person - Organisation | Person - Organization name | Organization - Name |
          Organisation - Name
        `),
        companyId: names(`
          Person - Organization ID | Person - Organisation ID | Person - Organisation - ID | Organization - ID |
          Organisation - ID
        `),
        jobTitle: names(`Person - Job title | Person - Berufsbezeichnung | Person - Jobtitel | Person - Position`)
      },
      without: names(`
        Person - Owner | Person - Besitzer | Person - Eigentümer | Person - Person created | Person - Person erstellt |
        Person - Update time | Person - Aktualisierungszeit | Person - Visible to | Person - Sichtbar für |
        Person - * deals | Person - * Deals | Person - * Geschäfte | Person - * activities | Person - * Aktivitäten |
        Person - Activities to do | Person - Zu erledigende Aktivitäten | Person - Next activity date |
        Person - Last activity date | Person - Nächste Aktivität* | Person - Letzte Aktivität* | Person - Datum der * |
        Person - Email messages count | Person - Anzahl * | Person - Last email * | Person - Letzte E-Mail * |
        Person - Marketing status | Person - Marketingstatus | Person - Double opt-in | Person - Instant messenger |
        Person - Instant Messenger* | Person - Profile picture | Person - Profilbild | Person - Postal address |
        Person - Postanschrift | Person - * of Postal address | Person - * der Postanschrift |
        Person - * von Postanschrift | Person - Archive* | Organization - * | Organisation - * |
        Deal - * | Lead - *
      `)
    },
    salesforce: {
      members: {
        id: names(`id | contact id | lead id | Kontakt-ID | Lead-ID`),
        email: names(`email`),
        phone: names(`
          phone | mobile | mobile phone | home phone | other phone | MobilePhone | HomePhone | OtherPhone |
          Telefon (privat) | Sonstiges Telefon | Weiteres Telefon
        `),
        primaryLanguage: names(`language | languages | Sprachen`)
      },
      linked: {
        company: names(`
          account name | account | company | company / account | Accountname | Account-Name | Account.Name
        `),
        companyId: names(`account id | AccountId | Account-ID | Account: Account ID`),
        jobTitle: names(`title | Titel`)
      },
      without: names(`
        contact owner* | account owner* | lead owner* | owner* | OwnerId | Account*inhaber* | Kontakt*inhaber* |
        Inhaber* | lead source | lead status | Leadquelle | Lead-Quelle | mailing * | Mailing* | other street |
        other city | other state* | other zip* | other country* | OtherStreet | OtherCity | OtherState* |
        OtherPostalCode | OtherCountry* | OtherLatitude | OtherLongitude | OtherGeocodeAccuracy | OtherAddress |
        Postanschrift* | Andere Adresse* | Weitere Anschrift* | asst. phone | AssistantPhone | assistant | AssistantName |
        Assistent* | reports to* | ReportsToId | Vorgesetzter | Untersteht | description | Beschreibung | level | rating |
        industry | annual revenue | AnnualRevenue | no. of employees | NumberOfEmployees | email opt out | fax opt out |
        do not call | HasOptedOut* | DoNotCall | EmailBounced* | email bounced * | IsEmailBounced | IsDeleted |
        IsConverted | Converted* | MasterRecordId | RecordTypeId | contact record type | record type* | PhotoUrl |
        Jigsaw* | data.com key | CleanStatus | clean status | IndividualId | SystemModstamp | created * | Created* |
        last modified * | LastModified* | last activity* | LastActivityDate | LastViewedDate | LastReferencedDate |
        last stay-in-touch * | LastCU* | Erstelldatum | Erstellt * | Letzte * | Datum der letzten * | Zuletzt * |
        birthdate
      `)
    },
    google: {
      members: {
        email: names(`E-mail # - Value`),
        phone: names(`Phone # - Value`),
        tags: names(`Labels | Group Membership`),
        profilePictureUrl: names(`Photo`)
      },
      linked: {
        company: names(`Organization Name | Organization # - Name`),
        jobTitle: names(`Organization Title | Organization # - Title | Occupation`)
      },
      without: names(`
        Phonetic * | * Yomi | Yomi Name | Additional Name | File As | Short Name | Maiden Name | Location |
        Billing Information | Directory Server | Mileage | Hobby | Sensitivity | Priority | Subject |
        Organization Department | Organization # - * | E-mail # - Label | E-mail # - Type | Phone # - Label |
        Phone # - Type | Address # - * | Website # - * | Event # - * | Relation # - * | Custom Field # - * | IM # - * |
        External ID # - * | Jot # - * | Calendar Link # - * | SIP # - *
      `)
    },
    outlook: {
      members: {
        email: names(`
          E-mail Address | E-mail # Address | E-Mail-Adresse | E-Mail #: Adresse | E-Mail # Adresse | E-Mail-Adresse #
        `),
        phone: names(`
          Business Phone | Business Phone # | Home Phone | Home Phone # | Mobile Phone | Primary Phone | Other Phone |
          Car Phone | Radio Phone | Telefon geschäftlich | Telefon geschäftlich # | Telefon (geschäftlich) |
          Telefon (geschäftlich #) | Telefon (privat) | Telefon (privat #) | Telefon privat | Mobiltelefon |
          Mobiltelefon # | Haupttelefon | Weiteres Telefon | Autotelefon | Funktelefon
        `),
        tags: names(`Categories | Kategorien`)
      },
      linked: {
        company: names(`Company | Firma`),
        jobTitle: names(`Job Title | Position`)
      },
      without: names(`
        Title | Titel | Given Yomi | Surname Yomi | Company Yomi | Business * | Home * | Other * | Company Main Phone |
        Assistant's * | Manager's Name | Callback | ISDN | Pager | Telex | TTY/TDD Phone | IMAddress | Account |
        Anniversary | Billing Information | Children | Directory Server | E-mail Type | E-mail Display Name |
        E-mail # Type | E-mail # Display Name | Government ID Number | Hobby | Internet Free Busy | Keywords | Location |
        Mileage | Office Location | Organizational ID Number | Personal Web Page | Priority | Private | Profession |
        Referred By | Schools | Sensitivity | Spouse | User # | * geschäftlich | * geschäftlich # | * (geschäftlich) |
        * privat | * privat # | * (privat) | Weitere * | Weiterer * | Weiteres * | Weiteres/r * | Weiteres/e * |
        Telefon Assistent* | Telefon Firma | Telefon für Hörbehinderte | Rückmeldung | Rückruf | Abrechnungsinformation |
        Assistent(in) | Name Assistent | Benutzer # | Beruf | Büro | E-Mail-Typ | E-Mail: Angezeigter Name |
        E-Mail #: Typ | E-Mail #: Angezeigter Name | Empfohlen von | Initialen | Internet Frei/Gebucht |
        Internet-Frei/Gebucht | Jahrestag | Kinder | Konto | Name des/r Vorgesetzten | Organisationsnr. |
        Organisations-Nr. | Partner | Priorität | Privat | Reisekilometer | Regierungsnr. | Sozialversicherungsnr. |
        Stichwörter | Vertraulichkeit | Verzeichnisserver |
        Wichtigkeit
      `)
    }
  }
}

// The headers of files of companies: docs/behaviour/known-exports.md.

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

// The headers of files of links. Members with the ids of other records have the names in `References.ts`.

/** The headers of files of links, by what they mean. */
export const linkHeaders: KnownHeaders & OfMembers<"id" | keyof LinkFields> = {
  members: {
    id: names(`linkId`),
    contactId: [],
    companyId: [],
    jobTitle: names(`
      job | title | position | role | function | Jobtitel | Funktion | Stellenbezeichnung | Berufsbezeichnung | fonction |
      poste | cargo | puesto | ruolo | qualifica | functie | functietitel
    `),
    externalRefs: names(`external references`)
  },
  externalId: [],
  linked: {},
  without: [],
  exports: {}
}

// Headers of tables of properties in French, Spanish, Italian and Dutch, by the path of their member. Those in English and German are in
// `propertyColumns.ts`. A name is only here if it means the member and nothing else.

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
