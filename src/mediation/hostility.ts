import { FEELINGS } from './feelings.js'
import { utterancesOf } from './words.js'

/**
 * Patterns for sentences in the form that words.ts returns: lower case, single spaces, contractions spelled out.
 * English only. In doubt a sentence counts as hostile: its writer can rephrase it, but its reader cannot unread it.
 */

/** Joins phrases that are separated by commas or line breaks. A line may also break after a bar. */
const anyOf = (list: string): string =>
  `(?:${list
    .trim()
    .replace(/\|\s*\n\s*/g, '|')
    .split(/\s*[,\n]\s*/)
    .filter(phrase => phrase !== '')
    .join('|')})`

const PARTNER = `(?:my|our|the) (?:husband|wife|partner|spouse|boyfriend|girlfriend|fiance|fiancee|ex)`
const IN_LAWS = `your (?:mother|father|mom|dad|sister|brother|parents|family)`
/** The person who is blamed, as the subject of a sentence, as its object, and as an owner. */
const THEY = `(?:you|he|she|they|${PARTNER}|${IN_LAWS})`
const THEM = `(?:you|him|her|them|${PARTNER}|${IN_LAWS})`
const THEIR = '(?:your|his|her|their)'

/** Words that may stand between a subject and its verb or attribute. */
const BETWEEN = `(?: ${anyOf(`are, is, was, were, am, be, being, been, have, has, had, do, does, did, just, almost, nearly,
  still, really, simply, both, all, again, once, also, then, even, ever, so, such, too, very, completely, totally,
  absolutely, constantly, continually, keep, keeps, kept, only, clearly, obviously, seem to, seems to, tend to, tends to,
  a, an, the, always, never, already, purely, truly, fucking, damn, bloody, deliberately, intentionally`)})*`
const BEING = `(?: ${anyOf('are, is, was, were, be, being, been, seem, seems, act, acts, get, gets, sound, sounds')})`

/** What a loving person does, so that denying it of someone is a reproach. */
const KIND_ACTS =
  anyOf(`care, listen, help, love, respect, appreciate, value, support, bother, try, understand, notice,
  contribute, acknowledge, apologi[sz]e, consider, think about, think of, want me(?! to), see me, hear me, give a,
  lift a finger, do anything, do enough, pull ${THEIR} weight`)
const KIND_ACTS_OF_A_THIRD =
  anyOf(`cares, listens, helps, loves, respects, appreciates, values, supports, bothers, tries,
  understands, notices, contributes, acknowledges, apologi[sz]es, considers, lifts a finger, pulls ${THEIR} weight`)

/** What a reproach says that somebody did to the speaker. */
const UNKIND_ACTS =
  anyOf(`hurts?, abuse[sd]?, attack(?:s|ed)?, blame[sd]?, bull(?:y|ies|ied), control(?:s|led)?,
  critici[sz]e[sd]?, deceive[sd]?, disrespect(?:s|ed)?, dismiss(?:es|ed)?, embarrass(?:es|ed)?, exploit(?:s|ed)?,
  force[sd]?, gaslights?, gaslit, harass(?:es|ed)?, hits?, humiliate[sd]?, ignore[sd]?, insult(?:s|ed)?, manipulate[sd]?,
  mistreat(?:s|ed)?, mock(?:s|ed)?, neglect(?:s|ed)?, nag(?:s|ged)?, punish(?:es|ed)?, push(?:es|ed)?, reject(?:s|ed)?,
  smother(?:s|ed)?, suffocate[sd]?, threaten(?:s|ed)?, use[sd]?, abandon(?:s|ed)?, betray(?:s|ed)?, belittle[sd]?,
  undermine[sd]?, stonewall(?:s|ed)?, judge[sd]?, slap(?:s|ped)?, beats?, beaten, choke[sd]?, left, interrupt(?:s|ed)?,
  (?:yell|shout|scream|snap|swear|laugh)(?:s|ed|ped)? at, swore at, lash(?:es|ed)? out at, walk(?:s|ed)? all over,
  look(?:s|ed)? down on`)
