import { describe, expect, it } from 'vitest'
import { aSubject, aTuple } from '../../../test/support/subject.js'
import { formOf, levelOf } from '../faces.js'
import type { Audience } from '../vocabulary.js'
import { overlay } from './overlay.js'

const near = '["document","ann","d"]'
const far = '["corpus","ann","c"]'

function face(
  overlays: readonly (readonly [target: string, restriction: string])[],
  more: { audience?: string; redacted?: boolean; granted?: readonly string[] } = {},
): string {
  const byTarget = new Map<string, string[]>()
  for (const [target, restriction] of overlays)
    byTarget.set(target, [...(byTarget.get(target) ?? []), restriction])
  const subject = aSubject({
    audience: (more.audience ?? 'owner') as Audience,
    overlays: byTarget,
    grants: new Set(more.granted ?? []),
  })
  const tuple = aTuple({ overlayTargets: [far, near], redacted: more.redacted ?? false })
  const verdict = overlay.decide(subject, tuple)
  const level = levelOf(verdict.face)
  return level === 'none' ? 'none' : `${formOf(verdict.face)} ${level}`
}

const full = 'original full'
const preview = 'original preview'
const twin = 'substitute full'
const none = 'none'

describe('[OV-1] each restriction for each audience', () => {
  // Columns: the record; with a grant; its redacted twin; the twin with a grant.
  it.each([
    ['none', 'owner', [full, full, full, full]],
    ['none', 'host', [full, full, full, full]],
    ['none', 'agent', [full, full, full, full]],
    ['none', 'recipient', [full, full, full, full]],
    ['explicit_access_required', 'owner', [none, full, none, full]],
    ['explicit_access_required', 'host', [none, full, none, full]],
    ['explicit_access_required', 'agent', [none, full, none, full]],
    ['explicit_access_required', 'recipient', [none, full, none, full]],
    ['preview_only', 'owner', [preview, preview, preview, preview]],
    ['preview_only', 'host', [preview, preview, preview, preview]],
    ['preview_only', 'agent', [preview, preview, preview, preview]],
    ['preview_only', 'recipient', [preview, preview, preview, preview]],
    ['redacted_only', 'owner', [twin, twin, full, full]],
    ['redacted_only', 'host', [twin, twin, full, full]],
    ['redacted_only', 'agent', [twin, twin, full, full]],
    ['redacted_only', 'recipient', [twin, twin, full, full]],
    ['not_shareable', 'owner', [full, full, full, full]],
    ['not_shareable', 'host', [full, full, full, full]],
    ['not_shareable', 'agent', [full, full, full, full]],
    ['not_shareable', 'recipient', [none, none, none, none]],
    ['not_shareable', 'unheard_of', [none, none, none, none]],
    ['blocked', 'owner', [none, none, none, none]],
    ['blocked', 'host', [none, none, none, none]],
    ['blocked', 'agent', [none, none, none, none]],
    ['blocked', 'recipient', [none, none, none, none]],
    ['access_ceremony_required', 'owner', [none, none, none, none]],
    ['unheard_of', 'owner', [none, none, none, none]],
    ['', 'owner', [none, none, none, none]],
  ] as const)('%s, for %s: %o', (restriction, audience, expected) => {
    const overlays = [[near, restriction]] as const
    expect([
      face(overlays, { audience }),
      face(overlays, { audience, granted: [near] }),
      face(overlays, { audience, redacted: true }),
      face(overlays, { audience, redacted: true, granted: [near] }),
    ]).toEqual(expected)
  })
})

describe('[OV-2] every overlay applies and the smallest face wins', () => {
  it.each([
    [[], full],
    [
      [
        [far, 'blocked'],
        [near, 'none'],
      ],
      none,
    ],
    [
      [
        [near, 'blocked'],
        [far, 'none'],
      ],
      none,
    ],
    [
      [
        [far, 'preview_only'],
        [near, 'none'],
      ],
      preview,
    ],
    [
      [
        [far, 'preview_only'],
        [near, 'redacted_only'],
      ],
      'substitute preview',
    ],
    [
      [
        [near, 'preview_only'],
        [near, 'blocked'],
      ],
      none,
    ],
    [
      [
        [near, 'none'],
        [near, 'none'],
      ],
      full,
    ],
  ] as const)('%o shows %s', (overlays, expected) => {
    expect(face(overlays)).toBe(expected)
    expect(face([...overlays].reverse())).toBe(expected)
  })
})

describe('[OV-2] a grant lifts explicit_access_required on its own target, and nothing else', () => {
  it.each([
    [[[near, 'explicit_access_required']], [far], none],
    [
      [
        [near, 'explicit_access_required'],
        [far, 'explicit_access_required'],
      ],
      [near],
      none,
    ],
    [
      [
        [near, 'explicit_access_required'],
        [far, 'explicit_access_required'],
      ],
      [near, far],
      full,
    ],
    [
      [
        [near, 'explicit_access_required'],
        [near, 'preview_only'],
      ],
      [near],
      preview,
    ],
    [
      [
        [near, 'explicit_access_required'],
        [near, 'blocked'],
      ],
      [near],
      none,
    ],
    [
      [
        [near, 'explicit_access_required'],
        [far, 'blocked'],
      ],
      [near, far],
      none,
    ],
  ] as const)('%o with grants of %o shows %s', (overlays, granted, expected) => {
    expect(face(overlays, { granted })).toBe(expected)
  })
})

it('[OV-2] an overlay on something else does not apply', () => {
  expect(face([['["document","bob","d"]', 'blocked']])).toBe(full)
})
