import { TermTable } from './term-table.js'
import { eachWord } from './tokenize.js'

/** The languages that have a stemmer, as BCP-47 codes. The first, `und`, stands for an undetermined language. */
export const LANGUAGES = [
  'und',
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'sv',
  'nb',
  'da',
  'fi',
  'ro',
  'hu',
  'ru',
  'uk',
  'tr',
  'el',
] as const

export type Language = (typeof LANGUAGES)[number]

/** Languages without a stemmer. They are profiled only so that they are not mistaken for a language with one. */
type Neighbour = 'pl' | 'cs' | 'ca' | 'hr' | 'id' | 'bg' | 'sr'

type ProfiledLanguage = Exclude<Language, 'und'> | Neighbour

/** Words that are frequent in a language regardless of the subject, including words of short messages. */
const COMMON_WORDS: Record<ProfiledLanguage, string> = {
  en: `the of and to in is that it you for on with as was are be at this have from or had by not but what
    were we when your can there which their if will how about out them then she many some so these would
    other into has more her his him my our me they he i do did does don't didn't isn't it's i'm i'll i've
    you're let's we're he's that's can't won't could should been just like because who why where an all up
    get got please thanks thank tomorrow yesterday today tonight morning next week again only after before
    any need want know think really very too let going make see said than its also always never every still
    hello okay yes sorry monday tuesday wednesday thursday friday saturday sunday january march april may
    june july august october december day days time year years last first new good great much well back here
    over down off now no us same am come take call work home late left`,
  de: `der die das und ist nicht ich du er sie es wir ihr ein eine einen einem einer eines den dem des im in
    zu zum zur mit auf für von vom bei beim nach aus an am auch als wie aber oder wenn dass daß weil war
    waren wird werden wurde hat haben habe hatte hatten bin bist sind sein seine ihre ihren mein meine meinen
    mich mir dich dir uns euch sich nur noch schon sehr so kann kannst können konnte muss müssen soll will
    wollen möchte mal bitte danke heute morgen gestern abend uhr woche wann wo was wer warum doch kein keine
    keinen über unter vor durch gegen ohne um immer nie wieder hier dort dann diese dieser dieses diesen ja
    nein hallo gut geht gibt alle alles mehr man montag dienstag mittwoch donnerstag freitag samstag sonntag
    januar märz mai juni juli oktober dezember tag tage zeit jahr jahre letzte neue neuen viel ganz zurück
    bis etwas nichts machen kommt komme klar jetzt sagte sagt`,
  fr: `le la les un une des du de et est pas que qui dans pour sur avec ne ce cette ces il elle nous vous ils
    elles je tu on mon ma mes ton ta tes son sa ses notre votre leur leurs au aux en par plus mais ou où donc
    si se sont était être avoir ont avons avez suis es j'ai c'est n'est n'ai d'un d'une l'on qu'il qu'elle
    qu'on j'étais s'il d'accord n'a y fait faire très bien aussi comme tout tous toute toutes rien encore
    déjà demain hier aujourd'hui merci bonjour salut quand comment pourquoi quel quelle chez sans sous entre
    après avant depuis peut peux veux dois doit faut oui non soir matin semaine prochaine même trop ça va
    vais moi toi lui eux été sera lundi mardi mercredi jeudi vendredi samedi dimanche janvier mars avril mai
    juin juillet août octobre décembre jour jours heure heures année nouveau nouvelle dernier beaucoup peu
    dit fois reste vois voit à c'était`,
  es: `el la los las un una unos unas de del y es no que en para por con se su sus lo le les me te nos mi mis
    tu tus al como más pero o si sí ya muy todo todos toda todas está están estoy estaba son era fue ser hay
    han he ha hemos tengo tiene tienes tenemos quiero quiere puede puedo puedes hacer cuando donde dónde
    cuándo qué quién cómo porque también esta este esto estos estas ese esa eso entre sin sobre hasta desde
    mañana ayer hoy gracias hola noche semana bien nada algo siempre nunca otra otro ella ellos nosotros
    usted ustedes yo él aquí ahí hace después antes buenos días vamos voy va necesito favor luego ahora lunes
    martes miércoles jueves viernes sábado domingo enero marzo abril mayo junio julio octubre diciembre día
    hora horas año años nuevo nueva último misma mismo mucho poco dijo creo tarde queda quedan estaría será
    uno dos tres cuatro cinco`,
  it: `il lo la i gli le un uno una di del dello della dei degli delle e è non che in per con su si da dal
    dalla nel nella nei sul sulla al alla ai agli alle come più ma o se anche sono era ho hai ha abbiamo
    hanno essere avere questo questa questi queste quello quella mi ti ci vi suo sua mio mia nostro tuo tua
    io lui lei noi voi loro quando dove cosa perché chi molto tutto tutti tutte già ancora sempre mai oggi
    domani ieri grazie ciao buongiorno sera mattina settimana prossima bene fare fatto puoi posso può devo
    deve vorrei voglio dopo prima senza fino c'è l'ho un'altra sto sta stato qui là poi così niente lunedì
    martedì mercoledì giovedì venerdì sabato domenica gennaio marzo aprile maggio giugno luglio ottobre
    dicembre giorno giorni ora ore anno anni nuovo nuova ultimo stesso stessa poco detto quel tra fra favore
    l'anno`,
  pt: `o a os as um uma uns umas de do da dos das e é não que em no na nos nas para por pelo pela com se seu
    sua seus suas ao à aos às mais mas ou como também já muito está estão estou estava são era foi ser ter
    tem tenho temos há eu tu ele ela nós você vocês eles elas meu minha meus minhas me te lhe isso isto este
    esta esse essa aquele quando onde porque quem qual tudo todos todas nada hoje amanhã ontem obrigado
    obrigada olá bom dia noite semana bem fazer vou vai vamos posso pode quero preciso depois antes sem até
    desde entre sobre ainda sempre nunca agora aqui então só pra favor segunda terça quarta quinta sexta
    sábado domingo janeiro março abril maio junho julho outubro dezembro dias hora horas ano anos novo nova
    último mesma mesmo pouco disse acho minutos puder liga`,
  nl: `de het een en van ik je jij hij zij ze we wij jullie is niet dat die in op te zijn was met voor aan er
    maar om als ook dan bij uit nog naar heb hebt heeft hebben had hadden wordt worden werd kan kun kunnen
    kon moet moeten zal zou wil willen geen wel zo mijn jouw haar ons onze hun mij me jou hem deze dit wat
    wie waar wanneer waarom hoe al veel meer door over tegen onder tot zonder morgen gisteren vandaag avond
    week volgende bedankt dank hallo goed graag alsjeblieft even weer altijd nooit iets niets alles hier daar
    toen omdat ben bent gaat gaan ga doen laat naartoe misschien maandag dinsdag woensdag donderdag vrijdag
    zaterdag zondag januari maart april mei juni juli oktober december dag dagen uur jaar nieuwe laatste
    zelfde beetje zei terug`,
  sv: `och att det som en ett är på av för med till den de inte jag du han hon vi ni har hade var om så men
    från kan kunde ska skulle vill måste när där här vad vem varför hur mig dig sig oss er min mitt mina din
    ditt dina sin sitt sina vår vårt deras eller efter under över utan också bara mycket mer än nu då idag
    imorgon igår tack hej kväll vecka nästa någon något några ingen inget inga alla allt alltid aldrig igen
    bra blir blev vara varit göra gör går gick kommer detta denna dessa dem honom henne in ut upp ner vid mot
    mellan i måndag tisdag onsdag torsdag fredag lördag söndag januari mars april maj juni juli oktober
    december dag dagar tid år nya sista samma lite sa tillbaka klockan innan`,
  nb: `og i det som en et er på av for med til den de ikke jeg du han hun vi dere har hadde var om så men fra
    kan kunne skal skulle vil må når der her hva hvem hvorfor hvordan meg deg seg oss min mitt mine din ditt
    dine sin vår vårt deres eller etter under over uten også bare mye mer enn nå da dag morgen går takk hei
    kveld uke neste noen noe ingen alle alt alltid aldri igjen bra blir ble være vært gjøre gjør gikk kommer
    dette denne disse dem ham henne inn ut opp ned ved mot mellom mandag tirsdag onsdag torsdag fredag lørdag
    søndag januar mars april mai juni juli oktober desember dager tid år nye siste samme litt sa tilbake
    klokka før å tror bør`,
  da: `og i det som en et er på af for med til den de ikke jeg du han hun vi har havde var om så men fra kan
    kunne skal skulle vil må når der her hvad hvem hvorfor hvordan hvornår mig dig sig os min mit mine din
    dit dine sin vores jeres deres eller efter under over uden også bare meget mere end nu da dag morgen går
    tak hej aften uge næste nogen noget nogle ingen alle alt altid aldrig igen godt bliver blev være været
    gøre gør gik kommer dette denne disse dem ham hende ind ud op ned ved mod mellem lige mandag tirsdag
    onsdag torsdag fredag lørdag søndag januar marts april maj juni juli oktober december dage tid år nye
    sidste samme lidt sagde tilbage klokken før at tror burde børn børnene lave`,
  fi: `ja on ei se että oli hän minä sinä me te he ovat olen olet olemme ollut olla mutta kun niin kuin jos
    tai myös vain nyt sitten jo vielä mitä mikä kuka missä milloin miksi miten minun sinun hänen meidän
    teidän heidän minulla sinulla hänellä minua sinua tämä tuo nämä ne tässä siellä täällä en et emme ette
    eivät eikä voi voin voit voimme pitää täytyy haluan kanssa ennen jälkeen kaikki mitään joka jotka
    huomenna eilen tänään kiitos hei moi hyvin hyvää ilta viikolla ensi aina koskaan taas paljon koska sen
    sitä sille onko maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai maanantaina tiistaina
    torstaina perjantaina päivä aika vuosi uusi sama vähän takaisin voitko saa tulee liian usko minut sinut
    itse`,
  ro: `și si de la în cu pe un o nu este e sunt că ca să se din pentru mai sau dar dacă când unde ce cine cum
    al ale lui ei lor meu mea mei tău ta său sa noastră nostru eu tu el ea noi voi îmi îți mă te ne vă le am
    ai are avem aveți au era fost fi fie va vom vor foarte tot toate toți nimic ceva acum azi mâine ieri
    mulțumesc bună salut seara săptămâna bine fac face poate pot putem trebuie vreau după înainte fără până
    între despre aici acolo asta acest această care prin doar încă deja iar întâlnire luni marți miercuri joi
    vineri sâmbătă duminică ianuarie martie aprilie iunie iulie octombrie decembrie zi zile ora an ani nou
    nouă ultima aceeași mult puțin spus înapoi cred acela aceea`,
  hu: `a az egy és hogy nem van volt is de meg már még csak ha mert vagy mint én te ő mi ti ők ez azt ezt
    ezek azok ami aki ahol amikor mikor miért hol mit ki hogyan nagyon minden semmi lesz lenne lehet kell
    kellene tud tudok tudsz akarok szeretnék vagyok vagyunk vannak voltam nekem neked neki nekünk velem veled
    után előtt között nélkül majd most ma holnap tegnap este reggel hét jövő köszönöm kérlek szia helló jó
    jól itt ott oda ide el fel be sok több mindig soha újra találkozunk hétfő kedd szerda csütörtök péntek
    szombat vasárnap hétfőn kedden szerdán csütörtökön pénteken nap év új utolsó kicsit vissza ugyanaz`,
  ru: `и в не на я что он она оно мы вы они с со как это но по из у за от до для о об же бы так все всё был
    была было были есть ты мне меня тебя тебе его её ему нам нас вас вам их им мой моя мои твой наш ваш свой
    если или когда где кто почему зачем уже ещё еще только очень нет да нужно надо можно могу может хочу
    будет буду будем завтра сегодня вчера спасибо привет пожалуйста вечером утром неделе после перед без при
    чтобы потому тоже там тут здесь сейчас потом этот эта эти том тем чем ничего всегда никогда опять который
    понедельник вторник среду четверг пятницу субботу воскресенье день дня дней час время год новый новая
    новое последний тот та то много мало сказал сказала думаю назад ли`,
  uk: `і й та в у не на я що він вона воно ми ви вони з із як це але по за від до для про же б так все був
    була було були є ти мені мене тебе тобі його її йому нам нас вас вам їх мій моя мої твій наш ваш свій
    якщо або коли де хто чому вже ще тільки дуже ні треба потрібно можна можу може хочу буде будемо завтра
    сьогодні вчора дякую привіт ввечері вранці тижня після перед без при щоб тому також там тут зараз потім
    цей ця ці нічого завжди ніколи знову який понеділок вівторок середу четвер пятницю суботу неділю день дня
    днів час рік новий нова нове останній той те багато мало сказав сказала думаю назад чи сама`,
  tr: `ve bir bu da de için ile çok ne var yok mı mi mu mü ben sen o biz siz onlar ama daha gibi en kadar
    sonra önce değil olarak olan oldu olur her şey şu ki ya veya hem eğer çünkü nasıl neden nerede kim benim
    senin onun bizim bana sana ona bize beni seni onu bizi bugün yarın dün akşam sabah hafta gelecek
    teşekkürler teşekkür ederim merhaba selam lütfen tamam evet hayır iyi istiyorum lazım gerek şimdi hiç hep
    zaman bile sadece pazartesi salı çarşamba perşembe cuma cumartesi pazar ocak mart nisan mayıs haziran
    temmuz ekim aralık gün saat yıl yeni son aynı biraz dedi geri misin mısın musun miyim mıyım`,
  el: `και το να η ο τα του της την τον οι στο στη στην με για που δεν από είναι θα μου σου ένα μια`,
  pl: `i w nie na z że się jest to do jak o co tak za ale po od czy dla przez przy bo już jeszcze tylko
    bardzo kiedy gdzie mnie mi mam masz ma był była było będzie może można jutro dzisiaj dziś wczoraj
    dziękuję cześć proszę jestem są ten ta te tego tym który która ja ty on ona my wy oni`,
  cs: `a v na je se že to s z do jak o co tak za ale po od pro při už ještě jen jenom velmi kdy kde mě mi mám
    máš má byl byla bylo bude může můžu zítra dnes včera děkuji ahoj prosím jsem jsi jsme jsou ten ta který
    která já ty on ona my vy oni nebo když aby si ne`,
  ca: `els les dels és amb als com més però ja molt està són hi ha he hem tinc vull puc fer quan on què qui
    perquè també aquest aquesta això sense fins demà ahir avui gràcies bé jo ell nosaltres meu meva seu seva`,
  hr: `i u je na se da li su za od s sa ne što kako ali ili ako kad kada gdje gde sam si smo ste bio bila
    bilo će ću može mogu moram hoću danas sutra jučer juče hvala molim dobro samo još već nije nisam ja ti on
    ona mi vi oni koji koja to ovo taj`,
  id: `yang dan di ke dari ini itu untuk dengan tidak saya kamu dia kami kita mereka akan ada sudah bisa pada
    juga karena atau tapi apa besok kemarin hari terima kasih tolong`,
  bg: `и в не на аз че ли той тя то ние вие те с със как това но по от за до е са съм си сме сте бе беше ще
    ми ме го я му ни ви им или когато къде кой защо вече още само много няма да трябва може мога искам утре
    днес вчера благодаря здравей моля след преди без`,
  sr: `и у је на се да ли су за од с са не што како али или ако кад када где сам си смо сте био била било ће
    ћу може могу морам хоћу данас сутра јуче хвала молим добро само још већ није нисам ја ти он она ми ви они
    који која то ово тај`,
}

