/** The purpose of a turn, which decides how much memory it may use. (RC-13) */
export const MEMORY_INTENTS = [
  'avoid_recall',
  'stage_enforcement',
  'emotional_validation',
  'offer_continuity',
  'recall_commitment',
] as const
export type MemoryIntent = (typeof MEMORY_INTENTS)[number]

/** How much memory is retrieved. */
export const MEMORY_DEPTHS = ['none', 'minimal', 'light', 'full'] as const
export type MemoryDepth = (typeof MEMORY_DEPTHS)[number]

export interface Turn {
  /** The caller's actual stage, not a claimed one (RC-8). */
  readonly stage: number
  /** The latest emotional reading, from 1 to 10; null if there is none. */
  readonly intensity: number | null
  readonly message: string
  readonly firstTurn: boolean
}

const DEPTHS: Readonly<Record<MemoryIntent, MemoryDepth>> = {
  avoid_recall: 'none',
  stage_enforcement: 'none',
  emotional_validation: 'minimal',
  offer_continuity: 'light',
  recall_commitment: 'full',
}

/** From this intensity on, a person is listened to and not reminded of anything. */
const TOO_INTENSE = 8

/**
 * Determines the purpose of a turn. The first rule that matches decides. (RC-13)
 *
 * @example
 * memoryIntent({ stage: 4, intensity: 3, message: 'What did we agree on?', firstTurn: false })
 * // { intent: 'recall_commitment', depth: 'full' }
 */
export function memoryIntent(turn: Turn): { readonly intent: MemoryIntent; readonly depth: MemoryDepth } {
  const intent = intentOf(turn)
  return { intent, depth: intent === 'recall_commitment' && turn.stage === 2 ? 'light' : DEPTHS[intent] }
}

function intentOf({ stage, intensity, message, firstTurn }: Turn): MemoryIntent {
  const said = plain(message)
  // The negated comparison also counts NaN as intense.
  if ((intensity !== null && !(intensity < TOO_INTENSE)) || DISTRESS.test(said)) return 'avoid_recall'
  if (stage === 1) return 'emotional_validation'
  if (COMMITMENT.test(said)) return 'recall_commitment'
  if (SKIPPING.test(said)) return 'stage_enforcement'
  if (firstTurn) return 'offer_continuity'
  return stage === 2 || stage === 3 || stage === 4 ? 'recall_commitment' : 'stage_enforcement'
}

/**
 * Lower case, without accents, apostrophes and invisible characters, with one space between words. Clauses stay
 * separate.
 */
