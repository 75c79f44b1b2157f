import type { MessageLexicon } from './lexicon.js'

/** What makes a feeling the speaker's own. */
const I_AM =
  '(?:ich bin|bin ich|bin|ich war|war ich|fuhle mich|fuhlte mich|fuhle ich mich|macht mich|machte mich|werde|wurde)(?: (?!nicht|kein)\\w+){0,2} '
const felt = (adjectives: string, ...more: readonly string[]) =>
  [`${I_AM}(?:${adjectives})`, ...more].join('|')
const YOU = '(?:du|er|sie)'

export const GERMAN_LEXICON: MessageLexicon = {
  topics: {
    FIDELITY: {
      name: 'Treue',
      words: 'affare|fremdg\\w+|untreu\\w*|treue|flirtet|andere(?:n|r)? (?:frau|mann)',
    },
    ALCOHOL: { name: 'das Trinken', words: 'alkohol\\w*|trinkt|betrunken|bier|wein|schnaps' },
    INTIMACY: {
      name: 'Zärtlichkeit',
      words: 'sex|zartlich\\w*|intim\\w*|im bett|kuss\\w*|kuscheln|beruhren',
    },
    EXTENDED_FAMILY: {
      name: 'die weitere Familie',
      words:
        '(?:seine|ihre|meine|deine)n?r? (?:mutter|vater|eltern|schwester|bruder|familie)|schwieger\\w+|verwandt\\w*',
    },
    MONEY: {
      name: 'Geld',
      words:
        'geld|schulden|miete|rechnung\\w*|konto|gehalt|sparen|kredit\\w*|ausgaben|ausgegeben|bezahl\\w*|euro',
    },
    CHILDREN: { name: 'die Kinder', words: 'kinder\\w*|kind|baby|sohn|tochter|schule|hausaufgaben|kita' },
    HOUSEHOLD: {
      name: 'den Haushalt',
      words: 'haushalt|putz\\w*|abwasch|geschirr|wasche|kochen|koche|kocht|aufraum\\w*|kuche|einkaufen',
    },
    PUNCTUALITY: { name: 'Pünktlichkeit', words: 'zu spat|punktlich\\w*|verspat\\w*|warte(?:n)? auf' },
    HEALTH: { name: 'Gesundheit', words: 'krank\\w*|arzt|klinik|schwanger\\w*|gesundheit|therapie' },
    ARGUMENTS: {
      name: 'unsere Streitgespräche',
      words: 'streit\\w*|gestritten|schrei\\w*|brull\\w*|tur(?:en)? (?:knall\\w*|zu)',
    },
    CONVERSATION: {
      name: 'unsere Gespräche',
      words:
        'gesprach\\w*|reden|rede|redet|sprechen|spricht|zuhor\\w*|hort (?:mir|mich)|unterbricht|zu ?hort',
    },
    MESSAGES: { name: 'private Nachrichten', words: 'nachricht\\w*|mails?|tagebuch|whatsapp' },
    SCREENS: {
      name: 'Handy und Bildschirm',
      words: 'handy|bildschirm\\w*|fernseh\\w*|computer|zockt|tablet',
    },
    FRIENDS: { name: 'Freundschaften', words: 'freund(?:e|en|innen)|kolleg\\w*|party' },
    WORK: { name: 'die Arbeit', words: 'arbeit\\w*|job|beruf|chef\\w*|uberstunden|buro' },
    FUTURE: { name: 'unsere Zukunft', words: 'zukunft|heirat\\w*|hochzeit|zusammenziehen' },
    FAITH: { name: 'den Glauben', words: 'glaube|kirche|religi\\w*|beten' },
    PETS: { name: 'unsere Haustiere', words: 'hund|katze|haustier\\w*' },
    SPECIAL_DAYS: { name: 'besondere Tage', words: 'geburtstag|jahrestag|weihnacht\\w*|hochzeitstag' },
    HOME: { name: 'unser Zuhause', words: 'zuhause|zu hause|wohnung|haus|umzug' },
    TIME: { name: 'unsere Zeit', words: 'zeit|abend\\w*|wochenend\\w*|stunden?|urlaub' },
  },
  needs: {
    HONESTY: {
      name: 'Ehrlichkeit',
      words: 'ehrlich\\w*|angelogen|belogen|lugt|lugen|wahrheit|verheimlich\\w*|hinter meinem rucken',
    },
    TRUST: { name: 'Vertrauen', words: 'vertrau\\w*|misstrau\\w*|betrogen|hintergangen' },
    RELIABILITY: {
      name: 'Verlässlichkeit',
      words:
        'verlass\\w* (?:auf|dass)|verlasslich\\w*|zuverlassig\\w*|unzuverlassig\\w*|abgesagt|wort (?:nicht )?(?:halt|gehalten)',
    },
    STABILITY: { name: 'Sicherheit', words: 'existenzangst|stabilitat|finanzielle sicherheit|verspielt' },
    CALM: {
      name: 'Ruhe',
      words: 'schrei\\w*|brull\\w*|laut wird|laut geworden|tur(?:en)? knall\\w*|rastet aus',
    },
    SAFETY: { name: 'Sicherheit', words: 'nicht sicher|sicher fuhlen|unsicher fuhle' },
    TIME_TOGETHER: {
      name: 'gemeinsame Zeit',
      words:
        'zeit (?:fureinander|miteinander|zu zweit|mit mir|fur uns|fur mich hat)|hangt (?:\\w+ )?am handy|am handy|gemeinsame zeit',
    },
    HEARING: {
      name: 'Zuhören',
      words:
        'hort (?:mir |uns )?(?:\\w+ )?zu|zuhor\\w*|hort mir|ignoriert mich|unterbricht|redet nicht mit mir',
    },
    INTIMACY: { name: 'Intimität', words: 'sex|intim\\w*|beruhrt (?:mich|uns)|kussen' },
    CLOSENESS: {
      name: 'Nähe',
      words: 'nahe|zartlich\\w*|distanz|auseinandergelebt|mitbewohner|umarm\\w*|kuscheln',
    },
    BELONGING: { name: 'Zugehörigkeit', words: 'ausgeschlossen|dazugehor\\w*|gehore nicht dazu|fremd in' },
    LOYALTY: {
      name: 'Zusammenhalt',
      words: 'auf (?:der |die )?seite (?:seiner|ihrer)|zu mir steh\\w*|verteidigt mich|zusammenhalt',
    },
    CONNECTION: { name: 'Verbundenheit', words: 'verbunden\\w*|verbindung zu' },
    FREEDOM: {
      name: 'Selbstbestimmung',
      words:
        'entscheidet (?:alles|fur mich|uber)|erlaubt mir|verbiet\\w*|verboten|kontrollier\\w*|schreibt mir vor|bevormund\\w*',
    },
    PRIVACY: {
      name: 'Privatsphäre',
      words: 'privatsphare|liest meine|durchsucht|spioniert|kontrolliert mein handy',
    },
    SPACE: {
      name: 'Zeit für mich',
      words: '(?:zeit|stunde|abend|raum) (?:nur )?fur mich|freiraum|zeit allein',
    },
    REST: { name: 'Erholung', words: 'ausschlafen|erholung|pause|ausruhen' },
    AUTONOMY: { name: 'Eigenständigkeit', words: 'eigenstandig\\w*|unabhangig\\w*|mein eigenes leben' },
    RESPECT: {
      name: 'Respekt',
      words:
        'respekt\\w*|macht sich (?:uber mich )?lustig|lacht mich aus|beleidigt|herablassend|vor allen|demutig\\w*|blossgestellt',
    },
    APPRECIATION: {
      name: 'Wertschätzung',
      words: 'dankt mir|bedankt|danke|wertschatz\\w*|selbstverstandlich|anerkenn\\w*',
    },
    UNDERSTANDING: {
      name: 'Verständnis',
      words: 'versteht mich|verstandnis|ernst (?:nimmt|genommen)|nimmt mich (?:nicht )?ernst',
    },
    RECOGNITION: { name: 'Anerkennung', words: 'anerkennung|nicht gesehen|sieht nicht was ich' },
    SHARED_FUTURE: {
      name: 'eine gemeinsame Zukunft',
      words:
        'zukunft mit|gemeinsame zukunft|kinder haben|ein kind (?:will|mochte|wunsche)|will ein kind|heiraten',
    },
    GROWTH: { name: 'Entwicklung', words: 'weiterentwick\\w*|neues lernen|wachsen' },
    PURPOSE: { name: 'Sinn', words: 'wozu das alles|jeden tag dasselbe|sinnlos|sinn in' },
    MEANING: { name: 'Sinn', words: 'bedeutung fur|mein glaube' },
    EQUALITY: {
      name: 'eine gerechte Aufteilung',
      words:
        '(?:mache|mach|erledige) (?:\\w+ ){0,3}(?:allein|alles)|alles (?:an mir|allein)|immer ich|bleibt an mir hangen|halfte|ganzen haushalt',
    },
    SUPPORT: {
      name: 'Unterstützung',
      words: 'hilft (?:mir |nie|nicht|kaum)|geholfen|unterstutz\\w*|allein gelassen|im stich',
    },
    FAIRNESS: { name: 'Fairness', words: 'fair|unfair|gerecht\\w*|ungerecht\\w*|zweierlei mass' },
  },
  feelings: {
    hurt: {
      name: 'verletzt',
      words: felt('verletzt|gekrankt', '(?:verletzt|krankt|trifft) mich|tut (?:mir )?(?:\\w+ )?weh'),
    },
    lonely: { name: 'einsam', words: felt('einsam|allein mit') },
    sad: { name: 'traurig', words: felt('traurig|unglucklich', 'weine|geweint') },
    angry: { name: 'wütend', words: felt('wutend|sauer|zornig', 'argert mich|meine wut') },
    frustrated: { name: 'frustriert', words: felt('frustriert|genervt', 'nervt mich|frustriert mich') },
    disappointed: { name: 'enttäuscht', words: felt('enttauscht', 'enttauscht mich') },
    overwhelmed: { name: 'überfordert', words: felt('uberfordert|uberlastet', 'wachst mir uber den kopf') },
    exhausted: { name: 'erschöpft', words: felt('erschopft|mude|ausgelaugt|kaputt') },
    stressed: { name: 'gestresst', words: felt('gestresst|unter druck', 'stresst mich') },
    worried: { name: 'besorgt', words: felt('besorgt', 'mache mir sorgen') },
    afraid: { name: 'ängstlich', words: felt('angstlich', 'habe angst|macht mir angst') },
    insecure: { name: 'unsicher', words: felt('unsicher|eifersuchtig') },
    ashamed: { name: 'beschämt', words: felt('beschamt', 'schame mich|peinlich') },
    helpless: { name: 'hilflos', words: felt('hilflos|machtlos|ohnmachtig') },
    grateful: { name: 'dankbar', words: felt('dankbar') },
    happy: { name: 'froh', words: felt('glucklich|froh', 'freue mich') },
  },
  irony:
    '(?:na|ach|oh) (?:toll|super|klasse|prima|schon|wunderbar)|toll gemacht|na bravo|wie nett|danke fur nichts',
  feelingAlone: ['Ich bin {feeling}.'],
  event: {
    needAndFeeling: [
      'Wenn es um {topic} geht, bin ich {feeling}, und mir ist {need} wichtig.',
      'Ich bin {feeling}, und {need} ist mir wichtig: Es geht um {topic}.',
    ],
    need: ['Wenn es um {topic} geht, ist mir {need} wichtig.', 'Mir ist {need} wichtig: Es geht um {topic}.'],
    feeling: ['Wenn es um {topic} geht, bin ich {feeling}.', 'Ich bin {feeling}: Es geht um {topic}.'],
    topic: [],
  },
  need: {
    about: {
      needAndFeeling: ['Ich brauche {need}, wenn es um {topic} geht. Ich bin {feeling}.'],
      need: [
        'Ich brauche {need}, wenn es um {topic} geht.',
        'Mein Bedürfnis ist {need}: Es geht um {topic}.',
      ],
      feeling: [],
      topic: [],
    },
    alone: {
      needAndFeeling: ['Ich brauche {need}. Ich bin {feeling}.'],
      need: ['Ich brauche {need}.', 'Mein Bedürfnis ist {need}.'],
      feeling: [],
      topic: [],
    },
  },
  boundary: {
    about: {
      needAndFeeling: [
        'Ich habe eine Grenze, wenn es um {topic} geht: Ich brauche {need}. Wird sie verletzt, bin ich {feeling}.',
      ],
      need: ['Ich habe eine Grenze, wenn es um {topic} geht: Ich brauche {need}.'],
      feeling: ['Ich habe eine Grenze, wenn es um {topic} geht. Wird sie verletzt, bin ich {feeling}.'],
      topic: ['Ich habe eine Grenze, wenn es um {topic} geht.', 'Meine Grenze: Es geht um {topic}.'],
    },
    alone: {
      needAndFeeling: ['Ich habe eine Grenze: Ich brauche {need}. Wird sie verletzt, bin ich {feeling}.'],
      need: ['Ich habe eine Grenze: Ich brauche {need}.'],
      feeling: ['Ich habe eine Grenze. Wird sie verletzt, bin ich {feeling}.'],
      topic: [],
    },
  },
  tells:
    'brauche|bedurfnis\\w*|fuhle|gefuhl\\w*|wunsche|wunsch|mochte|hoffe|grenze|wichtig|bitte|sehne|vermisse|(?:ich bin|bin ich) (?:\\w+ )?(?:traurig|einsam|mude|erschopft|wutend|verletzt|enttauscht|besorgt|frustriert|dankbar|gestresst|unsicher|hilflos|angstlich|uberfordert|beschamt|froh)|habe angst|will nicht|mir (?:geht|tut)',
  attacks: `arschlocher|arschloch|idiot\\w*|schlampe|hure|wichser|fotze|miststuck|drecksau|trottel|versager\\w*|depp\\w*|bastard|scheisskerl|penner|hurensohn|blode[rs]? (?:kuh|sau|hund)|dumme[rs]? (?:kuh|sau|hund)|halt (?:die klappe|dein maul|die fresse|den mund|s maul)|fick dich|verpiss dich|leck mich|fahr zur holle|ich (?:hasse|verachte) (?:dich|ihn|sie)|(?:wirst|soll\\w*) (?:\\w+ ){0,3}(?:bereuen|bezahlen|bussen)|ich (?:bringe|schlage|mache) (?:dich|ihn) (?:um|tot|fertig)|${YOU} (?:bist|ist) (?:\\w+ )?(?:dumm|blod|nichts wert|wertlos|ekelhaft|erbarmlich|krank im kopf|das letzte)|schwein|scheiss auf dich`,
  accuses: `${YOU} (?:\\w+ ){0,4}(?:immer|nie|niemals|standig|dauernd|nie mals)|(?:immer|nie|niemals|standig) (?:\\w+ )?(?:machst|hilfst|horst|tust|bist|hast) du|(?:deine|seine|ihre) (?:eigene )?schuld|wegen (?:dir|ihm|ihr)|(?:du bist|er ist|sie ist) (?:so |sehr |total |einfach |nur |schon wieder )*(?:schuld|egoistisch|faul|unfair|kalt|respektlos|undankbar|rucksichtslos|gemein|grausam|unzuverlassig|verlogen|kindisch|selbstsuchtig)|du hast (?:mich|uns) (?:\\w+ ){0,3}(?:verletzt|belogen|betrogen|ignoriert|verlassen|gedemutigt|angelogen|im stich gelassen)|${YOU} (?:ignorierst|verletzt|belugst|betrugst|kontrollierst|manipulierst|demutigst|ignoriert|belugt|betrugt|kontrolliert) (?:mich|uns)|du (?:solltest|sollst|musst) (?:dich schamen|endlich|aufhoren|mal)|dich (?:was )?schamen|hor (?:endlich )?auf|warum (?:kannst|machst|bist|hast) du (?:nie|immer|nicht|so)|typisch (?:du|fur dich)|dir ist (?:alles )?egal`,
}
