import { describe, expect, it } from 'vitest'
import { namesOf, type RatedMessage, readSet } from '../../test/mediation/sets/read-set.js'
import { readSignals } from '../policy/message-signals.js'
import { isSubNeed } from './needs.js'
import { type KnownReading, recogniseShareable } from './recognise-shareable.js'
import { screen } from './screen.js'
import { transformBuiltIn } from './transformation.js'

const DISTRESS = readSet('distress', ['language', 'kind', 'text', 'reason'])
const INTENT = readSet('intent', ['language', 'intent', 'text', 'reason'])
const NEED = readSet('need', ['language', 'needs', 'text', 'reason'])
const SCREEN = readSet('screen', ['language', 'verdict', 'text', 'reason'])
const TRANSFORMATION = readSet('transformation', [
  'language',
  'emotion',
  'needs',
  'topics',
  'feelings',
  'text',
  'reason',
])

/** Prints the figures, and what went wrong in the half that is for tuning. */
const verbose = process.env.PRIVITY_SHOW_RATINGS === '1'
function report<Column extends string>(
  what: string,
  rows: readonly RatedMessage<Column | 'text'>[],
  isRight: (row: RatedMessage<Column | 'text'>) => boolean,
): number {
  const right = rows.filter(isRight)
  if (verbose) {
    console.log(`${what}: ${right.length} of ${rows.length}`)
    for (const row of rows) if (!row.heldBack && !isRight(row)) console.log(`  not right: ${row.fields.text}`)
  }
  return right.length / rows.length
}

describe.each([
  ['for tuning', false],
  ['held back', true],
] as const)('rated messages %s', (half, heldBack) => {
  const halfOf = <Row extends { readonly heldBack: boolean }>(rows: readonly Row[]) =>
    rows.filter(row => row.heldBack === heldBack)

  it('[RC-13] show distress in nine of ten, with less than 3 % false alarms', () => {
    const found = (text: string) => readSignals(text).distress
    const rows = halfOf(DISTRESS)
    const real = rows.filter(({ fields }) => fields.kind !== 'none')
    const harmless = rows.filter(({ fields }) => fields.kind === 'none')
    expect(rows.length).toBeGreaterThanOrEqual(100)
    expect(
      report(`distress found, ${half}`, real, ({ fields }) => found(fields.text) !== null),
    ).toBeGreaterThanOrEqual(0.9)
    expect(
      report(`kind of distress, ${half}`, real, ({ fields }) => found(fields.text) === fields.kind),
    ).toBeGreaterThanOrEqual(0.85)
    expect(
      report(`no false alarm, ${half}`, harmless, ({ fields }) => found(fields.text) === null),
    ).toBeGreaterThan(0.97)
  })

  it('[RC-13] show what was agreed and what should be skipped in nine of ten', () => {
    const intentOf = (text: string) => {
      const { commitment, skipping } = readSignals(text)
      return commitment ? 'commitment' : skipping ? 'skip' : 'none'
    }
    for (const intent of ['commitment', 'skip', 'none']) {
      const rows = halfOf(INTENT).filter(({ fields }) => fields.intent === intent)
      expect(
        report(`${intent}, ${half}`, rows, ({ fields }) => intentOf(fields.text) === intent),
      ).toBeGreaterThanOrEqual(0.9)
    }
  })

  it('[CB-10] are read for the need that a reader finds in them, or for none', () => {
    const rows = halfOf(NEED)
    const said = ({ fields }: (typeof rows)[number]) => recogniseShareable(fields.text).need ?? 'none'
    const isRight = (row: (typeof rows)[number]) => namesOf(row.fields.needs).includes(said(row))
    expect(report(`need, ${half}`, rows, isRight)).toBeGreaterThanOrEqual(0.75)
    const wrong = rows.filter(row => said(row) !== 'none' && !isRight(row))
    expect(wrong.map(({ fields }) => fields.text)).toEqual([])
  })

  it('[CB-4] are screened in German, Spanish and French', () => {
    const rows = halfOf(SCREEN)
    const verdictOf = (text: string) => {
      const screened = screen(text, '')
      return screened.ok ? 'ok' : screened.reason.replace('bridge_', '')
    }
    expect(
      report(`screen, ${half}`, rows, ({ fields }) => verdictOf(fields.text) === fields.verdict),
    ).toBeGreaterThanOrEqual(0.9)
  })

  it('[CB-10] are transformed usably or not at all: none misleads, quotes or blames', () => {
    const rows = halfOf(TRANSFORMATION)
    const told = ({ fields }: (typeof rows)[number]) => {
      const known: KnownReading = fields.emotion === '-' ? {} : { emotion: fields.emotion }
      return {
        ...transformBuiltIn(fields.text, 'EVENT_SUMMARY', known),
        ...recogniseShareable(fields.text, known),
      }
    }
    const isSilent = (row: (typeof rows)[number]) => row.fields.needs === 'silent'
    const isRight = (row: (typeof rows)[number]) => {
      const { isWorthSharing, need, feeling, topic } = told(row)
      if (isSilent(row)) return !isWorthSharing
      const { needs, feelings, topics } = row.fields
      return (
        isWorthSharing &&
        (need === null || namesOf(needs).includes(need)) &&
        (feeling === null || namesOf(feelings).includes(feeling)) &&
        topic !== null &&
        namesOf(topics).includes(topic)
      )
    }
    const asked = rows.filter(row => told(row).isWorthSharing)
    expect(asked.filter(row => !isRight(row)).map(row => [row.fields.text, told(row).text])).toEqual([])
    expect(report(`transformation, ${half}`, rows, isRight)).toBeGreaterThanOrEqual(0.8)
    for (const row of asked) {
      expect(screen(told(row).text, row.fields.text)).toEqual({ ok: true })
      if (verbose) console.log(`  ${row.fields.text}\n    → ${told(row).text}`)
    }
  })
})

it('[CB-10] the rated needs are needs of ours', () => {
  for (const { fields } of NEED)
    for (const need of namesOf(fields.needs))
      expect(
        need === 'none' || isSubNeed(need) || recogniseShareable('', { need: need as 'SAFETY' }).need,
      ).toBeTruthy()
})
