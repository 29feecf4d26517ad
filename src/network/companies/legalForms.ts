/**
 * What names of companies contain beside the name. Legal forms, abbreviated and in full: a selection of the ISO 20275 entity legal forms
 * (the ELF code list of GLEIF), as registers and people write them; and the words for a branch. All are compared without case, accents,
 * dots and spaces.
 */

const listed = (...lines: ReadonlyArray<string>): ReadonlyArray<string> => lines.flatMap((line) => line.split(" | "))

/** Forms that end a name. */
export const endings = listed(
  // All of the European Union
  "SE | Societas Europaea | SCE | EEIG | EWIV | GEIE",
  // Germany, Austria, Switzerland, Liechtenstein
  "AG | Aktiengesellschaft | GmbH | gGmbH | mbH | Ges.m.b.H. | Gesellschaft mbH | Gesellschaft m.b.H.",
  "Gesellschaft mit beschränkter Haftung | mit beschränkter Haftung | UG | UG haftungsbeschränkt",
  "Unternehmergesellschaft haftungsbeschränkt | Unternehmergesellschaft | haftungsbeschränkt | KG | Kommanditgesellschaft",
  "KGaA | Kommanditgesellschaft auf Aktien | OHG | offene Handelsgesellschaft | OG | offene Gesellschaft | GbR | eGbR",
  "Gesellschaft bürgerlichen Rechts | PartG | PartG mbB | PartGmbB | eG | eGen | eingetragene Genossenschaft | e.V.",
  "eingetragener Verein | e.K. | e.Kfm. | e.Kfr. | eingetragener Kaufmann | VVaG | FlexCo | FlexKapG",
  "Flexible Kapitalgesellschaft | InvAG | REIT AG | GmbH i. G. | KöR | AdöR | Stiftung bürgerlichen Rechts | Sagl",
  "Società a garanzia limitata | Anstalt | Treuunternehmen reg.",
  // United Kingdom, Ireland
  "Ltd | Limited | PLC | Public Limited Company | LLP | Limited Liability Partnership | LP | Limited Partnership | CIC",
  "Community Interest Company | CIO | DAC | Designated Activity Company | CLG | Company Limited by Guarantee | UC",
  "Unlimited Company | ULC | Teoranta | RTM Company | Charitable Incorporated Organisation",
  "Limited Liability Company by Guarantee | ICAV | OEIC | Cuideachta",
  // France
  "SA | Société anonyme | SAS | SASU | Société par actions simplifiée | Société par actions simplifiée unipersonnelle",
  "SARL | Société à responsabilité limitée | EURL | SNC | Société en nom collectif | SCI | Société civile immobilière",
  "SCPI | SCCV | SCA | Société en commandite par actions | SCS | Société en commandite simple | SELARL | GIE | SICAV",
  "SCOP | SELAS | SELAFA | SASP | SCIC | SCEA | GFA | EARL | SEML | SCM | SPPICAV | OPPCI | Sté civile | Société civile",
  "Société coopérative | & Cie | et Cie",
  // Belgium, Luxembourg, the Netherlands
  "NV | Naamloze vennootschap | BV | Besloten vennootschap | Besloten vennootschap met beperkte aansprakelijkheid | BVBA",
  "EBVBA | SPRL | SPRLU | CVBA | SCRL | CommV | SComm | ASBL | VZW | VOF | Vennootschap onder firma | CV",
  "Commanditaire vennootschap | U.A. | SARL-S | SCSp | Société en commandite spéciale | Secs | Senc | SICAF | SICAR",
  "RAIF | SIF | SPF | FCP | SICAV-RAIF | SICAV-SIF | FCP-RAIF | FCP-SIF | SICAV-FIS",
  "Société d'investissement à capital variable | Société coopérative organisée comme une société anonyme | Coöp",
  "Coöperatie | Coöperatie U.A. | Coöperatief U.A. | CVOHA | GCV | CommVA | AISBL | IVZW | BV o/g",
  // Spain
  "SL | Sociedad limitada | Sociedad de responsabilidad limitada | SLU | Sociedad limitada unipersonal | SLL | SLP | SLNE",
  "SAU | Sociedad anónima | Sociedad anónima unipersonal | SAL | S.Coop. | Sdad. Coop. | SCL | S. Com. p. A.",
  "Sociedad cooperativa | Sociedad civil | C.B. | A.I.E.",
  // Portugal
  "Lda | Limitada | Unipessoal Lda | Sociedade Unipessoal Lda | Sociedade por quotas | SGPS | SGPS SA | Sociedade anónima",
  "CRL | EIRELI | S/A | S.A. de capital aberto | Sociedade anônima | Companhia aberta | EPP | Ltda ME | Ltda EPP",
  // Italy
  "SpA | Società per azioni | Srl | Srls | Società a responsabilità limitata",
  "Società a responsabilità limitata semplificata | Sas | Società in accomandita semplice | SApA",
  "Società in accomandita per azioni | Snc | Società in nome collettivo | Soc. Coop. | Società cooperativa | Scarl | ScpA",
  "S.s. | Unipersonale | a socio unico | con socio unico | con unico socio | Società semplice | Società agricola",
  "Soc. agr. | Società consortile | SCRL | S.c.r.l. | Soc. coop. a r.l. | & C. | Società benefit",
  // Sweden
  "AB | Aktiebolag | Aktiebolaget | AB publ | publ | KB | Kommanditbolag | HB | Handelsbolag | ek. för.",
  "Ekonomisk förening | Enskild firma",
  // Denmark
  "A/S | Aktieselskab | Aktieselskabet | ApS | Anpartsselskab | IVS | I/S | Interessentskab | K/S | Kommanditselskab",
  "P/S | Partnerselskab | A.m.b.a. | S.m.b.a. | F.m.b.a. | Aktieselskab med begrænset ansvar | Iværksætterselskab",
  "Kommanditaktieselskab | ehf | hf | slf | ohf | Einkahlutafélag | Hlutafélag",
  // Norway
  "AS | Aksjeselskap | ASA | Allmennaksjeselskap | ANS | Ansvarlig selskap | DA | KS | Kommandittselskap | NUF | ENK",
  "Enkeltpersonforetak",
  // Finland
  "Oy | Osakeyhtiö | Oyj | Julkinen osakeyhtiö | Abp | Oy Ab | Oyj Abp | Ky | Kommandiittiyhtiö | Ay | Avoin yhtiö | Tmi",
  "Toiminimi | Osk | Osuuskunta | As Oy | Asunto Oy | Asunto-osakeyhtiö | Koy | Ry",
  // Poland
  "Sp. z o.o. | Spółka z o.o. | Spółka z ograniczoną odpowiedzialnością | Spółka akcyjna | Prosta spółka akcyjna | Sp. j.",
  "Spółka jawna | Sp. k. | Spółka komandytowa | Sp. p. | Spółka partnerska | SKA | Spółka komandytowo-akcyjna",
  "Spółka cywilna | Sp. z o.o. sp. k. | PSA | S.K.A. | Sp. z o.o. S.K.A.",
  "Spółka z ograniczoną odpowiedzialnością spółka komandytowa | Sp. z o.o. i Wspólnicy Sp. k.",
  // Czechia, Slovakia
  "s.r.o. | spol. s r.o. | společnost s ručením omezeným | spoločnosť s ručením obmedzeným | a.s. | akciová společnost",
  "akciová spoločnosť | v.o.s. | veřejná obchodní společnost | k.s. | komanditní společnost | o.p.s. | z.s. | z.ú.",
  "družstvo | spoločnosť | j.s.a. | s.r.o. r.s.p.",
  // Hungary, Romania, Bulgaria, Croatia, Slovenia, Serbia, Greece
  "Kft | Korlátolt Felelősségű Társaság | Zrt | Nyrt | Rt | Bt | Betéti társaság | Kkt | Societate cu răspundere limitată",
  "EOOD | OOD | EAD | ЕООД | ООД | АД | ЕАД | d.o.o. | j.d.o.o. | d.d. | A.E. | Α.Ε. | Ε.Π.Ε. | Ι.Κ.Ε. | Részvénytársaság",
  "Zártkörűen működő részvénytársaság | Nyilvánosan működő részvénytársaság | SRL-D | Societate pe acțiuni | EIK | АДСИЦ",
  "ADSIC | ДЗЗД | КД | СД | ЕТ | Еднолично дружество с ограничена отговорност | Дружество с ограничена отговорност",
  "Акционерно дружество | д.о.о. | а.д. | ДОО | ДООЕЛ | DOOEL | a.d. | društvo s ograničenom odgovornošću",
  "dioničko društvo | družba z omejeno odgovornostjo | delniška družba | obrt | Sh.p.k. | Sh.a. | Ανώνυμη Εταιρεία",
  "Ανώνυμη Εταιρία | Α.Β.Ε.Ε. | Α.Ε.Β.Ε. | Α.Τ.Ε. | Α.Ξ.Ε. | Α.Ε.Ε.Α.Π. | Ο.Ε. | Ε.Ε. | Μ.Ι.Κ.Ε. | Μονοπρόσωπη Ι.Κ.Ε.",
  "Μονοπρόσωπη Α.Ε. | Μονοπρόσωπη Ε.Π.Ε. | E.P.E. | I.K.E. | A.B.E.E. | A.E.E.A.P.",
  // Estonia, Latvia, Lithuania
  "OÜ | Osaühing | Aktsiaselts | SIA | Akciju sabiedrība | UAB | Uždaroji akcinė bendrovė | MB | Akcinė bendrovė | VšĮ",
  "Sabiedrība ar ierobežotu atbildību",
  // Russia, Ukraine, Belarus, Kazakhstan, the Caucasus
  "ООО | ОАО | ЗАО | ПАО | НАО | АО | ТОО | ЧАО | ОДО | ИП | ТОВ | ПрАТ | ПАТ | ВАТ | ЗАТ | АТ | ПП | ФОП",
  "Общество с ограниченной ответственностью | Акционерное общество | Публичное акционерное общество",
  "Открытое акционерное общество | Закрытое акционерное общество | Непубличное акционерное общество",
  "Товарищество с ограниченной ответственностью | Товариство з обмеженою відповідальністю | Акціонерне товариство",
  "Публічне акціонерне товариство | Приватне акціонерне товариство | OOO | OAO | ZAO | PAO | TOV | JSC | PJSC | OJSC",
  "CJSC | Joint Stock Company | Joint-stock Company | Public Joint Stock Company | Open Joint Stock Company",
  "Closed Joint Stock Company | შპს | სს | ՍՊԸ | ՓԲԸ | ԲԲԸ",
  // Turkey, the Middle East, Africa
  "A.Ş. | Anonim Şirketi | Ltd. Şti. | Limited Şirketi | Sanayi ve Ticaret | San. ve Tic. | San. Tic. | GYO | FZE | FZC",
  "FZCO | FZ-LLC | Free Zone Company | Free Zone Establishment | W.L.L. | With Limited Liability | P.S.C.",
  "Public Shareholding Company | Private Joint Stock Company | K.S.C. | K.S.C.C. | K.S.C.P. | B.S.C. | B.S.C. (c)",
  "Q.S.C. | Q.P.S.C. | Q.P.J.S.C. | S.A.O.G. | S.A.O.C. | S.A.E. | SAOC | ش.م.م | ش.م.ع | ش.م.ك | ش.م.ب | ش.م.ق | ذ.م.م",
  "ش.ذ.م.م | المحدودة | المساهمة | المساهمة العامة | שותפות מוגבלת | בע״מ | SARL AU | SUARL | SARLU | Pty Limited",
  "Proprietary Limited | NPC | SOC Ltd | Ltd Gte",
  // Asia and Oceania
  "Co., Ltd. | Company Limited | Kabushiki Kaisha | Kabushiki Gaisha | K.K. | Godo Kaisha | Goudou Kaisha | G.K.",
  "Yugen Kaisha | Y.K. | Tokutei Mokuteki Kaisha | TMK | Jusik Hoesa | Chusik Hoesa | Yuhan Hoesa | Sdn Bhd",
  "Sendirian Berhad | Bhd | Berhad | PLT | Private Limited Company | Pvt Limited | Private Ltd | Pvt",
  "OPC Private Limited | Tbk | Perseroan Terbatas | Persero Tbk | Persero | VCC | PCL | Public Company Limited | จำกัด",
  "จำกัด (มหาชน) | มหาชน | TNHH | TNHH MTV | CTCP",
  // Latin America
  "S.A. de C.V. | S.A.B. de C.V. | S.A.P.I. de C.V. | S.A.P.I.B. de C.V. | S. de R.L. de C.V. | S. de R.L.",
  "S.R.L. de C.V. | S. de R.L. de C.V. de I.P. | S. en C. | S. en C. por A. | S. en C. de C.V. | S.A.S. de C.V.",
  "SOFOM E.N.R. | SOFOM E.R. | S.A. de C.V. SOFOM E.N.R. | Sociedad Anónima de Capital Variable",
  "Sociedad Anónima Bursátil de Capital Variable | Sociedad de Responsabilidad Limitada de Capital Variable",
  "Sociedad por Acciones Simplificada | Sociedad Anónima Cerrada | Sociedad Anónima Abierta | S.A.C. | S.A.A. | S.A.C.I.",
  "S.A.I.C. | S.A.C.I.F. | S.A.C.I.F.I.A. | S.A.C.I.F. y A. | S.A.I.C.F. | E.I.R.L. | Cía. Ltda. | Compañía Limitada | Compañía Anónima",
  "& Cía. | y Cía. | e Cia. | C.A.",
  // United States, Canada and elsewhere
  "PLLC | P.L.L.C. | P.C. | P.A. | N.A. | National Association | GP | L.P. | Ltée | Limitée | Incorporée | S.E.C.",
  "SENCRL | S.E.N.C.R.L. | Inc | Incorporated | Corp | Corporation | Co | Company | LLC | L.L.C.",
  "Limited Liability Company | LLLP | PBC | Pty | Pty Ltd | Pte | Pte Ltd | Pvt Ltd | Private Limited | Ltda | KK",
  // What a listed property company is for the tax office
  "SIIQ | SIINQ | SOCIMI | SIIC | GVV",
  // The state that a company is in, not its name
  "in liquidation | in Liq. | i. L. | i. Liq. | in Abwicklung | in Insolvenz | in Gründung | in administration",
  "in receivership | en liquidación | en concurso | em liquidação | in concordato preventivo | under konkurs | i konkurs",
  "w likwidacji | v likvidaci | v likvidácii | felszámolás alatt | en liquidation | in liquidazione | i likvidation"
)

