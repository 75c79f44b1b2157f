import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { times } from '../../test/support/depth.js'
import {
  instantOf,
  isLegalDate,
  isTimeZone,
  localDateOf,
  localTimeOf,
  makeLegalDate,
  readLegalDate,
  wallTimeOf,
} from './legal-date.js'

const ZONES = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Etc/GMT+8']

describe('the instant of a local date', () => {
  it.each([
    ['2024-01-15', 'America/New_York', '2024-01-15T05:00:00.000Z'],
    ['2024-07-15', 'America/New_York', '2024-07-15T04:00:00.000Z'],
    // On the days when clocks change, the day starts before the change.
    ['2024-03-10', 'America/New_York', '2024-03-10T05:00:00.000Z'],
    ['2024-03-11', 'America/New_York', '2024-03-11T04:00:00.000Z'],
    ['2024-11-03', 'America/New_York', '2024-11-03T04:00:00.000Z'],
    ['2024-11-04', 'America/New_York', '2024-11-04T05:00:00.000Z'],
    ['2024-03-01', 'Pacific/Honolulu', '2024-03-01T10:00:00.000Z'],
    ['2024-03-01', 'Pacific/Kiritimati', '2024-02-29T10:00:00.000Z'],
    ['2024-03-01', 'Asia/Kathmandu', '2024-02-29T18:15:00.000Z'],
    ['2024-03-01T09:30', 'Europe/Berlin', '2024-03-01T08:30:00.000Z'],
    ['2024-03-01T09:30:15.250', 'Europe/Berlin', '2024-03-01T08:30:15.250Z'],
    ['9999-12-31', 'UTC', '9999-12-31T00:00:00.000Z'],
    ['0050-06-01', 'UTC', '0050-06-01T00:00:00.000Z'],
  ])('[SR-4] %s in %s is %s', (local, zone, at) => {
    expect(instantOf(local, zone)).toBe(at)
  })

  it('[SR-4] a midnight, an hour or a day that the clocks leave out begins when they go on', () => {
    expect(instantOf('2018-11-04', 'America/Sao_Paulo')).toBe('2018-11-04T03:00:00.000Z')
    expect(instantOf('2024-03-10T02:30', 'America/New_York')).toBe('2024-03-10T07:00:00.000Z')
    expect(instantOf('2011-12-30', 'Pacific/Apia')).toBe('2011-12-30T10:00:00.000Z')
    expect(instantOf('2011-12-31', 'Pacific/Apia')).toBe('2011-12-30T10:00:00.000Z')
  })

  it('[SR-4] of an hour that comes twice, the first is meant', () => {
    expect(instantOf('2024-11-03T01:30', 'America/New_York')).toBe('2024-11-03T05:30:00.000Z')
    expect(instantOf('2024-10-27T02:30', 'Europe/Berlin')).toBe('2024-10-27T00:30:00.000Z')
  })

  it.each([
    '2024-02-30',
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '2024-1-1',
    '2024-01-01T25:00',
    '2024-01-01T10:00Z',
    '2024-01-01T10:00+01:00',
    'March 1, 2024',
    '',
  ])('[SR-4] %j is none', local => {
    expect(() => instantOf(local, 'UTC')).toThrow(RangeError)
  })

  it('[SR-4] refuses an unknown zone', () => {
    expect(() => instantOf('2024-01-01', 'Mars/Olympus')).toThrow(RangeError)
  })
})

