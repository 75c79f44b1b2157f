import type { CONTENT_TYPES } from '../policy/vocabulary.js'
import type { NeedCategory } from './needs.js'

export type ContentType = (typeof CONTENT_TYPES)[number]

/**
 * The wordings of the built-in transformation. `{need}`, `{feeling}` and `{noun}` are replaced by names from our own
 * lists, never by anybody's words. Each wording is one sentence, so an opening and a wish make two.
 */

/** For each need, a noun that follows "a need for", and the wishes of somebody who has it. */
export const NEEDS: Readonly<
  Record<NeedCategory, { noun: string; short: string; wishes: readonly string[] }>
> = {
  SAFETY: {
    noun: 'safety',
    short: 'I need safety.',
    wishes: [
      'I would like to feel secure with you and at home.',
      'It would help me to know what I can rely on between us.',
      'Being able to trust and to relax with you means a lot to me.',
      'I wish for calm and honesty, so that I can let my guard down.',
      'Knowing that hard moments stay gentle would do me good.',
    ],
  },
  CONNECTION: {
    noun: 'connection',
    short: 'I need closeness.',
    wishes: [
      'I would like to feel close to you again.',
      'It would help me to share more of our days and thoughts.',
      'Being heard by you and spending time side by side means a lot to me.',
      'I wish for warmth and for moments that are only ours.',
      'Knowing that we can reach each other would do me good.',
    ],
  },
  AUTONOMY: {
    noun: 'autonomy',
    short: 'I need freedom.',
    wishes: [
      'I would like some room to make my own choices.',
      'It would help me to have time and space that I can shape freely.',
      'Being trusted to go my own pace means a lot to me.',
      'I wish for freedom and closeness side by side.',
      'Knowing that my no is as welcome as my yes would do me good.',
    ],
  },
  RECOGNITION: {
    noun: 'recognition',
    short: 'I need to matter.',
    wishes: [
      'I would like to feel seen in what I give.',
      'It would help me to hear now and then that my part counts.',
      'Being taken seriously, with what I think and do, means a lot to me.',
      'I wish for respect and a kind word for everyday things.',
      'Knowing that my efforts are noticed would do me good.',
    ],
  },
  MEANING: {
    noun: 'meaning',
    short: 'I need meaning.',
    wishes: [
      'I would like to sense what our life is about.',
      'It would help me to look ahead with you and to have something to grow towards.',
      'Sharing what we believe in means a lot to me.',
      'I wish for goals and dreams that we both can stand behind.',
      'Knowing that what we build has a purpose would do me good.',
    ],
  },
  FAIRNESS: {
    noun: 'fairness',
    short: 'I need fairness.',
    wishes: [
      'I would like what we carry to be in balance.',
      'It would help me if work and rest were spread evenly between us.',
      'Finding arrangements that feel right to both of us means a lot to me.',
      'I wish for give and take in our everyday life.',
      'Knowing that the load is shared would do me good.',
    ],
  },
}

/** Openings for a need and a feeling, for one of them, or for neither. */
export interface Openings {
  readonly both: readonly string[]
  readonly need: readonly string[]
  readonly feeling: readonly string[]
  readonly neither: readonly string[]
}

const NEED_OPENINGS = [
  'I have a need for {need} that I would like you to know about.',
  'Something I need in our life together is {need}.',
  'I notice how much {need} matters to me right now.',
  'There is a need in me, and its name is {need}.',
  'More {need} is what I long for.',
]
const FEELING_OPENINGS = [
  'I have been feeling {feeling}.',
  'Lately I often feel {feeling}, and I would like you to know.',
  'I carry a feeling of {noun} with me these days.',
  'There is something I want to share with you: a feeling of {noun}.',
  'Inside I have felt {feeling} for some time.',
]