/** Letters that only a few languages use. */
const OWN_LETTERS: Partial<Record<ProfiledLanguage, string>> = {
  de: 'ßäöü',
  fr: 'œçèêîûùâôà',
  es: 'ñáíóú',
  it: 'ìòùèà',
  pt: 'ãõçâêôáíóú',
  sv: 'åäö',
  nb: 'åøæ',
  da: 'åøæ',
  fi: 'äö',
  ro: 'ășțţîâ',
  hu: 'őűöü',
  ru: 'ыэёъщ',
  uk: 'іїєґщ',
  tr: 'ğışçöü',
  el: 'αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώ',
  pl: 'łąęśżźćń',
  cs: 'řěůčšžýťď',
  ca: 'çèòà',
  hr: 'čćđšž',
  bg: 'ъщ',
  sr: 'ђјљњћџ',
}

const KNOWN = Object.keys(COMMON_WORDS) as ProfiledLanguage[]
const isNeighbour = (known: ProfiledLanguage): boolean => !(LANGUAGES as readonly string[]).includes(known)

/** For each word or letter, its weight for each language, as `language, weight, language, weight …`. */
type Evidence = ReadonlyMap<string, readonly number[]>

/** Divides the weight of an item among the languages that share it. Letters weigh less than words. */
function gather(items: (known: ProfiledLanguage) => Iterable<string>, weight: number): Evidence {
  const languages = new Map<string, number[]>()
  for (const [language, known] of KNOWN.entries()) {
    for (const item of new Set(items(known))) languages.set(item, [...(languages.get(item) ?? []), language])
  }
  const weigh = (sharing: number[]) => sharing.flatMap(language => [language, weight / sharing.length])
  return new Map([...languages].map(([item, sharing]) => [item, weigh(sharing)]))
}

