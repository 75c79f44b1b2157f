import { describe, expect, it } from 'vitest'
import { times } from '../../test/support/depth.js'
import { findReasonCode } from '../policy/reason-codes.js'
import { screen } from './screen.js'
import { transformBuiltIn } from './transformation.js'
import { stripInvisible } from './words.js'

const ok = { ok: true }
const refused = (reason: string) => ({ ok: false, reason })

const MAY_CROSS = [
  'I feel hurt when plans change.',
  'I need you to listen to me.',
  'I imagine you feel alone when I work late.',
  'I would like us to eat together.',
  'I have a need to feel recognized for my contributions at home.',
  'Partner has identified a need to feel recognized for their contributions at home.',
  "I'd love a quiet evening with you once a week.",
  'I feel lonely in the evenings.',
  'I felt scared when voices were raised.',
  'I need time to myself after work.',
  'It matters to me that we decide about money together.',
  'I miss us.',
  'I miss laughing with you.',
  'I want to feel safe at home.',
  'I wish we talked more.',
  'I hope we can find our way back to each other.',
  'Trust is important to me.',
  'I get anxious when I do not know what comes next.',
  'I am exhausted and need rest.',
  'I feel overwhelmed by everything there is to do.',
  'When I come home to a messy kitchen I feel discouraged.',
  'I feel sad when we do not speak for days.',
  'My boundary is that I leave the room when it gets loud.',
  'I am not okay with shouting, and I will step outside when it happens.',
  'I would prefer to be asked before guests are invited.',
  'Please give me an hour before we talk about hard things.',
  'I feel stupid when I ask for help.',
  'I felt like an idiot at the party.',
  'I feel like a failure as a parent.',
  'I feel worthless on some days.',
  'I know I am selfish sometimes, and I want to be kinder.',
  'I hate it when we argue, because I feel far away from you.',
  'You make me feel safe.',
  'You make me laugh, and I need more of that.',
  'I know you mean a lot to me, and I feel I forget to say so.',
  'I do not blame you; I feel tired.',
  'I am not angry with you, I am sad.',
  'It is not because of you that I need space.',
  'I feel calm when you lie next to me.',
  'I need help with the garbage and the trash.',
  'I want our children to grow up feeling loved.',
  'I am trying to get over it and need patience.',
  'I would never hurt you on purpose, and I feel ashamed that I did.',
  'I do not want to hurt you, I want to be close.',
  'I love you and I need more tenderness.',
  'I want you to always feel welcome.',
  'I imagine you never feel heard by me.',
  'I can see that you have always wanted more time with me.',
  'I understand that you felt ignored when I was on my phone.',
  'I sense that you are worried, and I want to be there for you.',
  'I feel nervous when bills are late.',
  'I would like to take turns with the dishes.',
  'I value honesty and need more of it between us.',
  'I long for closeness.',
  'I need to know where we stand.',
  'I have been feeling unseen lately.',
  'Fairness is what I need most.',
  'I feel embarrassed when private things are told to friends.',
  'I am afraid of losing you.',
  'I feel jealous at times, and I need reassurance.',
  'I need reliability: when we make a plan, I would like us to keep it.',
  'I feel guilty when I rest.',
  "I don't feel appreciated. I'd like to hear a thank you now and then.",
  'I feel small when I am corrected in front of others.',
  'I am grateful, and I am tired too.',
  'I want to understand how you feel when I say no.',
  'I feel torn between work and home.',
  'I feel disappointed that the trip did not happen.',
  'I did not listen well, and I feel sorry about it.',
  'I wish for an evening without phones.',
  'I feel most loved when we cook side by side.',
  'I need you to be honest with me, even when it is hard.',
  'I imagine you are tired of fighting, and so am I.',
  'I worry that I am too much for you.',
  'I would like you to tell me when you will be late.',
  'I think you are hurting, and I want to help.',
  'I can see that you did a lot this week, and I want to thank you.',
  'I feel lonely when you are away on work trips.',
  'It hurts to be left out of decisions about our children.',
  'I want to trust you again.',
  'I feel anxious when you do not answer for hours.',
  'I feel a bit lost since the baby came.',
  'I know you never meant to hurt me.',
  'I guess you felt pressured by my questions.',
  'I would love it if you held my hand in public.',
  'I feel safe when you keep your promises.',
  'What I need is a partner who shares the load.',
  'I am scared that we are drifting apart.',
  'I am ready to apologise for yelling.',
  'I feel respected when you ask before you buy something big.',
  'I want us to stop shouting at each other.',
  'My boundary is no phones at the table.',
  'I will not stay in the room when there is name-calling.',
  'I understand why you were angry with me.',
  'I know that you have your own fears.',
  'I feel invisible in our home.',
  'She said that she needs more rest, and I feel for her.',
  'Partner feels hurt when plans change at short notice.',
  'They would like more help with the children.',
  'They have a need for calm in the evenings.',
  'Your partner has been feeling overwhelmed.',
  'I hope you can forgive me.',
  'I feel proud of you when you sing.',
  'I felt ashamed because I lied to you.',
  'I get defensive when I feel judged.',
  'I wish I had listened more to you.',
  'When you came home late I felt worried.',
  'I feel excluded when you and your sister make plans without me.',
  'I need to hear that you love me.',
  'I would like to know that you care about me.',
  'I do not feel that my opinion counts.',
  'I would feel better if we looked at the budget together.',
  'I feel like crying when we fight.',
  'I am angry and I need a break before we talk.',
  'I feel jealous of the time you give to work.',
  'I feel stuck and I hate that feeling.',
  'I always feel nervous before your parents visit.',
  'I never feel rested.',
  'I have always loved you and I need closeness.',
  'We never have time for ourselves, and I feel sad about it.',
  'I feel guilty because of the way I spoke.',
  'I need us to be a team.',
  'I want to be able to say no without fear.',
  'I feel tender towards you.',
  'I need your help with bedtime.',
  'I want you to be happy.',
  'I wonder if you feel trapped by our routine.',
  'I long to be held.',
  'I feel disrespected when jokes are made about my job.',
  'I am uneasy about money and need a plan.',
  'It helps me when you hug me before work.',
  'I feel cared for when you make me tea.',
  'I need some quiet before I can talk.',
  'I want to be included when you plan the weekend.',
  'When money is tight I get scared, and I need us to plan.',
  'I am sad that we sleep in separate rooms.',
  'I need more affection from you.',
  'I need you.',
  'I feel we have lost our playfulness and I miss it.',
  'My need is to be asked first.',
  'It is hard for me to trust after what happened, and I need time.',
  'I carry a lot of fear about the future.',
  'I feel happy when I hear your key in the door.',
  'What matters to me is that we speak kindly.',
  'I am not ready to forgive, and I need time.',
  'I need both freedom and closeness.',
  'I felt crushed when the news came.',
  'Rest is what I need after the night shift.',
  'I wish you would hold me when I cry.',
  'I hope you know that I love you.',
  'I feel nervous asking you this.',
  'I want us to find our way back.',
  'I would be relieved to share the bills.',
  'I feel unheard in big decisions.',
  'I get frightened when doors are slammed.',
]