export const OPENINGS: Readonly<Record<ContentType, Openings>> = {
  IDENTIFIED_NEED: {
    both: [
      'I have a need for {need}, and I feel {feeling} when it goes unmet.',
      'Behind my feeling {feeling} I have found a need for {need}.',
      'When I feel {feeling}, it tells me how much I need {need}.',
      'What I need is {need}; without it I end up feeling {feeling}.',
    ],
    need: NEED_OPENINGS,
    feeling: [
      'I feel {feeling}, and I am still finding out which need that comes from.',
      'Some need of mine is unmet, and it leaves me feeling {feeling}.',
      ...FEELING_OPENINGS.slice(0, 2),
    ],
    neither: [
      'I have found a need of mine that I would like to talk about with you.',
      'There is something I need in our relationship, and I want to find the words for it together.',
      'A need of mine has become clear to me, and it is important to me that you hear of it.',
    ],
  },
  EVENT_SUMMARY: {
    both: [
      'Something happened that left me feeling {feeling}, and it touched my need for {need}.',
      'I have been through a moment in which I felt {feeling} and missed {need}.',
      'Thinking back, I felt {feeling}, and I believe a need for {need} was behind it.',
      'A situation between us has stayed with me; I felt {feeling} and would have needed {need}.',
    ],
    need: [
      'Something happened that touched my need for {need}.',
      'I have been through a moment in which I missed {need}.',
      'Thinking back to a situation, I notice that I needed {need}.',
      'An experience has shown me how important {need} is to me.',
    ],
    feeling: [
      'Something happened that left me feeling {feeling}.',
      'I have been through a moment in which I felt {feeling}.',
      'Thinking back to a situation, I notice a feeling of {noun} in me.',
      'An experience has stayed with me, and with it a feeling of {noun}.',
    ],
    neither: [
      'Something happened that still matters to me, and I would like to tell you how it felt.',
      'I have been through a moment that stirred feelings in me, and I hope we can talk about it.',
      'An experience has stayed with me, and I need some time with you to speak about it.',
    ],
  },
  // Each request is about a single reading, so these wordings do not say how often the feeling occurs.
  EMOTIONAL_PATTERN: {
    both: [
      'I notice that I feel {feeling}, and that a need for {need} lies beneath.',
      'When I feel {feeling}, I think {need} is what I need.',
      'When {need} is missing, I feel {feeling}.',
      'I have felt {feeling}, and I long for {need}.',
    ],
    need: [
      'I notice a feeling in me that has to do with my need for {need}.',
      'Beneath what I feel there is a need, and it is {need}.',
      'When my feelings run high, {need} is what I need.',
      ...NEED_OPENINGS.slice(2, 4),
    ],
    feeling: [
      'I notice that I feel {feeling}.',
      'What I notice in me is a feeling of {noun}.',
      'There is something I want to share with you: a feeling of {noun}.',
    ],
    neither: [
      'I notice feelings in me, and I would like to understand them with you.',
      'There is something about how I feel, and I want to speak about it when we both have time.',
      'I notice strong feelings in me, and I hope to find out what I need then.',
    ],
  },
  BOUNDARY: {
    both: [
      'I have a boundary that protects my need for {need}; when it is crossed I feel {feeling}.',
      'To keep from feeling {feeling}, I need a clear limit that gives me {need}.',
      'There is a limit I need, for the sake of {need} and so that I feel less {feeling}.',
    ],
    need: [
      'I have a boundary that protects my need for {need}.',
      'There is a limit I need to set, for the sake of {need}.',
      'A boundary of mine has to do with {need}, and keeping it is important to me.',
      'To have enough {need}, I need a clear limit.',
    ],
    feeling: [
      'I have a boundary, and when it is crossed I feel {feeling}.',
      'There is a limit that I need so that I do not end up feeling {feeling}.',
      'A boundary of mine is important to me, and a feeling of {noun} shows me where it lies.',
    ],
    neither: [
      'I have a boundary that is important to me, and I would like us to talk about it.',
      'There is a limit that I need, and I hope we can find a way to keep it together.',
      'Something is not okay for me, and I want to tell you where my boundary is.',
    ],
  },
  EMPATHY_DRAFT: {
    both: [
      'I imagine that you have been feeling {feeling}, and that {need} matters to you.',
      'Trying to see with your eyes, I sense a feeling of {noun} and a need for {need}.',
      'I wonder whether you feel {feeling} and wish for more {need}.',
    ],
    need: [
      'I imagine that a need for {need} is important to you.',
      'Trying to see with your eyes, I sense a need for {need}.',
      'I wonder whether you wish for more {need} with me.',
    ],
    feeling: [
      'I imagine that you have been feeling {feeling}.',
      'Trying to see with your eyes, I sense a feeling of {noun}.',
      'I wonder whether you have felt {feeling}, and I want to understand it.',
    ],
    neither: [
      'I am trying to imagine how all this feels for you.',
      'I want to understand what you feel and need, and I have begun to think about it.',
      'I would like to see this with your eyes and hear how you feel.',
    ],
  },
  EMPATHY_ATTEMPT: {
    both: [
      'I think you may be feeling {feeling} and in need of {need}, and I would like to hear whether that is so.',
      'What I understand so far is a feeling of {noun} on your side, and a need for {need}.',
      'My guess is that you feel {feeling} and hope for {need}.',
    ],
    need: [
      'I think you may be in need of {need}, and I would like to hear whether that is so.',
      'What I understand so far is a need for {need} on your side.',
      'My guess is that you hope for more {need}.',
    ],
    feeling: [
      'I think you may be feeling {feeling}, and I would like to hear whether that is so.',
      'What I understand so far is a feeling of {noun} on your side.',
      'My guess is that you feel {feeling}, and I want to be there for it.',
    ],
    neither: [
      'I have tried to understand what this feels like for you, and I would like to hear where I am right.',
      'I want you to know that I am thinking about how you feel.',
      'What you feel matters to me, and I hope to understand it better.',
    ],
  },
  STRATEGY_PROPOSAL: {
    both: [
      'I would like us to try something that gives me {need}, so that I feel less {feeling}.',
      'I have an idea that could help with my need for {need}, and with feeling {feeling}.',
      'My wish is to try a small step towards {need} when I feel {feeling}.',
    ],
    need: [
      'I would like us to try something that gives us more {need}.',
      'I have an idea that could help with my need for {need}.',
      'My wish is to take a small step towards {need} with you.',
    ],
    feeling: [
      'I would like us to try something for the times when I feel {feeling}.',
      'I have an idea that could help me with a feeling of {noun}.',
      'My wish is to find a small step for us when I feel {feeling}.',
    ],
    neither: [
      'I would like us to try something new together, and I hope to hear what you think of it.',
      'I have an idea of what could help us, and I wish to try it with you.',
      'My wish is to find a small step that does us both good.',
    ],
  },
}

