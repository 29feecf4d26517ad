/** The headers of exports of other systems, as these write them. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { columnsOf, keyOf, type Mapping } from "../../src/transfer/Columns.ts"
import { ofCells } from "../../src/transfer/Items.ts"
import { plain } from "../../src/core/fields/spelling.ts"
import type { KnownHeaders } from "../../src/transfer/headers.ts"
import { knownHeaders, systemOf } from "../../src/transfer/systems.ts"

const asked: Mapping = { kind: "contacts", map: [], ignore: [], ignoreUnknown: false, namespace: undefined }

const columnsIn = (header: ReadonlyArray<string>, choices: Partial<Mapping> = {}) =>
  Result.getOrThrowWith(columnsOf({ ...asked, ...choices }, header), (refusal) => new Error(refusal))

/** What the columns set, by column; those that are left out are not in it. */
const setBy = (header: ReadonlyArray<string>, choices: Partial<Mapping> = {}) =>
  Object.fromEntries(
    columnsIn(header, choices).flatMap(({ name, targets }) => targets.map((target) => [name, keyOf(target)]))
  )

const split = (header: string) => header.split(",")

const exports = {
  hubspot: split(
    "Record ID,First Name,Last Name,Email,Phone Number,Contact owner,Primary Associated Company ID,Last Activity Date,Lead Status," +
      "Marketing contact status,Create Date,Job Title,Company Name,Associated Company,Associated Company IDs,Associated Deal,City," +
      "State/Region,Country/Region,Postal Code,Street Address,Website URL,Lifecycle Stage,Mobile Phone Number,Fax Number,Industry," +
      "Annual Revenue,Number of Employees,Original Source,Original Source Drill-Down 1,Latest Source,Preferred language,LinkedIn URL," +
      "Date of birth,Became a Lead Date,Opted out of email: Newsletter,Last Modified Date"
  ),
  hubspotGerman: split(
    "Datensatz-ID,Vorname,Nachname,E-Mail,Telefonnummer,Mobiltelefonnummer,Kontakt-Zuständiger,Zugeordnetes Unternehmen," +
      "Zugeordnete Unternehmens-ID,Unternehmensname,Jobtitel,Lifecycle-Phase,Lead-Status,Marketing-Kontaktstatus,Erstellungsdatum," +
      "Datum der letzten Aktivität,Stadt,Land/Region,Postleitzahl,Website-URL,Bevorzugte Sprache,Branche"
  ).map((name) => (name === "Website-URL" ? "Website" : name)),
  pipedrive: split(
    "Person - ID,Person - Name,Person - First name,Person - Last name,Person - Labels,Person - Organization,Person - Organization ID," +
      "Person - Email - Work,Person - Email - Home,Person - Email - Other,Person - Phone - Work,Person - Phone - Home," +
      "Person - Phone - Mobile,Person - Phone - Other,Person - Job title,Person - Owner,Person - Open deals,Person - Won deals," +
      "Person - Next activity date,Person - Person created,Person - Update time,Person - Postal address," +
      "Person - City/town/village/locality of Postal address,Person - Birthday,Person - Notes,Person - Instant messenger," +
      "Person - Email messages count,Person - Visible to,Organization - Name,Deal - Title"
  ),
  pipedriveGerman: split(
    "Person - ID,Person - Name,Person - Vorname,Person - Nachname,Person - Organisation,Person - E-Mail - Arbeit,Person - Telefon - Arbeit," +
      "Person - Telefon - Mobil,Person - Besitzer,Person - Offene Deals,Person - Letzte Aktivität,Organisation - Name,Organisation - ID"
  ),
  salesforce: split(
    "Salutation,First Name,Last Name,Title,Account Name,Account ID,Contact ID,Mailing Street,Mailing City,Mailing State/Province," +
      "Mailing Zip/Postal Code,Mailing Country,Phone,Fax,Mobile,Email,Account Owner,Contact Owner,Lead Source,Department,Birthdate," +
      "Description,Created Date,Created By,Last Modified Date,Last Activity,Home Phone,Other Phone,Asst. Phone,Assistant,Reports To," +
      "Email Opt Out,Do Not Call,Contact Record Type"
  ),
  salesforceApi: split(
    "Id,IsDeleted,MasterRecordId,AccountId,LastName,FirstName,Salutation,Name,OtherStreet,OtherCity,OtherCountry,MailingStreet," +
      "MailingCity,MailingState,MailingPostalCode,MailingCountry,MailingGeocodeAccuracy,Phone,Fax,MobilePhone,HomePhone,OtherPhone," +
      "AssistantPhone,ReportsToId,Email,Title,Department,AssistantName,LeadSource,Birthdate,Description,OwnerId,HasOptedOutOfEmail," +
      "DoNotCall,CreatedDate,CreatedById,LastModifiedDate,LastModifiedById,SystemModstamp,LastActivityDate,LastViewedDate," +
      "EmailBouncedReason,PhotoUrl,Jigsaw,CleanStatus"
  ),
  google: split(
    "First Name,Middle Name,Last Name,Phonetic First Name,Phonetic Middle Name,Phonetic Last Name,Name Prefix,Name Suffix,Nickname," +
      "File As,Organization Name,Organization Title,Organization Department,Birthday,Notes,Photo,Labels,E-mail 1 - Label," +
      "E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value," +
      "Address 1 - Label,Address 1 - Formatted,Address 1 - Street,Address 1 - City,Address 1 - PO Box,Address 1 - Country," +
      "Website 1 - Label,Website 1 - Value,Event 1 - Label,Relation 1 - Value,Custom Field 1 - Label,Custom Field 1 - Value"
  ),
  googleOld: split(
    "Name,Given Name,Additional Name,Family Name,Yomi Name,Given Name Yomi,Additional Name Yomi,Family Name Yomi,Name Prefix," +
      "Name Suffix,Initials,Nickname,Short Name,Maiden Name,Birthday,Gender,Location,Billing Information,Directory Server,Mileage," +
      "Occupation,Hobby,Sensitivity,Priority,Subject,Notes,Language,Photo,Group Membership,E-mail 1 - Type,E-mail 1 - Value," +
      "Phone 1 - Type,Phone 1 - Value,Address 1 - Type,Organization 1 - Type,Organization 1 - Name,Organization 1 - Title,IM 1 - Service"
  ),
  outlook: split(
    "Title,First Name,Middle Name,Last Name,Suffix,Company,Department,Job Title,Business Street,Business Street 2,Business City," +
      "Business State,Business Postal Code,Business Country/Region,Home Street,Home City,Home Country/Region,Other Street,Other City," +
      "Assistant's Phone,Business Fax,Business Phone,Business Phone 2,Callback,Car Phone,Company Main Phone,Home Fax,Home Phone," +
      "Home Phone 2,ISDN,Mobile Phone,Other Fax,Other Phone,Pager,Primary Phone,Radio Phone,TTY/TDD Phone,Telex,Account,Anniversary," +
      "Assistant's Name,Billing Information,Birthday,Business Address PO Box,Categories,Children,Directory Server,E-mail Address," +
      "E-mail Type,E-mail Display Name,E-mail 2 Address,E-mail 2 Type,E-mail 2 Display Name,E-mail 3 Address,Gender," +
      "Government ID Number,Hobby,Initials,Internet Free Busy,Keywords,Language,Location,Manager's Name,Mileage,Notes,Office Location," +
      "Organizational ID Number,Priority,Private,Profession,Referred By,Sensitivity,Spouse,User 1,User 2,Web Page"
  ),
  outlookGerman: split(
    "Anrede,Vorname,Weitere Vornamen,Nachname,Suffix,Firma,Abteilung,Position,Straße geschäftlich,Straße geschäftlich 2," +
      "Ort geschäftlich,Region geschäftlich,Postleitzahl geschäftlich,Land/Region geschäftlich,Straße privat,Ort privat," +
      "Bundesland/Kanton privat,Land/Region privat,Weitere Straße,Weiterer Ort,Weiteres/r Bundesland/Kanton,Telefon Assistent," +
      "Fax geschäftlich,Telefon geschäftlich,Telefon geschäftlich 2,Rückmeldung,Autotelefon,Telefon Firma,Fax privat," +
      "Telefon (privat),Telefon (privat 2),ISDN,Mobiltelefon,Weiteres Fax,Weiteres Telefon,Pager,Haupttelefon,Mobiltelefon 2," +
      "Telefon für Hörbehinderte,Telex,Abrechnungsinformation,Assistent(in),Benutzer 1,Beruf,Büro,E-Mail-Adresse,E-Mail-Typ," +
      "E-Mail: Angezeigter Name,E-Mail 2: Adresse,E-Mail 2: Typ,E-Mail 3: Adresse,Empfohlen von,Geburtstag,Geschlecht,Hobby,Initialen," +
      "Internet Frei/Gebucht,Jahrestag,Kategorien,Kinder,Konto,Name des/r Vorgesetzten,Notizen,Organisationsnr.,Ort,Partner," +
      "Postfach geschäftlich,Priorität,Privat,Reisekilometer,Sozialversicherungsnr.,Sprache,Stichwörter,Vertraulichkeit," +
      "Verzeichnisserver,Webseite,Weiteres Postfach"
  )
}