const UNKIND_ENOUGH = anyOf(
  `lied, lies? to, lies? about, lies?$, cheat(?:s|ed)?, ruin(?:s|ed)?, destroy(?:s|ed)?, wreck(?:s|ed)?,
  lets? (?:me|us) down, puts? me down, shuts? me out, (?:take|takes|took) (?:me|us|it|everything) for granted,
  (?:break|breaks|broke) (?:${THEIR} promises?|${THEIR} word|my heart|my trust), (?:refuse|fail)(?:s|d|ed)? to, forgot (?:to|my|our|me|about),
  treat(?:s|ed)? me (?:like|as|badly|terribly|poorly), act(?:s|ed)? (?:like a|as if), play(?:s|ed)? the victim,
  (?:drive|drives|drove) me (?:crazy|mad|insane|nuts|away|up), turn(?:s|ed)? (?:everything|it) around,
  start(?:s|ed)? (?:this|every|all),
  (?:start|starts|started) it$, could not care less, could not be bothered, cause[sd]? (?:this|all|it), walk(?:s|ed)? out on,
  (?:choose|chooses|chose) \\w+ (?:\\w+ )?over (?:me|us), (?:make|makes|made) (?:everything|it all|my life),
  act(?:s|ed)? like (?:you|he|she|they) , (?:broke|breaks?) (?:this|our|the) (?:family|marriage|home),
  (?:have|has|had|shows?|showed) (?:no|zero|little) (?:respect|idea|interest|heart|clue|right|shame|empathy|feelings|patience|
  compassion|consideration|regard|love), thinks? only of, thinks? (?:you|he|she|they) (?:are|is|own),
  (?:keep|keeps|kept) (?!trying|going|me|us|in|to)\\w+ing, (?:turn|turns|turned|uses?|used) (?:the )?(?:kids|children) against`,
)
const UNKIND_DOING = anyOf(
  `(?:abus|attack|blam|bully|controll|critici[sz]|deceiv|dismiss|embarrass|exploit|forc|gaslight|
  harass|hitt|humiliat|hurt|ignor|insult|manipulat|mistreat|mock|neglect|nagg|punish|push|reject|smother|suffocat|threaten|us|
  abandon|betray|belittl|undermin|judg|stonewall)ing (?:me|us|my|our), (?:yell|shout|scream|laugh|snapp)ing at (?:me|us),
  lying to, lying about, cheating, ruining, destroying, wrecking, refusing to, failing to`,
)

const TRAITS =
  anyOf(`selfish, lazy, cold, cruel, mean, nasty, heartless, toxic, abusive, controlling, manipulative,
  narcissistic, self centere?d, self centred, self absorbed, egotistical, arrogant, immature, childish, irresponsible,
  unreliable, careless, thoughtless, inconsiderate, insensitive, ungrateful, unreasonable, impossible, hopeless, useless,
  worthless, pathetic, dishonest, unfaithful, stubborn, hysterical, dramatic, paranoid, weak, wrong, bad, terrible, awful,
  horrible, disgusting, incapable, incompetent, rude, hostile, vindictive, spiteful, petty, clingy, needy, unfair,
  two faced, to blame, at fault, responsible for, guilty of`)
/** Traits that only people are accused of, so that the subject can be anything. */
const TRAITS_OF_PEOPLE =
  anyOf(`selfish, lazy, cruel, heartless, abusive, controlling, manipulative, narcissistic, arrogant, immature, childish,
  irresponsible, inconsiderate, insensitive, ungrateful, dishonest, unfaithful, self centered, self centred, self absorbed`)
const FAULTS =
  anyOf(`selfishness, laziness, lies, lying, cheating, nagging, temper, betrayal, neglect, cruelty, jealousy,
  affair, behaviou?r, attitude, drinking, excuses, drama, moods, failures?, incompetence, negligence, ego, arrogance,
  mistakes?`)

