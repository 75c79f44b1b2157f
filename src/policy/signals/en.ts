import { END, type Signals } from './signals.js'

const CANNOT = '(?:cant|cannot|can not|couldnt|could not)'
const ANY_LONGER = '(?:any ?more|any longer|another (?:day|minute|second))'
const DO_NOT = '(?:dont|do not|didnt|no longer|never)'
const SOMEBODY =
  '(?:he|she|they|you|husband|wife|partner|boyfriend|girlfriend|spouse|ex|father|mother|dad|mom|someone|somebody)'
const THEY_WILL = `(?:hell|shell|theyll|youll|hed|shed|theyd|${SOMEBODY} (?:will|would|is going to|was going to|are going to|gonna|might|could|wants to|wanted to))`
const STEPS =
  '(?: (?:just|has|have|had|again|even|almost|nearly|always|sometimes|often|once|then|actually|physically|also|drunkenly|repeatedly|is|was|are|were|started|keeps|kept|and))*'
const CHILDREN = '(?:(?:the|our|my|his|her) (?:kids?|child|children|baby|son|daughter|boys?|girls?|toddler))'
const VICTIM = `(?:me|us|${CHILDREN})`
/** What follows a blow that is none. */
const ONLY_A_FIGURE =
  '(?! (?:at|in (?:a|the|this|that) |to (?:it|the|a|bed|school|my)|up|by (?:surprise|being|one|two|a)|a (?:smile|look|kiss|hug|hand|message|note|glance|favou?r|dirty|coffee|drink)|off guard|playfully|jokingly|lovingly|gently|out|aside|with (?:a (?:question|surprise|smile|kiss|pillow)|his|her|the (?:news|bill|truth))|on (?:the (?:back|shoulder)|my (?:back|shoulder))|when it comes|hard that|like a))'
const NOT_DENIED_HARM =
  '(?<!(?:never|not|wont|wouldnt|didnt|dont|accidentally|nearly|almost|without)(?: want to| ever)? )'
const ACCIDENT =
  '(?! (?:shaving|cooking|some|a|off|at|playing|running|skiing|lifting|laughing|out|on|over|by accident|with (?:work|hot|laughter)|to (?:finish|get|make|be)|trying|while|when i was))'
const PILLS =
  '(?:pills?|tablets?|painkillers?|meds|medications?|medicine|sleeping \\w+|antidepressants?|paracetamol|ibuprofen|aspirin|xanax|tylenol)'
const LIMB = '(?:wrists?|arms?|thighs?|legs?|veins?|skin)'
const UTTERLY =
  '(?:(?:completely|totally|utterly|just|really|so|slowly|literally|absolutely|about to be|honestly) )*'

const THIS_PART = '(?:this|that|it|these|all this|all that|all of this|the rest)'
const OF_THE_WORK =
  '(?:part|parts|stage|stages|step|steps|exercise|exercises|question|questions|one|bit|section|phase|stuff|talk|whole|feelings?|empathy|process|thing|things|first|intro|introduction|second|rest|listening|needs)'
const WHOLE_PARTS =
  '(?:part|stage|step|exercise|question|section|phase|feeling|process|empathy|intro|introduction)s?'
const NOT_DENIED =
  '(?<!(?:dont|do not|not|never|wont|without|didnt|cant|cannot|rather not)(?: want to| going to| gonna)? )'

