import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEED, WORLDS } from '../../test/support/generated.js'
import { detectLanguage, LANGUAGES, type Language } from './languages.js'

/** Short messages in the style in which people write them. */
const MESSAGES: Record<Exclude<Language, 'und'>, readonly string[]> = {
  en: [
    'Can you pick up the kids from school tomorrow?',
    'Meeting moved to Thursday, same room.',
    "I don't think she likes the new flat.",
    'Thanks for dinner last night!',
    'The dentist is at 9 on Monday',
    'What was the name of that restaurant?',
    'We should water the garden before it gets too hot.',
    'My passport expires in March',
    'He said the contract would be signed by Friday.',
    'please call me back when you get this',
    'Budget review: numbers are not final yet',
    'Running late, be there in ten',
    'My sister is allergic to peanuts and so is her son',
    'Flight lands at 18:40, terminal 2',
    'Do we have any milk left',
    "Grandma's birthday is on the 3rd of May",
    "I'm tired",
    'ok sounds good',
    'The landlord wants the rent by the first of every month, otherwise there will be a fee.',
    'Los Angeles was great, Las Vegas not so much',
    "Could somebody feed the cat while I'm away?",
    'Turns out the printer was broken the whole time',
    'She moved to Berlin with her boyfriend',
    'Remember: wifi password is on the fridge',
    'I hate mushrooms',
    'Doctor appointment Tuesday 3pm',
    'His doctor told him to stop smoking',
    'two tickets for the opera, row 7',
  ],
  de: [
    'Kannst du morgen die Kinder von der Schule abholen?',
    'Das Treffen ist auf Donnerstag verschoben, gleicher Raum.',
    'Ich glaube nicht, dass ihr die neue Wohnung gefällt.',
    'Danke für das Essen gestern Abend!',
    'Der Zahnarzt ist am Montag um 9',
    'Wie hieß das Restaurant noch mal?',
    'Wir sollten den Garten gießen, bevor es zu heiß wird.',
    'Mein Reisepass läuft im März ab',
    'Er sagte, der Vertrag werde bis Freitag unterschrieben.',
    'bitte ruf mich zurück',
    'Bin spät dran, komme in zehn Minuten',
    'Meine Schwester ist gegen Erdnüsse allergisch',
    'Haben wir noch Milch?',
    'Oma hat am 3. Mai Geburtstag',
    'Ich bin müde',
    'alles klar, passt',
    'Das Meeting mit dem Team war in der Woche vor Ostern.',
    'Was war das für ein Wein?',
    'Kann jemand die Katze füttern, während ich weg bin?',
    'Der Drucker war die ganze Zeit kaputt',
    'Sie ist mit ihrem Freund nach Berlin gezogen',
    'Das WLAN-Passwort steht am Kühlschrank',
    'Ich hasse Pilze',
    'Arzttermin Dienstag 15 Uhr',
    'Sein Arzt hat ihm gesagt, er soll aufhören zu rauchen',
    'zwei Karten für die Oper, Reihe 7',
  ],
  fr: [
    "Tu peux aller chercher les enfants à l'école demain ?",
    'La réunion est déplacée à jeudi, même salle.',
    "Je ne crois pas qu'elle aime le nouvel appartement.",
    "Merci pour le dîner d'hier soir !",
    'Le dentiste est lundi à 9 heures',
    "Comment s'appelait ce restaurant ?",
    "Il faudrait arroser le jardin avant qu'il ne fasse trop chaud.",
    'Mon passeport expire en mars',
    'Il a dit que le contrat serait signé avant vendredi.',
    "rappelle-moi s'il te plaît",
    "Je suis en retard, j'arrive dans dix minutes",
    'Ma sœur est allergique aux cacahuètes',
    'Il reste du lait ?',
    "L'anniversaire de mamie est le 3 mai",
    'Je suis fatigué',
    "d'accord ça marche",
    'On se voit au café à midi',
    "Quelqu'un peut nourrir le chat pendant mon absence ?",
    "L'imprimante était en panne depuis le début",
    'Elle a déménagé à Berlin avec son copain',
    'Le mot de passe du wifi est sur le frigo',
    'Je déteste les champignons',
    'Rendez-vous chez le médecin mardi à 15h',
    "Son médecin lui a dit d'arrêter de fumer",
    "deux places pour l'opéra, rang 7",
  ],
  es: [
    '¿Puedes recoger a los niños del colegio mañana?',
    'La reunión se ha movido al jueves, misma sala.',
    'No creo que le guste el piso nuevo.',
    '¡Gracias por la cena de anoche!',
    'El dentista es el lunes a las 9',
    '¿Cómo se llamaba ese restaurante?',
    'Deberíamos regar el jardín antes de que haga demasiado calor.',
    'Mi pasaporte caduca en marzo',
    'Dijo que el contrato estaría firmado el viernes.',
    'llámame cuando puedas por favor',
    'Llego tarde, en diez minutos estoy',
    'Mi hermana es alérgica a los cacahuetes',
    '¿Queda leche?',
    'El cumpleaños de la abuela es el 3 de mayo',
    'Estoy cansado',
    'vale, perfecto',
    'Nos vemos en la cafetería a las doce',
    '¿Alguien puede dar de comer al gato mientras no estoy?',
    'La impresora estaba rota todo el tiempo',
    'Se mudó a Berlín con su novio',
    'La contraseña del wifi está en la nevera',
    'Odio las setas',
    'Cita con el médico el martes a las 15',
    'Su médico le dijo que dejara de fumar',
    'dos entradas para la ópera, fila 7',
  ],
  it: [
    'Puoi andare a prendere i bambini a scuola domani?',
    'La riunione è spostata a giovedì, stessa stanza.',
    'Non credo che le piaccia il nuovo appartamento.',
    'Grazie per la cena di ieri sera!',
    'Il dentista è lunedì alle 9',
    'Come si chiamava quel ristorante?',
    'Dovremmo annaffiare il giardino prima che faccia troppo caldo.',
    'Il mio passaporto scade a marzo',
    'Ha detto che il contratto sarebbe stato firmato entro venerdì.',
    'richiamami per favore',
    'Sono in ritardo, arrivo tra dieci minuti',
    'Mia sorella è allergica alle arachidi',
    'Il compleanno della nonna è il 3 maggio',
    'Qualcuno può dare da mangiare al gatto?',
    'La stampante era rotta da sempre',
    'Si è trasferita a Berlino con il suo ragazzo',
    'La password del wifi è sul frigo',
  ],
  pt: [
    'Podes ir buscar as crianças à escola amanhã?',
    'A reunião foi mudada para quinta-feira, mesma sala.',
    'Acho que ela não gosta do novo apartamento.',
    'Obrigado pelo jantar de ontem!',
    'O dentista é na segunda às 9',
    'Como se chamava aquele restaurante?',
    'Devíamos regar o jardim antes que fique muito quente.',
    'O meu passaporte expira em março',
    'Ele disse que o contrato seria assinado até sexta.',
    'me liga quando puder',
    'Estou atrasado, chego em dez minutos',
    'A minha irmã é alérgica a amendoins',
    'Alguém pode dar comida ao gato?',
    'A impressora estava avariada o tempo todo',
    'Ela mudou-se para Berlim com o namorado',
    'A senha do wifi está na geladeira',
  ],
  nl: [
    'Kun je morgen de kinderen van school ophalen?',
    'De vergadering is verplaatst naar donderdag, zelfde kamer.',
    'Ik denk niet dat ze het nieuwe appartement leuk vindt.',
    'Bedankt voor het eten gisteravond!',
    'De tandarts is maandag om 9 uur',
    'Hoe heette dat restaurant ook alweer?',
    'We moeten de tuin water geven voordat het te heet wordt.',
    'Mijn paspoort verloopt in maart',
    'Hij zei dat het contract vrijdag getekend zou worden.',
    'bel me even terug',
    'Ik ben laat, tien minuten',
    "Mijn zus is allergisch voor pinda's",
    'Kan iemand de kat voeren terwijl ik weg ben?',
    'De printer was de hele tijd kapot',
    'Ze is met haar vriend naar Berlijn verhuisd',
  ],
  sv: [
    'Kan du hämta barnen från skolan imorgon?',
    'Mötet är flyttat till torsdag, samma rum.',
    'Jag tror inte att hon gillar den nya lägenheten.',
    'Tack för middagen igår!',
    'Tandläkaren är på måndag klockan 9',
    'Vad hette den där restaurangen?',
    'Vi borde vattna trädgården innan det blir för varmt.',
    'Mitt pass går ut i mars',
    'Min syster är allergisk mot jordnötter',
    'Kan någon mata katten medan jag är borta?',
    'Skrivaren var trasig hela tiden',
    'Hon flyttade till Berlin med sin pojkvän',
  ],
  nb: [
    'Kan du hente barna på skolen i morgen?',
    'Møtet er flyttet til torsdag, samme rom.',
    'Jeg tror ikke hun liker den nye leiligheten.',
    'Takk for middagen i går!',
    'Hva het den restauranten?',
    'Vi bør vanne hagen før det blir for varmt.',
    'Søsteren min er allergisk mot peanøtter',
    'Jeg har mye å gjøre nå',
    'Kan noen mate katten mens jeg er borte?',
  ],
  da: [
    'Kan du hente børnene fra skole i morgen?',
    'Mødet er flyttet til torsdag, samme lokale.',
    'Jeg tror ikke, hun kan lide den nye lejlighed.',
    'Tak for mad i går!',
    'Hvad hed den restaurant?',
    'Vi burde vande haven, før det bliver for varmt.',
    'Min søster er allergisk over for jordnødder',
    'Jeg har meget at lave nu',
    'Kan nogen fodre katten, mens jeg er væk?',
  ],
  fi: [
    'Voitko hakea lapset koulusta huomenna?',
    'Kokous siirrettiin torstaille, sama huone.',
    'En usko, että hän pitää uudesta asunnosta.',
    'Kiitos eilisestä illallisesta!',
    'Mikä sen ravintolan nimi oli?',
    'Meidän pitäisi kastella puutarha ennen kuin tulee liian kuuma.',
    'Siskoni on allerginen maapähkinöille',
    'Voiko joku ruokkia kissan kun olen poissa?',
    'Tulostin oli koko ajan rikki',
  ],
  ro: [
    'Poți să iei copiii de la școală mâine?',
    'Întâlnirea s-a mutat joi, aceeași sală.',
    'Nu cred că îi place noul apartament.',
    'Mulțumesc pentru cina de aseară!',
    'Cum se numea restaurantul acela?',
    'Sora mea este alergică la arahide',
    'Poate cineva să hrănească pisica?',
    'Imprimanta era stricată tot timpul',
  ],
  hu: [
    'El tudod hozni a gyerekeket holnap az iskolából?',
    'A megbeszélés csütörtökre került, ugyanaz a terem.',
    'Nem hiszem, hogy tetszik neki az új lakás.',
    'Köszönöm a tegnapi vacsorát!',
    'Hogy hívták azt az éttermet?',
    'A nővérem allergiás a mogyoróra',
    'Megetetné valaki a macskát, amíg távol vagyok?',
    'A nyomtató végig rossz volt',
  ],
  ru: [
    'Можешь завтра забрать детей из школы?',
    'Встреча перенесена на четверг, та же комната.',
    'Я не думаю, что ей нравится новая квартира.',
    'Спасибо за вчерашний ужин!',
    'Как назывался тот ресторан?',
    'У моей сестры аллергия на арахис',
    'Кто-нибудь может покормить кота, пока меня нет?',
    'Принтер всё время был сломан',
  ],
  uk: [
    'Можеш завтра забрати дітей зі школи?',
    'Зустріч перенесено на четвер, та сама кімната.',
    'Я не думаю, що їй подобається нова квартира.',
    'Дякую за вчорашню вечерю!',
    'Як називався той ресторан?',
  ],
  tr: [
    'Yarın çocukları okuldan alabilir misin?',
    'Toplantı perşembeye alındı, aynı oda.',
    'Yeni daireyi sevdiğini sanmıyorum.',
    'Dün akşamki yemek için teşekkürler!',
    'O restoranın adı neydi?',
    'Kız kardeşimin fıstığa alerjisi var',
    'Ben yokken biri kediyi besleyebilir mi?',
    'Yazıcı başından beri bozuktu',
  ],
  el: [
    'Μπορείς να πάρεις τα παιδιά από το σχολείο αύριο;',
    'Η συνάντηση μεταφέρθηκε την Πέμπτη.',
    'Ευχαριστώ για το δείπνο!',
  ],
}

