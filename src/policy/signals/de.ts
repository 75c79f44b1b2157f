import { END, type Signals } from './signals.js'

const THEY = '(?:er|sie|mein (?:mann|freund|partner|vater|ex)|meine (?:frau|freundin|partnerin|mutter|ex))'
const CHILDREN =
  '(?:(?:die|das|unsere?n?|meine?n?|seine?n?|ihre?n?) (?:kinder|kind|kindern|sohn|tochter|baby))'
const VICTIM = `(?:mich|uns|${CHILDREN})`
const STEPS = '(?:(?!beim|im|bei|am|auf|vor)(?:\\w+ )){0,4}'
const JUST = '(?:(?:einfach|nur|so|noch|gar|eigentlich|am liebsten|wirklich|echt|auch|da) )*'
const PARTS = '(?:teil|schritt|stufe|phase|ubung|frage|fragen|aufgabe|prozess)'

export const GERMAN: Signals = {
  distress: {
    self_harm: [
      `(?:will|mochte|wollte|mag) ${JUST}(?:nicht mehr|nimmer) (?:leben|da sein|hier sein|aufwachen|existieren|weiterleben)`,
      `(?:will|wollte|mochte) (?:(?!vor )\\w+ ){0,4}(?:sterben|tot sein)(?! vor)`,
      '(?:ware|war) (?:\\w+ )?(?:am liebsten|lieber|besser) tot',
      '(?<!(?:er|sie|droht|drohte|gedroht|will|wird|wollte) (?:\\. )?)mich (?:selbst )?(?:umbringen|umzubringen|toten|zu toten|erhangen|zu erhangen|aufhangen|aufzuhangen|erschiessen|zu erschiessen|ritzen|zu ritzen)',
      '(?:ich will|ich werde|ich mochte|ich wollte|ich konnte) mich (?:selbst )?(?:umbringen|toten|erhangen|erschiessen|vergiften)',
      'bringe mich (?:\\w+ )?um',
      'mich (?:selbst|wieder|absichtlich|mit absicht) (?:\\w+ )?(?:geritzt|geschnitten|verletzt|verbrannt)',
      'mich geritzt|ritze mich|ritze ich mich',
      'selbst ?(?:mord|verletz|totung)\\w*|suizid\\w*|freitod',
      '(?:alle|die ganzen|die ganze packung|eine ganze packung|zu viele|samtliche) (?:\\w+ ){0,2}(?:tabletten|pillen|schlafmittel|schlaftabletten|medikamente|schmerzmittel) (?:genommen|geschluckt|eingenommen)',
      'uberdosis',
      'ohne mich (?:\\w+ ){0,4}besser|besser (?:\\w+ )?ohne mich',
      'abschiedsbrief\\w*',
      'leben (?:\\w+ ){0,2}(?:keinen sinn|kein sinn|keinen wert|sinnlos|nicht mehr lebenswert|nichts mehr wert)',
      'kein(?:en)? (?:grund|sinn) (?:mehr )?(?:\\w+ )?(?:zu leben|weiterzuleben|am leben)',
      'mir das leben (?:zu )?nehmen|meinem leben ein ende',
      '(?:von (?:der|einer|dieser) \\w*brucke|vom dach|vor (?:den|einen) zug|aus dem fenster) (?:zu )?(?:springen|werfen|sturzen)',
    ],
    violence: [
      `${THEY} (?:hat|hatte) ${VICTIM} ${STEPS}(?:geschlagen|verprugelt|gewurgt|getreten|gestossen|geschubst|vergewaltigt|gebissen|bedroht|eingesperrt|geohrfeigt|misshandelt|missbraucht|erpresst)`,
      `(?:mich|uns) (?:\\w+ )?(?:gezwungen|genotigt)(?: \\.)? (?:mit (?:ihm|ihr)|zum sex|zu sex|sex)`,
      '(?:mich|uns) (?:\\w+ )?(?:gezwungen|vergewaltigt)$',
      `${THEY} (?:schlagt|verprugelt|wurgt|tritt|vergewaltigt|bedroht|misshandelt|stosst|schubst) ${VICTIM}(?! (?:beim|im|vor|bei))`,
      'droh(?:t|te|en|ten) (?:\\w+ ){0,3}(?:\\. )?(?:mich|uns|sich|mir|die kinder) (?:\\w+ ){0,4}(?:umzubringen|zu toten|zu schlagen|anzutun|umbringen)',
      'droh(?:t|te) mir mit (?:gewalt|einem messer|dem tod|einer waffe)',
      `${THEY} (?:will|wird|wollte) (?:mich|uns) (?:\\w+ )?(?:umbringen|toten|schlagen|verletzen)`,
      `${THEY} bringt (?:mich|uns) (?:noch )?um`,
      'angst um (?:mein|unser|das) leben|angst um meine sicherheit|todesangst',
      'angst (?:\\. )?dass (?:er|sie) (?:mir|uns|den kindern|mich|sich) (?:\\w+ ){0,3}(?:antut|schlagt|wehtut|tut|umbringt|verletzt)',
      `sperrt(?:e)? (?:mich|uns) (?:\\w+ ){0,4}ein`,
      'lasst (?:mich|uns) nicht (?:raus|weg|aus dem haus|gehen|telefonieren)',
      '(?:am|an den|um den|an meinen) hals (?:gepackt|gedruckt|gehalten)',
      '(?:an den|bei den) haaren (?:gezogen|gepackt|gerissen)',
      'hausliche gewalt|gewalttatig',
      'traue mich nicht (?:mehr )?nach hause|(?:zu hause|daheim) nicht (?:mehr )?sicher',
    ],
    overwhelmed: [
      `kann (?:(?:einfach|wirklich|echt|so) )*nicht mehr(?= \\.|$| weiter)`,
      'halte? (?:das|es|dies|ich das|ich es) (?:\\w+ )?nicht (?:mehr |langer )*aus',
      'panik ?(?:attacke|anfall)\\w*',
      '(?:bekomme?|kriege?) (?:\\w+ )?keine luft(?! durch)',
      'kann (?:\\w+ )?nicht (?:mehr )?(?:atmen|aufhoren zu (?:weinen|zittern|heulen))',
      'hore? (?:\\w+ )?nicht (?:mehr )?auf zu (?:weinen|zittern)',
      'zitt(?:ere|re) am ganzen',
      `bin (?:\\w+ )?(?:am ende|zusammengebrochen)(?= \\.|$| meiner)`,
      'breche (?:\\w+ )?zusammen|nervenzusammenbruch|drehe (?:\\w+ )?durch',
      '(?:alles|es|situation) (?:ist |erscheint |wirkt )?(?:\\w+ )?(?:hoffnungslos|aussichtslos)',
      `keine(?:n)? (?:hoffnung|ausweg)(?: mehr)?${END}`,
    ],
  },
  commitment: [
    '(?:vereinbart|abgemacht|versprochen|zugesagt|geeinigt|ubereingekommen)',
    '(?:wir|hatten|haben) (?:\\w+ ){0,3}ausgemacht',
    '(?:wir|was wir) (?:\\w+ ){0,3}beschlossen|beschlossen hatten',
    '(?:unsere?r?|diese?r?|letzte) (?:abmachung|vereinbarung|absprache|verabredung)(?:en)?',
    '(?:sein|ihr|dein|mein|das) (?:wort|versprechen) (?:\\w+ )?(?:gegeben|gehalten|gebrochen)|(?:halt|bricht|brach|hielt) (?:sein|ihr|das) (?:wort|versprechen)',
    'unser(?:em)? experiment',
  ],
  skipping: [
    `(?:das|dies|dies\\w+|den|die|es|${PARTS}) (?:\\w+ ){0,2}(?:uberspringen|auslassen|weglassen)`,
    '(?:nicht|keine lust) (?:mehr )?uber (?:\\w+ )?(?:gefuhle|emotionen|bedurfnisse) (?:zu )?(?:reden|sprechen)',
    '(?:direkt|gleich|sofort|einfach|endlich) (?:zur|zum|zu den) (?:vereinbarung|losung|losungen|ergebnis|strategien?|nachsten|ende|sache)',
    'weiter (?:zum|zur) nachsten',
    `(?:muss|mussen) (?:ich|wir) (?:\\w+ ){0,3}(?:${PARTS}|das) (?:\\w+ ){0,2}(?:machen|tun|beantworten|durchgehen)`,
    '(?:sag|gib|nenn) (?:mir|uns) (?:(?:einfach|nur|doch|endlich) )*die losung',
    `${PARTS} (?:ist|bringt|sind) (?:\\w+ )?(?:zeitverschwendung|sinnlos|nichts|unnotig|uberflussig)`,
    'kommen wir (?:\\w+ )?zu[rm] (?:sache|losung|punkt)',
  ],
}