const plain = (message: string): string =>
  message
    .replace(/['’‘ʼ＇`´′]/g, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[.,!?;:()]+/g, ' . ')
    .replace(/[^\p{L}\p{N}.]+/gu, ' ')
    .trim()

const anyOf = (patterns: readonly string[]): RegExp => new RegExp(`\\b(?:${patterns.join('|')})\\b`, 'u')

const CANNOT = '(?:cant|cannot|can not|couldnt|could not)'
const ANY_LONGER = '(?:any ?more|any longer|another (?:day|minute|second))'
const SOMEBODY = '(?:he|she|they|you|husband|wife|partner|boyfriend|girlfriend|spouse|ex)'

const DISTRESS = anyOf([
  '(?:kill|killing|hurt|hurting|harm|harming|cut|cutting) myself(?! (?:shaving|cooking|some|a|off|at|playing|running|skiing|lifting|laughing))',
  '(?:want|wanted|ready|(?:im|i am) going) to die(?! (?:on (?:this|that)|laughing|of laughter))',
  'wanna die',
  '(?:end|ending|take|taking) my (?:own )?life',
  'end it all',
  'suicid(?:e|al)',
  'self ?harm(?:ing|ed)?',
  '(?:better off|wish i (?:were|was)) dead',
  'better off without me',
  '(?:no|any) (?:reason|point) (?:to live|in living|to go on|in going on)',
  'dont want to (?:live|be alive|be here any ?more|wake up)',
  'do not want to (?:live|be alive|be here any ?more|wake up)',
  `${CANNOT} (?:really |just |possibly )*(?:do|take|handle|bear|stand) (?:this|it|that|things|life)(?: all)? ${ANY_LONGER}`,
  `${CANNOT} take (?:any|much) more`,
  `${CANNOT} (?:go|carry|keep going) on(?: like this| living| ${ANY_LONGER})?(?= (?:\\.|i|and|but|please)|$)`,
  `${CANNOT} (?:breathe|cope|stop (?:crying|shaking|sobbing|panicking))`,
  `${CANNOT} even (?:breathe|think|speak)`,
  'panic attacks?',
  'having a (?:breakdown|meltdown|panic)',
  '(?:im|i am|ive been|i have been|feel like im|feel like i am) (?:breaking down|falling apart|losing it|losing my mind|spiral+ing|freaking out|panicking|shaking all over|at breaking point|in danger)',
  'i feel (?:completely |totally |utterly |so )*hopeless',
  '(?:theres|there is) no (?:hope|way out)(?: left| for me)?(?= \\.|$)',
  '(?:afraid|scared|fear|fearing|terrified) for my (?:life|safety)',
  `${SOMEBODY} (?:just |has |have |had |again )*(?:hit|hits|beat|beats|slapped|slaps|punched|punches|choked|chokes|strangled|kicked|kicks|raped|threatened to kill) me`,
  `${SOMEBODY} (?:is |are |s )?(?:going to|gonna|will) (?:hurt|kill|hit|beat) me`,
])

const COMMITMENT = anyOf([
  '(?:we|you|i|he|she|they|both|weve|youve|ive|wed|youd|id|hed|shed|theyd|have|had|was|were|is|as) (?:all |both |have |had |already |never |also |once |just |even )*agreed(?! with\\b)',
  'did we (?:even |ever |actually |really |both )*(?:agree|decide|promise|commit)',
  'did (?:you|i|he|she|they) (?:even |ever |actually |really )*(?:agree to|agree that|agree on|promise|commit)',
  'what (?:we|you|i|he|she|they) (?:all |both |have |had |actually |just )*(?:agreed|decided|promised|committed)(?! with\\b)',
  'what (?:was|were|is|had been|has been) (?:agreed|decided|promised)',
  '(?<!(?:forward|jump|ahead|straight|skip|go|get) to )(?:our|the|that|last|previous|earlier) (?:last |previous |earlier |old |first )?agreements?',
  '(?:our|that) deal',
  '(?:had|made|have|struck) a deal',
  'a deal is a deal',
  '(?:we|you|i|he|she|they|weve|youve|ive) (?:both |have |had |has |already |once )*promised',
  '(?:your|my|our|his|her|their|that|the|kept|broke|broken|keep|keeping|break|breaking) (?:last |own |a |the |your |his |her )?promises?',
  '(?:our|your|his|her|that|the) commitments?(?! issues?)',
  '(?:we|you|i|he|she|they|weve|youve|ive) (?:both |have |had |has |already )*(?:committed to|settled on|shook (?:hands )?on|signed up for)',
  '(?:we|weve) (?:both |have |had |already )*decided(?= (?:to|on|that|we|together|last|\\.)|$)',
  '(?:we|you|he|she|they|i) (?:both )?said (?:that )?(?:we|you|he|she|they|i)(?:d| would| were going to| was going to| will|ll)',
  '(?:our|the) (?:last |little |small )?(?:micro ?)?experiments?(?= (?:we|from|that|last|\\.|is|was|went|did|didnt|worked)|$)',
  'the (?:plan|rule|arrangement)s? (?:that )?we (?:made|set|had)',
  'our (?:arrangement|pact|compact|ground rules)',
])

const THIS_PART = '(?:this|that|it|these|all this|all that|all of this|the rest)'
const OF_THE_WORK =
  '(?:part|parts|stage|stages|step|steps|exercise|exercises|question|questions|one|bit|section|phase|stuff|talk|whole|feelings?|empathy|process|thing|things|first|intro|introduction|second|rest|listening|needs)'
const WHOLE_PARTS =
  '(?:part|stage|step|exercise|question|section|phase|feeling|process|empathy|intro|introduction)s?'
const NOT_DENIED =
  '(?<!(?:dont|do not|not|never|wont|without|didnt|cant|cannot|rather not)(?: want to| going to| gonna)? )'

const SKIPPING = anyOf([
  `${NOT_DENIED}skip(?:ping)? (?:ahead|forward|over (?:this|that|it|the ${OF_THE_WORK})|straight|right|to (?:the |stage|step|solutions?|what|where|strategies))`,
  `${NOT_DENIED}skip(?:ping)? ${THIS_PART}(?= (?:\\.|${OF_THE_WORK}|and|please|now|for|already|then|today|can|if|because)|$)`,
  `${NOT_DENIED}skip(?:ping)? (?:the |a |any )?${WHOLE_PARTS}`,
  '(?:can|could|cant|may|should|why cant|why dont) (?:we|i) (?:please |just |not )*skip(?= \\.|$)',
  '(?:lets|let us|id like to|i want to|i wanna|i would like to|id rather) (?:just )?skip(?= \\.|$)',
  '(?:can|could|cant|should|may) (?:we|i) (?:please |just |not |now |finally )*move on(?! from)',
  '(?:lets|let us|want to|wanna|like to|ready to|time to) (?:just |please |finally )*move on(?= (?:\\.|to the (?:next|solutions?)|to (?:stage|step|solutions?|strategies)|already|now|please)|$)',
  'move on to (?:the )?(?:next|stage|step|solutions?|strategies)',
  '(?:jump|go|get|cut|fast forward|proceed) (?:ahead |right |straight |directly |forward )*to (?:the )?(?:next (?:stage|step|part)|stage \\d|step \\d|solutions?|strategies|strategy|agreement|end|point|chase|good part)',
  '(?:jump|fast forward|leap) (?:ahead|forward)',
  '(?:do|why do) (?:we|i) (?:really |even |still )*(?:have|need) to (?:do|go through|answer|talk about) (?:this|that|all this|all of this|these)(?= (?:\\.|part|stage|step|exercise|question|questions|again|first)|$)',
  '(?:dont|do not) (?:want|need|feel like|see the point) (?:to do|to go through|doing|of|in)?(?: doing)? ?(?:this|these) (?:part|stage|step|exercise|exercises|question|questions|process)',
  'get (?:this|it) over with',
  '(?:im|i am|we are|were) done with (?:this|these) (?:part|stage|step|exercise|exercises|questions|process)',
  '(?:next|another) (?:stage|step) (?:please|already|now)',
  'bypass (?:this|the) (?:part|stage|step|exercise|process|gate)',
])