/**
 * Forms that begin a name, as in AB Volvo, Oy Karl Fazer Ab or SCI Les Lilas. Only those that are hardly ever the first
 * word of a proper name: SAS Institute and AG Insurance are whole names.
 */
export const beginnings = listed(
  "AB | Asunto Oy | As Oy | Aktiebolaget | Kommanditbolaget | Handelsbolaget | Aktieselskabet | A/S af | Oy | Oyj | Osakeyhtiö | SCI | SCCV",
  "SARL | EURL | Société anonyme | Société civile immobilière | Société par actions simplifiée",
  "Société à responsabilité limitée | NV | BV | Naamloze vennootschap | Besloten vennootschap | Spółka akcyjna | UAB",
  "SIA | OÜ | SIIQ | ООО | ОАО | ЗАО | ПАО | НАО | АО | ТОО | ЧАО | ОДО | ИП | ТОВ | ПрАТ | ПАТ | ВАТ | ЗАТ | АТ | ПП",
  "ФОП | Общество с ограниченной ответственностью | Акционерное общество | Публичное акционерное общество",
  "Открытое акционерное общество | Закрытое акционерное общество | Непубличное акционерное общество",
  "Товарищество с ограниченной ответственностью | Товариство з обмеженою відповідальністю | Акціонерне товариство",
  "Публічне акціонерне товариство | Приватне акціонерне товариство | OOO | OAO | ZAO | PAO | PJSC | OJSC | CJSC | JSC",
  "შპს | სს | PT | Perseroan Terbatas | Kabushiki Kaisha | Kabushiki Gaisha | บริษัท | บมจ | บจก | CTCP",
  "Công ty TNHH | Công ty TNHH MTV | Công ty Cổ phần | شركة"
)

