import { expect, it } from 'vitest'
import { leanAnswer } from './lean.js'

const record = {
  id: 'r',
  face: 'full',
  kind: 'note',
  sensitivity: 'low',
  confidence: 1,
  scope: null,
  tags: [],
  createdAt: 'then',
  updatedAt: 'then',
  payload: {
    title: null,
    text: 'said',
    contested: false,
    owner: 'ana',
    author: 'ana',
    fields: { kept: false },
  },
  relations: [],
  version: 'digest',
}

it('leaves out what is null, empty or as usual below the top level, and what repeats a text', () => {
  const short = {
    id: 'r',
    face: 'full',
    kind: 'note',
    sensitivity: 'low',
    createdAt: 'then',
    payload: { text: 'said', owner: 'ana', fields: { kept: false } },
  }
  expect(leanAnswer(record)).toEqual(short)
  expect(
    leanAnswer({
      results: [{ record, score: 0.5, scores: { text: 1 }, snippet: { passages: [] } }],
      cursor: null,
      facets: [],
    }),
  ).toEqual({
    results: [{ record: short, score: 0.5 }],
    cursor: null,
    facets: [],
  })
})

it('keeps what is unusual, and what a lesser face shows', () => {
  const unusual = {
    ...record,
    confidence: 0.5,
    updatedAt: 'now',
    payload: { ...record.payload, contested: true, author: 'helper' },
  }
  expect(leanAnswer(unusual)).toMatchObject({
    confidence: 0.5,
    updatedAt: 'now',
    payload: { contested: true, author: 'helper' },
  })
  const preview = { ...record, face: 'preview', payload: null }
  expect(leanAnswer({ results: [{ record: preview, snippet: { text: 'x' } }] })).toEqual({
    results: [
      {
        record: { id: 'r', face: 'preview', kind: 'note', sensitivity: 'low', createdAt: 'then' },
        snippet: { text: 'x' },
      },
    ],
  })
  expect([leanAnswer(null), leanAnswer({ receipt: { complete: false } })]).toEqual([
    null,
    { receipt: { complete: false } },
  ])
})
