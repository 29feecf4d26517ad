/**
 * Legal forms of companies as they stand in names, abbreviated and in full. Chosen from the entity legal forms of
 * ISO 20275 (the ELF code list that GLEIF keeps) for Europe and the United States. Written as people write them:
 * case, accents, dots and spaces do not count where they are compared.
 */

/** Forms that end a name. */
export const endings: ReadonlyArray<string> = [
  // All of the European Union
  "SE", "Societas Europaea", "SCE", "EEIG", "EWIV", "GEIE",
  // Germany, Austria, Switzerland, Liechtenstein
  "AG", "Aktiengesellschaft", "GmbH", "gGmbH", "mbH", "Ges.m.b.H.", "Gesellschaft mbH", "Gesellschaft m.b.H.",
  "Gesellschaft mit beschränkter Haftung", "mit beschränkter Haftung", "UG", "UG haftungsbeschränkt",
  "Unternehmergesellschaft haftungsbeschränkt", "Unternehmergesellschaft", "haftungsbeschränkt", "KG",
  "Kommanditgesellschaft", "KGaA", "Kommanditgesellschaft auf Aktien", "OHG", "offene Handelsgesellschaft", "OG",
  "offene Gesellschaft", "GbR", "eGbR", "Gesellschaft bürgerlichen Rechts", "PartG", "PartG mbB", "PartGmbB",
  "eG", "eGen", "eingetragene Genossenschaft", "e.V.", "eingetragener Verein", "e.K.", "e.Kfm.", "e.Kfr.",
  "eingetragener Kaufmann", "VVaG", "FlexCo", "FlexKapG",
  // United Kingdom, Ireland
  "Ltd", "Limited", "PLC", "Public Limited Company", "LLP", "Limited Liability Partnership", "LP",
  "Limited Partnership", "CIC", "Community Interest Company", "CIO", "DAC", "Designated Activity Company", "CLG",
  "Company Limited by Guarantee", "UC", "Unlimited Company", "ULC", "Teoranta", "Cuideachta",
  // France
  "SA", "Société anonyme", "SAS", "SASU", "Société par actions simplifiée",
  "Société par actions simplifiée unipersonnelle", "SARL", "Société à responsabilité limitée", "EURL", "SNC",
  "Société en nom collectif", "SCI", "Société civile immobilière", "SCPI", "SCCV", "SCA",
  "Société en commandite par actions", "SCS", "Société en commandite simple", "SELARL", "GIE", "SICAV", "SCOP",
  // Belgium, Luxembourg, the Netherlands
  "NV", "Naamloze vennootschap", "BV", "Besloten vennootschap", "Besloten vennootschap met beperkte aansprakelijkheid",
  "BVBA", "EBVBA", "SPRL", "SPRLU", "CVBA", "SCRL", "CommV", "SComm", "ASBL", "VZW", "VOF", "Vennootschap onder firma",
  "CV", "Commanditaire vennootschap", "U.A.", "SARL-S", "SCSp", "Société en commandite spéciale", "Secs",
  "Senc",
  // Spain
  "SL", "Sociedad limitada", "Sociedad de responsabilidad limitada", "SLU", "Sociedad limitada unipersonal", "SLL", "SLP",
  "SLNE", "SAU", "Sociedad anónima", "Sociedad anónima unipersonal", "SAL", "S.Coop.", "Sdad. Coop.", "SCL",
  // Portugal
  "Lda", "Limitada", "Unipessoal Lda", "Sociedade Unipessoal Lda", "Sociedade por quotas", "SGPS", "SGPS SA",
  "Sociedade anónima", "CRL",
  // Italy
  "SpA", "Società per azioni", "Srl", "Srls", "Società a responsabilità limitata",
  "Società a responsabilità limitata semplificata", "Sas", "Società in accomandita semplice", "SApA",
  "Società in accomandita per azioni", "Snc", "Società in nome collettivo", "Soc. Coop.", "Società cooperativa", "Scarl",
  "ScpA", "S.s.", "Unipersonale", "Società benefit",
  // Sweden
  "AB", "Aktiebolag", "Aktiebolaget", "AB publ", "publ", "KB", "Kommanditbolag", "HB", "Handelsbolag", "ek. för.",
  "Ekonomisk förening", "Enskild firma",
  // Denmark
  "A/S", "Aktieselskab", "Aktieselskabet", "ApS", "Anpartsselskab", "IVS", "I/S", "Interessentskab", "K/S",
  "Kommanditselskab", "P/S", "Partnerselskab", "A.m.b.a.", "S.m.b.a.", "F.m.b.a.",
  // Norway
  "AS", "Aksjeselskap", "ASA", "Allmennaksjeselskap", "ANS", "Ansvarlig selskap", "DA", "KS", "Kommandittselskap",
  "NUF", "ENK", "Enkeltpersonforetak",
  // Finland
  "Oy", "Osakeyhtiö", "Oyj", "Julkinen osakeyhtiö", "Abp", "Oy Ab", "Oyj Abp", "Ky", "Kommandiittiyhtiö", "Ay",
  "Avoin yhtiö", "Tmi", "Toiminimi", "Osk", "Osuuskunta",
  // Poland
  "Sp. z o.o.", "Spółka z o.o.", "Spółka z ograniczoną odpowiedzialnością", "Spółka akcyjna",
  "Prosta spółka akcyjna", "Sp. j.", "Spółka jawna", "Sp. k.", "Spółka komandytowa", "Sp. p.", "Spółka partnerska",
  "SKA", "Spółka komandytowo-akcyjna", "Spółka cywilna", "Sp. z o.o. sp. k.",
  // Czechia, Slovakia
  "s.r.o.", "spol. s r.o.", "společnost s ručením omezeným", "spoločnosť s ručením obmedzeným", "a.s.",
  "akciová společnost", "akciová spoločnosť", "v.o.s.", "veřejná obchodní společnost", "k.s.", "komanditní společnost",
  "o.p.s.", "z.s.",
  // Hungary, Romania, Bulgaria, Croatia, Slovenia, Serbia, Greece
  "Kft", "Korlátolt Felelősségű Társaság", "Zrt", "Nyrt", "Rt", "Bt", "Betéti társaság", "Kkt",
  "Societate cu răspundere limitată", "EOOD", "OOD", "EAD", "ЕООД", "ООД", "АД", "ЕАД", "d.o.o.", "j.d.o.o.", "d.d.",
  "A.E.", "Α.Ε.", "Ε.Π.Ε.", "Ι.Κ.Ε.",
  // Estonia, Latvia, Lithuania
  "OÜ", "Osaühing", "Aktsiaselts", "SIA", "Akciju sabiedrība", "UAB", "Uždaroji akcinė bendrovė", "MB",
  // United States and elsewhere
  "Inc", "Incorporated", "Corp", "Corporation", "Co", "Company", "LLC", "L.L.C.", "Limited Liability Company", "LLLP", "PBC",
  "Pty", "Pty Ltd", "Pte", "Pte Ltd", "Pvt Ltd", "Private Limited", "Ltda", "KK",
  // What a listed property company is for the tax office
  "SIIQ", "SIINQ", "SOCIMI", "SIIC", "GVV",
  // The state that a company is in, not its name
  "in liquidation", "en liquidation", "in liquidazione", "i likvidation"
]

