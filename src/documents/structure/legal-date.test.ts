import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { times } from '../../../test/support/depth.js'
import { isDate, isTimeZone, localDateOf, requireInstant, requireLegalDate } from './legal-date.js'
import { readDate, WRITTEN_DATE } from './written-date.js'

const HOUR = 3_600_000
const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC', 'Etc/GMT+8')
const dates = fc
  .date({ min: new Date('1900-01-01T00:00:00Z'), max: new Date('2100-12-31T00:00:00Z'), noInvalidDate: true })
  .map(date => date.toISOString().slice(0, 10))

describe('[SR-4] the instant a day begins', () => {
  it.each([
    ['2024-03-01', 'America/Los_Angeles', '2024-03-01T08:00:00.000Z'],
    ['2024-07-01', 'America/Los_Angeles', '2024-07-01T07:00:00.000Z'],
    ['2024-03-10', 'America/New_York', '2024-03-10T05:00:00.000Z'],
    ['2024-03-11', 'America/New_York', '2024-03-11T04:00:00.000Z'],
    ['2024-11-04', 'America/New_York', '2024-11-04T05:00:00.000Z'],
    ['2024-03-01', 'Pacific/Guam', '2024-02-29T14:00:00.000Z'],
    ['2024-03-01', 'Pacific/Kiritimati', '2024-02-29T10:00:00.000Z'],
    ['2024-03-01', 'UTC', '2024-03-01T00:00:00.000Z'],
    ['2024-03-01', 'Etc/GMT+8', '2024-03-01T08:00:00.000Z'],
  ])('[SR-4] %s in %s is %s', (date, zone, at) => {
    expect(requireInstant(date, zone)).toBe(at)
    expect(requireLegalDate(date, zone)).toEqual({ date, timeZone: zone, at })
  })

  it.each([
    // The clocks went from 00:00 to 01:00, so the day began at one.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000Z'],
    // The clocks went from 00:00 back to 23:00, so only the second midnight begins a day.
    ['2018-02-18', 'America/Sao_Paulo', '2018-02-18T03:00:00.000Z'],
    // The clocks went from 01:00 back to 00:00: midnight came twice, and the first one counts.
    ['2023-11-05', 'America/Havana', '2023-11-05T04:00:00.000Z'],
    // Samoa skipped this day.
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    // Liberia was 44 minutes and 30 seconds behind UTC.
    ['1960-01-01', 'Africa/Monrovia', '1960-01-01T00:44:30.000Z'],
  ])('[SR-4] where clocks change at midnight: %s in %s', (date, zone, at) => {
    expect(requireInstant(date, zone)).toBe(at)
  })

  it('[SR-4] is the first instant of that local day, in every zone and century', () => {
    fc.assert(
      fc.property(dates, zones, (date, zone) => {
        const at = Date.parse(requireInstant(date, zone))
        const day = localDateOf(at, zone)
        if (day !== date) {
          // Only a day that the zone skipped resolves to the next one.
          for (let hour = -30; hour <= 30; hour++) expect(localDateOf(at + hour * HOUR, zone)).not.toBe(date)
          expect(day > date).toBe(true)
        }
        for (let quarter = 1; quarter <= 100; quarter += 3)
          expect(localDateOf(at - 1 - ((quarter - 1) * HOUR) / 4, zone) < date).toBe(true)
      }),
      { numRuns: times(200, 1_500) },
    )
  }, 120_000)

  it('[SR-4] holds on every day of years in which midnight was skipped or doubled', () => {
    const zonesOfNote = [
      'America/Sao_Paulo',
      'America/Havana',
      'Asia/Beirut',
      'America/St_Johns',
      'Pacific/Apia',
    ]
    for (const zone of zonesOfNote)
      for (const year of [1995, 2006, 2011]) {
        for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += 24 * HOUR) {
          const date = new Date(at).toISOString().slice(0, 10)
          const begins = requireInstant(date, zone)
          if (`${zone} ${date}` !== 'Pacific/Apia 2011-12-30') expect(localDateOf(begins, zone)).toBe(date)
          expect(localDateOf(Date.parse(begins) - 1, zone) < date).toBe(true)
        }
      }
  })

  it('[SR-4] refuses what is no day and no zone', () => {
    for (const date of [
      '2023-02-29',
      '2024-13-01',
      '2024-00-10',
      '24-01-01',
      '2024-1-1',
      '0999-01-01',
      '2024-01-01T00:00:00Z',
      '',
    ])
      expect(() => requireInstant(date, 'UTC'), date).toThrow(RangeError)
    expect(isDate('2024-02-29')).toBe(true)
    expect(isDate('1900-02-29')).toBe(false)
    expect(() => requireInstant('2024-01-01', 'Mars/Olympus')).toThrow(RangeError)
    expect(['UTC', 'America/New_York', 'Etc/GMT+8'].every(isTimeZone)).toBe(true)
    expect(['', '+02:00', '-0800', 'Mars/Olympus', 'America', 'new york'].some(isTimeZone)).toBe(false)
  })
})

describe('[SR-4] written dates', () => {
  it.each([
    ['03/01/24', '2024-03-01'],
    ['3/1/2024', '2024-03-01'],
    ['03-01-2024', '2024-03-01'],
    ['12/31/69', '2069-12-31'],
    ['01/01/70', '1970-01-01'],
    ['2024-03-01', '2024-03-01'],
    ['March 1, 2024', '2024-03-01'],
    ['MARCH 1ST, 2024', '2024-03-01'],
    ['Sept. 30, 2024', '2024-09-30'],
    ['Mar 01 2024', '2024-03-01'],
    ['1st day of March, 2024', '2024-03-01'],
    ['22nd day of May 2024', '2024-05-22'],
    ['1 March 2024', '2024-03-01'],
  ])('[SR-4] %s is %s', (written, date) => {
    expect(new RegExp(`^(?:${WRITTEN_DATE})$`, 'i').test(written)).toBe(true)
    expect(readDate(written)).toBe(date)
  })

  it('[SR-4] a date that no calendar has is none, and the order of its numbers is not guessed', () => {
    for (const written of ['13/01/2024', '02/30/2024', 'February 30, 2024', '0/1/24', '2024-13-01'])
      expect(readDate(written), written).toBeNull()
    for (const text of ['03/01/24/5', 'March 2024', 'Mayor 1, 2024', '1/2', 'March 1, 20245'])
      expect(new RegExp(`^(?:${WRITTEN_DATE})$`, 'i').test(text), text).toBe(false)
  })
})
