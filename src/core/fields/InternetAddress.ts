/** E-mail addresses, domains and web addresses, and the hosts that many share. */
import freeMail from "email-providers/all.json" with { type: "json" }
import { parse } from "tldts"
import { domainToASCII } from "node:url"
import { check, inNfc, rewritten, Text } from "./Text.ts"
import { Schema } from "effect"

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter((word) => word !== ""))

/** Networks, directories and portals: their pages are paths, also below their subdomains (de.linkedin.com). */
const networks = words(`
  facebook.com fb.com fb.me fb.watch m.me messenger.com instagram.com threads.net threads.com linkedin.com lnkd.in xing.com twitter.com x.com
  t.co t.me telegram.me telegram.org wa.me whatsapp.com youtube.com youtu.be vimeo.com dailymotion.com tiktok.com snapchat.com flickr.com
  reddit.com quora.com vk.com ok.ru weibo.com weibo.cn wechat.com line.me kakao.com bsky.app mastodon.social nextdoor.com nextdoor.de meetup.com
  eventbrite.com eventbrite.de eventbrite.co.uk patreon.com viadeo.com slideshare.net issuu.com scribd.com behance.net dribbble.com soundcloud.com
  github.com gitlab.com bitbucket.org sourceforge.net linktr.ee bit.ly bitly.com tinyurl.com goo.gl g.page g.co about.me beacons.ai calendly.com
  apps.apple.com itunes.apple.com dropbox.com wetransfer.com archive.org
  wikipedia.org wikidata.org wikimedia.org openstreetmap.org mapquest.com waze.com foursquare.com trustpilot.com trustpilot.de provenexpert.com
  crunchbase.com angel.co wellfound.com zoominfo.com rocketreach.co apollo.io dnb.com opencorporates.com kompass.com northdata.com northdata.de
  companyhouse.de firmenwissen.de unternehmensregister.de handelsregister.de bundesanzeiger.de moneyhouse.ch moneyhouse.de zefix.ch societe.com
  pappers.fr verif.com infogreffe.fr infoempresa.com einforma.com empresia.es axesor.es allabolag.se proff.no proff.se proff.dk virk.dk cvr.dk
  company-information.service.gov.uk endole.co.uk implisense.com wlw.de wlw.at wlw.ch industrystock.de
  gelbeseiten.de dasoertliche.de dastelefonbuch.de 11880.com goyellow.de golocal.de meinestadt.de branchenbuch.de branchenbuchdeutschland.de
  stadtbranchenbuch.com klicktel.de telefonbuch.de herold.at firmenabc.at local.ch search.ch telsearch.ch gelbe-seiten.ch pagesjaunes.fr
  118712.fr pagesdor.be goudengids.be goldenpages.be pagesblanches.be infobel.com paginegialle.it paginebianche.it misterimprese.it
  paginasamarillas.es paginasblancas.es qdq.com pai.pt paginasamarelas.pt goudengids.nl detelefoongids.nl telefoonboek.nl openingstijden.nl
  yell.com thomsonlocal.com 192.com freeindex.co.uk yellowpages.com yellowpages.ca yellowpages.com.au truelocal.com.au whitepages.com superpages.com
  dexknows.com yellowbook.com manta.com bbb.org merchantcircle.com chamberofcommerce.com goldenpages.ie eniro.se eniro.no hitta.se
  gulesider.no 1881.no krak.dk degulesider.dk fonecta.fi finder.fi suomi24.fi pkt.pl panoramafirm.pl zlatestranky.cz firmy.cz zlatestranky.sk
  aranyoldalak.hu paginiaurii.ro xo.gr vrisko.gr indiamart.com justdial.com sulekha.com
  kununu.com etsy.com kleinanzeigen.de ebay-kleinanzeigen.de gumtree.com gumtree.com.au craigslist.org leboncoin.fr subito.it milanuncios.com
  wallapop.com marktplaats.nl 2dehands.be blocket.se quoka.de markt.de
  immobilienscout24.de immoscout24.de immobilienscout24.at immoscout24.at immoscout24.ch immowelt.de immowelt.at immowelt.ch immonet.de ivd24immobilien.de
  immobilien.de homegate.ch comparis.ch newhome.ch willhaben.at loopnet.com loopnet.co.uk loopnet.ca loopnet.fr loopnet.es crexi.com costar.com
  rightmove.co.uk zoopla.co.uk onthemarket.com primelocation.com estatesgazette.com daft.ie myhome.ie seloger.com seloger-bureaux-commerces.com
  bureauxlocaux.com logic-immo.com bienici.com avendrealouer.fr geolocaux.com idealista.com idealista.it idealista.pt fotocasa.es pisos.com
  habitaclia.com immobiliare.it casa.it funda.nl fundainbusiness.nl pararius.com immoweb.be zimmo.be hemnet.se booli.se objektvision.se
  boligsiden.dk lokalebasen.dk finn.no oikotie.fi etuovi.com otodom.pl sreality.cz bezrealitky.cz zillow.com trulia.com realtor.com homes.com
  apartments.com realestate.com.au realcommercial.com.au domain.com.au commercialrealestate.com.au propertyfinder.ae bayut.com dubizzle.com
  99acres.com magicbricks.com housing.com propertyguru.com.sg propertyguru.com.my
`)

