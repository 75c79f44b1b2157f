import { describe, expect, it } from 'vitest'
import { type MemoryDepth, type MemoryIntent, memoryIntent } from './memory-intent.js'

const STAGES = [0, 1, 2, 3, 4]
const AVOID = { intent: 'avoid_recall', depth: 'none' }
const ENFORCE = { intent: 'stage_enforcement', depth: 'none' }
const VALIDATE = { intent: 'emotional_validation', depth: 'minimal' }
const CONTINUE = { intent: 'offer_continuity', depth: 'light' }
const RECALL = { intent: 'recall_commitment', depth: 'full' }
const RECALL_LIGHTLY = { intent: 'recall_commitment', depth: 'light' }

const turn = (
  stage: number,
  message: string,
  more: { intensity?: number | null; firstTurn?: boolean } = {},
) => memoryIntent({ stage, message, intensity: 3, firstTurn: false, ...more })
const inEveryStage = (message: string, more: Parameters<typeof turn>[2] = {}) =>
  STAGES.map(stage => turn(stage, message, more))

const NEUTRAL = 'I had soup for lunch.'

const DISTRESS = [
  'I want to die',
  'I wanna die',
  "I can't do this anymore",
  'I CAN’T DO THIS ANYMORE!!!',
  'i cant take it any more',
  'I can not take this any longer',
  'I cannot go on',
  "I can't go on like this.",
  "I can't breathe",
  "I'm having a panic attack",
  'I want to hurt myself',
  'Sometimes I think about killing myself',
  'I feel suicidal',
  'They would be better off without me',
  'I wish I was dead',
  'There is no reason to live',
  "I don't want to live",
  "I don't want to be here anymore",
  "I'm falling apart",
  'I am losing my mind',
  "I can't stop crying",
  "I can't cope",
  'I feel so hopeless',
  'I am afraid for my life',
  'He hit me',
  'My husband slapped me last night',
  'She is going to hurt me',
  'I want to end it all',
  'self-harm again',
  'I ca\u200bn’t breathe',
  'I can´t breathe',
  "I'm going to die",
  'Ｉ ｗａｎｔ ｔｏ ｄｉｅ',
]

const COMMITMENTS = [
  'we agreed',
  'We agreed on Sundays.',
  'WE AGREED!',
  "we'd agreed to talk",
  'But we had agreed that he calls',
  "We've both agreed to this before",
  'you agreed to do the dishes',
  'as agreed, I called',
  'What did we agree on?',
  'what did we decide last time',
  'Remind me what we agreed to',
  'what was agreed about money?',
  'our agreement says otherwise',
  'That is not in the agreement',
  'we had a deal',
  'You promised!',
  'He promised me',
  'she broke her promise',
  'I kept my promise',
  'our commitment to each other',
  'we committed to one evening a week',
  'You said you would call',
  "you said you'd call",
  'you said you’d call',
  'We said we would try',
  'The experiment we tried went well',
  'How did our experiment go? It was the plan we made',
  'we decided to take turns',
  'We\u00a0 agreed',
  'we\nagreed on it',
  'We never agreed to that',
]

const SKIPS = [
  'Can we skip this?',
  'can we skip this part',
  "Let's skip ahead",
  'Let’s skip to the solutions',
  'I want to skip this stage',
  'I want to skip',
  'Could we just skip that exercise?',
  'skip this',
  'Skip the empathy part please',
  'Can we move on?',
  'Can we please move on to the next step',
  "let's just move on",
  'jump to the solution',
  'Go straight to stage 4',
  'get to the point',
  'Do we really have to do this?',
  "I don't want to do this exercise",
  'I do not want to answer. I want to get this over with',
  'fast forward to the agreement',
  'next stage please',
]

const NEITHER = [
  NEUTRAL,
  '',
  '...',
  'we disagreed about dinner',
  'We disagreed. Again.',
  'I agreed with her taste in music',
  'I agree with you',
  'we skip breakfast',
  'We skip breakfast every day',
  'he skips dinner',
  "I'd like to skip breakfast",
  "let's skip the party on Friday",
  'Can we skip the gym tomorrow',
  "I don't want to skip this",
  "I don't want to skip ahead",
  'my heart skipped a beat',
  'the kids were skipping in the yard',
  "I can't move on from what happened",
  'we need to move on from the affair',
  'we moved to Berlin',
  'a big deal',
  'I have to deal with it',
  'it is a great deal of work',
  'this looks promising',
  'she has commitment issues',
  'My back is killing me',
  'my plants are going to die',
  'I cut myself shaving',
  'I hurt myself at the gym',
  'I don’t want to die on this hill',
  'it hit me that we are alike',
  'this cake is to die for',
  'not a hill I want to die on this time',
  "I can't go on holiday in May",
  "I can't do this Saturday",
  'I could kill for a coffee',
  'he took a deep breath',
  'I felt a bit overwhelmed at work',
  'the plan is to go shopping',
  'we should decide about the sofa',
  'how do I decide',
  'can we reach an agreement one day',
  'the science experiment at school',
  'I promise to be on time',
]