describe('the local date of an instant', () => {
  it('[SR-4] is the day that the zone had', () => {
    expect(localDateOf('2024-07-01T03:59:59.999Z', 'America/New_York')).toBe('2024-06-30')
    expect(localDateOf('2024-07-01T04:00:00Z', 'America/New_York')).toBe('2024-07-01')
    expect(localDateOf(new Date('2024-02-29T10:00:00Z'), 'Pacific/Kiritimati')).toBe('2024-03-01')
  })

  it('[SR-4] is what its instant came from, in any zone, on any day that the zone had', () => {
    const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(day, fc.constantFrom(...ZONES), (at, zone) => {
        const date = at.toISOString().slice(0, 10)
        const starts = Date.parse(instantOf(date, zone))
        // A few zones skipped a whole day when they moved across the date line.
        if (localDateOf(starts, zone) !== date) {
          expect(localDateOf(starts, zone) > date).toBe(true)
          for (let hour = -30; hour <= 30; hour++)
            expect(localDateOf(starts + hour * 3_600_000, zone)).not.toBe(date)
        }
        // No earlier instant belongs to the day.
        expect(localDateOf(starts - 1, zone) < date).toBe(true)
      }),
      { numRuns: times(200, 2_000) },
    )
  })

  it('[SR-4] a local time and back is the same local time, unless the clocks left it out', () => {
    const time = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
    fc.assert(
      fc.property(time, fc.constantFrom(...ZONES), (at, zone) => {
        const wall = localTimeOf(at, zone)
        const again = instantOf(new Date(wall).toISOString().slice(0, -1), zone)
        expect(localTimeOf(again, zone)).toBe(wall)
        expect(Date.parse(again)).toBeLessThanOrEqual(at.getTime())
      }),
      { numRuns: times(200, 2_000) },
    )
  })
})

describe('names of zones', () => {
  it('[SR-4] are those of the IANA database', () => {
    for (const zone of ZONES) expect([zone, isTimeZone(zone)]).toEqual([zone, true])
    for (const name of ['', ' ', '+02:00', '-0500', 'Mars/Olympus', 'America', 'toString', 'UTC\0'])
      expect([name, isTimeZone(name)]).toEqual([name, false])
  })
})

describe('a stored value', () => {
  const date = { date: '2024-03-01', timeZone: 'America/New_York', at: '2024-03-01T05:00:00.000Z' }

  it('[SR-4] is a date with all three of its parts', () => {
    expect(isLegalDate(date)).toBe(true)
    expect(isLegalDate({ ...date, at: '2024-03-01T00:00:00-05:00' })).toBe(true)
  })

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a string', '2024-03-01'],
    ['no date', { ...date, date: undefined }],
    ['a date in words', { ...date, date: 'March 1, 2024' }],
    ['no zone', { ...date, timeZone: undefined }],
    ['an unknown zone', { ...date, timeZone: 'Mars/Olympus' }],
    ['no instant', { ...date, at: undefined }],
    ['an instant without an offset', { ...date, at: '2024-03-01T05:00:00' }],
    ['an instant in words', { ...date, at: 'March 1, 2024 05:00 UTC' }],
    ['an hour that there is not', { ...date, at: '2024-03-01T25:00:00Z' }],
    ['numbers', { date: 1, timeZone: 2, at: 3 }],
  ])('[SR-4] is none with %s', (_, value) => {
    expect(isLegalDate(value)).toBe(false)
  })

  it('[SR-4] is read from a date and its zone, and a bare date is one of UTC', () => {
    expect(readLegalDate(date)).toEqual(date)
    expect(readLegalDate({ date: '2024-07-01', timeZone: 'Europe/Berlin' })).toEqual({
      date: '2024-07-01',
      timeZone: 'Europe/Berlin',
      at: '2024-06-30T22:00:00.000Z',
    })
    expect(readLegalDate('2024-03-01')).toEqual({
      date: '2024-03-01',
      timeZone: 'UTC',
      at: '2024-03-01T00:00:00.000Z',
    })
    for (const none of [undefined, null, 7, '2024-02-30', '1 March', { date: '2024-03-01' }, []])
      expect(readLegalDate(none)).toBeNull()
    expect(makeLegalDate('2024-02-30', 'UTC')).toBeNull()
    expect(makeLegalDate('2024-02-28', 'Mars/Olympus')).toBeNull()
  })
})

it('[SR-4] a local date is counted as if it were UTC', () => {
  expect(wallTimeOf('1970-01-02')).toBe(86_400_000)
  expect(wallTimeOf('1970-01-01T00:00:01.5')).toBe(1_500)
})