/** Brands with such hosts below many suffixes (yelp.de, yelp.co.uk). */
const brands = words(`
  google yelp pinterest ebay europages hotfrog cylex tripadvisor glassdoor indeed olx infobel yellowpages tupalo brownbook
`)

/**
 * Site builders and hosts of pages: each subdomain is its customer's own, the host itself nobody's. Suffixes of the public list need no
 * entry.
 */
const builders = words(`
  wix.com wixsite.com editorx.io weebly.com squarespace.com wordpress.com wordpress.org blogger.com tumblr.com medium.com substack.com typepad.com
  livejournal.com ghost.io jimdo.com jimdofree.com jimdosite.com jimdoweb.com webnode.com webnode.page site123.me strikingly.com
  mystrikingly.com godaddysites.com square.site webflow.com shopify.com bigcartel.com ueniweb.com business.site negocio.site yolasite.com yola.com
  webs.com tripod.com angelfire.com geocities.com homestead.com simplesite.com page4.com beepworld.de npage.de de.tl chayns.site webador.com
  jouwweb.nl jouwweb.be e-monsite.com over-blog.com canalblog.com hautetfort.com eklablog.com altervista.org blogspot.de pagesperso-orange.fr
  ucoz.ru ucoz.com narod.ru tilda.ws readymag.com notion.site notion.so canva.site canva.com framer.website framer.ai hubspotpagebuilder.com
  hubspotpagebuilder.eu hs-sites.com hs-sites-eu1.com mailchimpsites.com mailchi.mp zyrosite.com softr.app durable.co multiscreensite.com
  sitey.me edublogs.org hatenablog.com ameblo.jp sharepoint.com atlassian.net typeform.com onepage.website heyflow.site unbouncepages.com
  leadpages.co clickfunnels.com zohosites.com zohosites.eu mozello.com webstarts.com moonfruit.com webself.net sitew.com sitew.fr simdif.com
  websitebuilder.online ucraft.net homepage.eu homepage24.de repage.de cms4people.de hpage.com lima-city.de bplaced.net page.tl web.app
`)

/** Names of free mail providers in the package that are domains of companies, institutions or of documentation alone. */
const owned = words(`
  example.com alibaba.com aliyun.com ancestry.com bt.com discovery.com frontier.com medscape.com name.com nus.edu.sg parrot.com poste.it saudia.com
  space.com swissinfo.org techspot.com telstra.com unican.es uni.de upf.org virgin.net catholic.org recycler.com music.com yam.com
`)