/** Endings that turn "you make me" into thanks. */
const GLADLY = `(?: feel)?(?: (?:so|very|really|truly|always|more|much|a|an|some))* ${anyOf(`safe, safer, happy, happier,
  loved, laugh, smile, seen, heard, better, proud, stronger, calm, calmer, hopeful, want to, at home, special, valued,
  welcome, whole, understood, appreciated, tea, coffee, breakfast, lunch, dinner, meal, cake, gift`)}`

const ACCUSATIONS: readonly string[] = [
  `${THEY}${BETWEEN} (?:always|never)(?= )(?! (?:to|meant|intended|deserved)\\b)`,
  `${THEY} (?:will|would|can|could) never ${anyOf('change, learn, understand, listen, be, get, do, care, admit, love, help, stop')}`,
  `(?:not once|never once|never) (?:have|has|had|did|do|does|would) ${THEY}`,
  `${THEY}(?: have| has| had)? not once`,
  `${THEY}${BETWEEN}(?: will| would)? not${BETWEEN} ${KIND_ACTS}`,
  // The subject may be a name, and this code does not know names.
  `(?<!\\b(?:i|we|who)) never ${KIND_ACTS_OF_A_THIRD}`,
  `(?<!\\b(?:it|that|this|what|which|i|we|me|money|work)) (?:does|did) not(?: even| ever| really)* ${KIND_ACTS}`,
  `${THEY}${BETWEEN} (?:make|makes|made|making) (?:me|us)(?!${GLADLY}\\b)`,
  `${THEY}${BETWEEN} (?:${UNKIND_ACTS} (?:me|us|my|our|everyone|everything|the kids|the children)|${UNKIND_ENOUGH})(?! by)`,
  `${THEY}${BETWEEN} ${UNKIND_DOING}`,
  `${THEY}(?: can| could| will| would| might| must)?${BETWEEN}${BEING}${BETWEEN} ${TRAITS}`,
  `(?<!\\b(?:i|we)) (?:is|was) (?:such |so |very |really |just |being |a |an |always )*${TRAITS_OF_PEOPLE}`,
  `(?<!\\b(?:i|we|it|that|this|what|which|news|life|words)) (?:lied to|cheated on|betrayed|ignored|ignores|belittled|belittles|humiliated|humiliates|yelled at|yells at|abandoned|manipulates|manipulated|controls|mocks|mocked|insulted|insults) (?:me|us)`,
  `${THEY}${BETWEEN} not (?:even |ever |be )*(?:trying|trusted|a good|look at me|looking at me|there for me|deserve)`,
  `${THEY} can not be`,
  `${THEY} as (?:always|usual)`,
  '(?:husband|wife|man|woman|partner|person|someone|somebody|stranger) who (?:is not|does not|did not|never|will not|can not)',
  `(?:man|woman|person) like ${THEM}`,
  `(?:tired|sick|fed up|done) (?:of|with) (?:${THEM}|${THEIR} \\w+)`,
  `(?:when )?will ${THEY} (?:finally|ever)`,
  `(?:do|did|does|can|could|have|has) ${THEY} (?:even|ever)`,
  `stop (?:${UNKIND_DOING}|lying|being)`,
  `(?:mean|means|meant|is|are|am) (?:nothing|worthless) to ${THEM}`,
  `${THEY} (?:are|is|was|were) not (?:so|such)`,
  `${THEY} would better`,
  `${THEY} (?:owe|owes|are the worst|is the worst|are a mistake|is a mistake)`,
  `${THEY} (?:did|do|does|have done|has done|are doing|is doing) (?:this|that|it) to (?:me|us)`,
  `the way ${THEY} (?:treat|treats|treated|act|acts|acted|behave|behaves|behaved)`,
  `(?:treat|treats|treated) (?:\\w+ )?(?:\\w+ )better than`,
  `${THEY}${BETWEEN} (?:stole|steals?|threw away|wasted?|wastes|drinks? too much|drank too much|spends? all|took (?:my|our))`,
  'it is you not me',
  `${THEY} thinks? my \\w+ (?:is|are)`,
  `it (?:is|was) (?:you|him|her|them) who`,
  `is on ${THEM}$`,
  `(?:everything|always|all) (?:is )?about (?:you|him|her)$`,
  `(?<!not )because of ${THEIR}`,
  '(?:^|(?:so|and|just|please) )(?:stop|quit) \\w+ing',
  'stop being (?:a|an|so|such)',
  `${THEY}${BETWEEN} (?:reason|problem|cause|one to blame|one who started|one who ruined)`,
  `${THEIR} (?:own |damn )?(?:fault|doing)`,
  `${THEIR} (?:constant|endless|selfish|stupid|nonstop|ridiculous|pathetic|never ending|damn) \\w+`,
  `(?:your|his|her) ${FAULTS}`,
  `(?:fault|blame) (?:is |lies |falls )?(?:with|on) ${THEM}`,
  `(?<!not )blame ${THEM}`,
  `(?<!not )(?:because of|due to) ${THEM}`,
  `${anyOf(`ignored, controlled, used, manipulated, betrayed, neglected, abused, attacked, judged, belittled, rejected,
    abandoned, humiliated, bullied, disrespected, smothered, cheated, deceived, let down, taken for granted,
    unappreciated, criticized, criticised, dismissed, hurt, disgusted, repulsed`)} by ${THEM}`,
  `${THEY} (?:should (?:have|know|be ashamed|stop|change|not|try|grow)|ought to|had better)`,
  `(?<!\\b(?:when|whenever|if|that|what) )${THEY} (?:need to|needs to|have to|has to|must) (?:stop|change|grow up|learn|apologi[sz]e)`,
  `if ${THEY} (?:really |truly |actually |even )*(?:loved|cared|respected|valued|were a|was a)`,
  `${THEY}${BETWEEN} only (?:cares?|thinks?|talks?) (?:about|of)`,
  `all ${THEY}(?: ever)? (?:do|does|did) is`,
  `all ${THEY}(?: ever)? (?:cares?|thinks?) (?:about|of)`,
  `how (?:could|dare) ${THEY}`,
  `what is wrong with ${THEM}`,
  `why (?:can|do|does|are|is|must) (?:not )?${THEY} (?:always|never|ever|just|so|even|not|like)`,
  `why can not ${THEY}`,
  `what kind of (?:person|man|woman|husband|wife|partner|mother|father)`,
  `${THEY} (?:cares?|cared) (?:more )?(?:about|for) (?:\\w+ ){1,3}(?:more )?than`,
  `(?:typical of ${THEM}|that is so like ${THEM}|as usual ${THEY}|thanks to ${THEM} i (?:am|feel|have|lost)|once again ${THEY})`,
  `(?:nothing|never) (?:i do )?(?:is |is ever |ever )?(?:good )?enough for ${THEM}`,
]
const ACCUSES = new RegExp(`\\b(?:${ACCUSATIONS.join('|')})\\b`, 'u')