/** Sentences that follow a feeling when there is no need, and so no wish to name. */
export const CLOSINGS = [
  '',
  'I would like to talk about it with you.',
  'It would mean a lot to me to be heard with this.',
  'I do not need a solution, only some time together.',
] as const

/**
 * Last resort for an original that contains every other wording. The first of each pair has at most four short words,
 * so it cannot repeat five; the second replaces it if the first is itself the original.
 */
export const LAST_RESORTS = {
  own: ['I feel a lot.', 'Something matters to me.'],
  empathy: ['I feel with you.', 'Your feelings are important to me.'],
} as const

/** The description of a request that its owner reads. */
export const DESCRIPTIONS: Readonly<Record<ContentType, Readonly<Record<keyof Openings, string>>>> = {
  IDENTIFIED_NEED: {
    both: 'Your need for {need}',
    need: 'Your need for {need}',
    feeling: 'A need of yours, with a feeling of {noun}',
    neither: 'A need of yours',
  },
  EVENT_SUMMARY: {
    both: 'What happened, as a feeling of {noun}',
    need: 'What happened, as a need for {need}',
    feeling: 'What happened, as a feeling of {noun}',
    neither: 'What happened, in general words',
  },
  EMOTIONAL_PATTERN: {
    both: 'A feeling of {noun}',
    need: 'A feeling to do with your need for {need}',
    feeling: 'A feeling of {noun}',
    neither: 'A feeling of yours',
  },
  BOUNDARY: {
    both: 'A boundary of yours, for {need}',
    need: 'A boundary of yours, for {need}',
    feeling: 'A boundary of yours, with a feeling of {noun}',
    neither: 'A boundary of yours',
  },
  EMPATHY_DRAFT: {
    both: 'Your draft of what your partner may feel, {noun}',
    need: 'Your draft of what your partner may need: {need}',
    feeling: 'Your draft of what your partner may feel, {noun}',
    neither: 'Your draft of what your partner may feel',
  },
  EMPATHY_ATTEMPT: {
    both: 'Your words on what your partner may feel, {noun}',
    need: 'Your words on what your partner may need: {need}',
    feeling: 'Your words on what your partner may feel, {noun}',
    neither: 'Your words on what your partner may feel',
  },
  STRATEGY_PROPOSAL: {
    both: 'A proposal of yours, for {need}',
    need: 'A proposal of yours, for {need}',
    feeling: 'A proposal of yours, for a feeling of {noun}',
    neither: 'A proposal of yours',
  },
}