const mail: ReadonlySet<string> = new Set([
  ...freeMail.filter((host) => !owned.has(host)),
  ...words(`
    gmx.ch gmx.li gmx.eu gmx.es gmx.fr gmx.co.uk posteo.de posteo.net posteo.eu posteo.at posteo.ch tutanota.com tutanota.de tuta.com tuta.io keemail.me
    fastmail.com duck.com icloud.com vodafone.de vodafonemail.de kabelbw.de unitybox.de unity-mail.de netcologne.de ewetel.net ewe.net osnanet.de t-online.at
    magenta.de mail.de email.com mail.ch hispeed.ch sunrise.ch green.ch bluemail.ch swissonline.ch quickline.ch chello.at aon.at a1.net a1mail.at
    utanet.at inode.at liwest.at bbox.fr numericable.fr telefonica.net movistar.es ono.com euskaltel.net clix.pt netcabo.pt mail.telepac.pt
    ziggo.nl kpnmail.nl kpnplanet.nl xs4all.nl upcmail.nl casema.nl quicknet.nl caiway.nl online.nl tele2.nl versatel.nl scarlet.be proximus.be
    online.no broadpark.no getmail.no start.no lyse.net telia.com comhem.se bredband.net bahnhof.se tele2.se mail.dk tdcadsl.dk stofanet.dk
    youmail.dk elisanet.fi kolumbus.fi saunalahti.fi pp.inet.fi inet.fi suomi24.fi op.pl poczta.onet.pl interia.pl vp.pl tlen.pl volny.cz email.cz
    post.cz azet.sk zoznam.sk citromail.hu freemail.hu t-online.hu mail.bg yandex.com yandex.kz bk.ru list.ru internet.ru vivaldi.net zohomail.eu
    zohomail.com hanmail.net sbcglobal.net xtra.co.nz pm.me protonmail.ch riseup.net disroot.org mailfence.com hushmail.com runbox.com
  `)
])

// Names below a shared host that are its own pages, such as home.t-online.de/x and perso.orange.fr/x, and never those of a customer.
const ofHost =
  /^(?:[a-z]{2}|www\d?|mobile?|mail|webmail|email|home(?:pages?)?|hp|perso|pages?|pagesperso|personal|members?|mitglied|users?|people|profiles?|sites?|web|blogs?|my|apps?|login|accounts?|help|support|about)$/

const isOrBelow = (host: string, hosts: ReadonlySet<string>): boolean => {
  for (let at = 0; at !== -1; at = host.indexOf(".", at) === -1 ? -1 : host.indexOf(".", at) + 1) {
    if (hosts.has(host.slice(at))) return true
  }
  return false
}

/** Whether a host in canonical form is one that many share, and so no company's own. */
export const isSharedHost = (host: string): boolean => {
  const { domainWithoutSuffix, isIcann, isPrivate, publicSuffix } = parse(host, { allowPrivateDomains: true })
  if ((isIcann === true || isPrivate === true) && host === publicSuffix) return true
  if (isPrivate === true) return false
  if (domainWithoutSuffix !== null && brands.has(domainWithoutSuffix) && isIcann === true) return true
  if (isOrBelow(host, networks) || builders.has(host) || mail.has(host)) return true
  const dot = host.indexOf(".")
  const parent = host.slice(dot + 1)
  return ofHost.test(host.slice(0, dot)) && (builders.has(parent) || mail.has(parent))
}

const label = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/