/** Allowed in an empathy attempt or a strategy, but too much about the other for a transformation. */
const MAY_BE_STATED = [
  'I imagine that coming home to a cold house was hard for you. You have been carrying so much since spring.',
  'You worked late all week, and then I complained. That must have been exhausting.',
  'I think you felt that nobody saw how hard you tried.',
  'You were alone with the kids for three days, and I did not call.',
  'You wanted us to be happy at the party.',
  'When I raised my voice, you went quiet, and I think you were scared.',
  'You do so much for us, and I forget to say thank you.',
  'You needed me, and I was not there.',
  'We take turns cooking: I do Monday to Thursday, you do the rest.',
  'You pick up the kids on Tuesday and I will pay for the groceries.',
  'If you cook, I will take the kids to the park.',
  'Every Sunday we look at the calendar for twenty minutes.',
  'I will put my phone in the drawer at dinner, and you do the same.',
  'We try a code word when one of us needs a break.',
  'If one of us gets loud, we stop and wait ten minutes.',
  'I believe you were hurt when I laughed at your idea.',
  'I know you did not mean to upset me.',
  'I see now that I let you down.',
  'I ignored you, and I am sorry.',
  'I lied to you about the money, and I understand that you lost trust in me.',
  'You might be afraid that I will leave.',
  'I guess you are angry because I broke my promise.',
  'You asked me for help many times and I was too busy.',
  'You have every right to be upset.',
  'You never deserved that.',
  'I realise you always wanted a home with a garden.',
  'We could hire someone to clean twice a month.',
  'I propose that each of us has one free evening a week.',
  'You choose the film this time, I choose next time.',
  'Let us ask your mother to babysit on Fridays.',
]

