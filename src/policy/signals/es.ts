import { END, type Signals } from './signals.js'

const CHILDREN =
  '(?:los|mis|nuestros|las|mi|nuestro|nuestra|sus) (?:ninos|ninas|hijos|hijas|hijo|hija|bebe|nino|nina)'
const PARTS = '(?:parte|etapa|paso|ejercicio|preguntas?|fase)'
/** What follows "me pegó" and is no blow. */
const ONLY_A_FIGURE =
  '(?! (?:la (?:gripe|risa|tos|fiebre|cancion)|el (?:sol|susto|sueno)|un (?:susto|abrazo|grito|beso|virus)|una (?:sorpresa|mirada)|al|en (?:el|la) (?:ajedrez|juego|carrera)))'

export const SPANISH: Signals = {
  distress: {
    self_harm: [
      `no quiero (?:seguir )?(?:vivir|viviendo|existir|despertar)(?: mas| asi)?${END}`,
      `ya no quiero (?:vivir|estar aqui|existir|seguir)${END}`,
      '(?:quiero|quisiera|deseo|prefiero|ganas de|prefiriria) (?:\\w+ )?(?:morir|morirme|matarme|suicidarme|estar muert[oa]|desaparecer para siempre)(?! de)',
      'me (?:quiero|voy a|quisiera) (?:matar|morir|suicidar|ahorcar)(?! de)',
      'suicid\\w*',
      'quitarme la vida|acabar con mi vida|terminar con mi vida',
      `acabar con todo${END}`,
      '(?:tome|trague|tomado|tragado|ingeri|tomarme) (?:todas|todos|muchas|un monton de|una caja de|demasiadas|un frasco de) (?:las |los |mis |de )?(?:\\w+ )?(?:pastillas|pildoras|medicamentos|medicinas|somniferos|calmantes)',
      'sobredosis',
      '(?:vuelto a|volvi a|sigo|estoy|empece a) (?:cortarme|cortandome|lastimarme|hacerme dano|haciendome dano)',
      'cort(?:arme|o|e|ado) (?:las venas|los brazos|las munecas)|autolesion\\w*',
      `mejor sin mi${END}`,
      'cartas? de despedida|nota de suicidio',
      'vida (?:ya )?no (?:tiene|vale|merece) (?:ningun )?(?:sentido|la pena|nada)',
      '(?:ninguna razon|sin razones|no tengo razones|motivos?) para vivir',
      '(?:tirarme|saltar|lanzarme) (?:de|desde|a|del|al) (?:un |el |la |las |una )?(?:puente|balcon|tren|vias|azotea|ventana)',
    ],
    violence: [
      `(?<!se )me (?:ha |habia |ha vuelto a )?(?:pego|pegado|pega|golpeo|golpea|golpeado|abofete\\w*|pateo|pateado|patea|violo|violado|viola|estrangul\\w*|ahorc\\w*|apunal\\w*|maltrat\\w*|encerro|encerrado|encierra|amenazo|amenazado|amenaza)${ONLY_A_FIGURE}(?! con (?:irse|el divorcio|dejarme|divorciarse))`,
      `(?:golpea|pega|maltrata|golpeo|pego|abusa de|golpear|pegar) (?:a )?${CHILDREN}`,
      'me (?:obligo|obliga|forzo|fuerza|ha obligado|ha forzado) a (?:tener (?:sexo|relaciones)|acostarme|tocarl\\w|hacerlo|desnudarme)',
      `me (?:forzo|obligo)${END}`,
      '(?:agarr|cogi|apret|tom)\\w* (?:del|por el|de los|el|de) (?:cuello|pelo|cabello|pelos)',
      '(?<!se )(?:me|nos) (?:va|van|quiere|iba|queria) a? ?(?:matar|golpear|pegar|hacer dano)(?! el| la)',
      'amenaz\\w+ (?:\\w+ )?(?:de muerte|con (?:un|una|el|la) (?:cuchillo|pistola|arma|navaja)|con matar\\w*)',
      'miedo (?:de|a) que (?:me|nos|les|le) (?:haga|pegue|mate|golpee|lastime)',
      '(?:miedo|temo) por mi (?:vida|seguridad)',
      'no (?:me|nos) (?:deja|dejo) (?:salir|irme|irnos|llamar)',
      'violencia (?:domestica|de genero|machista)|me viola',
      'no me siento segur[oa] (?:en casa|en mi casa)',
    ],
    overwhelmed: [
      `no puedo (?:mas|seguir|seguir asi)(?= \\.|$| con (?:esto|todo|mi vida))`,
      `no (?:lo )?(?:aguanto|soporto|resisto) (?:mas|esto mas)(?= \\.|$| esto| asi)`,
      'ataques? de (?:panico|ansiedad)',
      'no puedo respirar(?! por)',
      'no puedo (?:dejar|parar) de (?:llorar|temblar)|no paro de (?:llorar|temblar)',
      `(?:no hay|no veo|no tengo|sin) (?:ninguna )?(?:salida|esperanza)(?= \\.|$| para mi)`,
      'me (?:estoy )?(?:derrumb|desmoron)\\w+|me estoy volviendo loc[oa]|crisis nerviosa',
      `estoy (?:al limite|al borde|destrozad[oa] y)`,
    ],
  },
  commitment: [
    'acordamos|(?:habiamos|hemos|habia|haber) acordado|lo acordado',
    'quedamos en|(?:habiamos|hemos) quedado',
    'pactamos|decidimos|habiamos decidido|nos comprometimos',
    'prometiste|prometio|prometimos|prometi|prometido|prometieron',
    '(?<!al |de )(?:nuestro|nuestros|el|este|ese|ultimo) (?:ultimo )?(?:acuerdo|acuerdos|pacto|compromiso)',
    '(?:dio|di|diste|cumplio|cumple|rompio|rompe|dado) (?:su|mi|tu|la) palabra|(?:su|tu|mi) promesa',
    'nuestro experimento',
  ],
  skipping: [
    `(?:salt|omit)\\w+ (?:est[aeo]s?|la|el|las) ?${PARTS}?(?=\\b)(?<=${PARTS}|est[aeo]s?)`,
    'no quiero hablar de (?:\\w+ )?(?:sentimientos|emociones|necesidades)',
    '(?:vamos|vayamos|ir|pasar|pasemos|avancemos) (?:(?:directo|directamente|ya|de una vez|por fin) )*(?:al|a la|a las|a los) (?:acuerdo|solucion|soluciones|siguiente|proxim[oa]|final|estrategias|grano)',
    '(?:dame|dime|denme) (?:ya |de una vez )?la solucion',
    `(?:es necesario|hace falta|tengo que|tenemos que|hay que|debo|debemos) (?:\\w+ ){0,3}est[ea]s? ${PARTS}`,
    `${PARTS} (?:es |no |son )(?:\\w+ )?(?:una perdida de tiempo|perdida de tiempo|inutil|sirve|absurd[oa])`,
  ],
}