/**
 * Forms that stand in the middle of a name, as in Fastighets AB Balder, Wohnbau-Aktiengesellschaft Berlin or Bauwerk GmbH &
 * Co. Objekt 7 KG. Only those that are no words or initials besides.
 */
export const middles = listed(
  "AB | Aktiebolaget | Oy | Oyj | AG | Aktiengesellschaft | GmbH | gGmbH | mbH | KG | KGaA | Kommanditgesellschaft | OHG",
  "Co | Ltd | Limited | PLC | LLP | LLC | BV | NV | SARL | Srl | ApS | Kft"
)

/**
 * The legal forms of East Asia, which are written without a space before or after the name, in a text that is folded and composed (NFC);
 * abbreviated in brackets.
 */
export const eastAsian =
  /株式会社|株式會社|有限会社|有限會社|合同会社|合資会社|合名会社|特定目的会社|投資法人|(?:一般|公益)(?:社団|財団)法人|(?:股份)?有限(?:责任|責任)?公司|股份公司|有限合伙企业|有限合夥|주식회사|유한책임회사|유한회사|합자회사|\((?:株|有|同|資|名|社|財|주|유|合|재|사)\)/g

/** The branch at the end of an East Asian name, after a space or a legal form. */
export const eastAsianBranches =
  /(?<=\s|会社|會社|公司|法人|회사|\))[\p{L}\p{N}]{1,12}(?:支店|支社|営業所|出張所|分公司|分行|分店|支行|办事处|辦事處|지점|지사|영업소)\s*$/u

