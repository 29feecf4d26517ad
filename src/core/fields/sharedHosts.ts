/**
 * Hosts that many share: a page there says nothing about whose it is (docs/behaviour/network.md#shared-hosts). Free mail is from the
 * package `email-providers`, suffixes such as github.io from the Public Suffix List (`tldts`). The lists here have what brokers' files name
 * besides: networks, directories, portals and site builders.
 */
import freeMail from "email-providers/all.json" with { type: "json" }
import { parse } from "tldts"

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

/** Site builders and hosts of pages: each subdomain is its customer's own, the host itself nobody's. Suffixes of the public list need no entry. */
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