/** Guessing what another person feels is empathy, even with "always" or "never". */
const EMPATHY =
  /\bi (?:can |could |do |now |also |really |think i |am starting to )*(?:imagine|guess|sense|wonder|understand|hear|see|realise|realize|suppose|suspect)\b/
const ALWAYS_FEELS =
  /\b(you|he|she|they)(?: have| has| had)? (?:always|never)(?= (?:feels?|felt|needs?|needed|wants?|wanted|wished|hoped|gets? to|got to)\b)/g

/** What a sentence may say about another person: what they feel, need or wish for. */
const OF_THEIR_INSIDE = `(?: (?:also|really|often|sometimes|still|both|just|may|might|can|could|do|does|did|must|too))* ${anyOf(
  `
  feels?, felt, feeling, needs?, needed, wants?, wanted, wish, wishes, wished, hopes?, hoped, longs?, longed, miss, misses,
  values?, prefers?, likes?, loves?, enjoys?, appreciates?, matters?, means? , would (?:like|love|prefer|feel|need|wish),
  (?:have|has|had) (?:an? )?(?:need|boundary|wish|hope|limit|been feeling|felt|needed|wanted|wished|identified|found|asked for),
  (?:am|are|is|was|were|be) (?:so |very |really |also |feeling |in )*(?:feeling|important|hoping|longing|need|
  ${FEELINGS.map(({ name }) => name).join('|')}), (?:make|makes|made) (?:me|us)${GLADLY},
  says? (?:that )?(?:he|she|they) (?:feels?|needs?|wants?|would), said (?:that )?(?:he|she|they) (?:feels?|felt|needs?|needed|
  wants?|wanted|would), tell me, talk to me, count on, rely on, trust`,
)}`
const OF_THEIR_DOINGS = new RegExp(
  `(?:^(?:(?:and|but|so|yet|also|then|now|well|honestly|lately|today|sometimes|again) )*|\\bbecause )(?:you|he|she|they)\\b(?!${OF_THEIR_INSIDE}\\b)`,
  'u',
)