const WORDS = gather(known => COMMON_WORDS[known].split(/\s+/), 1)
/** The same words numbered, with the evidence of each. */
const WORD_TABLE = new TermTable()
const WORD_EVIDENCE: (readonly number[])[] = []
for (const [word, evidence] of WORDS) WORD_EVIDENCE[WORD_TABLE.add(word)] = evidence
const LETTERS = gather(known => OWN_LETTERS[known] ?? '', 0.5)

/** Only this many characters are read: more do not change the result, and a book costs no more than a page. */
export const LOOKED_AT = 1000

// Measured on the short messages in languages.test.ts: with lower limits, names such as Los Angeles would decide.
const LEAST_SCORE = 1.2
const LEAST_SHARE = 0.12
const LEAST_RATIO = 1.2

/**
 * Detects the language of a text by its most common words and its letters. Returns 'und' if these are inconclusive,
 * because a wrong stemmer would lose words that are found without one. Parts of a text are read as lines of it.
 *
 * @example
 * detectLanguage('We will meet in the garden tomorrow') // 'en'
 */
export function detectLanguage(...parts: readonly string[]): Language {
  const count = new LanguageCount()
  const visitor = {
    plain(_: string, units: Uint16Array, start: number, end: number, hash: number) {
      const place = WORD_TABLE.find(units, start, end, hash)
      count.add(place < 0 ? NO_EVIDENCE : (WORD_EVIDENCE[place] ?? NO_EVIDENCE))
    },
    other: (term: string) => count.add(evidenceOf(term)),
  }
  let left = LOOKED_AT
  for (const part of parts) {
    if (left <= 0) break
    eachWord(part.slice(0, left), visitor)
    left -= part.length + 1
  }
  return count.winner
}