const ACCUSING = [
  'You always leave me alone.',
  'You never listen.',
  'you never help me',
  'YOU   NEVER\nlisten to me',
  'You are always late.',
  'You have never once asked how I feel.',
  "You've always been like that.",
  "You're always on your phone.",
  'u never text back and I feel sad',
  'He makes me feel worthless.',
  'She makes me so angry.',
  'You make me sick.',
  'You made me cry.',
  "It's your fault that I feel sad.",
  'It is all his fault.',
  'I feel terrible because of her.',
  'I am unhappy because of you.',
  'I blame you for how I feel.',
  "They don't care about my needs.",
  "You don't care how I feel.",
  'You do not love me.',
  "You didn't even listen when I needed you.",
  'He doesn’t respect my needs.',
  'Mark never listens to what I need.',
  'Anna does not care about my feelings.',
  'My husband never helps with the kids, and I am exhausted.',
  'My wife always criticises me.',
  'Your mother always interferes, and I feel small.',
  'You hurt me.',
  'You lied to me and I feel hurt.',
  'You betrayed my trust.',
  'You cheated, and I need space.',
  'You ruined our holiday.',
  'You keep ignoring me.',
  'You are ignoring my needs.',
  'He yells at me and I feel scared.',
  'She refuses to talk.',
  'You refuse to see what I need.',
  'You broke your promise.',
  'You let me down.',
  'You take me for granted.',
  'You treat me like a servant.',
  'You are selfish.',
  'You are so lazy, and I feel tired.',
  'You are being unfair.',
  'He is controlling and I need freedom.',
  'She was cruel to me.',
  'You are the problem.',
  'You are the reason I feel empty.',
  'Your constant nagging makes me tired.',
  'Your temper frightens me.',
  'Your lies hurt.',
  'I feel ignored by you.',
  'I feel controlled by him.',
  'You should have known what I need.',
  'You should be ashamed.',
  'You need to change.',
  'If you really loved me, I would feel it.',
  'You only think about yourself, and I feel alone.',
  'All you do is complain.',
  'How could you do this to me? I feel broken.',
  'What is wrong with you?',
  "Why can't you just listen?",
  'You care more about work than about how I feel.',
  'Once again you chose work, and I feel hurt.',
  'Nothing I do is ever good enough for you.',
  'I feel like you don’t care.',
  'I feel that you are manipulating me.',
  'Never have you asked what I need.',
  'You dont appreciate me.',
  'You drive me crazy.',
  'You could not care less about my feelings.',
  'Yóu ne\u200bver listen to me.',
  'ＹＯＵ　ＮＥＶＥＲ　ＬＩＳＴＥＮ to me.',
  'You_never_listen to me.',
  'You. Never. Listen.',
  'You never!! Listen.',
  'You always\nIgnore what I need',
  'I feel sad\nYou never\nListen',
  'Why? You... never listen.',
  "You don't even look at me anymore.",
  "You couldn't be bothered to call.",
  'Everything is about you.',
  'It is always about him.',
  'You chose your mother over me again.',
  'You abandoned us.',
  "You've destroyed my trust.",
  'She is lazy and he is worse.',
  'I feel hurt because you are a terrible husband.',
  "I'm lonely since you're never home.",
  "He's never there when I need him.",
  'You keep lying.',
  'You were wrong and you know it.',
  'It was you who broke this family.',
  'This is on you.',
  'You caused all of this.',
  'You started this whole fight, and I am sad.',
  'You walked out on me.',
  'Stop making me feel small.',
  'Stop lying to me.',
  'Stop being so selfish.',
  'I feel you are to blame.',
  'My partner is abusive and I am scared.',
  'John is a selfish man and I feel used.',
  'Tom lied to me and I am hurt.',
  'You have no idea how I feel.',
  'You have no respect for me.',
  'You have no heart.',
  'You show no interest in my feelings.',
  'Your drinking scares me.',
  'Your behaviour is disgusting.',
  'You ignored my feelings.',
  'You forgot my birthday and I feel sad.',
  'You left me alone with the kids.',
  "You're a bad mother.",
  'You are not a good father.',
  'You are not even trying.',
  "You won't listen.",
  "You can't be trusted.",
  "I can't trust you because you lie.",
  'You think only of yourself.',
  'You think you are better than me.',
  'You act like you own me.',
  "You don't deserve me.",
  'They treat me like dirt.',
  'You make everything worse.',
  'She always gets her way and I feel small.',
  "He didn't care that I was sick.",
  'Because of your work I am always alone.',
  'You use the kids against me.',
  'You never, ever say thank you.',
  'You, as always, were late.',
  'you r so mean to me',
  'Yоu nеver listen to me.', // with Cyrillic о and е
]