/** Whether a text blames somebody other than its speaker (CB-4). */
export const isAccusation = (text: string): boolean =>
  utterancesOf(text).some(sentence =>
    ACCUSES.test(EMPATHY.test(sentence) ? sentence.replace(ALWAYS_FEELS, '$1') : sentence),
  )

/**
 * Whether a text is about what another person does or is, not about what anybody feels. Stricter than `isAccusation`.
 */
export const describesAnother = (text: string): boolean =>
  utterancesOf(text).some(sentence => OF_THEIR_DOINGS.test(sentence))

/** Words that are never allowed, whomever they are about. */
const FOUL =
  anyOf(`assholes?, arseholes?, bastards?, bitch(?:es|y)?, bullshit, cunts?, cocksuckers?, dickheads?, dipshits?,
  douchebags?, fuckers?, fuckface, motherfuckers?, pricks?, scumbags?, sluts?, slutty, whores?, twats?, wankers?, tossers?,
  retard(?:s|ed)?, faggots?, fags?, dykes?, niggers?, niggas?, kikes?, spics?, chinks?, trannys?, trannies, tramp, skanks?,
  jackass, dumbass, shitheads?, piece of (?:shit|crap|garbage|trash), white trash, gold digger`)
/** Words that insult another person, but that people may use about themselves. */
const HARSH =
  anyOf(`idiots?, idiotic, morons?, moronic, imbeciles?, losers?, jerks?, liars?, cheaters?, narcissists?,
  psychos?, psychopaths?, sociopaths?, monsters?, pigs?, cowards?, bully, bullies, hypocrites?, creep, scum, freaks?,
  lunatics?, nutcase, nut job, brat, parasites?, leech, deadbeat, good for nothing, waste of space, evil, vermin`)
const ABOUT_ONESELF =
  '(?<!\\b(?:i (?:am|was|have been)|feel|feels|feeling|felt)(?: (?:like|such|so|a|an|just|really|always|the|being|as if i am|total|complete|stupid))* )'
const HARM =
  anyOf(`hurt, kill, hit, beat, destroy, ruin, punish, slap, punch, strangle, choke, smack, harm, expose, sue,
  crush, leave, divorce, murder, bury, end`)