/**
 * Forms that begin a name, as in AB Volvo, Oy Karl Fazer Ab or SCI Les Lilas. Only those that are hardly ever the first
 * word of a proper name: SAS Institute and AG Insurance are whole names.
 */
export const beginnings: ReadonlyArray<string> = [
  "AB", "Aktiebolaget", "Kommanditbolaget", "Handelsbolaget", "Aktieselskabet", "A/S af", "Oy", "Oyj", "Osakeyhtiö",
  "SCI", "SCCV", "SARL", "EURL", "Société anonyme", "Société civile immobilière", "Société par actions simplifiée",
  "Société à responsabilité limitée", "NV", "BV", "Naamloze vennootschap", "Besloten vennootschap", "Spółka akcyjna",
  "UAB", "SIA", "OÜ", "SIIQ"
]

/**
 * Forms that stand in the middle of a name, as in Fastighets AB Balder, Wohnbau-Aktiengesellschaft Berlin or Bauwerk GmbH &
 * Co. Objekt 7 KG. Only those that are no words or initials besides.
 */
export const middles: ReadonlyArray<string> = [
  "AB", "Aktiebolaget", "Oy", "Oyj", "AG", "Aktiengesellschaft", "GmbH", "gGmbH", "mbH", "KG", "KGaA",
  "Kommanditgesellschaft", "OHG", "Co", "Ltd", "Limited", "PLC", "LLP", "LLC", "BV", "NV", "SARL", "Srl", "ApS", "Kft"
]