const ATTACKING = [
  'You are an idiot.',
  'What an idiot.',
  'You idiot, I feel sad.',
  'You bitch.',
  'He is a bastard and I feel hurt.',
  'She is such a liar.',
  'You are a narcissist.',
  'You are stupid.',
  'You are so pathetic.',
  'You are worthless.',
  'You stuuuupid mоron.', // with Cyrillic о
  'Your stupid friends make me sad.',
  'Fuck you.',
  'Fuck off, I need space.',
  'Screw you.',
  'Go to hell.',
  'Shut up.',
  'Drop dead.',
  'I hate you.',
  'I really despise him.',
  "I can't stand you.",
  'You disgust me.',
  'I will hurt you.',
  "I'll kill you.",
  'I am going to destroy you.',
  "I'm gonna ruin him.",
  'I will leave you.',
  'I want to divorce you.',
  'You will regret this.',
  "You'll be sorry.",
  "You'll pay for this.",
  'I will make you pay.',
  'Listen to what I need, or else.',
  'Watch your back.',
  'I hope you suffer.',
  'I will take the kids and leave.',
  'You will never see the children again.',
  'I will tell everyone what you did.',
  'If you go out again, I will leave you.',
  'You deserve to be alone.',
  'Nobody will ever love you.',
  'No one could want you.',
  'Shame on you.',
  'You piece of shit.',
  'What a whore.',
  'You are a retard.',
  'Get over yourself.',
  'Grow up.',
  'You are dead to me.',
  'You are nothing without me.',
  'This is bullshit, I need a break.',
  'You are insane.',
  'He is crazy and I feel tired.',
  'Your pathetic excuses hurt.',
  'You coward.',
  'My feelings for that monster are gone.',
  'I swear I will hit you.',
  'You are a disgrace.',
  'You are garbage.',
  'Burn in hell.',
  'I wish you were dead.',
  'I need you to shut up.',
  'b\u00adi\u200btch',
  'ＩＤＩＯＴ, I feel sad.',
  'You are nothing but a burden.',
  'I need you to stop being an idiot.',
  'I regret marrying you.',
  'I wish I had never met you.',
  "I'm done with you.",
  'You disgusting liar.',
  'What a loser.',
  'You will be alone forever.',
  "I'll make your life hell.",
  "One day you'll get what you deserve.",
  'I could strangle you.',
  "I'd rather be dead than live with you.",
  'Everyone thinks you are crazy.',
  'Even your own mother hates you.',
]

/** What another person does, together with a feeling of the speaker's own. */
const ABOUT_ANOTHER = [
  'You sold my guitar and I feel empty.',
  'You turned into your father, and I feel sad.',
  'She flirts with everyone and I feel jealous.',
  'He gambled away our house and I feel scared.',
  'I feel sad. You went out with Anna again.',
  'I feel lonely because you went out with Anna.',
  'They moved in without asking, and I need space.',
  'But he saw her on Monday, and I feel hurt.',
]

/** Blame or worse. */
const HOSTILE = [
  'I feel hurt that you lied.',
  "I need a husband who isn't a child.",
  "I feel like I married a stranger who doesn't love me.",
  "I'm tired of your games.",
  'I am sick of you.',
  "I'm fed up with your excuses.",
  "You'd better start listening to my needs.",
  'When will you finally grow up?',
  'Must you always be so negative?',
  'Why do you hurt me?',
  'I feel unloved because you are cold.',
  'I need you to stop cheating on me.',
  "I feel sad and you just don't care.",
  'My feelings mean nothing to you.',
  'My needs are nothing to you.',
  'You think my feelings are stupid.',
  "I wish you weren't so selfish.",
  'I wish you were not such a coward.',
  'I want a partner who does not lie to me.',
  'I feel that he is a bad father.',
  "Honestly you're the worst.",
  "I can't believe you did this to me.",
  "You'll never change, and I feel hopeless.",
  'I feel disgusted by you.',
  'I hurt because she stole him from me.',
  'You have ruined everything and I am sad.',
  'You threw away ten years and I feel empty.',
  'He beats me and I am afraid.',
  'She drinks too much and I feel lonely.',
  'He spends all our money and I feel unsafe.',
  'They took my son and I feel sad.',
  'You are a failure as a man.',
  'You deserve nothing.',
  "You'll see what happens.",
  'I swear you will regret it.',
  'I need you dead.',
  'I feel like hitting you.',
  'I feel like killing him.',
  'I want to punch her.',
  "You're a mistake.",
  'You owe me.',
  'You act like a child.',
  'Your family is trash.',
  'I feel trapped with a man like you.',
  "It's you, not me, who is the problem.",
  "If you weren't so lazy I would feel better.",
  'The way you treat me is disgusting and I feel sad.',
  'You treat our kids better than me.',
  'Do you even care how I feel?',
  'Do you ever listen?',
]