const cases = Object.entries(MESSAGES).flatMap(([language, messages]) =>
  messages.map(message => [language as Language, message] as const),
)

it('takes no message for one in another language', () => {
  const wrong = cases.filter(([language, message]) => ![language, 'und'].includes(detectLanguage(message)))
  expect(wrong).toEqual([])
})

it.each([
  ['en', 0.8],
  ['de', 0.8],
  ['fr', 0.8],
  ['es', 0.6],
] as const)('tells most messages in %s', (language, share) => {
  const told = MESSAGES[language].filter(message => detectLanguage(message) === language)
  expect(told.length / MESSAGES[language].length).toBeGreaterThanOrEqual(share)
})

it.each(Object.entries(MESSAGES))('tells %s where several messages stand together', (language, messages) => {
  expect(detectLanguage(messages.join('\n'))).toBe(language)
})

it.each([
  'Los Angeles',
  'Las Vegas',
  'Die Hard',
  'La La Land',
  'ok',
  '12:30 42 7',
  'Angela Merkel',
  'New York',
  'https://example.com/a/b?c=d',
  'San Francisco Giants',
  'npm install typescript vitest',
  'Możesz jutro odebrać dzieci ze szkoły?',
  'Spotkanie przeniesione na czwartek.',
  'Můžeš zítra vyzvednout děti ze školy?',
  'Děkuji za včerejší večeři!',
  "Pots recollir els nens de l'escola demà?",
  "La reunió s'ha mogut a dijous.",
  'Bisakah kamu menjemput anak-anak besok?',
  'Можеш ли утре да вземеш децата от училище?',
  'Можеш ли сутра да покупиш децу из школе?',
  'Možeš li sutra pokupiti djecu iz škole?',
  '我昨天买了自行车',
  '明日会議があります',
  'Carpe diem quam minimum credula postero',
  'Kas saate homme lapsed koolist ära tuua?',
  'Deutsche Bank',
  'Le Monde',
  'El Niño',
  'Da Vinci',
  'De Niro',
  'Ar galite rytoj paimti vaikus iš mokyklos?',
  'Czy ktoś może nakarmić kota?',
  'Drukarka cały czas była zepsuta',
  'Tiskárna byla celou dobu rozbitá',
  'Santa Monica',
  'Das Boot',
  'Les Misérables',
  'La Traviata',
  'const x = await fetch(url)',
  'Anna 0151 2345678',
  'DHL 00340434',
  'Eduardo García Márquez',
  'Müller',
  'Coca Cola Zero',
])('does not tell %j', text => {
  expect(detectLanguage(text)).toBe('und')
})

