/** The headers of files of contacts: docs/behaviour/known-exports.md. */
import type { ContactFields } from "../../../network/contacts/Contact.ts"
import { type KnownHeaders, names, type OfMembers } from "./Headers.ts"

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