const companyExports = {
  hubspot: split(
    "Record ID,Company name,Company owner,Create Date,Phone Number,Last Activity Date,City,Country/Region,Industry,Company Domain Name," +
      "Website URL,State/Region,Postal Code,Street Address,Number of Employees,Annual Revenue,Description,LinkedIn Company Page," +
      "Lifecycle Stage,Parent Company,Associated Contact,Associated Contact IDs,Type,Time Zone,Year Founded"
  ),
  pipedrive: split(
    "Organization - ID,Organization - Name,Organization - Label,Organization - Owner,Organization - Address," +
      "Organization - Country of Address,Organization - City/town/village/locality of Address,Organization - Website," +
      "Organization - LinkedIn profile,Organization - Open deals,Organization - People,Organization - Industry," +
      "Organization - Organization created,Organization - Next activity date,Organization - Visible to"
  ),
  salesforce: split(
    "Account ID,Account Name,Account Owner,Type,Billing Street,Billing City,Billing State/Province,Billing Country,Shipping City," +
      "Phone,Fax,Website,Industry,Annual Revenue,Employees,Description,Parent Account,Rating,Created Date,Last Activity,Account Number"
  ),
  salesforceApi: split(
    "Id,Name,Type,ParentId,BillingStreet,BillingCity,BillingCountry,BillingCountryCode,ShippingCountry,Phone,Fax,AccountNumber,Website,Sic,Industry," +
      "AnnualRevenue,NumberOfEmployees,Ownership,TickerSymbol,Description,Rating,OwnerId,CreatedDate,SystemModstamp,AccountSource,IsDeleted"
  )
}