const INSULTS_AND_THREATS: readonly string[] = [
  FOUL,
  `${ABOUT_ONESELF}${HARSH}`,
  `(?:fuck|screw|damn|curse) (?:${THEM}|off)`,
  'go (?:to hell|fuck|die|screw)',
  '(?:rot|burn) in hell',
  'to hell with',
  'drop dead',
  '(?<!\\b(?:have to|had to|told to|i) )shut (?:the fuck )?up',
  'shut your mouth',
  '^(?:just |please |oh )*(?:get lost|grow up|get over it)',
  'get over yourself',
  `shame on ${THEM}`,
  `(?<!\\b(?:not|never|do not even) )(?:hates?|despises?|loathes?|detests?) ${THEM}`,
  `can not stand ${THEM}`,
  `${THEY} (?:disgusts?|repulses?|sickens?) me`,
  `i (?:will|shall|am going to|swear i will|want to)(?: (?!not\\b|never\\b)\\w+)? ${HARM} ${THEM}`,
  `${THEY} (?:will|are going to|is going to)(?: \\w+)? (?:regret|be sorry|pay (?:for (?:this|that|it|what)|dearly)|lose everything|end up alone|die alone)`,
  `${THEY} will never see (?:the|your|our|my|them|him|her|me)`,
  `make ${THEM} (?:pay|suffer|regret|sorry)`,
  'or else$',
  'or else i will',
  'watch your back',
  `(?:wish|wishes|wished|hope|prefer)(?: that)? ${THEY} (?:(?:were|was|are|is) (?:dead|gone forever|never born)|had died|(?:would )?(?:just )?dies?)`,
  `${THEY} (?:should|deserves? to|ought to|had better)(?: just)? die`,
  `(?:better|happier) (?:off )?(?:if ${THEY} (?:were|was) dead|with ${THEM} dead)`,
  `${THEY}(?: would| are| is)? (?:be )?better off dead`,
  'kill yourself',
  '(?:regret|sorry i ever) (?:marrying|meeting|married|met)',
  'wish i (?:had )?never (?:met|married)',
  `(?:done|finished|through) with ${THEM}`,
  `${THEY} (?:will|deserve to) be alone forever`,
  `get what (?:${THEY}|is coming)`,
  `make ${THEIR} life (?:hell|miserable|a)`,
  '(?:rather|sooner) (?:be dead|die) than',
  `i (?:could|would) (?:strangle|kill|slap|punch|choke|hit) ${THEM}`,
  'nothing but (?:a|an)',
  `(?:want|need) ${THEM} (?:dead|gone|out of)`,
  `feel like (?:hitting|killing|slapping|punching|strangling|choking|hurting|smacking|leaving) ${THEM}`,
  'you will see what happens',
  `hope ${THEY} (?:suffers?|rots?|loses?|fails?)`,
  'last warning',
  'i will take (?:the|my|our) (?:kids|children|house|money) (?:away|from you|and leave|and go)',
  'i will tell everyone',
  `if you (?:\\w+ ){1,8}i (?:will|am going to) (?:leave you|divorce|ruin|destroy|hurt|kill|tell everyone)`,
  `${THEY} (?:deserves?|deserved) (?:to (?:suffer|die|be alone|lose|hurt|be hurt)|what ${THEY} got|nothing|worse)`,
  `(?:nobody|no one) (?:will|could|would|can)(?: ever)? (?:love|want|stand|tolerate) ${THEM}`,
  `${THEY}${BETWEEN}${BEING}${BETWEEN} ${anyOf(`ugly, fat, repulsive, vile, worthless, pathetic, useless, stupid, dumb, crazy,
    insane, psycho, mental, trash, garbage, joke, disgrace, failure, drunk, addict, animal, dead to me, nothing to me, nothing without`)}`,
  `${THEIR} (?:ugly|stupid|pathetic|fat|miserable|worthless) \\w+`,
]
const ATTACKS = new RegExp(`(?<![^ ])(?:${INSULTS_AND_THREATS.join('|')})(?![^ ])`, 'u')

/** Whether a text contains an insult or a threat (CB-4). */
export const isAttack = (text: string): boolean => utterancesOf(text).some(sentence => ATTACKS.test(sentence))