/** What a word says about the language of its text, as `language, weight, language, weight …`. */
export type WordEvidence = readonly number[]

const NO_EVIDENCE: WordEvidence = []

/** What a term says by being a common word of some languages, and by its letters. */
export function evidenceOf(term: string): WordEvidence {
  const asWord = WORDS.get(term) ?? NO_EVIDENCE
  let evidence = asWord
  for (let at = 0; at < term.length; at++)
    if (term.charCodeAt(at) > 127) evidence = [...evidence, ...(LETTERS.get(term.charAt(at)) ?? [])]
  return evidence
}

/** Counts what the words of a text say about its language. */
export class LanguageCount {
  readonly #scores = new Float64Array(KNOWN.length)
  #words = 0

  add(evidence: WordEvidence): void {
    this.#words++
    for (let at = 0; at < evidence.length; at += 2) {
      const language = evidence[at] as number
      this.#scores[language] = (this.#scores[language] as number) + (evidence[at + 1] as number)
    }
  }

  /** The language for which most speaks, if it is clear. */
  get winner(): Language {
    return clearWinner(this.#scores, this.#words)
  }

  clear(): void {
    this.#scores.fill(0)
    this.#words = 0
  }
}

function clearWinner(scores: Float64Array, words: number): Language {
  let [best, bestScore, secondScore] = [0, 0, 0]
  for (let language = 0; language < scores.length; language++) {
    const score = scores[language] ?? 0
    if (score > bestScore) [best, bestScore, secondScore] = [language, score, bestScore]
    else if (score > secondScore) secondScore = score
  }
  const known = KNOWN[best]
  const clear =
    bestScore >= LEAST_SCORE && bestScore >= LEAST_SHARE * words && bestScore >= secondScore * LEAST_RATIO
  return clear && known !== undefined && !isNeighbour(known) ? (known as Language) : 'und'
}