export const ENGLISH: Signals = {
  distress: {
    self_harm: [
      `${NOT_DENIED_HARM}(?:kill|killing|killed|hurt|hurting|harm|harming|harmed|cut|cutting|hang|hanging|hanged|hung|drown|drowning|poison|poisoning|stab|stabbing|shoot|shooting|starve|starving|burn|burned|burnt|burning|injure|injuring) myself${ACCIDENT}`,
      'kms',
      'unaliv(?:e|ing) myself',
      '(?<!(?:embarrass\\w*|mortif\\w*|cringe\\w*|awkward|laugh\\w*|asham\\w*) (?:that )?(?:i )?(?:just )?)(?:want|wanted|ready|(?:im|i am) going|wish|feel like i have|trying|tried) to (?:just )?die(?! (?:on (?:this|that)|laughing|of|for|from))',
      'wanna die(?! (?:laughing|of))',
      '(?:end|ending|ended|take|taking|took) my (?:own )?life',
      '(?:end|ending) it all',
      `(?:want|going|gonna|wanna|think\\w* about|think\\w* of) (?:to )?end(?:ing)? it(?: tonight| today| now)?${END}`,
      'suicid(?:e|al)',
      'self ?(?:harm|injur)\\w*',
      `better (?:off )?(?:\\w+ ){0,2}(?:dead|without me|if i (?:was|were|am|wasnt|werent|died|disappeared|did not exist|didnt exist))`,
      '(?:wish|wished) i (?:was|were) (?:dead|never born|gone)',
      '(?:wish|wished) i (?:wasnt|werent|had never been|hadnt been|could never|would not|wouldnt) (?:alive|here any ?more|born|wake up)',
      '(?:id|i would|would) (?:rather|sooner) (?:be dead|die) than',
      '(?:no|any|what) (?:reason|point|use|sense) (?:to|in|for) (?:live|living|go on|going on|being alive|waking up|me to live)',
      `${DO_NOT} see (?:why|any reason|a reason|the point)(?: \\w+){0,5} (?:wake up|live|living|go on|be here|be alive|get up tomorrow)`,
      `${DO_NOT} want to (?:exist|be alive|be here any ?more|wake up|go on living|live(?! (?:here|there|in|with|like|together|apart|near|next|alone|so|this)))`,
      '(?:life|living) (?:is|isnt|is not|aint|feels|was) (?:not |no longer )?(?:worth (?:living|it any ?more)|pointless)',
      '(?:nothing|nobody) (?:left )?(?:to|worth) (?:live|living) for',
      `(?:took|take|taken|taking|swallowed|swallowing|downed|ate) (?:all|a whole|the whole|a bunch|a handful|too many|every|half|the rest|way too many) (?:of )?(?:\\w+ ){0,4}${PILLS}`,
      'overdos\\w+',
      `(?:been|started|am|im|keep|kept|to) cutting(?= again| my ${LIMB}| \\.|$)`,
      `(?:cut|cutting|slit|slitting|slash|slashed|slashing) my ${LIMB}`,
      '(?:to|just) (?:disappear|vanish|be gone) (?:forever|for good|from this (?:world|earth|life))',
      '(?:nobody|no one|noone) (?:would|will|d) (?:even )?(?:miss|notice|care)(?: me)? if i (?:was|were|died|disappeared|wasnt|werent|killed|am)',
      '(?:jump|jumping|jumped|throw myself|throwing myself) (?:off|from|in front of|out of|under) (?:a |the |that |this )?(?:\\w+ )?(?:bridge|roof|building|balcony|train|window|cliff|tower|tracks|bus|truck|subway)',
      '(?:goodbye|farewell|suicide) (?:letters?|notes?|video)',
      '(?:have|got|made|ive) a plan (?:to (?:end|die|kill|do it)|and i know (?:when|how)|how to)',
      '(?:bought|have|got|tied|found) (?:a|the|some) (?:rope|noose)(?! (?:for|to|ladder|bridge|swing)\\b)',
      `want (?:it all|everything|the pain|all of it) to (?:just )?(?:be over|end|stop)(?= \\.|$| forever| i)`,
    ],
    violence: [
      `${SOMEBODY}${STEPS} (?:hit|hits|hitting|beat|beats|beating|slap\\w*|punch\\w*|chok(?:e|es|ed|ing)|strangl\\w+|kick\\w*|shov\\w+|bit|bites|stabb\\w+|rape[sd]?|raping|molest\\w*|assault\\w*|grop(?:ed|es|ing)|headbutt\\w*|smack\\w*|throttl\\w+|spat on|spit on|whipp\\w+) ${VICTIM}${ONLY_A_FIGURE}`,
      `${SOMEBODY}${STEPS} (?:push|shov|throw|slam)\\w* (?:me|us) (?:against|down|into the wall|over|to the (?:floor|ground)|onto the)`,
      `threw (?:me|us) (?:against|down|to the|onto the)`,
      `${SOMEBODY}${STEPS} (?:throw|threw|hurl)\\w* (?!a (?:smile|look|kiss|glance|wink|party|ball|pillow|snowball|question))(?:\\w+ ){1,4}at (?:me|us|my (?:head|face)|${CHILDREN})`,
      `forced (?:me|herself|himself)(?: on me)?${END}`,
      'forced (?:himself|herself) on me',
      '(?:forced|forces|forcing|made|makes|making|pressured) me (?:to )?(?:have sex|sleep with|have intercourse|strip|undress|perform|do sexual|do it in bed)',
      'sex(?: with \\w+)? (?:when|after|although|even though) i (?:said|say|had said) no',
      'against my will',
      'threaten(?:s|ed|ing)?(?: to)? (?:me|us|kill|hurt|hit|stab|shoot|harm|beat|burn)(?! with (?:divorce|leaving|court|a lawyer|his lawyer|her lawyer))',
      '(?:hands?|fingers|belt) (?:a?round|on|about) my (?:throat|neck)',
      '(?:grab|drag|pull|yank|held|hold)\\w* (?:me )?by (?:the|my) (?:hair|throat|neck|wrists?|collar)',
      `${SOMEBODY}${STEPS} (?:has|had|got|pulled|held|pointed|waved|keeps|came at me with|bought) (?:a |the |his |her )?(?:loaded )?(?:gun|pistol|rifle|shotgun|weapon|machete)`,
      '(?:pulled|held|pointed|waved|attacked me with|came at me with|with) (?:a|the) knife (?:on|to|at|in front of|against) (?:me|my|us|her|him)',
      `${THEY_WILL} (?:\\w+ )?(?:kill|hurt|murder|shoot|stab|beat|hit|harm) ${VICTIM}`,
      `${THEY_WILL} kill (?:himself|herself|themselves)`,
      'burn(?:s|ed|ing)? (?:the|our|my) (?:house|home|flat|apartment)(?: down)?',
      'lock(?:ed|s|ing)? (?:me|us) (?:in|up|out of the (?:house|flat|apartment))',
      '(?:wont|wouldnt|would not|doesnt|does not|didnt|did not|will not|never) let (?:me|us) (?:leave(?! without| early| a)|out of the|get out|call (?:for help|anyone|the police|my)|see a doctor|go (?:home|to the (?:police|doctor|hospital)))',
      '(?:hiding|hid|barricaded|locked myself) (?:\\w+ ){0,4}(?:because|from) (?:he|she|him|her|they|my \\w+)',
      `(?:scared|afraid|fear|frightened|terrified|worried)(?: that)?(?: of what)? (?:${THEY_WILL}|he|she|they) (?:\\w+ )?(?:hurt|kill|hit|beat|harm|do(?: to|${END}))`,
      '(?:afraid|scared|fear|fearing|terrified) for (?:my|our|the kids|the childrens) (?:life|lives|safety)',
      '(?:dont|do not|not|never|isnt|didnt) (?:\\w+ )?(?:feel |feeling )?safe (?:going home|at home|in my (?:own )?(?:home|house)|tonight|alone with)',
      '(?:im|i am|we are|kids are|children are) in danger(?! of (?:losing|missing|being late))',
      `${SOMEBODY}${STEPS} (?:broke|fractured|dislocated) my (?:arm|nose|ribs?|jaw|wrist|fingers?|hand|leg|tooth|teeth|skull)`,
      'bruises? (?:all over|on my|from (?:him|her)|everywhere)|black eye',
      `${SOMEBODY}${STEPS} (?:stalk\\w*|follow(?:s|ed|ing)? me (?:to work|home|everywhere))`,
      'domestic (?:violence|abuse)',
      '(?:physically|sexually) (?:abus|assault|attack|violent|hurt)\\w*',
      `${SOMEBODY} (?:is|was|gets|got|became|turned|turns|can be) (?:\\w+ )?violent`,
    ],
    overwhelmed: [
      `${CANNOT} (?:really |just |possibly )*(?:do|take|handle|bear|stand) (?:this|it|that|things|life)(?: all)? ${ANY_LONGER}`,
      `${CANNOT} take (?:any|much) more`,
      `${CANNOT} (?:go|carry|keep going) on(?: like this| living| ${ANY_LONGER})?(?= (?:\\.|i|and|but|please)|$)`,
      `${CANNOT} breathe(?! (?:through|because of|in (?:this|that|here)|properly|well))`,
      `${CANNOT} (?:cope|function|stop (?:crying|shaking|sobbing|panicking|screaming))`,
      `${CANNOT} even (?:breathe|think|speak)`,
      'panic attacks?',
      'having (?:a|another) (?:\\w+ )?(?:breakdown|meltdown|panic)',
      `(?:im|i am|ive been|i have been|feel like im|feel like i am) ${UTTERLY}(?:breaking down|falling apart|losing it|losing my mind|spiral+ing|freaking out|panicking|shaking all over|at breaking point|collapsing|at the end of my (?:rope|tether|strength))`,
      `i feel ${UTTERLY}hopeless`,
      `(?:theres|there is|i see|see) no (?:hope|way out)(?: left| for me)?${END}`,
      '(?:havent|have not|not) (?:eaten|slept) or (?:eaten|slept)',
    ],
  },
  commitment: [
    '(?:we|you|i|he|she|they|both|weve|youve|ive|wed|youd|id|hed|shed|theyd|have|had|was|were|is|as) (?:all |both |have |had |already |never |also |once |just |even )*agreed(?! with\\b)',
    'did we (?:even |ever |actually |really |both )*(?:agree|decide|promise|commit|settle on)',
    'did (?:you|i|he|she|they) (?:even |ever |actually |really )*(?:agree to|agree that|agree on|promise|commit)',
    'what (?:we|you|i|he|she|they) (?:all |both |have |had |actually |just )*(?:agreed|decided|promised|committed|settled)(?! with\\b)',
    'what (?:was|were|is|had been|has been) (?:agreed|decided|promised)',
    '(?<!(?:forward|jump|ahead|straight|skip|go|get|us|me) to )(?:our|the|that|last|previous|earlier) (?:last |previous |earlier |old |first )?agreements?',
    '(?:our|that) deal',
    '(?:side|end|part|half) of the (?:bargain|deal|agreement)',
    '(?:had|made|have|struck) a deal',
    'a deal is a deal',
    '(?:we|you|i|he|she|they|weve|youve|ive) (?:both |have |had |has |already |once )*promised',
    '(?:your|my|our|his|her|their|that|the|kept|broke|broken|keep|keeping|break|breaking) (?:last |own |a |the |your |his |her )?promises?',
    '(?:gave|given|give|gives|kept|keeps|broke|breaks|breaking|keeping) (?:me |us )?(?:his|her|your|my|their) word',
    '(?:our|your|his|her|that|the) commitments?(?! issues?)',
    '(?:we|you|i|he|she|they|weve|youve|ive) (?:both |have |had |has |already )*(?:committed to|settled on|shook (?:hands )?on|signed up for)',
    '(?:we|weve) (?:both |have |had |already )*decided(?= (?:to|on|that|we|together|last|\\.)|$)',
    '(?:we|you|he|she|they|i) (?:both )?said (?:that )?(?:we|you|he|she|they|i)(?:d| would| were going to| was going to| will|ll)',
    '(?:our|the) (?:last |little |small )?(?:micro ?)?experiments?(?= (?:we|from|that|last|\\.|is|was|went|going|so far|did|didnt|worked)|$)',
    'the (?:plan|rule|arrangement)s? (?:that )?we (?:made|set|had)',
    'our (?:arrangement|pact|compact|ground rules)',
  ],
  skipping: [
    `${NOT_DENIED}skip(?:ping)? (?:ahead|forward|over (?:this|that|it|the ${OF_THE_WORK})|straight|right|to (?:the |stage|step|solutions?|what|where|strategies))`,
    `${NOT_DENIED}skip(?:ping)? ${THIS_PART}(?= (?:\\.|${OF_THE_WORK}|and|please|now|for|already|then|today|can|if|because)|$)`,
    `${NOT_DENIED}skip(?:ping)? (?:the |a |any )?${WHOLE_PARTS}`,
    '(?:can|could|cant|may|should|why cant|why dont) (?:we|i) (?:please |just |not )*skip(?= \\.|$)',
    '(?:lets|let us|id like to|i want to|i wanna|i would like to|id rather) (?:just )?skip(?= \\.|$)',
    '(?:can|could|cant|should|may) (?:we|i) (?:please |just |not |now |finally )*move on(?! from)',
    '(?:lets|let us|want to|wanna|like to|ready to|time to) (?:just |please |finally )*move on(?= (?:\\.|to the (?:next|solutions?)|to (?:stage|step|solutions?|strategies)|already|now|please)|$)',
    'move (?:me |us )?on to (?:the )?(?:next|stage|step|solutions?|strategies)',
    `move (?:me|us) (?:on|along|forward|ahead)${END}`,
    '(?:take|bring|get) (?:me|us) (?:straight |directly |right |on )*to (?:the )?(?:next|agreement|solutions?|end|strategies|last)',
    '(?:jump|go|get|cut|fast forward|proceed) (?:ahead |right |straight |directly |forward )*to (?:the )?(?:next (?:stage|step|part)|stage \\d|step \\d|solutions?|strategies|strategy|agreement|end|point|chase|good part)',
    '(?:jump|fast forward|leap) (?:ahead|forward)',
    '(?:do|why do) (?:we|i) (?:really |even |still )*(?:have|need) to (?:do|go through|answer|talk about) (?:this|that|all this|all of this|these)(?= (?:\\.|part|stage|step|exercise|question|questions|again|first)|$)',
    `(?:do|why do) (?:we|i) (?:really |even |still )*(?:have|need) to (?:do|go through) the (?:\\w+ )?${OF_THE_WORK}`,
    '(?:dont|do not) (?:want|need|feel like|see the point) (?:to do|to go through|doing|of|in)?(?: doing)? ?(?:this|these) (?:part|stage|step|exercise|exercises|question|questions|process)',
    '(?:dont|do not) want to (?:talk|speak|hear) about (?:my |our |the |any )?(?:feelings|emotions|needs)',
    'enough (?:with|of|about) (?:the |this |these |all this |all these )?(?:feelings?|emotions?|talking|exercises?|questions|empathy|listening)',
    'just (?:give|tell|show) (?:me|us) (?:the |a )?(?:solution|answer|agreement|strateg\\w+)',
    'already (?:answered|did|done|finished) (?:this|that|these)',
    `${WHOLE_PARTS} (?:is|are|feels|seems) (?:just |like |such )*(?:a )?(?:waste of time|pointless|useless|silly|stupid|unnecessary)`,
    'why cant we just (?:fix|solve|agree|decide|finish|get)',
    'get (?:this|it) over with',
    '(?:im|i am|we are|were) done with (?:this|these) (?:part|stage|step|exercise|exercises|questions|process)',
    '(?:next|another) (?:stage|step|question|exercise) (?:please|already|now)',
    'bypass (?:this|the) (?:part|stage|step|exercise|process|gate)',
  ],
}