describe("The known headers", () => {
  it("mean one thing each, in any file and in the exports of a system", () => {
    for (const { exports: ofSystems, ...ofAny } of Object.values<KnownHeaders>(knownHeaders)) {
      for (const headers of [ofAny, ...Object.values(ofSystems)]) {
        const { externalId = [], fullName = [], linked = {}, members = {}, without = [] } = headers
        const owners = new Map<string, string>()
        for (const [meaning, names] of [
          ...Object.entries({ externalId, fullName, without, ...linked }),
          ...Object.entries(members)
        ]) {
          for (const name of names) {
            const spelled = plain(name.replaceAll("#", " number ").replaceAll("*", " any "))
            assert.strictEqual(owners.get(spelled) ?? meaning, meaning, name)
            owners.set(spelled, meaning)
          }
        }
      }
    }
  })
})

describe("The header of an export", () => {
  it("is recognised by its system, and each of its columns is known", () => {
    for (const [name, header] of Object.entries(exports)) {
      assert.strictEqual(systemOf(header), name.replace(/German|Api|Old/, ""), name)
      columnsIn(header)
    }
    for (const [name, header] of Object.entries(companyExports)) {
      assert.strictEqual(systemOf(header), name.replace("Api", ""), name)
      columnsIn(header, { kind: "companies" })
    }
    assert.strictEqual(systemOf(["id", "firstName", "lastName", "email", "externalRefs"]), undefined)
    assert.strictEqual(systemOf(["Vorname", "Nachname", "E-Mail", "Telefon"]), undefined)
  })

  it("sets the members of contacts, and the reference by the id of the system, never our id", () => {
    assert.deepStrictEqual(setBy(exports.hubspot), {
      "Record ID": "externalRefs.hubspot",
      "First Name": "firstName",
      "Last Name": "lastName",
      Email: "email",
      "Phone Number": "phone",
      "Mobile Phone Number": "phone",
      "Preferred language": "primaryLanguage",
      "LinkedIn URL": "linkedInUrl"
    })
    assert.deepStrictEqual(setBy(exports.hubspotGerman), {
      "Datensatz-ID": "externalRefs.hubspot",
      Vorname: "firstName",
      Nachname: "lastName",
      "E-Mail": "email",
      Telefonnummer: "phone",
      Mobiltelefonnummer: "phone",
      "Bevorzugte Sprache": "primaryLanguage"
    })
    assert.deepStrictEqual(setBy(exports.pipedrive), {
      "Person - ID": "externalRefs.pipedrive",
      "Person - First name": "firstName",
      "Person - Last name": "lastName",
      "Person - Labels": "tags",
      "Person - Email - Work": "email",
      "Person - Email - Home": "email",
      "Person - Email - Other": "email",
      "Person - Phone - Work": "phone",
      "Person - Phone - Home": "phone",
      "Person - Phone - Mobile": "phone",
      "Person - Phone - Other": "phone"
    })
    assert.deepStrictEqual(setBy(exports.pipedriveGerman), {
      "Person - ID": "externalRefs.pipedrive",
      "Person - Vorname": "firstName",
      "Person - Nachname": "lastName",
      "Person - E-Mail - Arbeit": "email",
      "Person - Telefon - Arbeit": "phone",
      "Person - Telefon - Mobil": "phone"
    })
    assert.deepStrictEqual(setBy(exports.salesforce), {
      "Contact ID": "id",
      "First Name": "firstName",
      "Last Name": "lastName",
      Phone: "phone",
      Mobile: "phone",
      "Home Phone": "phone",
      "Other Phone": "phone",
      Email: "email"
    })
    assert.include(setBy(exports.salesforceApi), {
      Id: "id",
      FirstName: "firstName",
      MobilePhone: "phone",
      Email: "email"
    })
    assert.deepStrictEqual(setBy(exports.google), {
      "First Name": "firstName",
      "Last Name": "lastName",
      Photo: "profilePictureUrl",
      Labels: "tags",
      "E-mail 1 - Value": "email",
      "E-mail 2 - Value": "email",
      "Phone 1 - Value": "phone",
      "Phone 2 - Value": "phone"
    })
    assert.include(setBy(exports.googleOld), {
      "Given Name": "firstName",
      "Family Name": "lastName",
      Language: "primaryLanguage"
    })
    assert.deepStrictEqual(
      new Set(Object.values(setBy(exports.outlook))),
      new Set(["firstName", "lastName", "email", "phone", "tags", "primaryLanguage"])
    )
    assert.deepStrictEqual(setBy(exports.outlookGerman), {
      Vorname: "firstName",
      Nachname: "lastName",
      "Telefon geschäftlich": "phone",
      "Telefon geschäftlich 2": "phone",
      Autotelefon: "phone",
      "Telefon (privat)": "phone",
      "Telefon (privat 2)": "phone",
      Mobiltelefon: "phone",
      "Weiteres Telefon": "phone",
      Haupttelefon: "phone",
      "Mobiltelefon 2": "phone",
      "E-Mail-Adresse": "email",
      "E-Mail 2: Adresse": "email",
      "E-Mail 3: Adresse": "email",
      Kategorien: "tags",
      Sprache: "primaryLanguage"
    })
  })

  it("sets the members of companies", () => {
    assert.deepStrictEqual(setBy(companyExports.hubspot, { kind: "companies" }), {
      "Record ID": "externalRefs.hubspot",
      "Company name": "name",
      "Country/Region": "country",
      "Company Domain Name": "domain",
      "Website URL": "homepageUrl",
      "LinkedIn Company Page": "linkedInUrl"
    })
    assert.deepStrictEqual(setBy(companyExports.pipedrive, { kind: "companies" }), {
      "Organization - ID": "externalRefs.pipedrive",
      "Organization - Name": "name",
      "Organization - Label": "tags",
      "Organization - Country of Address": "country",
      "Organization - Website": "homepageUrl",
      "Organization - LinkedIn profile": "linkedInUrl"
    })
    assert.deepStrictEqual(setBy(companyExports.salesforce, { kind: "companies" }), {
      "Account ID": "id",
      "Account Name": "name",
      "Billing Country": "country",
      Website: "homepageUrl"
    })
    assert.deepStrictEqual(setBy(companyExports.salesforceApi, { kind: "companies" }), {
      Id: "id",
      Name: "name",
      BillingCountry: "country",
      BillingCountryCode: "country",
      Website: "homepageUrl"
    })
  })

  it("is known in the languages of Europe", () => {
    for (const header of [
      "Prénom,Nom,Courriel,Téléphone,Téléphone portable,Société,Fonction,Langue,Étiquettes,Adresse,Code postal,Ville,Pays,Date de création",
      "Nombre,Apellidos,Correo electrónico,Teléfono,Móvil,Empresa,Cargo,Idioma,Etiquetas,Dirección,Código postal,Ciudad,País,Fecha de creación",
      "Nome,Cognome,Indirizzo e-mail,Telefono,Cellulare,Azienda,Ruolo,Lingua,Etichette,Indirizzo,CAP,Città,Paese,Data di creazione",
      "Voornaam,Achternaam,E-mailadres,Telefoonnummer,Mobiel,Bedrijf,Functie,Taal,Trefwoorden,Adres,Postcode,Plaats,Land,Aangemaakt op",
      "Vorname,Nachname,E-Mail,Telefon,Handy,Firma,Funktion,Sprache,Schlagwörter,Straße,PLZ,Ort,Land,Bemerkungen"
    ]) {
      const set = Object.values(setBy(split(header)))
      assert.deepStrictEqual(
        set,
        ["firstName", "lastName", "email", "phone", "phone", "primaryLanguage", "tags"],
        header
      )
    }
    for (const header of [
      "Société,Raison sociale,Pays,Site web,Domaine,Téléphone,Forme juridique,SIREN",
      "Empresa,Razón social,País,Página web,Dominio,Teléfono,Ciudad,Empleados",
      "Azienda,Ragione sociale,Paese,Sito web,Dominio,Telefono,Città,Dipendenti",
      "Bedrijfsnaam,Statutaire naam,Land,Webadres,Domein,Telefoon,Plaats,Medewerkers",
      "Firma,Firmierung,Land,Webseite,Domäne,Telefon,Ansprechpartner,Rechtsform,Handelsregisternummer"
    ]) {
      const set = Object.values(setBy(split(header), { kind: "companies" }))
      assert.deepStrictEqual(set, ["name", "legalName", "country", "homepageUrl", "domain"], header)
    }
  })

  it("of properties is known in them, too", () => {
    for (const header of [
      "Immeuble,Pays,Ville,Rue,Code postal,Surface locative (m²),Prix de vente (EUR),Année de construction,Taux d'occupation (%)",
      "Inmueble,País,Ciudad,Calle,Código postal,Superficie alquilable (m²),Precio de venta (EUR),Año de construcción,Tasa de ocupación (%)",
      "Immobile,Paese,Città,Via,CAP,Superficie locabile (m²),Prezzo di vendita (EUR),Anno di costruzione,Tasso di occupazione (%)",
      "Pand,Landcode,Plaats,Straat,Postcode,VVO (m²),Vraagprijs (EUR),Bouwjaar,Bezettingsgraad (%)"
    ]) {
      assert.deepStrictEqual(Object.values(setBy(split(header), { kind: "properties" })), [
        "name",
        "country",
        "locality",
        "address.street",
        "address.postalCode",
        "lettableArea",
        "pricing.askingPrice",
        "yearBuilt",
        "income.occupancyRate"
      ])
    }
    assert.deepStrictEqual(setBy(["Record ID", "property name"], { kind: "properties" }), {
      "Record ID": "externalRefs.hubspot",
      "property name": "name"
    })
  })

  it("says why a column is left out", () => {
    const leftOut = (header: string) =>
      columnsIn(split(header)).flatMap(({ leftOut: reason, name }) =>
        reason === undefined ? [] : [`${name}: ${reason}`]
      )
    assert.deepStrictEqual(leftOut("Email,Name,Company,Job title,City"), [
      "Name: a full name: first and last name are members of their own",
      "Company: the company of a contact is a link (--link-companies)",
      "Job title: the title at a company belongs to the link (--link-companies)",
      "City: no member of a contact"
    ])
  })
})