const OF_NOTHING_INSIDE = [
  'The meeting is at noon.',
  'We bought a car in June.',
  'My sister told me about the trip.',
  'He came home at two in the morning on Tuesday.',
  'The receipt was in his coat.',
  'Dinner was at eight.',
  'There are three emails from Anna on the laptop.',
  'We met in Lisbon in 2014.',
  'The doctor called on Monday.',
  'I took the bus.',
]

describe('screening a transformation', () => {
  it.each(MAY_CROSS)('[CB-4] lets cross: %s', text => {
    expect(screen(text, '')).toEqual(ok)
    expect(screen(text, '', { kind: 'statement' })).toEqual(ok)
  })

  it.each(MAY_BE_STATED)('[CB-4] lets be stated: %s', text => {
    expect(screen(text, '', { kind: 'statement' })).toEqual(ok)
  })

  it.each(ABOUT_ANOTHER)('[CB-4] refuses as a transformation, and lets be stated: %s', text => {
    expect(screen(text, '')).toEqual(refused('bridge_accuses'))
    expect(screen(text, '', { kind: 'statement' })).toEqual(ok)
  })

  it.each(HOSTILE)('[CB-4] refuses as hostile: %s', text => {
    for (const kind of ['transformation', 'statement'] as const)
      expect(screen(text, '', { kind })).toMatchObject({ reason: expect.stringMatching(/accuses|attacks/) })
  })

  it.each(ACCUSING)('[CB-4] refuses blame: %s', text => {
    expect(screen(text, '')).toEqual(refused('bridge_accuses'))
    expect(screen(text, '', { kind: 'statement' })).toEqual(refused('bridge_accuses'))
  })

  it.each(ATTACKING)('[CB-4] refuses insult and threat: %s', text => {
    expect(screen(text, '')).toEqual(refused('bridge_attacks'))
    expect(screen(text, '', { kind: 'statement' })).toEqual(refused('bridge_attacks'))
  })

  it.each(OF_NOTHING_INSIDE)('[CB-4] refuses what tells of no need or feeling: %s', text => {
    expect(screen(text, '')).toEqual(refused('bridge_not_about_need'))
    expect(screen(text, '', { kind: 'statement' })).toEqual(ok)
  })

  it('[CB-4] finds blame and insult in any sentence', () => {
    expect(screen('I feel sad. I need rest. You never listen.', '')).toEqual(refused('bridge_accuses'))
    expect(screen('I feel sad. Idiot. I need rest.', '')).toEqual(refused('bridge_attacks'))
  })

  it('[CB-4] reads the name of whom it is for as if they were spoken to', () => {
    const names = new Set(['bob', 'will'])
    const screened = (text: string, kind?: 'statement') => screen(text, '', { names, ...(kind && { kind }) })
    for (const text of [
      'I feel hurt because Bob hit me. Bob ruins everything.',
      'Bob is the problem and Bob hit me.',
      'My boundary: bob stole 500 euros.',
      'I feel that Bob’s always late and never cares.',
      'I feel sad because of BOB.',
      'I feel that Will never listens.',
      'I feel that B\u03bfb lied to everyone.',
    ])
      expect([text, screened(text)]).toEqual([text, refused('bridge_accuses')])
    expect(screened('Bob is the problem.', 'statement')).toEqual(refused('bridge_accuses'))
    for (const text of ['I feel like I hate Bob.', 'I wish Bob were dead.', 'I feel that Bob is trash.'])
      expect([text, screened(text, 'statement')]).toEqual([text, refused('bridge_attacks')])
    for (const text of [
      'I feel close to Bob.',
      'I will need time, and I hope Bob feels welcome.',
      'I imagine that Bob feels tired.',
      'I feel safe with Bob and Will.',
      'Carol is a word here, and I need rest.',
    ])
      expect([text, screened(text)]).toEqual([text, ok])
    // No participant has this name.
    expect(screen('I feel hurt because Bob stole 500 euros.', '')).toEqual(ok)
  })

  it('[CB-4] finds a wish for somebody’s death, and an insult in digits, signs, boxes and letters apart', () => {
    for (const text of [
      'I feel so low. I wish he were dead.',
      'I hope that she dies.',
      'They should just die.',
      'I feel sad, you 1diot.',
      'I feel sad because you are an a$$hole.',
      'I feel sad, you 🅸🅳🅸🅾🆃.',
      'I feel sad, you ɪᴅɪᴏᴛ.',
    ])
      expect([text, screen(text, '', { kind: 'statement' })]).toEqual([text, refused('bridge_attacks')])
    for (const text of ['I feel that u r selfish.', 'I feel that u r a selfish man.'])
      expect([text, screen(text, '')]).toEqual([text, refused('bridge_accuses')])
    const original = 'I cried in the car for an hour.'
    for (const text of [
      'I feel cr1ed 1n the c4r f0r long',
      'I feel ᴄʀɪᴇᴅ ɪɴ ᴛʜᴇ ᴄᴀʀ ꜰᴏʀ long',
      'I feel 🅲🆁🅸🅴🅳 🅸🅽 🆃🅷🅴 🅲🅰🆁 🅵🅾🆁',
      'I feel c r i e d i n t h e c a r f o r a n h o u r',
    ])
      expect([text, screen(text, original)]).toEqual([text, refused('bridge_repeats_original')])
    for (const text of [
      'I feel best on the 1st of May, at 5pm.',
      'I need 4 hours, ask me at ana@example.org.',
    ])
      expect([text, screen(text, original)]).toEqual([text, ok])
  })

  it('[CB-4] does not read blame across the end of a sentence', () => {
    expect(screen('I need you. Always feeling alone is hard for me.', '')).toEqual(ok)
  })

  it('[CB-4] has a registered, exposed reason for every refusal', () => {
    for (const name of [
      'accuses',
      'attacks',
      'not_about_need',
      'repeats_original',
      'text_empty',
      'text_too_long',
      'too_many_sentences',
    ])
      expect(findReasonCode(`bridge_${name}`)).toMatchObject({ visibility: 'expose', owner: 'runtime' })
  })
})