describe('the intent of a turn', () => {
  it('[RC-13] follows the stage where nothing else decides', () => {
    expect(inEveryStage(NEUTRAL)).toEqual([ENFORCE, VALIDATE, RECALL_LIGHTLY, RECALL, RECALL])
  })

  it('[RC-13] offers continuity on the first turn, in every stage but the first', () => {
    expect(inEveryStage(NEUTRAL, { firstTurn: true })).toEqual([
      CONTINUE,
      VALIDATE,
      CONTINUE,
      CONTINUE,
      CONTINUE,
    ])
  })

  it.each([
    8,
    8.5,
    9,
    10,
    11,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])('[RC-13] avoids recall at an intensity of %s, whatever else there is', intensity => {
    for (const message of [NEUTRAL, 'we agreed', 'can we skip this?', 'I want to die'])
      for (const firstTurn of [false, true])
        expect(inEveryStage(message, { intensity, firstTurn })).toEqual([AVOID, AVOID, AVOID, AVOID, AVOID])
  })

  it.each([null, 0, 1, 5, 7, 7.9])('[RC-13] does not avoid recall at an intensity of %s', intensity => {
    expect(inEveryStage(NEUTRAL, { intensity })).toEqual([ENFORCE, VALIDATE, RECALL_LIGHTLY, RECALL, RECALL])
  })

  it.each(DISTRESS)('[RC-13] avoids recall on distress, whatever else there is: %j', message => {
    for (const firstTurn of [false, true])
      for (const more of [message, `${message}. We agreed on it.`, `Can we skip this? ${message}`])
        expect(inEveryStage(more, { firstTurn, intensity: null })).toEqual([
          AVOID,
          AVOID,
          AVOID,
          AVOID,
          AVOID,
        ])
  })

  it.each(
    COMMITMENTS,
  )('[RC-13] recalls on reference to a commitment, but validates in stage 1: %j', message => {
    for (const firstTurn of [false, true])
      for (const more of [message, `Can we skip this? ${message}`, `${message}. Let's skip ahead`])
        expect(inEveryStage(more, { firstTurn })).toEqual([RECALL, VALIDATE, RECALL_LIGHTLY, RECALL, RECALL])
  })

  it.each(SKIPS)('[RC-13] enforces the stage on wanting to skip, but validates in stage 1: %j', message => {
    for (const firstTurn of [false, true])
      expect(inEveryStage(message, { firstTurn })).toEqual([ENFORCE, VALIDATE, ENFORCE, ENFORCE, ENFORCE])
  })

  it.each(NEITHER)('[RC-13] reads neither distress, commitment nor skipping into %j', message => {
    expect(inEveryStage(message, { firstTurn: true })).toEqual([
      CONTINUE,
      VALIDATE,
      CONTINUE,
      CONTINUE,
      CONTINUE,
    ])
    expect(inEveryStage(message)).toEqual([ENFORCE, VALIDATE, RECALL_LIGHTLY, RECALL, RECALL])
  })

  it.each([
    -1,
    5,
    1.5,
    Number.NaN,
  ])('[DE-2] [RC-13] retrieves nothing in a stage of %s, which there is not', stage => {
    expect(turn(stage, NEUTRAL)).toEqual(ENFORCE)
  })

  it('[RC-13] has for each intent the depth that 000 gives it', () => {
    const depths = new Map<MemoryIntent, Set<MemoryDepth>>()
    for (const message of [NEUTRAL, 'we agreed', 'skip this', 'I want to die'])
      for (const stage of STAGES)
        for (const firstTurn of [false, true]) {
          const { intent, depth } = turn(stage, message, { firstTurn })
          depths.set(intent, (depths.get(intent) ?? new Set()).add(depth))
        }
    expect(Object.fromEntries(depths)).toEqual({
      avoid_recall: new Set(['none']),
      stage_enforcement: new Set(['none']),
      emotional_validation: new Set(['minimal']),
      offer_continuity: new Set(['light']),
      recall_commitment: new Set(['full', 'light']),
    })
  })

  it('[RC-13] reads a long message in no time', () => {
    const started = performance.now()
    for (const word of [
      'we all both have ',
      'i cant just ',
      'can we please just ',
      'skip ',
      'jump ahead right ',
    ])
      turn(2, word.repeat(20_000))
    expect(performance.now() - started).toBeLessThan(3000)
  })
})
