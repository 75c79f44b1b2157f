import { isCardNumber, isDni, isIban, isNir } from './checksums.js'

/** What a text may hold that calls for a stricter label. */
export const CONTENT_CLASSES = [
  'credentials',
  'health',
  'money',
  'intimate',
  'minors',
  'legal',
  'contact',
] as const
export type ContentClass = (typeof CONTENT_CLASSES)[number]

/** The least sensitivity of each class, unless a tenant says otherwise. */
export const DEFAULT_CLASS_SENSITIVITY: Readonly<Record<ContentClass, string>> = {
  credentials: 'hyper',
  health: 'high',
  money: 'high',
  intimate: 'high',
  minors: 'high',
  legal: 'high',
  contact: 'medium',
}

/** A pattern whose match tells of a class, in any of the four languages; `is` looks at the match once more. */
interface Recogniser {
  readonly of: ContentClass
  /** A short name of what was recognised. It holds no content. */
  readonly name: string
  readonly pattern: RegExp
  readonly is?: (match: string) => boolean
}

/** Words as a pattern: between boundaries that know letters of all four languages, in any case. */
const words = (...alternatives: string[]) =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'giu')

/** Names of secrets, and of what opens with a number. */
const SECRET =
  "pass ?words?|passcodes?|pass ?phrases?|pwd?|passwor[td]|kennwort|geheimzahl|zugangsdaten|mot de passe|mdp|contraseñas?|clave(?: de (?:acceso|la alarma|la puerta))?|(?:api|secret|access|private)[- _]?(?:key|token)s?|api-schlüssel|clé (?:api|d'accès)|clave api|token|jeton(?: d'accès)?|seed phrase|recovery codes?"
const OPENS =
  "pin(?:-?code)?|geheimzahl|tan|digicode|(?:(?:alarm|door|gate|entry|access|unlock|one-time|login|safe|security|verification) )?code|tür-?code|entsperr-?code|zugangscode|code (?:de (?:l')?(?:la )?(?:alarme|carte(?: bancaire)?|porte)|d'entrée(?: de l'immeuble)?|pin|für den [\\p{L}-]+)|código(?: de (?:la puerta|desbloqueo(?: del móvil)?|acceso|verificación))?|combination|combinación|safe|tresor|coffre|caja fuerte"

const amount = String.raw`(?:[$€£] ?\d[\d.,  ]{0,14}(?:k|m)?|\d[\d.,  ]{0,14}(?: ?(?:k|m|tausend|mille|mil|million(?:en|es|s)?|millones?))?(?: ?(?:euros?|dollars?|pounds?|dólares|francs?|chf|usd|eur|brutto|netto)|[$€£]|k\b))`

