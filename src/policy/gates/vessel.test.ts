import { expect, it } from 'vitest'
import { aSubject, aTuple } from '../../../test/support/subject.js'
import { levelOf } from '../faces.js'
import type { PolicyTuple } from '../tuple.js'
import { vessel } from './vessel.js'

const subject = aSubject({
  audience: 'recipient',
  principals: new Set(['ann', 'group:g', 'role:g/editor']),
  sessions: new Map([['s', { relationship: 'couple', participants: new Set(['ann', 'ben']) }]]),
  views: new Map([
    [
      '["corpus","ben","briefs"]',
      {
        surfaces: new Set<string>(),
        derivedMemorySharePolicy: 'exclude_all',
        asksProvenance: false,
        hostAnnotationPolicy: 'exclude_all',
        visibilityClassCeiling: 'public_open',
        temporalMode: 'live_view',
        snapshotAt: null,
        stoodAt: null,
        scopes: [],
      },
    ],
  ]),
})

const cases: readonly [string, Partial<PolicyTuple>, boolean][] = [
  ['my own', { owner: 'ann' }, true],
  ['of my group', { owner: 'group:g' }, true],
  ['of my role', { owner: 'role:g/editor' }, true],
  ['of another role', { owner: 'role:g/reader' }, false],
  ['of a role without a name', { owner: 'role:g/' }, false],
  ['of another group', { owner: 'group:h' }, false],
  ["of a person's own", { owner: 'ben' }, false],
  ['of a corpus in a view', { owner: 'ben', corpus: 'briefs' }, true],
  ['of a corpus of that name, of another owner', { owner: 'cleo', corpus: 'briefs' }, false],
  ['of a session of mine', { vessel: 'shared', owner: 'ben', session: 's' }, true],
  ['of a session that is not mine', { vessel: 'shared', owner: 'ann', session: 'other' }, false],
  ['shared in no session', { vessel: 'shared', owner: 'ann' }, false],
  ['of the library', { vessel: 'global', owner: 'ben' }, true],
  ['of an unknown vessel', { vessel: 'unheard_of', owner: 'ann' }, false],
  ['of no vessel', { vessel: '', owner: 'ann' }, false],
]

it('[DE-3] views open a vessel to recipients, and to nobody else', () => {
  const record = aTuple({ owner: 'ben', corpus: 'briefs' })
  for (const audience of ['owner', 'host', 'agent'] as const)
    expect(levelOf(vessel.decide({ ...subject, audience }, record).face)).toBe('none')
})

it.each(cases)('[DE-3] the vessel of a record %s: %o is open: %s', (_, tuple, open) => {
  expect(levelOf(vessel.decide(subject, aTuple(tuple)).face)).toBe(open ? 'full' : 'none')
})
