import type { MessageLexicon } from './lexicon.js'

/** What makes a feeling the speaker's own. */
const I_AM =
  '(?:je suis|jetais|jai ete|je me sens|me sentais|me suis sentie?|me rend|ma rendue?)(?: (?!pas|jamais)\\w+){0,2} '
const felt = (adjectives: string, ...more: readonly string[]) =>
  [`${I_AM}(?:${adjectives})`, ...more].join('|')

export const FRENCH_LEXICON: MessageLexicon = {
  topics: {
    FIDELITY: {
      name: 'de la fidélité',
      words: 'infidel\\w*|fidelite|maitresse|amant|cette (?:femme|fille)|autre (?:femme|homme)|drague\\w*',
    },
    ALCOHOL: { name: 'de la boisson', words: 'alcool\\w*|il boit|elle boit|ivre|saoul\\w*|biere|vin' },
    INTIMACY: {
      name: "de l'intimité",
      words: 'sexe|sexuel\\w*|intim\\w*|au lit|embrass\\w*|tendresse|se touche|caresses',
    },
    EXTENDED_FAMILY: {
      name: 'de la belle-famille et des proches',
      words:
        '(?:sa|ma|ta|son|mon|ses|mes) (?:mere|pere|parents|soeur|frere|famille)|belle (?:mere|famille)|beaux parents|beau pere',
    },
    MONEY: {
      name: "de l'argent",
      words: 'argent|dettes?|loyer|factures?|salaire|economies|carte bancaire|depens\\w*|payer|paie|euros?',
    },
    CHILDREN: { name: 'des enfants', words: 'enfants?|bebe|fils|fille|ecole|devoirs|gosses' },
    HOUSEHOLD: {
      name: 'des tâches ménagères',
      words: 'menage|menager\\w*|vaisselle|lessive|cuisin\\w*|ranger|range|courses|nettoy\\w*',
    },
    PUNCTUALITY: { name: 'de la ponctualité', words: 'en retard|ponctuel\\w*|mattendre|attendre' },
    HEALTH: { name: 'de la santé', words: 'malade|medecin|hopital|enceinte|sante|therapie' },
    ARGUMENTS: {
      name: 'de nos disputes',
      words: 'disput\\w*|cri(?:e|es|er|ent)|hurle\\w*|engueul\\w*|claque la porte|claque les portes',
    },
    CONVERSATION: {
      name: 'de nos conversations',
      words: 'parl(?:e|er|ons|ent|ait)|convers\\w*|ecout\\w*|mecoute|interromp\\w*|discussions?',
    },
    MESSAGES: { name: 'des messages privés', words: 'messages?|mails?|journal|whatsapp|textos?' },
    SCREENS: {
      name: 'des écrans',
      words: 'telephone|portable|ecrans?|tele|television|ordinateur|jeux video',
    },
    FRIENDS: { name: 'des amis', words: 'amis|amies|amitie|collegues?|fetes?' },
    WORK: { name: 'du travail', words: 'travail\\w*|boulot|patron|bureau|heures sup' },
    FUTURE: { name: 'de notre avenir', words: 'avenir|mariage|emmenager|se marier' },
    FAITH: { name: 'de la foi', words: 'eglise|religi\\w*|prier' },
    PETS: { name: 'de nos animaux', words: 'chien|chat|animaux' },
    SPECIAL_DAYS: { name: 'des jours de fête', words: 'anniversaire|noel|saint valentin' },
    HOME: { name: 'de notre maison', words: 'maison|appartement|chez nous|demenage\\w*' },
    TIME: { name: 'de notre temps', words: 'temps|soirs?|soirees?|week ?ends?|heures?|vacances' },
  },
  needs: {
    HONESTY: {
      name: "l'honnêteté",
      words: 'ment(?:i|ir|s|ait)|mensonge\\w*|verite|honnet\\w*|sincer\\w*|cache\\w*|dans mon dos',
    },
    TRUST: { name: 'la confiance', words: 'confiance|trahi\\w*|trompe\\w*|mefi\\w*' },
    RELIABILITY: {
      name: 'la fiabilité',
      words: 'compter sur|fiab\\w*|annul\\w*|tient (?:pas )?(?:sa parole|ses promesses)',
    },
    STABILITY: { name: 'la stabilité', words: 'stabilite|joue notre argent|securite financiere' },
    CALM: {
      name: 'le calme',
      words: 'cri(?:e|er|es|ent)|hurle\\w*|claque la porte|claque les portes|hausse le ton|explose',
    },
    SAFETY: { name: 'la sécurité', words: 'en securite|securite' },
    TIME_TOGETHER: {
      name: 'le temps à deux',
      words: 'temps (?:ensemble|avec moi|pour nous|a deux)|sur son (?:telephone|portable)',
    },
    HEARING: { name: "l'écoute", words: 'ecout\\w*|mecoute|mignore|interromp\\w*|me parle (?:plus|pas)' },
    INTIMACY: { name: "l'intimité", words: 'sexe|intimite|se touche|faire lamour' },
    CLOSENESS: {
      name: 'la proximité',
      words: 'tendresse|proximite|distante?|calins?|colocataires|affection|se rapproch\\w*',
    },
    BELONGING: { name: "l'appartenance", words: 'exclue?|a lecart|ma place|comme une? etrang\\w*' },
    LOYALTY: { name: 'la solidarité', words: 'prend le parti|me defend|de mon cote' },
    CONNECTION: { name: 'le lien entre nous', words: 'connexion|deconnect\\w*|lien entre' },
    FREEDOM: {
      name: 'la liberté de choisir',
      words: 'decide (?:de )?tout|a ma place|me controle|permission|interdit|liberte|me dicte',
    },
    PRIVACY: { name: 'le respect de ma vie privée', words: 'vie privee|lit mes|fouille|mespionne' },
    SPACE: {
      name: 'du temps pour moi',
      words: '(?:temps|heure|espace|moment) (?:\\w+ )?pour moi|mon espace',
    },
    REST: { name: 'le repos', words: 'repos|me reposer|dormir plus|une pause' },
    AUTONOMY: { name: "l'autonomie", words: 'autonom\\w*|independan\\w*|ma propre vie' },
    RESPECT: {
      name: 'le respect',
      words: 'respect\\w*|se moque|rit de moi|insult\\w*|humili\\w*|rabaiss\\w*|devant (?:ses|nos|les|tout)',
    },
    APPRECIATION: { name: 'la reconnaissance', words: 'merci|remerci\\w*|appreci\\w*|pour acquise?' },
    UNDERSTANDING: { name: 'la compréhension', words: 'me comprend|comprise?|au serieux' },
    RECOGNITION: { name: 'la reconnaissance', words: 'reconnaissance|reconnu\\w*|invisible' },
    SHARED_FUTURE: {
      name: 'un avenir commun',
      words: 'avenir (?:avec|ensemble|commun)|avoir (?:un|des) enfants?|veux un enfant|se marier',
    },
    GROWTH: { name: "l'évolution", words: 'evoluer|apprendre quelque|grandir ensemble' },
    PURPOSE: { name: 'le sens', words: 'a quoi bon|toujours la meme chose|sens a tout' },
    MEANING: { name: 'le sens', words: 'ma foi|mes valeurs' },
    EQUALITY: {
      name: 'un partage équitable',
      words: 'fais tout|tout(?:e)? (?:le menage|seule?)|toujours moi|la moitie|cest moi qui',
    },
    SUPPORT: { name: 'le soutien', words: 'aid(?:e|er|es)|maide|souten\\w*|soutien|seule? avec' },
    FAIRNESS: { name: 'la justice', words: 'juste que|injust\\w*|equitable|deux poids' },
  },
  feelings: {
    hurt: { name: 'de la peine', words: felt('blessee?', 'me blesse|ca me fait mal|fait de la peine') },
    lonely: { name: 'de la solitude', words: felt('seule?|isolee?', 'solitude') },
    sad: { name: 'de la tristesse', words: felt('tristes?|malheureu(?:x|se)', 'pleure|tristesse') },
    angry: { name: 'de la colère', words: felt('en colere|furieu(?:x|se)|fachee?', 'menerve|ma colere') },
    frustrated: { name: 'de la frustration', words: felt('frustree?|agacee?', 'me frustre|magace') },
    disappointed: { name: 'de la déception', words: felt('decue?', 'me decoit') },
    overwhelmed: { name: 'de la surcharge', words: felt('debordee?|depassee?|submergee?') },
    exhausted: { name: "de l'épuisement", words: felt('epuisee?|fatiguee?|creveee?') },
    stressed: { name: 'du stress', words: felt('stressee?', 'me stresse') },
    worried: { name: "de l'inquiétude", words: felt('inquiete?|inquiet', 'minquiete') },
    afraid: { name: 'de la peur', words: felt('effrayee?', 'jai peur|me fait peur') },
    insecure: { name: "de l'insécurité", words: felt('jalou(?:x|se)') },
    ashamed: { name: 'de la honte', words: felt('honteu(?:x|se)|humiliee?', 'jai honte') },
    helpless: { name: "de l'impuissance", words: felt('impuissante?') },
    grateful: { name: 'de la gratitude', words: felt('reconnaissante?') },
    happy: { name: 'de la joie', words: felt('heureu(?:x|se)|contente?') },
  },
  irony: '(?:ah|oh|tiens) (?:bravo|super|genial|parfait|formidable)|quelle surprise|merci pour rien|bravo',
  feelingAlone: ['Je ressens {feeling}.'],
  event: {
    needAndFeeling: ["Quand il s'agit {topic}, je ressens {feeling}, et {need} compte pour moi."],
    need: [
      "Quand il s'agit {topic}, {need} compte pour moi.",
      "{need} compte pour moi, surtout quand il s'agit {topic}.",
    ],
    feeling: ["Quand il s'agit {topic}, je ressens {feeling}.", 'Je ressens {feeling} au sujet {topic}.'],
    topic: [],
  },
  need: {
    about: {
      needAndFeeling: [
        "Ce qu'il me faut, c'est {need}, surtout quand il s'agit {topic}. Je ressens {feeling}.",
      ],
      need: [
        "Ce qu'il me faut, c'est {need}, surtout quand il s'agit {topic}.",
        'Mon besoin est {need}, au sujet {topic}.',
      ],
      feeling: [],
      topic: [],
    },
    alone: {
      needAndFeeling: ["Ce qu'il me faut, c'est {need}. Je ressens {feeling}."],
      need: ["Ce qu'il me faut, c'est {need}.", 'Mon besoin est {need}.'],
      feeling: [],
      topic: [],
    },
  },
  boundary: {
    about: {
      needAndFeeling: [
        "J'ai une limite quand il s'agit {topic} : {need} compte pour moi. Si elle est franchie, je ressens {feeling}.",
      ],
      need: ["J'ai une limite quand il s'agit {topic} : {need} compte pour moi."],
      feeling: ["J'ai une limite quand il s'agit {topic}. Si elle est franchie, je ressens {feeling}."],
      topic: ["J'ai une limite quand il s'agit {topic}.", 'Ma limite est au sujet {topic}.'],
    },
    alone: {
      needAndFeeling: [
        "J'ai une limite : {need} compte pour moi. Si elle est franchie, je ressens {feeling}.",
      ],
      need: ["J'ai une limite : {need} compte pour moi."],
      feeling: ["J'ai une limite. Si elle est franchie, je ressens {feeling}."],
      topic: [],
    },
  },
  tells:
    'besoin\\w*|me sens|ressens|sentiments?|jaimerais|souhaite\\w*|espere|limites?|importante?|sil te plait|compte pour moi|(?:qu)?il me faut|me manque|je suis (?:\\w+ )?(?:triste|seule?|epuisee?|fatiguee?|decue?|inquiete?|stressee?|reconnaissante?|frustree?)|jai peur|je voudrais|je ne veux pas',
  attacks:
    'connard|connasse|conne|(?:sale|gros|pauvre) con|salope?|salaud|pute|putain|merde|idiote?s?|imbecile|cretine?|abrutie?|batard|ordure|enfoire|encule|debile|degage|ferme (?:ta gueule|la|ta bouche)|ta gueule|va (?:te faire|en enfer|mourir)|je (?:te|le|la) (?:deteste|hais|meprise)|(?:tu vas|il va|elle va) (?:le |la |me le )?(?:regretter|payer)|je vais te (?:tuer|frapper|detruire)|tu es (?:un|une) (?:monstre|ratee?|lache|menteur|menteuse|incapable|nul\\w*)|tu ne vaux rien|tu me degoutes',
  accuses:
    '(?:tu|il|elle|vous) (?:ne |n)?(?:\\w+ ){0,3}(?:jamais|toujours|sans arret|constamment)|(?:ta|sa|votre) faute|a cause de (?:toi|lui|elle)|tu mas (?:\\w+ )?(?:menti|trompee?|trahie?|ignoree?|humiliee?|abandonnee?|blessee?|laissee?)|il ma (?:menti|trompee?|trahie?)|tu (?:me |m)(?:mens|trompes|ignores|controles|manipules|rabaisses|blesses)|tu (?:devrais|dois)|arrete de|tu es (?:si |tellement |trop |tres )*(?:egoiste|paresseu\\w+|froide?|injuste|cruelle?|irresponsable|immature)|pourquoi tu (?:ne |es |fais )?(?:jamais|toujours|pas)|tu ten fous|cest toi qui',
}