describe('the length of what crosses', () => {
  const feel = (times: number) => Array.from({ length: times }, () => 'I feel sad.').join(' ')

  it.each([
    '',
    ' ',
    '\n\t',
    '...',
    '?!',
    '\u200b\u2060',
    '🙂',
  ])('[CB-4] refuses %j, which has no words', text => {
    expect(screen(text, '')).toEqual(refused('bridge_text_empty'))
    expect(screen(text, '', { kind: 'statement' })).toEqual(refused('bridge_text_empty'))
  })

  it('[CB-4] takes three sentences and not four, of a statement ten and not eleven', () => {
    expect(screen(feel(3), '')).toEqual(ok)
    expect(screen(feel(4), '')).toEqual(refused('bridge_too_many_sentences'))
    expect(screen(feel(10), '', { kind: 'statement' })).toEqual(ok)
    expect(screen(feel(11), '', { kind: 'statement' })).toEqual(refused('bridge_too_many_sentences'))
  })

  it.each([
    'i feel sad. i am tired. i need rest. i am here.',
    'I feel sad! I am tired?! I need rest… I am here',
    'I feel sad.I am tired.I need rest.I am here.',
    'I feel sad\n- I am tired\n- I need rest\n- I am here',
    'I feel sad\n\ni am tired\n\ni need rest\n\ni am here',
    'I feel sad\u2028I am tired\r\nI need rest\rI am here',
    '我很難過。我累了。我需要休息。I feel so.',
    '"I feel sad." "I am tired." "I need rest." "I am here."',
  ])('[CB-4] counts four sentences in %j', text => {
    expect(screen(text, '')).toEqual(refused('bridge_too_many_sentences'))
  })

  it.each([
    'I feel... well, a bit... sad. I need about 1.5 hours, e.g. at 8 p.m. or so, to rest. Mr. Cat helps.',
    'I feel sad!!! I need rest?! I do...',
    'I feel sad when we eat\nwithout a word\nand need more\ntalk.',
  ])('[CB-4] counts no more than three sentences in %j', text => {
    expect(screen(text, '')).toEqual(ok)
  })

  it('[CB-4] takes a thousand characters and not one more, of a statement three thousand', () => {
    const long = (characters: number) => `I feel ${'🙂'.repeat(characters - 7)}`
    expect(screen(long(1000), '')).toEqual(ok)
    expect(screen(long(1001), '')).toEqual(refused('bridge_text_too_long'))
    expect(screen(long(3000), '', { kind: 'statement' })).toEqual(ok)
    expect(screen(long(3001), '', { kind: 'statement' })).toEqual(refused('bridge_text_too_long'))
  })

  it('[CB-4] answers a text made to be slow in no time', () => {
    const started = performance.now()
    for (const word of [
      'you are ',
      'you have not ',
      'if you a ',
      'i feel like a ',
      'you you ',
      'a.',
      'he was so ',
    ])
      screen(word.repeat(3000).slice(0, 3000), word.repeat(3000), { kind: 'statement' })
    expect(performance.now() - started).toBeLessThan(3000)
  })
})