describe('of any text', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom(...cases.flatMap(([, message]) => message.split(' '))))
      .map(words => words.join(' ')),
  )

  it('is one of the languages, whatever was asked before and however it is written', () => {
    fc.assert(
      fc.property(anyText, text => {
        const language = detectLanguage(text)
        expect(LANGUAGES).toContain(language)
        detectLanguage('Wir treffen uns morgen in dem Garten')
        expect(detectLanguage(text)).toBe(language)
        expect(detectLanguage(` ${text.normalize('NFC')}`)).toBe(detectLanguage(` ${text.normalize('NFD')}`))
      }),
      { seed: SEED, numRuns: WORLDS },
    )
  })
})

it('does not tell a text in two languages', () => {
  const english = 'We will meet in the garden tomorrow. '
  const german = 'Wir treffen uns morgen in dem Garten. '
  expect(detectLanguage(english.repeat(3) + german.repeat(3))).toBe('und')
})

it.each([
  'Kõik inimesed sünnivad vabadena ja võrdsetena oma väärikuselt ja õigustelt. Neile on antud mõistus ja südametunnistus ja nende suhtumist üksteisesse peab kandma vendluse vaim. Igal inimesel peavad olema kõik õigused ja vabadused.',
  'Ĉiuj homoj estas denaske liberaj kaj egalaj laŭ digno kaj rajtoj. Ili posedas racion kaj konsciencon, kaj devus konduti unu la alian en spirito de frateco.',
  'Të gjithë njerëzit lindin të lirë dhe të barabartë në dinjitet dhe në të drejta. Ata kanë arsye dhe ndërgjegje dhe duhet të sillen ndaj njëri tjetrit me frymë vëllazërimi.',
  'Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae, aliam Aquitani, tertiam qui ipsorum lingua Celtae, nostra Galli appellantur.',
])('does not tell a longer text in a language that is not known: %s', text => {
  expect(detectLanguage(text)).toBe('und')
})

it('reads only the beginning of a long text', () => {
  const english = 'We will meet in the garden tomorrow. '
  const german = 'Wir treffen uns morgen in dem Garten. '
  expect(detectLanguage(english.repeat(40) + german.repeat(1000))).toBe('en')
})

it('begins the list with the unknown language', () => {
  expect(LANGUAGES[0]).toBe('und')
})
