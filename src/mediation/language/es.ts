import type { MessageLexicon } from './lexicon.js'

/** What makes a feeling the speaker's own. */
const I_AM =
  '(?:estoy|estaba|me siento|me senti|me sentia|me pone|me hace sentir|me deja)(?: (?!no|nunca)\\w+){0,2} '
const felt = (adjectives: string, ...more: readonly string[]) =>
  [`${I_AM}(?:${adjectives})`, ...more].join('|')

export const SPANISH_LEXICON: MessageLexicon = {
  topics: {
    FIDELITY: {
      name: 'la fidelidad',
      words:
        'infiel\\w*|fidelidad|amante|es[ae] (?:mujer|hombre)|otr[ao] (?:mujer|hombre)|coquete\\w*|aventura',
    },
    ALCOHOL: {
      name: 'la bebida',
      words: 'alcohol\\w*|bebe (?:mucho|cada|todas|demasiado)|borrach\\w*|cerveza|vino|beber',
    },
    INTIMACY: {
      name: 'la intimidad',
      words: 'sexo|sexual\\w*|intim\\w*|en la cama|bes(?:o|os|a|ar)|caricias|ternura',
    },
    EXTENDED_FAMILY: {
      name: 'la familia extensa',
      words:
        '(?:su|mi|tu|sus|mis|tus) (?:madre|padre|padres|suegra|suegro|hermana|hermano|familia)|suegr\\w*|parientes',
    },
    MONEY: {
      name: 'el dinero',
      words: 'dinero|deudas?|alquiler|facturas?|sueldo|ahorros|tarjeta|gast\\w*|pagar|paga|euros?',
    },
    CHILDREN: { name: 'los niños', words: 'ninos?|ninas?|hijos?|hijas?|bebe(?! )|escuela|deberes|colegio' },
    HOUSEHOLD: {
      name: 'las tareas de la casa',
      words:
        'tareas (?:de la casa|del hogar|domesticas)|limpi\\w*|platos|ropa|cocin\\w*|orden\\w*|lavar|fregar',
    },
    PUNCTUALITY: { name: 'la puntualidad', words: 'tarde a|llega tarde|llego tarde|puntual\\w*|esperando' },
    HEALTH: { name: 'la salud', words: 'enferm\\w*|medico|hospital|embaraz\\w*|salud|terapia' },
    ARGUMENTS: {
      name: 'nuestras discusiones',
      words: 'discut\\w*|discus\\w*|pele(?:a|as|amos|ar)|grit\\w*|portazo\\w*',
    },
    CONVERSATION: {
      name: 'nuestras conversaciones',
      words: 'habl(?:o|a|ar|amos|as)|convers\\w*|escuch\\w*|interrump\\w*',
    },
    MESSAGES: { name: 'los mensajes privados', words: 'mensajes?|correos?|diario|whatsapp' },
    SCREENS: {
      name: 'el móvil y las pantallas',
      words: 'movil|telefono|celular|pantallas?|television|tele|ordenador|videojuegos?',
    },
    FRIENDS: { name: 'las amistades', words: 'amig[oa]s|amistad\\w*|compañer\\w*|fiestas?' },
    WORK: { name: 'el trabajo', words: 'trabaj\\w*|jef[ea]|oficina|horas extra' },
    FUTURE: { name: 'nuestro futuro', words: 'futuro|casarnos|boda|casarme' },
    FAITH: { name: 'la fe', words: 'iglesia|religi\\w*|rezar' },
    PETS: { name: 'nuestras mascotas', words: 'perr[oa]|gat[oa]|mascotas?' },
    SPECIAL_DAYS: { name: 'los días especiales', words: 'cumpleanos|aniversario|navidad' },
    HOME: { name: 'nuestra casa', words: 'casa|piso|hogar|mudanza' },
    TIME: { name: 'nuestro tiempo', words: 'tiempo|noches?|tardes|fin de semana|horas?|vacaciones' },
  },
  needs: {
    HONESTY: {
      name: 'la honestidad',
      words: 'mint\\w*|mentir\\w*|mentira\\w*|verdad|honest\\w*|sincer\\w*|oculta\\w*|a mis espaldas',
    },
    TRUST: { name: 'la confianza', words: 'confi(?:o|a|ar|anza|ado)|desconf\\w*|traicion\\w*|engan\\w*' },
    RELIABILITY: {
      name: 'poder contar el uno con el otro',
      words: 'contar con|cumple (?:su|lo)|fiable|cancel\\w*|palabra',
    },
    STABILITY: { name: 'la estabilidad', words: 'estabilidad|apuest\\w*|seguridad economica' },
    CALM: { name: 'la calma', words: 'grit\\w*|portazo\\w*|levanta la voz|explota' },
    SAFETY: { name: 'la seguridad', words: 'segur[oa] con|sentirme segur[oa]|insegur[oa] en' },
    TIME_TOGETHER: {
      name: 'el tiempo juntos',
      words: 'tiempo (?:juntos|conmigo|para nosotros|para mi no)|con el movil|en el movil',
    },
    HEARING: { name: 'ser escuchado', words: 'escuch\\w*|interrump\\w*|me ignora|no me habla' },
    INTIMACY: { name: 'la intimidad', words: 'sexo|intimidad|me toca' },
    CLOSENESS: {
      name: 'la cercanía',
      words: 'cercania|carino|ternura|abraz\\w*|distante|companeros de piso',
    },
    BELONGING: { name: 'sentir que formo parte', words: 'excluid[oa]|formar parte|como un[ae]? extran\\w*' },
    LOYALTY: { name: 'el apoyo mutuo', words: 'de parte de su|me defiende|de mi lado' },
    CONNECTION: { name: 'la conexión', words: 'conexion|conectar|desconectad[oa]' },
    FREEDOM: {
      name: 'la libertad de decidir',
      words: 'decide (?:todo|por mi)|me controla|permiso|prohib\\w*|libertad|me dice que',
    },
    PRIVACY: { name: 'la privacidad', words: 'privacidad|lee mis|revisa mi|me espia' },
    SPACE: { name: 'el espacio propio', words: '(?:tiempo|hora|espacio|rato) para mi|mi espacio' },
    REST: { name: 'el descanso', words: 'descans\\w*|dormir mas|pausa' },
    AUTONOMY: { name: 'la autonomía', words: 'autonomia|independen\\w*|mi propia vida' },
    RESPECT: {
      name: 'el respeto',
      words: 'respet\\w*|se burla|se rie de mi|insult\\w*|humill\\w*|delante de (?:todos|sus|los)',
    },
    APPRECIATION: { name: 'el aprecio', words: 'agrade\\w*|gracias|aprecia\\w*|valora\\w*' },
    UNDERSTANDING: { name: 'la comprensión', words: 'me entiende|comprens\\w*|en serio' },
    RECOGNITION: { name: 'el reconocimiento', words: 'reconoc\\w*|invisible' },
    SHARED_FUTURE: {
      name: 'un futuro compartido',
      words: 'futuro (?:con|juntos)|tener hijos|casarnos|quiero un hijo',
    },
    GROWTH: { name: 'el crecimiento', words: 'crecer|aprender algo' },
    PURPOSE: { name: 'el sentido', words: 'para que todo|siempre lo mismo' },
    MEANING: { name: 'el sentido', words: 'mi fe|mis valores' },
    EQUALITY: {
      name: 'un reparto justo',
      words: '(?:hago|lo hago) todo|todo yo|siempre yo|la mitad|todas las tareas',
    },
    SUPPORT: { name: 'el apoyo', words: 'ayud\\w*|apoy\\w*|me deja sol[oa] con' },
    FAIRNESS: { name: 'la justicia', words: 'just[oa]|injust\\w*|equitativ\\w*' },
  },
  feelings: {
    hurt: { name: 'dolor', words: felt('herid[oa]|dolid[oa]', 'me duele|me dolio|me hiere') },
    lonely: { name: 'soledad', words: felt('sol[oa]', 'soledad') },
    sad: { name: 'tristeza', words: felt('triste|infeliz', 'llor[eo]|tristeza') },
    angry: {
      name: 'enfado',
      words: felt('enfadad[oa]|furios[oa]|enojad[oa]|rabia', 'me enfada|me enoja|me da rabia'),
    },
    frustrated: { name: 'frustración', words: felt('frustrad[oa]|hart[oa]', 'me frustra') },
    disappointed: { name: 'decepción', words: felt('decepcionad[oa]', 'me decepcion\\w*') },
    overwhelmed: { name: 'agobio', words: felt('agobiad[oa]|abrumad[oa]|desbordad[oa]') },
    exhausted: { name: 'agotamiento', words: felt('agotad[oa]|cansad[oa]|exhaust[oa]') },
    stressed: { name: 'estrés', words: felt('estresad[oa]') },
    worried: { name: 'preocupación', words: felt('preocupad[oa]', 'me preocupa') },
    afraid: { name: 'miedo', words: felt('asustad[oa]', 'tengo miedo|me da miedo') },
    insecure: { name: 'inseguridad', words: felt('insegur[oa]|celos[oa]', 'tengo celos') },
    ashamed: { name: 'vergüenza', words: felt('avergonzad[oa]|humillad[oa]', 'me da verguenza') },
    helpless: { name: 'impotencia', words: felt('impotente') },
    grateful: { name: 'gratitud', words: felt('agradecid[oa]', 'agradezco') },
    happy: { name: 'alegría', words: felt('feliz|content[oa]', 'me alegra') },
  },
  irony: '(?:ah|oh|vaya|mira) (?:que )?(?:bien|bonito|genial|lindo)|que sorpresa|gracias por nada|bravo',
  feelingAlone: ['Siento {feeling}.'],
  event: {
    needAndFeeling: ['Cuando se trata de {topic}, siento {feeling}, y para mí es importante {need}.'],
    need: [
      'Cuando se trata de {topic}, para mí es importante {need}.',
      'Para mí es importante {need}, sobre todo con {topic}.',
    ],
    feeling: ['Cuando se trata de {topic}, siento {feeling}.', 'Siento {feeling} por {topic}.'],
    topic: [],
  },
  need: {
    about: {
      needAndFeeling: ['Cuando se trata de {topic}, lo que necesito es {need}. Siento {feeling}.'],
      need: [
        'Cuando se trata de {topic}, lo que necesito es {need}.',
        'Mi necesidad es {need}, sobre todo con {topic}.',
      ],
      feeling: [],
      topic: [],
    },
    alone: {
      needAndFeeling: ['Lo que necesito es {need}. Siento {feeling}.'],
      need: ['Lo que necesito es {need}.', 'Mi necesidad es {need}.'],
      feeling: [],
      topic: [],
    },
  },
  boundary: {
    about: {
      needAndFeeling: [
        'Tengo un límite cuando se trata de {topic}: necesito {need}. Si se cruza, siento {feeling}.',
      ],
      need: ['Tengo un límite cuando se trata de {topic}: necesito {need}.'],
      feeling: ['Tengo un límite cuando se trata de {topic}. Si se cruza, siento {feeling}.'],
      topic: ['Tengo un límite cuando se trata de {topic}.', 'Mi límite tiene que ver con {topic}.'],
    },
    alone: {
      needAndFeeling: ['Tengo un límite: necesito {need}. Si se cruza, siento {feeling}.'],
      need: ['Tengo un límite: necesito {need}.'],
      feeling: ['Tengo un límite. Si se cruza, siento {feeling}.'],
      topic: [],
    },
  },
  tells:
    'necesi\\w*|siento|sentimientos?|me gustaria|quisiera|espero|limite\\w*|importante|por favor|deseo|anoro|echo de menos|estoy (?:\\w+ )?(?:triste|cansad[oa]|agotad[oa]|enfadad[oa]|preocupad[oa]|decepcionad[oa]|frustrad[oa]|agradecid[oa]|estresad[oa])|tengo miedo|quiero que|no quiero',
  attacks:
    'imbecil\\w*|idiotas?|estupid[oa]s?|put[oa]s?|cabron\\w*|gilipollas|pendej[oa]s?|zorra|mierda|hij[oa] de puta|maldit[oa]|perra|asqueros[oa]|basura|callate|vete (?:a la mierda|al infierno)|te (?:odio|desprecio|detesto)|l[oa] (?:odio|desprecio)|(?:vas a|te vas a|va a) (?:arrepentir\\w*|pagar\\w*)|te (?:voy a|vas a) (?:matar|arrepentir|pegar|destruir)|eres (?:un|una) (?:inutil|fracasad[oa]|monstruo|cobarde|mentiros[oa]|don nadie)|no vales nada',
  accuses:
    '(?:nunca|siempre|jamas) (?:me |te |nos |se |lo |la )?(?!he|hemos|estoy|estamos|me he|quiero|quise)\\w+(?:as|es|aste|iste)\\b|(?:siempre|nunca) (?:eres|estas|haces|dices|tienes)|eres (?:siempre|tan|muy|un|una) \\w+|(?:el|ella|tu) (?:nunca|siempre|jamas)|culpa tuya|tu culpa|su culpa|por culpa (?:de|tuya)|me (?:mentiste|enganaste|traicionaste|ignoraste|humillaste|abandonaste|heriste|mientes|enganas|ignoras|controlas|manipulas|mintio|engano)|deberias|por tu culpa|dej[ae] de|a ti no te importa|eres egoista|eres (?:fri[oa]|perezos[oa]|injust[oa])',
}