describe('repeating the original', () => {
  const ORIGINAL =
    'Last night I cried in the kitchen because Tom forgot our anniversary, and I don’t feel loved anymore.'

  it('[CB-4] refuses five words in a row and lets four pass', () => {
    expect(screen('I feel I cried in the kitchen.', ORIGINAL)).toEqual(refused('bridge_repeats_original'))
    expect(screen('I feel sad: cried in the kitchen.', ORIGINAL)).toEqual(ok)
    expect(screen('I feel sad since Tom forgot our anniversary.', ORIGINAL)).toEqual(ok)
    expect(screen('I feel sad because Tom forgot our anniversary.', ORIGINAL)).toEqual(
      refused('bridge_repeats_original'),
    )
  })

  it('[CB-4] refuses the first five words and the last five', () => {
    expect(screen('Last night I cried in need of love.', ORIGINAL)).toEqual(
      refused('bridge_repeats_original'),
    )
    expect(screen('I don’t feel loved anymore.', ORIGINAL)).toEqual(refused('bridge_repeats_original'))
  })

  it.each([
    ['case', 'I feel: BECAUSE TOM FORGOT OUR ANNIVERSARY'],
    ['punctuation', 'I feel "because" - Tom, (forgot); our... anniversary!'],
    ['emphasis', 'I feel **because** _Tom_ ~forgot~ `our` anniversary'],
    ['hyphens', 'I feel because-tom-forgot-our-anniversary'],
    ['accents', 'I feel bécause Töm forgöt our ánniversary'],
    ['combining strokes', 'I feel b\u0336e\u0336cause T\u0336om forgot our anniversary'],
    [
      'zero-width spaces inside words',
      'I feel bec\u200bause T\u200com for\u200dgot o\u2060ur anni\ufeffversary',
    ],
    ['zero-width spaces for spaces', 'I feel because\u200bTom\u200bforgot\u200bour\u200banniversary'],
    ['soft hyphens', 'I feel be\u00adcause Tom for\u00adgot our anni\u00adversary'],
    ['direction marks', 'I feel because \u202eTom\u202c forgot our \u2066anniversary\u2069'],
    ['full width', 'I feel ｂｅｃａｕｓｅ Ｔｏｍ ｆｏｒｇｏｔ ｏｕｒ ａｎｎｉｖｅｒｓａｒｙ'],
    ['mathematical letters', 'I feel 𝐛𝐞𝐜𝐚𝐮𝐬𝐞 𝓣𝓸𝓶 𝖿𝗈𝗋𝗀𝗈𝗍 𝚘𝚞𝚛 anniversary'],
    ['ligatures and variants', 'I feel because Tom forgot our anniverſary'],
    ['line breaks', 'I feel because\nTom\r\nforgot\u2028our\tanniversary'],
    ['repeated spaces', 'I feel because   Tom \u00a0 forgot \u3000 our     anniversary'],
    ['sentence ends', 'I feel because. Tom forgot. Our anniversary'],
    ['emoji between', 'I feel because 🙂 Tom 🙂 forgot our 🙂 anniversary'],
    ['words run together', 'I feel becauseTom forgotour anniversary'],
    ['a word too long to be one', `I feel ${'so'.repeat(40)}becauseTomforgotouranniversary`],
    ['words cut apart', 'I feel be-cause Tom for got our anniver-sary'],
    ['a contraction spelled out', 'And I do not feel loved anymore'],
    ['a contraction without its apostrophe', 'And I dont feel loved anymore'],
    ['another apostrophe', 'And I don´t feel loved anymore'],
    ['Cyrillic lookalikes', 'I feel bесаusе Тоm fоrgоt оur аnnivеrsаrу'],
    ['drawn-out letters', 'I feel becauuuse Tooom forgot ouuur anniversary'],
  ])('[CB-4] is not fooled by %s', (_, text) => {
    expect(screen(text, ORIGINAL)).toEqual(refused('bridge_repeats_original'))
    expect(screen(text, ORIGINAL, { kind: 'statement' })).toEqual(refused('bridge_repeats_original'))
  })

  it('[CB-4] is not fooled by how the original is written', () => {
    const written = 'B\u200beCAUSE   Tóm\nforgot—our “ａｎｎｉｖｅｒｓａｒｙ”'
    expect(screen('I feel sad because Tom forgot our anniversary', written)).toEqual(
      refused('bridge_repeats_original'),
    )
  })

  it('[CB-4] finds repetition in scripts without spaces', () => {
    const original = '昨天晚上我丈夫忘记了我们的结婚纪念日，我在厨房哭了'
    expect(screen('I feel sad: 我丈夫忘记了我们的结婚纪念日', original)).toEqual(
      refused('bridge_repeats_original'),
    )
    expect(screen('I feel sad: 我 丈 夫 忘 记 了 我 们 的 结 婚', original)).toEqual(
      refused('bridge_repeats_original'),
    )
    expect(screen('I feel sad: 我很难过', original)).toEqual(ok)
    const thai = 'เมื่อคืนสามีของฉันลืมวันครบรอบแต่งงานของเรา'
    expect(screen('I feel: สามีของฉันลืมวันครบรอบแต่งงาน', thai)).toEqual(refused('bridge_repeats_original'))
  })

  it('[CB-4] refuses the whole of an original of three or four words, and any original as it is', () => {
    expect(screen('I need more respect, I feel.', 'I need more respect')).toEqual(
      refused('bridge_repeats_original'),
    )
    expect(screen('I feel alone at times.', 'I feel alone')).toEqual(refused('bridge_repeats_original'))
    expect(screen('More respect!', 'more respect')).toEqual(refused('bridge_repeats_original'))
    expect(screen('I need more respect.', 'more respect')).toEqual(ok)
    expect(screen('I feel hurt.', 'hurt')).toEqual(ok)
  })

  it('[CB-4] does not count the same words in another order, nor words in passing', () => {
    expect(screen('I feel our anniversary forgot Tom because.', ORIGINAL)).toEqual(ok)
    expect(screen('I feel it because Tom, as always, forgot what our anniversary is.', ORIGINAL)).toEqual(ok)
  })

  it('[CB-4] finds five short words, and does not mistake their letters for other words', () => {
    expect(screen('I feel so: I am in a bad way.', 'now I am in a bad mood')).toEqual(
      refused('bridge_repeats_original'),
    )
    expect(screen('I need it.', 'i n e e d')).toEqual(ok)
  })

  it('[CB-3] what nobody sees is not shared: no text can be hidden in another', () => {
    const hidden = [...'They never help'].map(letter =>
      String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0)),
    )
    const bits = 'I need calm.'.split('').join('\u200c').replace('n', 'n\u200d\u200d')
    for (const text of [
      `I feel a need for safety.${hidden.join('')}`,
      'I feel a \u202eneed\u202c for safety.',
      'I feel a need\u0000 for \u00adsafe\u2060ty.\ufeff',
      'I feel a need for safety.\ufe0e\u{e0101}',
    ])
      expect(stripInvisible(text)).toBe('I feel a need for safety.')
    expect(stripInvisible(bits)).toBe('I need calm.')
    for (const text of ['Ich fühle mich müde. 👩‍👩‍👧 ❤️', 'می‌خواهم آرام باشم', 'One line.\nAnother.'])
      expect(stripInvisible(text)).toBe(text)
    expect(stripInvisible('One\r\nand\tmore ')).toBe('One\nand more')
  })

  it('[CB-4] is as quick with what is made to be slow', () => {
    const started = performance.now()
    for (const text of ['.', 'hurt ', '. a'].map(one => one.repeat(times(15_000, 65_000) / one.length)))
      transformBuiltIn(text, 'EVENT_SUMMARY')
    expect(performance.now() - started).toBeLessThan(15_000)
  })
})
