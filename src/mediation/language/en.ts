import { FEELINGS } from '../feelings.js'
import type { MessageLexicon } from './lexicon.js'

const HIS = '(?:his|her|your|their|my)'

export const ENGLISH_LEXICON: MessageLexicon = {
  topics: {
    FIDELITY: {
      name: 'fidelity',
      words: `affairs?|cheat(?:ed|s|ing) on|unfaithful|infidelity|that (?:woman|man|girl|guy)|other (?:woman|man)|flirt\\w*|faithful\\w*`,
    },
    ALCOHOL: {
      name: 'drinking',
      words: 'drinks?|drinking|drank|drunk|alcohol\\w*|wine|beers?|whisk\\w+|sober|drugs|weed',
    },
    INTIMACY: {
      name: 'intimacy',
      words:
        'sex|sexual\\w*|intima\\w*|in bed|make love|kiss\\w*|touch(?:ed|es)? each other|affection\\w*|cuddl\\w*',
    },
    EXTENDED_FAMILY: {
      name: 'our extended family',
      words: `${HIS} (?:mothers?|fathers?|moms?|mums?|dads?|parents|sisters?|brothers?|family|aunt|uncle|cousins?)|in ?laws?|grandparents|relatives`,
    },
    MONEY: {
      name: 'money',
      words:
        'money|rent|debts?|credit cards?|bills|salary|savings|budget|loans?|euros?|dollars?|pounds|spend(?:s|ing)?(?! time)|spent(?! time)|afford|bank|mortgage|pays?|paid|expens\\w*|financ\\w*|gambl\\w*',
    },
    CHILDREN: {
      name: 'the children',
      words:
        'kids?|child|children|baby|babies|son|daughter|toddler|school|homework|parenting|bedtime|nappies|diapers?|kindergarten|daycare',
    },
    HOUSEHOLD: {
      name: 'household tasks',
      words:
        'housework|household|chores?|dishes|laundry|clean(?:s|ing|ed)?|cook(?:s|ed|ing)?|tidy\\w*|vacuum\\w*|groceries|kitchen|trash|garbage|ironing|mess|washing|mop\\w*|dinner|meals?',
    },
    PUNCTUALITY: {
      name: 'being on time',
      words: `late|on time|punctual\\w*|(?:came|comes|come) (?:home )?at|waiting for (?:him|her|you)|kept me waiting|keeps me waiting`,
    },
    HEALTH: {
      name: 'health',
      words:
        'clinic|hospital|doctor|dentist|surgery|illness|sick(?! of)|diagnos\\w*|therapy|pregnan\\w*|miscarr\\w*|cancer|health',
    },
    ARGUMENTS: {
      name: 'how we argue',
      words: `argu(?:e|es|ed|ing|ments?)|fights?|fighting|fought|quarrel\\w*|yell\\w*|shout\\w*|scream\\w*|slam\\w*|conflicts?|rais(?:e|es|ed) ${HIS} voice`,
    },
    CONVERSATION: {
      name: 'how we talk with each other',
      words: `talk(?:s|ed|ing)?|convers\\w*|speak(?:s|ing)?|listen\\w*|interrupt\\w*|communicat\\w*|silent treatment|what i say|correct(?:s|ed) me|call(?:s|ed) me`,
    },
    MESSAGES: {
      name: 'private messages',
      words: 'messages?|texts|texting|emails?|mails|whatsapp|inbox|diary|journal',
    },
    SCREENS: {
      name: 'phones and screens',
      words:
        'phones?|screens?|scroll\\w*|television|tv|gaming|video games?|laptop|instagram|social media|netflix|computer|tablet',
    },
    FRIENDS: { name: 'friends', words: 'friends?|friendship|colleagues?|buddies|party|parties' },
    WORK: {
      name: 'work',
      words: 'work|job|career|boss|office|overtime|business trips?|deadlines?|shifts?|promotion',
    },
    FUTURE: {
      name: 'our future',
      words:
        'future|marry|wedding|move in|plans? for us|engagement|where (?:this|we) (?:is|are) (?:going|headed)',
    },
    FAITH: { name: 'faith', words: 'faith|church|religio\\w*|pray\\w*|mosque' },
    PETS: { name: 'our pets', words: 'dogs?|cats?|pets?|puppy' },
    SPECIAL_DAYS: {
      name: 'special days',
      words: 'birthday|anniversary|christmas|valentines?|celebrat\\w*|graduation',
    },
    HOME: { name: 'our home', words: 'home|flat|apartment|house|the move|moved in|renovat\\w*|furniture' },
    TIME: {
      name: 'our time',
      words:
        'time|evenings?|weekends?|hours?|schedule|sundays?|saturdays?|date nights?|holidays?|vacation|walks',
    },
  },
  needs: {
    HONESTY: {
      name: 'honesty',
      words: `(?:lied|lying|lies)(?! (?:awake|down|in bed|on))|truth|honest\\w*|dishonest\\w*|(?:hid|hides|hiding|hidden|keeps?|kept) (?:\\w+ ){0,4}from me|secretive|secrets?|behind my back`,
    },
    TRUST: {
      name: 'trust',
      words: 'trust(?:s|ed|ing)?|mistrust|distrust|betray\\w*|affair|cheat(?:ed|s|ing) on',
    },
    RELIABILITY: {
      name: 'reliability',
      words: `(?:said|says|say|promised|promises) (?:\\w+ ){1,8}(?:and|but) (?:then )?(?:came|comes|come|did not|didnt|doesnt|never|forgot|forgets)|rely on|count on|depend on|reliab\\w*|unreliab\\w*|cancel\\w*|(?:keeps?|kept|breaks?|broke|broken) (?:\\w+ )?(?:word|promises?)|stood me up|last minute|(?:always|again) late`,
    },
    STABILITY: {
      name: 'security',
      words:
        'gambl\\w*|never know (?:whether|if) (?:\\w+ ){0,4}(?:paid|pay|afford|money|job)|stability|unpredictab\\w*|financial security|job is safe|lose (?:the|our) (?:house|flat|home)',
    },
    CALM: {
      name: 'calm',
      words: `yell\\w*|shout\\w*|scream\\w*|slam\\w*|rais(?:e|es|ed|ing) ${HIS} voice|explod\\w*|outbursts?|eggshells|tantrums?|throws? things|temper`,
    },
    SAFETY: { name: 'safety', words: '(?:not|dont|never|feel|felt|be) (?:feel )?safe|safety|unsafe' },
    TIME_TOGETHER: {
      name: 'time together',
      words: `time (?:together|with (?:me|us|each other)|for (?:us|each other))|on ${HIS} phone|scroll\\w*|miss our|date nights?|quality time|never (?:do|go) anything together|barely see each other|glued to`,
    },
    HEARING: {
      name: 'being heard',
      words: `listen\\w*|interrupt\\w*|ignor(?:e|es|ed|ing) me|hear me|heard|unheard|talks? over me|turns? up the|silent treatment|talk to me|walks? away (?:when|while) i`,
    },
    INTIMACY: {
      name: 'intimacy',
      words:
        'sex|sex life|intimacy|intimate|touch(?:ed|es|ing)? (?:each other|me)|kiss\\w*|make love|unwanted',
    },
    CLOSENESS: {
      name: 'closeness',
      words:
        'closeness|close to (?:him|her|you|each other)|roommates?|flatmates?|drift\\w* apart|grow(?:n|ing) apart|distant|tender\\w*|affection\\w*|cuddl\\w*|hugs?|hold me|warmth|shuts? me out',
    },
    BELONGING: {
      name: 'belonging',
      words:
        'left out|belong\\w*|like a stranger|outsider|excluded|excludes? me|nobody (?:speaks|talks) to me|not welcome|part of the family',
    },
    LOYALTY: {
      name: 'standing together',
      words: `(?:takes?|took|taking) (?:his|her|their) (?:\\w+ )?side|(?:stands?|stood|stand) up for me|defend\\w* me|on my side|backs? me up|has my back`,
    },
    CONNECTION: { name: 'connection', words: 'connection|connected|disconnected|connect with' },
    FREEDOM: {
      name: 'freedom to choose',
      words:
        '(?:decide|choose|tell)(?:s|d|ing)? (?:\\w+ ){0,2}(?:for me|for myself|what to|who i|whom|where i|what i)|allowed to|permission|forbid\\w*|forbade|controls? (?:me|my)|controlling|own (?:choices?|decisions?)|boss(?:y|es me|ing me)|orders me around|freedom|independen\\w*|micromanag\\w*|smother\\w*|decides everything',
    },
    PRIVACY: {
      name: 'privacy',
      words: `privacy|(?:read|check|look|go|goes|went|snoop)(?:s|ed|ing)? (?:in |through |at )?my (?:phone|messages?|mails?|emails?|diary|texts?|bag|things|journal)|sp(?:y|ies|ying) on|tracks? me|monitors? (?:me|my)`,
    },
    SPACE: {
      name: 'space of my own',
      words:
        '(?:time|hour|day|evening|moment|minute|space|room)s? (?:\\w+ ){0,3}(?:to|for) myself|need (?:some )?space|time alone|alone time|breathing room|room to breathe',
    },
    REST: {
      name: 'rest',
      words:
        'sleep in|never get to (?:sleep|rest|sit)|need (?:a |some )?(?:rest|break)|day off|worn out|burn(?:ed|t) out',
    },
    AUTONOMY: { name: 'autonomy', words: 'autonomy|be myself|own pace|own life' },
    RESPECT: {
      name: 'respect',
      words: `respect(?:s|ed)?|disrespect\\w*|mock\\w*|(?:makes?|made) fun of|laugh(?:s|ed)? at me|put(?:s|ting)? me down|belittl\\w*|humiliat\\w*|insult\\w*|call(?:s|ed|ing)? me (?:a|an|names|stupid|lazy|crazy|useless)|(?:corrects?|corrected|criticis\\w+|criticiz\\w+|embarrass\\w*) me|talks? down to me`,
    },
    APPRECIATION: {
      name: 'appreciation',
      words: `thank(?:s|ed)? me|(?:not|no|never|without|one) (?:\\w+ ){0,2}thank you|(?:nobody|noone|no one|never) (?:\\w+ ){0,3}thank(?:s|ed)?|says? thank|appreciat\\w*|unappreciated|(?:taken|takes? me|taking me) for granted|unnoticed|(?:nobody|never) notices`,
    },
    UNDERSTANDING: {
      name: 'being understood',
      words:
        'understands? me|understood|misunderst\\w*|(?:taken|takes? me|take me) seriously|dismiss(?:es|ed|ing)? (?:me|my|what i)',
    },
    RECOGNITION: {
      name: 'recognition',
      words:
        'recogni[sz]\\w*|acknowledg\\w*|values? (?:me|my)|valued|undervalued|my efforts?|sees? what i do|invisible',
    },
    SHARED_FUTURE: {
      name: 'a shared future',
      words:
        '(?:a|our|no) future|want(?:s|ed)? (?:a |another |to have )(?:child|children|kids|baby)|future with|start a family|get married|marry me|where (?:this|we) (?:is|are) (?:going|headed)|move in together|shared goals',
    },
    GROWTH: {
      name: 'growth',
      words: 'learn (?:something|new|together)|grow together|growth|try new things|adventures?',
    },
    PURPOSE: {
      name: 'purpose',
      words:
        'purpose|(?:what is|whats) (?:it all for|the point)|every day is the same|same (?:thing )?every day|going through the motions|in a rut|meaningless',
    },
    MEANING: { name: 'meaning', words: 'meaning|meaningful|my faith|our values|my values' },
    EQUALITY: {
      name: 'an even share',
      words: `(?:do|does|doing|did) (?:all|everything|most)|all the (?:work|housework|chores|laundry|cooking|cleaning)|always me|(?:i am|im) (?:always )?the (?:only )?one who|every single (?:night|day|time|morning|evening)|share (?:of )?the|half of the|fifty fifty|mental load|(?:i|me) (?:get|got) (?:none|nothing)|always the one (?:that|who)|equal\\w*|uneven|one sided|up to me|left to me|and (?:he|she) (?:just )?(?:sleeps|sits|watches|plays|relaxes)|all me`,
    },
    SUPPORT: {
      name: 'support',
      words: `help(?:s|ed|ing)? (?:me|with|out|at)|never helps?|support(?:s|ed|ive)?|unsupported|there for me|(?:he|she|they|you) (?:didnt|did not|wouldnt) come|alone with (?:it|this|everything|the)|on my own with|lifts? a finger|pulls? ${HIS} weight`,
    },
    FAIRNESS: {
      name: 'fairness',
      words: 'fair|unfair\\w*|fairness|double standards?|one rule for|injustice|unjust|ask for every',
    },
  },
  feelings: Object.fromEntries(FEELINGS.map(({ name }) => [name, { name, words: '' }])),
  irony:
    '(?:oh|ah|wow|yeah|well) (?:\\. )?(?:great|wonderful|lovely|nice|perfect|brilliant|fantastic|he|she|sure|right)|(?:great|lovely|wonderful|brilliant|perfect|fantastic|nice) (?:\\. )?(?:another|yet another|job|just what)|wow|sure \\.|sure because|bravo|congratulations|yeah right|how (?:lovely|nice|sweet|generous)|what a surprise|surprise surprise|lucky me|must be nice|thanks for nothing',
  feelingAlone: ['I feel {feeling}.', 'What I feel is {feeling}.'],
  event: {
    needAndFeeling: [
      'When it comes to {topic}, I feel {feeling}, and {need} matters to me.',
      'I feel {feeling} about {topic}; {need} is important to me there.',
    ],
    need: ['When it comes to {topic}, {need} matters to me.', 'In matters of {topic} I need {need}.'],
    feeling: ['When it comes to {topic}, I feel {feeling}.', 'I feel {feeling} about {topic}.'],
    topic: [],
  },
  need: {
    about: {
      needAndFeeling: [
        'I need {need} when it comes to {topic}; I feel {feeling} about it.',
        'What I need is {need}, above all around {topic}. I feel {feeling}.',
      ],
      need: ['I need {need} when it comes to {topic}.', 'My need is {need}, above all around {topic}.'],
      feeling: [],
      topic: [],
    },
    alone: {
      needAndFeeling: ['I need {need}; I feel {feeling}.', 'My need is {need}. I feel {feeling}.'],
      need: ['I need {need}.', 'My need is {need}.', '{need} is something I need.'],
      feeling: [],
      topic: [],
    },
  },
  boundary: {
    about: {
      needAndFeeling: [
        'I have a boundary when it comes to {topic}: I need {need} there. I feel {feeling} when it is crossed.',
      ],
      need: [
        'I have a boundary when it comes to {topic}: I need {need} there.',
        'My boundary is about {topic}; it protects my need for {need}.',
      ],
      feeling: ['I have a boundary when it comes to {topic}. I feel {feeling} when it is crossed.'],
      topic: ['I have a boundary when it comes to {topic}.', 'My boundary is about {topic}.'],
    },
    alone: {
      needAndFeeling: ['I have a boundary: I need {need}. I feel {feeling} when it is crossed.'],
      need: ['I have a boundary: I need {need}.', 'My boundary protects my need for {need}.'],
      feeling: ['I have a boundary. I feel {feeling} when it is crossed.'],
      topic: [],
    },
  },
  // The screen's own lists, which came first, hold the English ones.
  tells: '',
  attacks: '',
  accuses: '',
}
