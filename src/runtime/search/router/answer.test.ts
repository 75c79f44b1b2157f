import { describe, expect, it } from 'vitest'
import { AnswerReader, isSupported } from './answer.js'

const PASSAGES = [
  {
    ref: 1,
    text: 'The Court denied the motion to dismiss on March 14, 2022, because scienter is pleaded with particularity.',
  },
  {
    ref: 2,
    text: 'Damages of $4,310 were awarded. Interest was not awarded to the plaintiffs in Smith v. Jones.',
  },
]

describe('[SR-19] an answer', () => {
  const read = (...pieces: string[]) => {
    const reader = new AnswerReader(PASSAGES)
    const told = [...pieces.flatMap(piece => reader.push(piece)), ...reader.end()]
    expect(told).toEqual(reader.sentences)
    return { told, leftOut: reader.leftOut }
  }

  it('is told by sentences as they are completed, each with what it cites', () => {
    const reader = new AnswerReader(PASSAGES)
    expect(reader.push('The motion to dismiss was denied [1')).toEqual([])
    expect(reader.push(']. Interest was not aw')).toEqual([
      { text: 'The motion to dismiss was denied.', citations: [1] },
    ])
    expect(reader.push('arded in Smith v. Jones. [2]')).toEqual([])
    expect(reader.end()).toEqual([{ text: 'Interest was not awarded in Smith v. Jones.', citations: [2] }])
    expect(reader.leftOut).toBe(0)
  })

  it.each([
    ['cites nothing', 'The motion to dismiss was denied.'],
    ['cites what was not given', 'The motion to dismiss was denied [3].'],
    ['cites another passage', 'The motion to dismiss was denied [2].'],
    ['has another number', 'The motion to dismiss was denied on March 15, 2022 [1].'],
    ['says the opposite', 'The motion to dismiss was never denied [1].'],
    [
      'says more',
      'The motion to dismiss was denied after the witness recanted before a grand jury in Boston [1].',
    ],
    ['quotes otherwise', 'The court held that “scienter was pleaded poorly” [1].'],
  ])('leaves a sentence out that %s', (_, text) => {
    expect(read(text)).toEqual({ told: [], leftOut: 1 })
  })

  it('keeps the others, and takes several numbers', () => {
    expect(
      read('Nobody knows. The motion to dismiss was denied, and damages of $4,310 were awarded [1, 2].'),
    ).toEqual({
      told: [
        { text: 'The motion to dismiss was denied, and damages of $4,310 were awarded.', citations: [1, 2] },
      ],
      leftOut: 1,
    })
  })

  it('is none where the model says so', () => {
    expect(read('NO_ANSWER')).toEqual({ told: [], leftOut: 0 })
    expect(read('')).toEqual({ told: [], leftOut: 0 })
  })

  it('is supported by other forms of its words', () => {
    expect(isSupported('The court denies motions to dismiss.', PASSAGES[0]?.text ?? '')).toBe(true)
    expect(isSupported('It is so.', PASSAGES[0]?.text ?? '')).toBe(false)
  })
})