describe("A row of an export", () => {
  const read = (row: { readonly [column: string]: string }, choices: Partial<Mapping> = {}) => {
    const mapping = { ...asked, ...choices }
    const columns = columnsIn(Object.keys(row), choices)
    return ofCells(
      { kind: mapping.kind, separator: ";", currency: undefined, decimal: undefined },
      columns,
      Object.values(row)
    )
  }

  const refOf = (namespace: string, externalId: string) => ({ externalRefs: [{ namespace, externalId }] })

  it("has the id of its system as a reference, or ours by its form", () => {
    const ours = "contact_01kb3n7x2ferwt5z8q4j6m9d0c"
    const email = { email: "a@x.example" }
    for (const [row, choices, item] of [
      [{ "Record ID": "901" }, {}, refOf("hubspot", "901")],
      [{ "Record ID": "901" }, { namespace: "crm" }, refOf("crm", "901")],
      [{ "Person - ID": "7" }, {}, refOf("pipedrive", "7")],
      [{ "Contact ID": "0035g00000AbCdE", "Account Name": "" }, {}, refOf("salesforce", "0035g00000AbCdE")],
      [{ Id: "0035g00000AbCdEAAV" }, {}, refOf("salesforce", "0035g00000AbCdEAAV")],
      [{ "Contact ID": "77" }, { namespace: "crm" }, refOf("crm", "77")],
      [{ "Contact ID": ours }, { namespace: "crm" }, { id: ours }],
      [{ id: ours }, {}, { id: ours }],
      [{ ID: "-" }, {}, {}]
    ] as const) {
      assert.deepStrictEqual(
        read({ ...row, Email: "a@x.example" }, choices).item,
        Result.succeed({ ...email, ...item })
      )
    }
    const both = read({ id: "77", externalId: "78", Email: "a@x.example" }, { namespace: "crm" }).item
    assert.match(Result.isFailure(both) ? both.failure.detail : "", /^id: Is no id of a contact here/)
    const refused = read({ "Contact ID": "77", Email: "a@x.example" }).item
    assert.strictEqual(
      Result.isFailure(refused) ? refused.failure.detail : "",
      'Contact ID: Is no id of a contact here. If it is one of another system, name that with --namespace NAME. Found "77".'
    )
  })

  it("has the first phone and address that are filled and can be read, and the others are reported", () => {
    const row = {
      "E-mail 1 - Value": "",
      "E-mail 2 - Value": "a@x.example ::: b@x.example",
      "Phone 1 - Value": "4.93E+11",
      "Phone 2 - Value": "+49 30 1234567",
      "Phone 3 - Value": "+49 171 7654321",
      Labels: "* myContacts ::: Investors ::: Core; plus"
    }
    const { item, reported } = read(row)
    assert.deepStrictEqual(
      item,
      Result.succeed({ email: "a@x.example", phone: "+49 30 1234567", tags: ["Investors", "Core; plus"] })
    )
    assert.deepStrictEqual(
      reported.map(({ code, column }) => [column, code]),
      [
        ["E-mail 2 - Value", "further_values"],
        ["Phone 3 - Value", "other_column"],
        ["Phone 1 - Value", "invalid_cell"]
      ]
    )
    const alone = read({ email: "a@x.example", Phone: "4.93E+11" }).item
    assert.match(
      Result.isFailure(alone) ? alone.failure.detail : "",
      /^Phone: Was rounded by a spreadsheet.* Found "4\.93E\+11"\.$/
    )
  })
})