/** Whether one of the words after the name of a secret could be it: letters with digits or signs in them, or many digits. */
const holdsSecret = (match: string): boolean =>
  match
    .split(/\s+/)
    .slice(1)
    .some(token => {
      const bare = token.replace(/^["'«“(]+|["'»”.,;:)]+$/g, '')
      if (bare.length < 4 || /^https?:/i.test(bare)) return false
      if (/^\d+$/.test(bare)) return bare.length >= 6
      return (
        (/\d/.test(bare) && /\p{L}/u.test(bare)) ||
        (bare.length >= 6 && /[!#$%&*?@^_~]/.test(bare.slice(0, -1)))
      )
    })

const RECOGNISERS: readonly Recogniser[] = [
  // Credentials
  { of: 'credentials', name: 'private key', pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/g },
  {
    of: 'credentials',
    name: 'API key or token',
    pattern:
      /(?<![A-Za-z0-9])(?:sk-(?:proj-|ant-)?[A-Za-z0-9_-]{16,}|[sr]k_(?:live|test)_[A-Za-z0-9]{16,}|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{20,}|glpat-[\w-]{16,}|A(?:KIA|SIA)[A-Z0-9]{16}|xox[abpr]-[\w-]{16,}|AIza[\w-]{30,}|ya29\.[\w-]{20,}|npm_[A-Za-z0-9]{30,}|pvk_\w{16,}|SG\.[\w-]{16,}\.[\w-]{16,})/g,
  },
  {
    of: 'credentials',
    name: 'signed token',
    pattern: /(?<![\w-])eyJ[\w-]{8,2000}\.[\w-]{8,4000}\.[\w-]{8,}/g,
  },
  {
    of: 'credentials',
    name: 'address with a password',
    pattern: /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@]{1,100}:[^\s@/]{1,100}@\S/gi,
  },
  {
    of: 'credentials',
    name: 'password',
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}])(?:\\p{L}{2,}-)?(?:${SECRET})(?![\\p{L}])[=: ,][^\\n]{3,80}`,
      'giu',
    ),
    is: holdsSecret,
  },
  {
    of: 'credentials',
    name: 'password',
    // Said outright: whatever follows is the secret, a plain word too.
    pattern:
      /(?<![\p{L}\p{N}])(?:[\p{L}]{2,}-)?(?:pass ?words?|passcode|pwd?|kennwort|passwort|mot de passe|mdp|contraseña|clave)(?:(?: (?:of|for|to|du|de|der|für|vom|del|on)(?: [\p{L}-]+){1,3})?,?(?: (?:it|c'|das))? ?(?:is|ist|lautet|est|es|geändert auf|changed to)|\s*[:=]) \S{4,}(?=[\s.,;!]|$)(?! idea)(?! (?:a|une|un|eine|una) )/giu,
    is: match =>
      !/(?:is|ist|est|es) (?:a|an|une?|eine?|unas?|not|nicht|pas|no|grundsätzlich|required|needed|weak|strong|good|la|the|der|die|das|el|le)\b/iu.test(
        match,
      ),
  },
  {
    of: 'credentials',
    name: 'user name with a password',
    pattern: words(
      '(?:user ?name|login|benutzername|identifiant|usuario|user)[: ]+\\S+,? (?:and )?(?:pass ?word|pwd?|kennwort|passwort|mdp|mot de passe|clave|contraseña)[: ]+\\S+',
    ),
  },
  {
    of: 'credentials',
    name: 'PIN or access code',
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}])(?:${OPENS})(?![\\p{L}-])[^.!?\\n]{0,50}?(?<![\\p{L}\\d.,])(?:[A-Z]?\\d{2,3}[A-Z]?\\d{1,5}[#*]?|\\d{3} \\d{3}|\\d{2}-\\d{2}-\\d{2})(?![\\d%]|[.,]\\d| (?:minut|euro|dollar|pages?|errors?|problem))`,
      'giu',
    ),
  },
  {
    of: 'credentials',
    name: 'seed phrase',
    pattern: /(?:seed|recovery) (?:phrase|words)\W+(?:[a-z]+ ){11,23}[a-z]+/gi,
  },
  {
    of: 'credentials',
    name: 'recovery codes',
    pattern: /recovery codes?[^.\n]{0,40}\b[a-z0-9]{4,}-[a-z0-9]{4,}/gi,
  },

  // Health
  {
    of: 'health',
    name: 'diagnosis or illness',
    pattern: words(
      'diagnos(?:ed|is|tiqué\\p{L}*|ticaron|ticó|tiziert|e[ns]?)',
      'diabet\\p{L}*',
      'cancer\\p{L}*',
      'cáncer',
      'krebs',
      'tumou?r\\p{L}*',
      'malignant',
      'bösartig',
      'malign[eao]?',
      'hiv(?:[- ]positive?)?',
      'aids',
      'séropositi\\p{L}*',
      'seropositiv[oa]',
      'depressi(?:on|onen|ve|v)(?: episode| episoden)?(?! in the)',
      'dépressi(?:on|f|ve)',
      'depresión',
      'bipolar\\p{L}*',
      'bipolaire',
      'schizophren\\p{L}*',
      'adhd',
      'adhs',
      'tdah',
      'autis\\p{L}*',
      'dementia',
      'demenz',
      'démence',
      'demencia',
      'alzheimer\\p{L}*',
      'parkinson\\p{L}*',
      'epilep\\p{L}*',
      'épilep\\p{L}*',
      'asthma',
      'asthme',
      'asma',
      'multiple(?:r)? sklerose',
      'sclérose en plaques',
      'stroke',
      'schlaganfall',
      'avc',
      'infart[oe]?',
      'infarctus',
      'herzinfarkt',
      'hypertension',
      'hipertensión',
      'bluthochdruck',
      'miscarriage',
      'fehlgeburt',
      'fausse couche',
      'aborto(?: espontáneo)?',
      'abortion',
      'abtreibung',
      'ivg',
      'chlamydia',
      'syphilis',
      'herpes',
      'hepatitis',
      'panic attacks?',
      'panikattacke\\p{L}*',
      'eating disorder',
      'essstörung',
      'anorexi\\p{L}*',
      'bulimi\\p{L}*',
      'angststörung',
      'trouble (?:bipolaire|anxieux|alimentaire)',
      'trastorno(?: \\p{L}+)?',
      'alkoholkrank',
      'alcoholi[sc]m?\\p{L}*',
      'alcoolique',
      'suicid\\p{L}*',
      'selbstmord\\p{L}*',
      'overdose',
      'herniated disc',
      'bandscheibenvorfall',
      'migraine\\p{L}*',
      'covid',
      'infection',
      'pregnan(?:t|cy)',
      'schwanger(?:schaft)?',
      'enceinte',
      'grossesse',
      'embaraz\\p{L}+',
      'herzrasen',
      'blood pressure',
      'blutzucker',
      'blutdruck',
      'sa tension',
    ),
  },
  {
    of: 'health',
    name: 'treatment',
    pattern: words(
      "\\d+(?:[.,]\\d+)? ?(?:mg|µg|mcg|ml) (?:of |de |d')?\\p{L}+",
      '\\p{L}+ \\d+ ?(?:mg|units|einheiten|unités|unidades)',
      'chemo(?:therap\\p{L}*)?',
      'chimiothérapie',
      'quimioterapia',
      'biops\\p{L}*',
      'mri',
      'mrt',
      'irm',
      'insulin\\p{L}*',
      'insuline',
      'insulina',
      'ozempic',
      'sertraline?',
      'lithium',
      'ventoline?',
      'prozac',
      'ritalin',
      'medication',
      'medikament\\p{L}*',
      'medicación',
      'médicaments?',
      'tabletten',
      'therapist',
      'therapeut(?:in)?',
      'thérapeute',
      'terapeuta',
      'psychiat\\p{L}*',
      'psiquiatra',
      'psycholog(?:ist|e|in|ue)',
      'psicólog[oa]',
      'gynä?k?olog\\p{L}*',
      'ginecólog[oa]',
      'gynécologue',
      'rehab',
      'rehabilitación',
      'entzug(?:sklinik)?',
      'cure de désintoxication',
      'surger(?:y|ies)',
      'surgeon (?:will|said|says|removed)',
      'op am \\p{L}+',
      "opération (?:de|du) (?:la |l')?\\p{L}+",
      'operación de \\p{L}+',
      'in hospital',
      'hospitali[sz]ed',
      'krankenhaus',
      'notaufnahme',
      'urgences',
      'krankgeschrieben',
      'arrêt maladie',
      'de baja(?: por)?',
      'allergic to',
      'allergique à',
      'alérgic[oa] a',
      '\\p{L}*allergie',
      'tested positive',
    ),
  },

  // Money
  { of: 'money', name: 'card number', pattern: /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g, is: isCardNumber },
  {
    of: 'money',
    name: 'IBAN',
    pattern: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{2,4}){3,8}(?![A-Za-z0-9])/g,
    is: isIban,
  },
  {
    of: 'money',
    name: 'bank account',
    pattern: words(
      '(?:account|konto|compte|cuenta)(?: (?:number|nummer|no\\.?))? (?:\\d{2}-\\d{2}-\\d{2} )?\\d{6,12}',
    ),
  },
  {
    of: 'money',
    name: 'income, debt or property',
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}])(?:salar(?:y|ies)|salaire|sueldo|salario|gehalt|lohn|earns?|gagne|gana|verdien\\p{L}*|owes?|schulde\\p{L}*|schulden|doit|deb(?:e|emos|o)|loan|kredit\\p{L}*|crédit(?: immobilier)?|préstamo|mortgage|hypothek|hipoteca|rent|miete|loyer|alquiler|savings|ersparte?s|épargne|ahorr\\p{L}*|pension(?: alimentaire)?|pensión(?: alimenticia)?|rente|bonus(?:zahlung)?|prime|bono|inherited|geerbt|hérité|hered\\p{L}+|tax refund|steuernachzahlung|unterhalt|child support|découvert|números rojos|kontostand|settlement|hacienda|fisc|net worth|reste)(?![\\p{L}])[^.!?\\n]{0,45}?(?:${amount}|(?<!\\d)\\d[\\d.,]{2,14}|\\d+k\\b)`,
      'giu',
    ),
  },
  {
    of: 'money',
    name: 'income, debt or property',
    pattern: new RegExp(
      `${amount}[^.!?\\n]{0,30}?(?<![\\p{L}])(?:a year|per year|a month|im monat|monatlich|par mois|par an|al mes|al año|schulden|geerbt|ahorrad[oa]s|de hipoteca|de crédit|behind)(?![\\p{L}])`,
      'giu',
    ),
  },
  {
    of: 'money',
    name: 'financial distress',
    pattern: words(
      'bankruptcy',
      'bankrupt',
      '(?:privat)?insolvenz',
      'faillite',
      'bancarrota',
      'credit score',
      'gambled away',
      'behind on (?:payroll|rent|the mortgage)',
      'überschuldet',
      'surendett\\p{L}*',
      'net worth',
      'kontostand',
    ),
  },

  // Intimate
  {
    of: 'intimate',
    name: 'sexuality or relationship',
    pattern: words(
      'sex(?: life)?',
      'sexleben',
      'sexuell\\p{L}*',
      'relations? sexuelles?',
      'relaciones sexuales',
      'gay',
      'lesbian',
      'lesbienne',
      'lesbiana',
      'lesbisch',
      'bisexu\\p{L}*',
      'schwul',
      'transgender',
      '(?:having|has|have|had) an affair',
      'affäre',
      'liaison avec',
      'une liaison',
      'aventura con',
      'infidel\\p{L}*',
      'infiel',
      'cheated on',
      '(?:sie|ihn|mich|dich) betrogen',
      "(?:l'ai|l'a|m'a|t'a) trompée?",
      'nudes?(?: photos?)?',
      'nacktfotos?',
      'nacktbilder',
      'photos? nues?',
      'fotos? desnud[oa]s?',
      'fotos de desnudos',
      'open relationship',
      'want a divorce',
      'schlafen (?:\\p{L}+ ){0,5}miteinander',
      'fetish\\p{L}*',
      'porn\\p{L}*',
    ),
  },

  // Minors
  {
    of: 'minors',
    name: 'child',
    pattern: words(
      '(?:my|our|his|her) (?:son|daughter|kid|child)(?: \\p{L}+)?,? (?:is |aged )?(?:\\d{1,2}|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen)',
      '(?:three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|\\d{1,2})-year-old',
      '(?:is|aged) (?:[1-9]|1[0-7]) years old',
      'kindergarten(?:s)?',
      'kita',
      'crèche',
      'guardería',
      'nursery school',
      'babysitter',
      'primary school',
      'grundschule',
      'école primaire',
      'wets the bed',
      'custody',
      'sorgerecht',
      'garde alternée',
      'custodia',
      'bullied at school',
      '(?:meine?|unsere?) (?:tochter|sohn|kind)(?: \\p{L}+)?,? (?:ist )?(?:erst )?(?:\\d{1,2}|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)',
      'kind ist erst \\d{1,2}(?: jahre)?',
      '(?:ma|notre) fille(?: \\p{L}+)?,? (?:a |de )?(?:\\d{1,2}|six|sept|huit|neuf|dix|onze|douze) ans',
      '(?:mon|notre) fils(?: \\p{L}+)?,? (?:a |de )?(?:\\d{1,2}|six|sept|huit|neuf|dix|onze|douze) ans',
      '(?:mi|nuestr[oa]) (?:hij[oa]|niñ[oa])(?: \\p{L}+)?,? (?:tiene |de )(?:\\d{1,2}|seis|siete|ocho|nueve|diez|once|doce) años',
    ),
  },

  // Legal
  {
    of: 'legal',
    name: 'legal matter',
    pattern: words(
      'lawyer',
      'attorney(?:-client)?',
      'anwält\\p{L}*',
      'anwalt',
      'avocate?',
      'abogad[oa]',
      'arrested',
      'verhaftet',
      'arrêtée? pour',
      'detuv\\p{L}+',
      'detenid[oa]',
      'court (?:date|case|order|hearing)',
      'gerichtstermin',
      'gerichtsverfahren',
      'audience au tribunal',
      'tribunal',
      'juicio',
      'su(?:es|ing|ed)',
      'lawsuit',
      'klage',
      'verklagt',
      'plainte',
      'demanda',
      'probation',
      'bewährung',
      'liberté conditionnelle',
      'libertad condicional',
      'privileged',
      'police questioned',
      'polizei (?:\\p{L}+ ){0,4}vernommen',
      'verdächtige\\p{L}*',
      'strafverfahren',
      'vorbestraft',
      'casier judiciaire',
      'antecedentes penales',
      'nda',
      'non-disclosure',
      'verschwiegenheitserklärung',
      'accord de confidentialité',
      'acuerdo de confidencialidad',
      'settlement (?:must|agreement|is confidential)',
    ),
  },

  // Contact data
  { of: 'contact', name: 'e-mail address', pattern: /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g },
  {
    of: 'contact',
    name: 'phone number',
    pattern:
      /(?<![\d.])(?:\+\d{1,3}[ /-]?(?:\(0\))?[\d /-]{6,14}\d|\(\d{3}\) ?\d{3}-\d{4}|0\d{1,4}[ /-]\d{2,4}(?:[ -]?\d{2,4}){1,4}|[67]\d{2} \d{3} \d{3})(?![\d.])/g,
  },
  {
    of: 'contact',
    name: 'postal address',
    pattern: words(
      '\\d{1,5} (?:\\p{Lu}\\p{L}+ ){1,3}(?:street|st\\.?|avenue|ave\\.?|road|rd\\.?|lane|drive|boulevard|blvd)',
      '\\p{Lu}\\p{L}*(?:straße|strasse|weg|gasse|platz|allee) \\d{1,4}[a-z]?',
      "\\d{1,4}(?:,? bis)? (?:rue|avenue|boulevard|place|chemin|allée) (?:(?:des?|du|de la|de l') ?)?\\p{Lu}?\\p{L}+",
      '(?:calle|avenida|plaza|paseo|carrer) (?:(?:de|del|de la) )?\\p{L}+(?: \\p{L}+)? \\d{1,4}',
      'p\\.? ?o\\.? box \\d+',
    ),
  },
  { of: 'contact', name: 'social security number', pattern: /(?<!\d)\d{3}-\d{2}-\d{4}(?!\d)/g },
  { of: 'contact', name: 'social security number', pattern: /(?<!\d)[12](?: ?\d){14}(?!\d)/g, is: isNir },
  {
    of: 'contact',
    name: 'identity number',
    pattern: /(?<![A-Za-z0-9])\d{8}-?[A-Za-z](?![A-Za-z0-9])/g,
    is: isDni,
  },
  {
    of: 'contact',
    name: 'identity number',
    pattern: words(
      '(?:passport|reisepass|passeport|pasaporte|personalausweis)(?:[- ]?(?:number|nummer|no\\.?|n°))? [A-Z]?\\p{L}?\\d[A-Z0-9]{5,9}',
    ),
  },
]

/** What was recognised, and where: offsets in UTF-16 units. It holds no content. */
export interface Recognised {
  readonly of: ContentClass
  readonly name: string
  readonly start: number
  readonly end: number
}

/** Texts are read in pieces, so that the time a pattern takes grows with the text and not with its square. */
const PIECE = 16_384
/** How much of a piece is read again with the next: nothing that is recognised by its words is longer. */
const OVERLAP = 1_024

/** Finds what calls for a stricter label in a text, each sort once, in the order of the classes. */
export function recogniseContent(text: string): Recognised[] {
  const found = new Map<string, Recognised>()
  for (let from = 0; from === 0 || from + OVERLAP < text.length; from += PIECE - OVERLAP)
    recogniseIn(text.slice(from, from + PIECE), from, found)
  const order = (one: Recognised) => CONTENT_CLASSES.indexOf(one.of)
  return [...found.values()].sort((a, b) => order(a) - order(b))
}

function recogniseIn(piece: string, from: number, found: Map<string, Recognised>): void {
  for (const { of, name, pattern, is } of RECOGNISERS) {
    const sort = `${of} ${name}`
    if (found.has(sort)) continue
    for (const { 0: match, index } of piece.matchAll(pattern)) {
      if (is !== undefined && !is(match)) continue
      found.set(sort, { of, name, start: from + index, end: from + index + match.length })
      break
    }
  }
}
