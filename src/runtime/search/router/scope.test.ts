import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { times } from '../../../../test/support/depth.js'
import { PrivityError } from '../../../errors.js'
import { parse } from '../../input.js'
import { instantOf, type LegalDate } from '../../legal-date.js'
import { dateOfIngestion, searchScope, withinScope } from './scope.js'

type Time = {
  start?: string | null
  end?: string | null
  inclusiveEndpoints?: boolean
  timezoneBasis?: string
}
const scopeOf = (time: Time) =>
  parse(searchScope, { temporalScope: { dateField: 'filing_date', ...time } }).temporalScope as NonNullable<
    ReturnType<typeof searchScope.parse>['temporalScope']
  >
const within = (time: Time, date: unknown, host = 'UTC') => withinScope(scopeOf(time), host)(date)

/** The date of a filing on a day, or at a local time. */
const filed = (local: string, timeZone: string): LegalDate => ({
  date: local.slice(0, 10),
  timeZone,
  at: instantOf(local, timeZone),
})

const refusal = (input: unknown): PrivityError => {
  try {
    parse(searchScope, input)
  } catch (error) {
    if (error instanceof PrivityError) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('what a scope may be', () => {
  it('[SR-4] is everything, where nothing is said', () => {
    expect(parse(searchScope, {})).toEqual({})
  })

  it('[SR-4] has open ends that are within, on the calendar of the document, unless said otherwise', () => {
    expect(parse(searchScope, { temporalScope: { dateField: 'ruling_date' } })).toEqual({
      temporalScope: {
        dateField: 'ruling_date',
        start: null,
        end: null,
        inclusiveEndpoints: true,
        timezoneBasis: 'originating',
      },
    })
  })

  it.each([
    'filing_date',
    'effective_date',
    'ruling_date',
    'ingested_at',
    'docket_entry_date',
  ])('[SR-4] may be about the %s', dateField => {
    expect(parse(searchScope, { temporalScope: { dateField } }).temporalScope?.dateField).toBe(dateField)
  })

  it('[SR-4] takes cases, corpora, filing units and visibility classes', () => {
    const scope = {
      caseScope: ['3:24-cv-01234'],
      corpusScope: ['Briefs', 'Orders'],
      filingUnitScope: ['opposition'],
      visibilityClassScope: ['public_open', 'work_product_internal'],
    }
    expect(parse(searchScope, scope)).toEqual(scope)
  })

  it.each<[string, unknown]>([
    ['another date field', { temporalScope: { dateField: 'birthday' } }],
    ['no date field', { temporalScope: { start: '2024-01-01' } }],
    ['another basis', { temporalScope: { dateField: 'filing_date', timezoneBasis: 'mars' } }],
    ['a day that there is not', { temporalScope: { dateField: 'filing_date', start: '2024-02-30' } }],
    ['a date in words', { temporalScope: { dateField: 'filing_date', end: 'tomorrow' } }],
    ['a year that there is not', { temporalScope: { dateField: 'filing_date', end: '0000-01-01' } }],
    ['an hour that there is not', { temporalScope: { dateField: 'filing_date', end: '2024-01-01T25:00' } }],
    ['an unknown field', { temporalScope: { dateField: 'filing_date', zone: 'UTC' } }],
    ['another axis', { authorScope: ['x'] }],
    ['an empty list', { corpusScope: [] }],
    ['too many corpora', { corpusScope: Array.from({ length: 51 }, (_, at) => `c${at}`) }],
    ['too many cases', { caseScope: Array.from({ length: 51 }, (_, at) => `c${at}`) }],
    ['too many filing units', { filingUnitScope: Array.from({ length: 51 }, (_, at) => `c${at}`) }],
    ['an unknown visibility class', { visibilityClassScope: ['secret'] }],
    ['too many classes', { visibilityClassScope: Array.from({ length: 7 }, () => 'public_open') }],
  ])('[SR-4] is not one with %s', (_, input) => {
    expect(refusal(input).code).toBe('invalid_input')
  })

  it.each([
    ['2024-03-02', '2024-03-01'],
    ['2024-03-02T00:00', '2024-03-01'],
    ['2024-03-01T10:00:01', '2024-03-01T10:00'],
    ['2024-03-02', '2024-03-01T23:59'],
    ['2024-03-01T12:00:00Z', '2024-03-01T12:30:00+01:00'],
  ])('[SR-4] is not one that starts at %s and ends at %s', (start, end) => {
    expect(refusal({ temporalScope: { dateField: 'filing_date', start, end } })).toMatchObject({
      code: 'invalid_input',
      message: 'temporalScope.start: must not lie after end',
    })
  })

  it.each([
    ['2024-03-01', '2024-03-01'],
    ['2024-03-01T23:00', '2024-03-01'],
    ['2024-03-01', '2024-03-01T00:00'],
    ['2024-03-01T12:30:00+01:00', '2024-03-01T11:30:00Z'],
  ])('[SR-4] may start at %s and end at %s', (start, end) => {
    expect(scopeOf({ start, end })).toMatchObject({ start, end })
  })

  it('[SR-4] is not one whose ends cannot be compared', () => {
    const temporalScope = { dateField: 'filing_date', start: '2024-03-01', end: '2024-03-02T00:00:00Z' }
    expect(refusal({ temporalScope }).message).toBe(
      'temporalScope.start: must have an offset where end has one, and none where not',
    )
  })
})

it('[SR-4] whatever is given as an end is one, or is refused in words', () => {
  const digits = fc.stringMatching(
    /^[0-9]{4}-[01][0-9]-[0-3][0-9](T[0-2][0-9]:[0-5][0-9](:[0-6][0-9](\.[0-9]{1,9})?)?(Z|[+-][0-2][0-9]:?[0-6][0-9])?)?$/,
  )
  const end = fc.oneof(digits, fc.string(), fc.constant(null))
  const basis = fc.constantFrom('originating', 'utc', 'host_user_local')
  fc.assert(
    fc.property(end, end, basis, (start, end, timezoneBasis) => {
      const { success, data } = searchScope.safeParse({
        temporalScope: { dateField: 'filing_date', start, end, timezoneBasis },
      })
      if (!success || data.temporalScope === undefined) return
      const date = { date: '2024-03-01', timeZone: 'Asia/Tokyo', at: '2024-03-01T05:00:00Z' }
      expect(typeof withinScope(data.temporalScope, 'America/New_York')(date)).toBe('boolean')
    }),
    { numRuns: times(500, 5_000) },
  )
})

describe('a date on the calendar of its document', () => {
  // March 1 in Honolulu ends on March 2 at 10:00 UTC.
  const late = filed('2024-03-01T23:30', 'Pacific/Honolulu')
  const early = filed('2024-03-01T00:30', 'Pacific/Kiritimati')

  it('[SR-4] is the day that it was there, whatever day it was elsewhere', () => {
    expect(late.at).toBe('2024-03-02T09:30:00.000Z')
    expect(early.at).toBe('2024-02-29T10:30:00.000Z')
    for (const date of [late, early]) {
      expect(within({ start: '2024-03-01', end: '2024-03-01' }, date)).toBe(true)
      expect(within({ start: '2024-03-02' }, date)).toBe(false)
      expect(within({ end: '2024-02-29' }, date)).toBe(false)
      // The time zone of the host makes no difference.
      expect(within({ start: '2024-03-01', end: '2024-03-01' }, date, 'Asia/Tokyo')).toBe(true)
    }
  })

  it('[SR-4] leaves out the days named at its ends where they are not within', () => {
    const days = { start: '2024-03-01', end: '2024-03-03', inclusiveEndpoints: false }
    const on = (day: string) => within(days, filed(`${day}T12:00`, 'America/New_York'))
    expect(['2024-02-29', '2024-03-01', '2024-03-02', '2024-03-03', '2024-03-04'].map(on)).toEqual([
      false,
      false,
      true,
      false,
      false,
    ])
  })

  it('[SR-4] is compared by the local clock where a time is given without an offset', () => {
    const noon = { start: '2024-03-01T12:00' }
    expect(within(noon, filed('2024-03-01T12:00', 'America/New_York'))).toBe(true)
    expect(within(noon, filed('2024-03-01T11:59', 'America/New_York'))).toBe(false)
    expect(within(noon, filed('2024-03-01T12:00', 'Asia/Tokyo'))).toBe(true)
    expect(within({ ...noon, inclusiveEndpoints: false }, filed('2024-03-01T12:00', 'Asia/Tokyo'))).toBe(
      false,
    )
  })

  it('[SR-4] is the instant that an offset makes of a time', () => {
    const from = { start: '2024-03-02T09:30:00Z' }
    expect(within(from, late)).toBe(true)
    expect(within({ ...from, inclusiveEndpoints: false }, late)).toBe(false)
    expect(within({ end: '2024-03-02T10:29:59+01:00' }, late)).toBe(false)
    expect(within({ end: '2024-03-02T10:30:00+01:00' }, late)).toBe(true)
    expect(within(from, early)).toBe(false)
  })

  it('[SR-4] is the day that the document says, even if its instant says another', () => {
    const claimed = { ...late, date: '2024-05-05' }
    expect(within({ start: '2024-05-05', end: '2024-05-05' }, claimed)).toBe(true)
  })
})

describe('a date in UTC', () => {
  const basis = { timezoneBasis: 'utc' }
  const late = filed('2024-03-01T23:30', 'Pacific/Honolulu')

  it('[SR-4] is the day of its instant there', () => {
    expect(within({ ...basis, start: '2024-03-01', end: '2024-03-01' }, late)).toBe(false)
    expect(within({ ...basis, start: '2024-03-02', end: '2024-03-02' }, late, 'Asia/Tokyo')).toBe(true)
  })

  it.each([
    ['2024-03-01T23:59:59.999Z', false, false],
    ['2024-03-02T00:00:00.000Z', true, false],
    ['2024-03-02T23:59:59.999Z', true, false],
    ['2024-03-03T00:00:00.000Z', true, true],
    ['2024-03-03T23:59:59.999Z', true, true],
    ['2024-03-04T00:00:00.000Z', true, false],
    ['2024-03-04T23:59:59.999Z', true, false],
    ['2024-03-05T00:00:00.000Z', false, false],
  ])('[SR-4] %s: with the days at the ends %s, without them %s', (at, inclusive, exclusive) => {
    const date = { date: at.slice(0, 10), timeZone: 'UTC', at }
    const days = { ...basis, start: '2024-03-02', end: '2024-03-04' }
    expect(within(days, date)).toBe(inclusive)
    expect(within({ ...days, inclusiveEndpoints: false }, date)).toBe(exclusive)
  })

  it('[SR-4] reads a time without an offset as one of UTC', () => {
    const date = filed('2024-03-01T10:00', 'America/New_York')
    expect(within({ ...basis, start: '2024-03-01T15:00', end: '2024-03-01T15:00' }, date, 'Asia/Tokyo')).toBe(
      true,
    )
    expect(within({ ...basis, start: '2024-03-01T15:00:00.001' }, date)).toBe(false)
  })

  it('[SR-4] knows the last day that there is', () => {
    const last = { date: '9999-12-31', timeZone: 'UTC', at: '9999-12-31T23:59:59.999Z' }
    expect(within({ ...basis, end: '9999-12-31' }, last)).toBe(true)
    expect(within({ ...basis, end: '9999-12-31', inclusiveEndpoints: false }, last)).toBe(false)
  })
})

describe('a date where the host is', () => {
  const basis = { timezoneBasis: 'host_user_local' }
  const at = (instant: string) => ({ date: instant.slice(0, 10), timeZone: 'UTC', at: instant })

  it('[SR-4] is of a day of the host, which may have 23 or 25 hours', () => {
    const spring = { ...basis, start: '2024-03-10', end: '2024-03-10' }
    const isIn = (day: Time, instant: string) => within(day, at(instant), 'America/New_York')
    expect(isIn(spring, '2024-03-10T04:59:59.999Z')).toBe(false)
    expect(isIn(spring, '2024-03-10T05:00:00.000Z')).toBe(true)
    expect(isIn(spring, '2024-03-11T03:59:59.999Z')).toBe(true)
    expect(isIn(spring, '2024-03-11T04:00:00.000Z')).toBe(false)
    const autumn = { ...basis, start: '2024-11-03', end: '2024-11-03' }
    expect(isIn(autumn, '2024-11-03T03:59:59.999Z')).toBe(false)
    expect(isIn(autumn, '2024-11-03T04:00:00.000Z')).toBe(true)
    expect(isIn(autumn, '2024-11-04T04:59:59.999Z')).toBe(true)
    expect(isIn(autumn, '2024-11-04T05:00:00.000Z')).toBe(false)
  })

  it('[SR-4] is none of another host', () => {
    const day = { ...basis, start: '2024-03-01', end: '2024-03-01' }
    const evening = at('2024-03-01T20:00:00Z')
    expect(within(day, evening, 'America/New_York')).toBe(true)
    expect(within(day, evening, 'Asia/Tokyo')).toBe(false)
    expect(within({ ...basis, start: '2024-03-01T15:00' }, evening, 'America/New_York')).toBe(true)
    expect(within({ ...basis, start: '2024-03-01T15:00:01' }, evening, 'America/New_York')).toBe(false)
  })
})

describe('what lies nowhere', () => {
  it.each<[string, unknown]>([
    ['a missing date', undefined],
    ['null', null],
    ['a date alone', '2024-03-01'],
    ['an unknown zone', { date: '2024-03-01', timeZone: 'Mars/Olympus', at: '2024-03-01T00:00:00Z' }],
    ['no instant', { date: '2024-03-01', timeZone: 'UTC', at: 'soon' }],
    ['no date', { date: '', timeZone: 'UTC', at: '2024-03-01T00:00:00Z' }],
  ])('[SR-4] is %s, even between open ends', (_, date) => {
    for (const timezoneBasis of ['originating', 'utc', 'host_user_local']) {
      expect(within({ timezoneBasis }, date)).toBe(false)
      expect(within({ timezoneBasis, start: '2000-01-01T00:00', end: '2100-01-01T00:00' }, date)).toBe(false)
    }
  })

  it('[SR-4] is no date that is one, between open ends', () => {
    expect(within({}, filed('2024-03-01', 'Asia/Tokyo'))).toBe(true)
  })
})

it('[SR-4] a record came in on the day that the host had', () => {
  const createdAt = new Date('2024-03-01T20:00:00Z')
  expect(dateOfIngestion(createdAt, 'Asia/Tokyo')).toEqual({
    date: '2024-03-02',
    timeZone: 'Asia/Tokyo',
    at: '2024-03-01T20:00:00.000Z',
  })
  const temporalScope = { dateField: 'ingested_at', start: '2024-03-02', end: '2024-03-02' }
  const { temporalScope: asked } = parse(searchScope, { temporalScope })
  for (const host of ['Asia/Tokyo', 'America/New_York'])
    expect(asked && withinScope(asked, host)(dateOfIngestion(createdAt, host))).toBe(host === 'Asia/Tokyo')
})
