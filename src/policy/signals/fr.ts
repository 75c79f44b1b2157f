import { END, type Signals } from './signals.js'

const THEY = '(?:il|elle|mon \\w+|ma \\w+|quil|quelle)'
const CHILDREN = '(?:les|mes|nos|ses|notre|mon|ma|le) (?:enfants?|fils|fille|bebe|gosses|gamins?)'
const PARTS = '(?:etape|exercice|partie|questions?|phase)'

export const FRENCH: Signals = {
  distress: {
    self_harm: [
      `je (?:ne )?veux plus (?:vivre|etre la|exister|me reveiller|etre en vie)(?= \\.|$| comme)`,
      '(?:je veux|jai envie de|je voudrais|je prefere|envie de|je veux juste) (?:\\w+ )?(?:mourir|crever|me tuer|me suicider|disparaitre pour toujours)(?! de)',
      '(?:je vais|je veux|vais|pense a|penser a|voulu|failli) me (?:tuer|suicider|pendre|foutre en lair|faire du mal)',
      'suicid\\w*',
      'd?en finir(?= \\.|$| avec (?:la|ma) vie)',
      'mettre fin a (?:mes jours|ma vie)',
      '(?:avale|pris|ingere) (?:tous|toute|toutes|une boite de|trop de|plein de) (?:mes |les |la |ma |de )?(?:\\w+ )?(?:medicaments|cachets|comprimes|pilules|somniferes|boite)',
      'surdose|overdose',
      'scarif\\w*|automutil\\w*|me mutile',
      'me suis (?:\\w+ )?(?:coupee? (?:les veines|les bras|expres|volontairement)|ouvert les veines|taillad\\w*|mutil\\w*|fait du mal)',
      'me fais du mal|me couper les veines',
      'mieux sans moi',
      'lettres? dadieu',
      'vie (?:na|ne vaut|nest|ne) (?:\\w+ )?(?:plus |pas )?(?:aucun |de |a )?(?:sens|la peine|plus rien)',
      '(?:plus|pas|aucune) (?:\\w+ )?raison de vivre',
      '(?:sauter|me jeter) (?:du|dun|sous|de la|par) (?:\\w+ )?(?:pont|toit|train|metro|balcon|fenetre)',
    ],
    violence: [
      `${THEY} (?:ma|mavait|nous a|me) (?:\\w+ )?(?:frappee?|battue?|bat|frappe|giflee?|gifle|etranglee?|etrangle|violee?|viole|enfermee?|enferme|sequestr\\w*|maltrait\\w*|agress\\w*|mordue?|poignard\\w*|cognee?|tabass\\w*)(?! (?:aux|a la|au|a un|par sa|par son|comme))`,
      `${THEY} (?:ma|mavait|nous a|me|nous) (?:\\w+ )?menac\\w+(?! de (?:partir|divorcer|me quitter|quitter))`,
      `${THEY} (?:ma|me) (?:\\w+ )?pouss\\w+ (?:contre|dans|par terre|a terre)`,
      `${THEY} (?:bat|frappe|gifle|maltraite|tape|a frappe|a battu|cogne) (?:sur )?${CHILDREN}`,
      'forcee? a (?:coucher|faire lamour|avoir (?:des rapports|une relation)|le toucher|me deshabiller)',
      `ma forcee?${END}`,
      `${THEY} (?:va|veut|allait|voulait|pourrait) (?:me|nous|se) (?:tuer|frapper|faire du mal|battre)`,
      '(?:peur|crains) (?:pour|de) (?:ma|notre) (?:vie|securite)',
      'peur qu(?:il|elle) (?:me|nous|leur|les) (?:tue|frappe|fasse|batte)',
      '(?:ma|me) (?:saisie?|attrapee?|prise?|serree?|attrape) (?:par |a )?(?:la gorge|le cou|les cheveux)',
      'violences? conjugales?|menaces? de mort',
      '(?:ne me laisse pas|mempeche de) (?:sortir|partir|telephoner)',
      'pas en securite (?:chez moi|a la maison)',
    ],
    overwhelmed: [
      `[nj]?en peux (?:vraiment )?plus${END}`,
      `n?y arrive (?:vraiment )?plus${END}`,
      'je (?:craque|meffondre|vais craquer)|je deviens folle?',
      '(?:crises?|attaques?) de (?:panique|nerfs|angoisse)',
      '(?:narrive|arrive|peux) (?:plus|pas) (?:a )?respirer(?! par)',
      'narrete (?:pas|plus) de (?:pleurer|trembler)|peux pas marreter de (?:pleurer|trembler)',
      `(?:plus|pas|aucun|aucune) d?(?:espoir|issue)(?= \\.|$| pour moi)`,
      `(?:je suis|suis) a bout(?: de forces?)?${END}`,
    ],
  },
  commitment: [
    'mis daccord|mises? daccord',
    '(?:avait|avions|avons|a|as|avez) (?:\\w+ )?convenu|etait convenu|convenus? de',
    '(?:quon|nous|on|avait|avions|avons) (?:\\w+ )?(?:avait |a |avions |avons )?(?:\\w+ )?decide',
    '(?:ai|as|a|avais|avait|avez|avaient|mas|ma|mavait|mavais|avons|jai|javais) promis',
    '(?:notre|nos|cet|le dernier) accords?|(?:notre|sa|ta|ma) promesse',
    '(?:donne|tenu|respecte|tient|tenir) (?:sa|ma|ta) parole',
    'notre experience',
  ],
  skipping: [
    `(?:passer|sauter|zapper|eviter) (?:cette |cet |ce |ces |la |les |l)?${PARTS}`,
    'veux (?:pas|plus) parler (?:de |des )(?:\\w+ )?(?:sentiments|emotions|besoins)',
    '(?:allons|aller|passons|passer|venons|venir) (?:(?:directement|tout de suite|enfin|plutot|droit) )*(?:a|au|aux) (?:l|la |les )?(?:accord|solutions?|etape suivante|suite|fin|strategies|essentiel|but|fait)',
    'donnez? moi (?:\\w+ )?la solution',
    `(?:faut il|il faut|on doit|je dois|doit on|dois je|quon doit) (?:\\w+ ){0,3}(?:faire|repondre a) (?:cet|cette|ces|ce|l) ?${PARTS}`,
    `${PARTS} (?:est |sont |ne |cest )(?:\\w+ )?(?:une perte de temps|perte de temps|inutiles?|sert a rien|ridicule)`,
  ],
}