/** The canonical form of a domain: lower case, ASCII, without `www.`; `undefined` when the text is not a domain. */
export const canonicalDomain = (text: string): string | undefined => {
  const ascii = /[/:@?#\s\\]/.test(text) ? "" : domainToASCII(text.replace(/\.$/, "")).toLowerCase()
  const domain = ascii.replace(/^(?:www\.)+(?=.*\.)/, "")
  const labels = domain.split(".")
  const isDomain =
    labels.length > 1 &&
    domain.length <= 253 &&
    labels.every((part) => label.test(part)) &&
    !/^\d+$/.test(labels.at(-1) ?? "")
  return isDomain ? domain : undefined
}

/**
 * The host of a homepage URL as a domain in canonical form; the scheme may be missing. Returns `undefined` where the host is not a
 * domain name, such as `localhost` or an IP address.
 */
export const hostOf = (homepageUrl: string): string | undefined => {
  const text = homepageUrl.trim()
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  return url !== null && (url.protocol === "https:" || url.protocol === "http:")
    ? canonicalDomain(url.hostname)
    : undefined
}

/**
 * The domain, in canonical form, if it identifies who has it: a host that many share is nobody's
 * (docs/behaviour/network.md#shared-hosts).
 */
export const ownDomain = (domain: string | null | undefined): string | undefined =>
  typeof domain === "string" && !isSharedHost(domain) ? domain : undefined

/** The domain that a homepage URL gives its owner: its host, unless many share it. */
export const domainOf = (homepageUrl: string): string | undefined => ownDomain(hostOf(homepageUrl))

/** A domain name such as `example.com`, in any case, with or without `www.`. */
export const Domain = Text(253)
  .check(
    check(
      "invalid_domain",
      "Must be a domain name such as example.com, without a scheme or a path.",
      (value: string) => canonicalDomain(value) !== undefined
    )
  )
  .annotate({ examples: ["example.com"] })

// The practical subset of RFC 5322 that browsers use for <input type="email">, and the UTF-8 of RFC 6531 that shows something.
const localPart = /^(?:[\w.!#$%&'*+/=?^`{|}~-]|(?![\p{White_Space}\p{C}\p{Default_Ignorable_Code_Point}])[^\0-\x7f])+$/u
const asciiDomain = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i

/**
 * An e-mail address as it is stored and compared: its local part in NFC, and a domain with other letters in its ASCII form
 * (`münchen.de` is `xn--mnchen-3ya.de`). Undefined for anything else.
 */
export const canonicalEmail = (text: string): string | undefined => {
  const at = text.lastIndexOf("@")
  const local = inNfc(text.slice(0, Math.max(0, at)))
  const sent = text.slice(at + 1)
  const isAscii = /^[\0-\x7f]*$/.test(sent)
  // `domainToASCII` reads a host of a URL, which ends with these.
  const domain = isAscii ? sent : /[/:@?#\s\\%]/.test(sent) ? "" : domainToASCII(sent)
  return localPart.test(local) && asciiDomain.test(domain) ? `${local}@${domain}` : undefined
}

/** An e-mail address as it is sent: at most 320 characters (docs/behaviour/http.md#text). */
export const SentEmail = Text(320)
  .check(
    check(
      "invalid_email",
      "Must be an e-mail address such as anna@example.com.",
      (value: string) => canonicalEmail(value) !== undefined
    )
  )
  .annotate({ examples: ["anna.berg@example.com"] })

/** A {@link SentEmail}, stored as {@link canonicalEmail}. */
export const Email = rewritten(SentEmail, (value) => canonicalEmail(value) ?? value, Text(320))

/** An {@link Email} or null, which clears the member. */
export const NullableEmail = Schema.NullOr(Email)

// What the parser drops (tabs and line breaks), turns into slashes, or encodes though it is no part of an address.
const repaired = /[\s\p{Cc}\\]/u

// What it drops from a host: all that is invisible but joiners, which are letters in some domains and refused in all others.
const repairedHost = /(?![\u200c\u200d])[\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** The host of a web address as it was sent. */
const sentHost = (text: string): string =>
  text
    .replace(/^[^:]*:\/\//, "")
    .replace(/[/?#].*$/su, "")
    .replace(/^.*@/su, "")

/**
 * The parsed form of an absolute http or https URL. Undefined for anything else, also where the parser accepts a text only because it
 * mends it, such as `https:example.com`: docs/behaviour/http.md#text.
 */
export const parseWebUrl = (text: string): URL | undefined => {
  if (repaired.test(text) || !/^https?:\/\/[^/?#]/i.test(text)) return undefined
  return repairedHost.test(sentHost(text)) ? undefined : (URL.parse(text) ?? undefined)
}

/** An URL as the parser writes it; any other text as it is, for the check that refuses it. */
export const writtenUrl = (text: string): string => parseWebUrl(text)?.href ?? text

/** An absolute http or https URL as it is sent: at most 2,048 characters (docs/behaviour/http.md#text). */
export const SentWebUrl = Text(2048)
  .check(
    check("invalid_url", "Must be an absolute http or https URL.", (value: string) => parseWebUrl(value) !== undefined)
  )
  .annotate({ examples: ["https://www.example.com/anna-berg"] })

/** A {@link SentWebUrl}, stored as {@link writtenUrl}. */
export const WebUrl = rewritten(SentWebUrl, writtenUrl)
