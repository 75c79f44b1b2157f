import { detectLanguage, LANGUAGES, type Language } from './languages.js'
import { stemKey } from './stem.js'
import { wantedBy } from './traits.js'

/**
 * The weight of a common word in a question. It is above zero so that a question of only such words still finds and
 * ranks.
 */
export const COMMON_SHARE = 0.2

/** A language that has a list of common words. */
export type KnownLanguage = Exclude<Language, 'und'>

/**
 * Stop words: question words, articles, pronouns, prepositions, conjunctions and auxiliaries, which say nothing about
 * the subject. A fixed list is needed because rarity does not identify them: a diary asks no questions, so `what` is
 * rare in it. Nouns, numbers and the names of days are not listed.
 */
export const COMMON_WORDS: Record<KnownLanguage, string> = {
  en: `a about above after again against all am an and any are aren't as at be because been before being below
    between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each few
    for from further had hadn't has hasn't have haven't having he he'd he'll he's her here here's hers herself him
    himself his how how's i i'd i'll i'm i've if in into is isn't it it's its itself let's me might more most must
    mustn't my myself no nor not of off on once only or other ought our ours ourselves out over own same shall shan't
    she she'd she'll she's should shouldn't so some such than that that's the their theirs them themselves then there
    there's these they they'd they'll they're they've this those through to too under until up upon us very was
    wasn't we we'd we'll we're we've were weren't what what's when when's where where's which while who who's whom
    whose why why's will with won't would wouldn't you you'd you'll you're you've your yours yourself yourselves`,
  de: `aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da dabei dafür damit danach
    dann daran darauf darüber das dass daß davon dazu dein deine deinem deinen deiner dem den denen denn der deren des
    dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er
    es etwas euch euer eure für gegen gewesen hab habe haben hast hat hatte hatten hattest hier hin hinter ich ihm ihn
    ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jener kann kannst kein keine keinem
    keinen keiner können könnte man mein meine meinem meinen meiner mich mir mit muss müssen musste nach nicht nichts
    noch nun nur ob oder ohne sehr sein seine seinem seinen seiner seit selbst sich sie sind so solche soll sollen
    sollte sondern über um und uns unser unsere unserem unseren unter vom von vor war waren warst warum was weil welche
    welchem welchen welcher welches wem wen wenn wer werde werden wessen weshalb wie wieder wieso wieviel will wir wird
    wirst wo wofür woher wohin wollen womit worüber wurde wurden würde würden während wann zu zum zur zwischen`,
  fr: `à afin ai aie ainsi alors as au aucun aucune auquel aura aurait aussi autre autres aux avaient avais avait avant
    avec avez avoir avons ayant c'est c'était car ce ceci cela celle celles celui ces cet cette ceux chaque chez combien
    comme comment d'un d'une dans de depuis des donc dont du duquel elle elles en entre es est et étaient étais
    était étant êtes être eu eux fut furent ici il ils j'ai j'avais je l'a l'on la laquelle le lequel les lesquels leur
    leurs lors lorsque lui ma mais me même mes mien moi mon n'a n'ai n'est ne ni nos notre nous on ont ou où par parce
    pas pendant peut plus pour pourquoi puis qu'elle qu'est qu'il qu'ils qu'on quand que quel quelle quelles quels qui
    quoi s'est s'il sa sans se sera serait ses si soi soit sommes son sont sous suis sur ta te tes toi ton tous tout
    toute toutes très tu un une va vos votre vous y`,
  es: `a al algo algún alguna algunas alguno algunos ante antes aquel aquella aquello así aún aunque cada como cómo con
    contra cual cuál cuales cuáles cualquier cuando cuándo cuanta cuánta cuántas cuanto cuánto cuántos de del desde
    donde dónde durante e el él ella ellas ellos en entre era eran eras eres es esa esas ese eso esos esta está estaba
    estaban están estar estas este esto estos estoy fue fueron fui ha había habían haber han has hasta hay he hemos la
    las le les lo los más me mi mí mis muy nada ni no nos nosotros nuestra nuestras nuestro nuestros o os otra otras
    otro otros para pero por porque pues que qué quien quién quienes quiénes se sea ser si sí sido sin sobre sois somos
    son soy su sus suya suyo también tan tanto te tenía tengo ti tiene tienen toda todas todo todos tu tú tus u un una
    unas uno unos vosotros y ya yo`,
  it: `a abbiamo ad agli ai al alla alle allo altra altre altri altro anche aveva avevano avete c'è c'era che chi ci cioè
    coi col come con cosa cos'è cui da dagli dai dal dalla dalle dallo degli dei del della delle dello di dov'è
    dove dunque e è ed era erano essere fra fu furono gli ha hai hanno ho i il in io la le lei li lo loro lui ma me mentre
    mi mia mie miei mio ne nei negli nel nella nelle nello no noi non nostra nostre nostri nostro o ogni oppure per
    perché però più poi prima qual quale quali qualche quando quanta quante quanti quanto quella quelle quelli quello
    questa queste questi questo sarà se sei senza si sia siamo siete sono sopra sotto sta stata stati stato su sua sue
    sugli sui sul sulla sulle suo suoi te ti tra tu tua tue tuo tuoi tutta tutte tutti tutto un una uno vi voi vostra
    vostro`,
  pt: `a à algo algum alguma algumas alguns ao aos aquela aquele aquilo as às até cada com como contra cuja cujo da
    daquela daquele das de dela dele deles depois desde do dos durante e é ela elas ele eles em entre era eram és essa
    essas esse esses esta está estão estas estava estavam este estes estou eu foi foram há havia isso isto já lhe lhes
    mais mas me mesmo meu meus mim minha minhas muito na nas nem no nos nós nossa nossas nosso nossos num numa não o
    onde os ou para pela pelas pelo pelos pois por porque porquê qual quais qualquer quando quanta quantas quanto
    quantos que quê quem se seja sem sendo ser será seu seus sob sobre somos sou sua suas são também tão te tem têm ter
    teu teus teve tinha tu tua tuas tudo um uma umas uns você vocês`,
  nl: `aan al alle alles als altijd andere ben bent bij daar dan dat de der deze die dit doch doen door dus een en er
    ge geen had hadden heb hebben hebt heeft hem het hier hij hoe hoeveel hun iemand iets ik in is ja je jij jou jouw
    jullie kan kon konden kunnen kun maar me meer men met mij mijn moest moet moeten na naar niet niets nog nu of om
    omdat onder ons onze ook op over te tegen toch toen tot u uit uw van veel voor waar waarin waarom waarmee waarop
    wanneer want waren was wat we welk welke werd werden wezen wie wiens wij wil wilde willen word worden wordt zal ze
    zelf zich zij zijn zo zonder zou zouden`,
  sv: `alla allt än är åt att av bara blev bli blir blivit då de dem den denna deras dess dessa det detta dig din
    dina dit ditt du där efter ej eller en er era ert ett från för ha hade han hans har hennes henne hon honom hur hurdan
    hurdana här i icke in inom inte jag ju kan kunde man med mellan men mig min mina mitt mot mycket måste ni nu när
    någon något några och om oss på samma sedan sig sin sina sitt ska skall skulle som så sådan sådana sådant till under
    upp ut utan vad var vara varför varit varje vars vart vem vems vi vid vilka vilken vilket vill ville vår våra vårt
    över`,
  nb: `alle alt at av bare begge ble bli blir blitt da de deg dem den denne der dere deres det dette din dine disse ditt
    du eg ein eller en enn er et etter for fordi fra før ha hadde han hans har hennes henne her hun hva hvem hvilke
    hvilken hvilket hvor hvordan hvorfor i ikke ingen inn ja jeg kan kom kunne man med meg mellom men min mine mitt mot
    må måtte ned nei noe noen nå når og også om opp oss over på seg selv si sin sine sitt skal skulle slik som så til
    under ut uten vi vil ville vår våre vårt var ved vært være å`,
  da: `ad af alle alt at blev blive bliver blevet da de dem den denne der deres det dette dig din dine disse dit dog du
    efter eller en end er et for fordi fra før ham han hans har havde have hende hendes her hos hun hvad hvem hver hvilke
    hvilken hvilket hvis hvor hvordan hvorfor hvornår hvorhen i ikke ind ja jeg jer jeres jo kan kunne man mange med
    meget mellem men mig min mine mit mod må måtte ned nej noget nogen nogle nu når og også om op os over på sig sin sine
    sit skal skulle som sådan så til ud uden under var ved vi vil ville vor vores være været`,
  fi: `ei eivät emme en enemmän eli ennen et että ette hän häneen hänellä hänelle hänen häneltä hänessä hänestä hänet
    häntä he heidän heidät heille heillä heitä itse ja jo johon joiden joihin joilla joille joissa joista joita joka
    jokin jolla jolle jonka jos jossa josta jota jotka jotta keiden keitä keneltä kenelle kenen kenet kenellä ketkä ketä
    koska kuin kuinka kuka kun kyllä me meidän meidät meille meillä meitä mihin mikä miksi mille millä millainen milloin
    minkä minne minua minulla minulle minun minut minä missä mistä miten mitkä mitä mukaan mutta myös ne niiden niihin
    niille niillä niin niissä niistä niitä nämä näiden näissä näistä näitä ole olemme olen olet olette oli olimme olin
    olisi olisin olit olivat olla ollut on onko ovat se sekä sen sehän sillä sille siihen siinä siitä sinua sinulla
    sinulle sinun sinut sinä sitten sitä tai te teidän teidät teille teillä teitä tämä tämän tähän tällä tässä tästä
    tätä tuo tuon tuossa tuota vai vaikka vain voi vuoksi yli`,
  ro: `a acea aceasta această aceea acei aceia acel acela acele acelea acest acesta aceste acestea acești aceștia acolo
    ai aici al ale am ar are as asta astfel așa atunci au avea avem aveți avut că căci când care cărei căror cărora cărui
    căruia către câte câți cât câtă ce cea cel cei cele cine cu cui cum da dacă dar de decât deci deoarece despre din
    dintre doar după e ea ei el ele era erau este eu fără fi fie fiecare fiind fost îi îl îmi în înainte între își îți
    la le li lor lui mă mai mea mei mele meu mi mie mine ne ni nici noastră nostru noi nouă nu o ori pe pentru
    peste până prea prin sa săi sale sau său să se și sub sunt suntem sunteți ta tale tău te ți tine toate toți tot
    totuși tu un una unde unei unele unor unui unul va vă vi voastră voi vom vor vostru vreo`,
  hu: `a ahhoz ahogy ahol aki akik akinek akit akivel akkor ahova alatt által általában amely amelyek amelyet ami amiért
    amik amikor amit annak arra arról át az azért azok azon azonban azt azzal be bele belőle benne csak de e egy egyes
    egyik el elég ellen előtt én ennek ennyi és ez ezek ezen ezért ezt ezzel fel felé hanem hogy hogyan hol honnan hova
    hová igen így illetve is itt kell ki kicsoda kik kinek kit kivel közben között le lehet lenne lesz lett ma maga majd
    már meg még melyik mely mennyi mert mi miatt miért mik mikor milyen mind minden mint mit mivel most nagyon ne neki
    nekik nekünk nekem neked nélkül nem nincs ő ők őt őket ott pedig s saját se sem sok számára szerint te tehát ti
    tovább többi úgy után vagy vagyok vagyunk vagytok van vannak való vele velük vissza volna volt voltak voltam`,
  ru: `а бы был была были было быть в вам вами вас весь во вот все всё всего всей всем всех вы где да даже для до его ее
    её ей ему если есть еще ещё же за зачем здесь и из или им ими их к как какая какие каким каких какого какой какую
    когда кого ком кому которая которого которое которой которую которые которых который кто куда ли лишь между меня
    мне мной мог могла могли мое моё моего моей может мои мой мою моя мы на над надо нам нами нас наш наша наше наши не
    него нее неё ней нем нём нет ни них но ну о об обо однако он она они оно от откуда по под почему при про с сам сама
    сами свое своё своего своей свои свой свою своя себе себя сейчас сколько со собой так также такая такие такой там те
    тебе тебя тем теми тех то тобой тогда того тоже той только том тому тот ту тут ты у уже хотя чего чей чем через чём
    чему что чтобы чье чьё чья эта эти этим этих это этого этой этом этому этот эту я`,
  uk: `а або аби але б без би був була були було бути в вам вами вас ваш ваша ваше ваші весь вже ви від він вона вони воно
    все всі всіх всього всьому де для до є же з за завжди зі і із її їй їм ними їх й його йому коли кого ком кому котра
    котрий крім куди ли лише між мене мені мій мною мої моя моє ми може на над навіть нам нами нас наш наша наше наші не
    нею неї ні ним них но ну о об он от по під при про саме свій своє своєї свої свою своя себе собі та так така таке
    такий такі також там те тебе ти тим тими тих то тобі тобою тоді того тої той тому ту тут у усе усі хоч хоча хто це
    цей ці цим цих цього цьому цю ця чи чий чия чиє чого чому через що щоб як яка яке яким яких який якій якого якої якому
    яку якщо які я`,
  tr: `acaba ama ancak artık aslında az bana bazı belki ben benden beni benim bile bir biri birkaç birçok biz bizden bize
    bizi bizim bu buna bundan bunlar bunları bunların bunu bunun burada çok çünkü da daha dahi de değil diye eden en
    etti gibi göre hangi hangisi hem hep hepsi her herkes hiç için idi ile ilgili ise işte kadar kaç karşı kendi kendine
    kendini kez ki kim kimden kime kimi kimin kimse mı mi mu mü nasıl ne neden nedir nerde nerede nereden nereye ne
    neler niçin niye o olan olarak oldu olduğu olmak olur on ona ondan onlar onlara onlardan onları onların onu onun orada
    oysa öyle sana sen senden seni senin siz sizden size sizi sizin şey şimdi şu şuna şunu tüm var vardı ve veya ya yani
    yine yok zaman`,
  el: `αλλά αν αντί από αυτά αυτές αυτή αυτήν αυτό αυτοί αυτόν αυτός αυτού αυτούς αυτών για γιατί δε δεν διότι εάν εγώ
    είμαι είμαστε είναι είσαι είστε εκεί εκείνα εκείνη εκείνο εκείνοι εκείνος εμάς εμείς εμένα εν ένα έναν ένας ενός ενώ
    εσάς εσείς εσένα εσύ έχει έχεις έχετε έχω έχουμε έχουν ή η ήταν ήμουν ήσουν θα και κάθε κάποια κάποιο κάποιος κατά
    κι κοντά μα μας με μέσα μετά μέχρι μη μην μια μία μου να ναι ο οι όμως όπου όπως όσα όσο όσοι όταν ότι ούτε όχι πάνω
    παρά πια πιο ποια ποιά ποιαν ποιες ποιο ποιόν ποιοι ποιον ποιος ποιός ποιου ποιους ποιων πολύ πόσα πόσες πόση πόσο
    πόσοι πόσος πότε που πού πριν προς πως πώς σαν σας σε στα στη στην στις στο στον στους τα τη την της τι τί τις το
    τον τος του τους τότε των ως ώστε`,
}

