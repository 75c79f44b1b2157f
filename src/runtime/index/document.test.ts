import { describe, expect, it } from 'vitest'
import { aTuple } from '../../../test/support/subject.js'
import type { IndexRow } from '../../storage/queries/index-feed.js'
import { indexDocument } from './document.js'

const row: IndexRow = {
  id: '00000000-0000-4000-8000-000000000001',
  cell: 'user:ann',
  compartmentId: '00'.repeat(32),
  tuple: aTuple(),
  title: null,
  text: 'x',
  language: 'und',
  tags: [],
  fields: {},
  spans: [],
  filingUnit: null,
  version: null,
  versionKind: null,
  part: null,
  conversation: null,
  turn: null,
  speaker: null,
  createdAt: new Date(5),
  occurredAt: null,
  expiresAt: null,
  salience: 0.5,
  salienceAt: new Date(5),
  pinned: false,
}

describe('the salience of a record in the index', () => {
  it('takes no room where nobody has said anything of it, and stands there otherwise', () => {
    const kept = (differs: Partial<IndexRow>) => indexDocument({ ...row, ...differs }, 0).salience
    expect(kept({})).toBeNull()
    expect(kept({ salience: 0.25 })).toEqual({ salience: 0.25, since: 5, pinned: false })
    expect(kept({ salienceAt: new Date(6) })).toEqual({ salience: 0.5, since: 6, pinned: false })
    expect(kept({ pinned: true })).toEqual({ salience: 0.5, since: 5, pinned: true })
  })
})