/** Words for a branch before its place, as in Niederlassung Berlin. */
export const branches = listed(
  "Niederlassung | Niederlassungen | Ndl. | Zweigniederlassung | Zweigndl. | Hauptniederlassung | Hauptverwaltung",
  "Hauptsitz | Zweigstelle | Zweigbüro | Geschäftsstelle | Außenstelle | Repräsentanz | Regionalbüro | Regionaldirektion",
  "Standort | Filiale | Filialdirektion | Branch Office | Branch of | Branch in | Head Office | Headquarters",
  "Representative Office | Succursale | Établissement secondaire | Établissement stable | Sucursal",
  "Establecimiento permanente | Sede secondaria | Unità locale | Stabile organizzazione | Vestiging | Nevenvestiging",
  "Bijkantoor | Filiaal | Filial | Avdeling | Afdeling | Sivuliike | Sivukonttori | Oddział | Filia | Pobočka",
  "Odštěpný závod | Organizační složka | Organizačná zložka | Fióktelep | Fióktelepe | Fiókja | Sucursala",
  "Punct de lucru | Podružnica | Ogranak | Филиал | Представительство | Обособленное подразделение | Філія",
  "Представництво | Клон | Огранак | Υποκατάστημα | Şubesi | Filiāle | Filialas"
)

/** Words for a branch after its place, as in London Branch. */
export const branchesOfPlaces = listed(
  "Branch | Branch Office | Representative Office | Rep. Office | Head Office | Filial | Filiaal | Filialas | Filiāle",
  "Sivuliike | Fióktelepe | Şubesi | Sucursal | Succursale | Niederlassung | Филиал"
)

/** Words for a branch in a part of its own, before or after its place, as in "Strabag, Büro München". */
export const offices = listed(
  "Büro | Agentur | Agence | Bureau | Office | Offices | Oficina | Delegación | Ufficio | Escritório | Kantoor | Kontor | Kontoret",
  "Toimisto | Biuro | Kancelář | Iroda | Birou | Ured | Pisarna | Офис | Γραφείο | Ofisi"
)