/** Removes accents, so that a word matches whether or not they are typed. */
const plain = (word: string): string => stemKey(word, 'und')

const SETS = new Map<Language, ReadonlySet<string>>(
  LANGUAGES.filter(language => language !== 'und').map(language => [
    language,
    new Set(COMMON_WORDS[language].split(/\s+/).map(plain)),
  ]),
)

/** The language of a question. A short question often gives no clear answer; then English is assumed. */
export function languageAsked(question: string): KnownLanguage {
  const language = detectLanguage(question)
  return language === 'und' ? 'en' : language
}

/** Whether a word is a stop word of a language. This does not depend on the stored texts (NI-2). */
export const isCommon = (term: string, language: KnownLanguage): boolean =>
  SETS.get(language)?.has(plain(term)) === true

/**
 * What questions are built with around their subject, as in "what does it say about the lease?". As words of a record they
 * are as good as any, so they are left out of questions only.
 */
const SCAFFOLDING: Partial<Record<KnownLanguage, string>> = {
  en: `say says said saying tell tells told mention mentions mentioned talk talks talked discuss discusses discussed
    describe describes described explain explains explained state states stated mean means meant find show give please
    know anything something everything regarding concerning`,
  de: `sagt sagte sagen steht stand stehen erzählt erzählte erzählen erwähnt erwähnte erwähnen beschreibt beschreiben erklärt
    erklären bedeutet bedeuten finde finden zeig zeige zeigen gib bitte weiß bezüglich`,
  fr: `dit disent dire parle parlent parler mentionne mentionner décrit décrire explique expliquer signifie trouve trouver
    montre montrer donne donner concernant`,
  es: `dice dicen dijo decir habla hablan hablar menciona mencionar describe describir explica explicar significa encuentra
    encontrar muestra mostrar dame favor respecto`,
}

const SCAFFOLDS = new Map(
  Object.entries(SCAFFOLDING).map(([language, words]) => [language, new Set(words.split(/\s+/).map(plain))]),
)

/** Tells which words of a question are about its subject: neither stop words nor, in a sentence, what it is built with. */
export function contentOf(question: string, language: KnownLanguage): (term: string) => boolean {
  const built = wantedBy(question).isQuestion ? SCAFFOLDS.get(language) : undefined
  return term => !isCommon(term, language) && built?.has(plain(term)) !== true
}
