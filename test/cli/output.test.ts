import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { ProgressBar } from '../../src/cli/output/progress-bar.js'
import { receiptSentence } from '../../src/cli/output/records.js'
import { printPairs, printTable } from '../../src/cli/output/table.js'
import { safeJson, Terminal } from '../../src/cli/output/terminal.js'
import {
  displayWidth,
  formatBytes,
  formatCount,
  formatDuration,
  padEnd,
  toLines,
  toOneLine,
  truncate,
} from '../../src/cli/output/text.js'
import { judgeDiskSpace, judgeNode, judgeSchema } from '../../src/cli/store/checks.js'
import { findNearest } from '../../src/cli/usage-error.js'
import { COMPLETENESS } from '../../src/runtime/search/completeness.js'

/** A terminal whose screen is read here. */
function screen({ tty = true, columns = 40, env = {}, json = false } = {}) {
  const written = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof written) =>
    Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          written[name] += String(chunk)
          done()
        },
      }),
      tty ? { isTTY: true, columns } : {},
    )
  const terminal = new Terminal({ stdout: stream('stdout'), stderr: stream('stderr'), env, json })
  return { terminal, written }
}

describe('widths', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['é', 1],
    ['e\u0301', 1],
    ['🚢', 2],
    ['👩‍🚀', 2],
    ['', 0],
  ])('%j takes %i columns', (text, width) => expect(displayWidth(text)).toBe(width))

  it('are kept when a text is cut or padded, and no character is cut in half', () => {
    expect(truncate('日本語テキスト', 6)).toBe('日本…')
    expect(truncate('sailing', 7)).toBe('sailing')
    expect(truncate('sailing', 6)).toBe('saili…')
    expect(truncate('a👩‍🚀b', 3)).toBe('a…')
    expect(displayWidth(padEnd('日', 5))).toBe(5)
  })
})

describe('a table', () => {
  const columns = [
    { title: 'name', text: ({ name }: { name: string; about: string }) => name },
    { title: 'about', text: ({ about }: { name: string; about: string }) => about },
  ]
  const rows = [
    { name: '日本', about: 'a text that is much longer than the terminal is wide' },
    { name: 'x', about: 'short' },
  ]

  it('is aligned by width and cut to the terminal', () => {
    const { terminal, written } = screen({ columns: 30, env: { NO_COLOR: '1' } })
    printTable(terminal, rows, columns, 'none')
    expect(written.stdout).toBe('name  about\n日本  a text that is much lon…\nx     short\n')
  })

  it('never shortens an id, and leaves out what a narrow terminal has no room for', () => {
    const id = '3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61'
    const shown = (width: number) => {
      const { terminal, written } = screen({ columns: width, env: { NO_COLOR: '1' } })
      printTable(
        terminal,
        [{ id, about: 'x'.repeat(200) }],
        [
          { title: 'id', whole: true, text: row => row.id },
          { title: 'kind', from: 100, text: () => 'note' },
          { title: 'about', text: row => row.about },
        ],
        'none',
      )
      return written.stdout.split('\n')[1] ?? ''
    }
    expect(shown(80)).toBe(`${id}  ${'x'.repeat(41)}…`)
    expect(shown(100)).toBe(`${id}  note  ${'x'.repeat(55)}…`)
    expect(shown(20)).toBe(`${id}  xxxxx…`)
  })

  it('is not cut where nobody watches', () => {
    const { terminal, written } = screen({ tty: false })
    printTable(terminal, rows, columns, 'none')
    expect(written.stdout).toContain('longer than the terminal is wide')
  })

  it('says when there is nothing', () => {
    const { terminal, written } = screen()
    printTable(terminal, [], columns, 'no people yet')
    expect(written.stdout).toBe('no people yet\n')
  })
})

describe('what others wrote', () => {
  const evil = 'a\u001b[2J\u009b31m\u202eb\r\nc\u0007\ttab'

  it('does not command the terminal', () => {
    const unsafe = /(?![\n\t])[\p{Cc}\u202e]/u
    expect(toOneLine(evil)).not.toMatch(/[\n\t]/)
    expect(toOneLine(evil)).not.toMatch(unsafe)
    expect(toOneLine(evil)).toHaveLength(evil.length)
    expect(toLines(evil)).not.toMatch(unsafe)
    expect(toLines(evil)).toContain('\n')
    expect(safeJson({ evil })).not.toMatch(unsafe)
    expect(JSON.parse(safeJson({ evil }))).toEqual({ evil })
    const { terminal, written } = screen({ env: { NO_COLOR: '1' } })
    printTable(terminal, [{ evil }], [{ title: 'x', text: row => row.evil }], '')
    printPairs(terminal, [['name', evil]])
    expect(written.stdout).not.toMatch(unsafe)
  })
})

describe('colours', () => {
  it.each([
    [{ tty: true }, true],
    [{ tty: false }, false],
    [{ tty: true, env: { NO_COLOR: '1' } }, false],
    [{ tty: true, env: { NO_COLOR: '' } }, true],
    [{ tty: false, env: { FORCE_COLOR: '1' } }, true],
    [{ tty: true, env: { FORCE_COLOR: '0' } }, false],
    [{ tty: true, env: { TERM: 'dumb' } }, false],
    [{ tty: true, env: { FORCE_COLOR: '1', NO_COLOR: '1' } }, false],
  ])('of %j: %s', (setting, coloured) => {
    const { terminal } = screen(setting as Parameters<typeof screen>[0])
    expect(terminal.style('red', 'x') !== 'x').toBe(coloured)
  })
})

describe('progress', () => {
  it('is a bar where someone watches, and is taken away', () => {
    const { terminal, written } = screen()
    const progress = new ProgressBar(terminal, 'record')
    progress.show({ done: 50, share: 0.5 })
    progress.clear()
    expect(written.stderr).toContain('████████████░░░░░░░░░░░░] 50 records · 50 %')
    expect(written.stderr.endsWith('\u001b[2K')).toBe(true)
    expect(written.stdout).toBe('')
  })

  it('is silent at first where nobody watches, and always with --json', () => {
    for (const setting of [{ tty: false }, { tty: true, json: true }]) {
      const { terminal, written } = screen(setting)
      new ProgressBar(terminal, 'record').show({ done: 1, share: null })
      expect(written.stderr).toBe('')
    }
  })
})

describe('words', () => {
  it('for numbers', () => {
    expect([
      formatCount(1, 'record'),
      formatCount(1234, 'record'),
      formatCount(2, 'match', 'matches'),
    ]).toEqual(['1 record', '1,234 records', '2 matches'])
    expect([0, 1023, 1536, 5 * 1024 ** 3].map(formatBytes)).toEqual(['0 B', '1023 B', '1.5 KiB', '5.0 GiB'])
    expect([400, 61_000, 3_700_000].map(formatDuration)).toEqual(['1s', '1m 1s', '1h 1m'])
  })

  it('for every receipt', () => {
    for (const resultSetCompleteness of COMPLETENESS) {
      const sentence = receiptSentence({
        count: 1,
        receipt: { resultSetCompleteness, searchedCount: 2 } as Parameters<
          typeof receiptSentence
        >[0]['receipt'],
      })
      expect(sentence).toMatch(/^1 match in 2 records; [a-z ,]+\.$/)
    }
  })

  it('that were meant', () => {
    expect(findNearest('exprot', ['import', 'export'])).toBe('export')
    expect(findNearest('xyzzy', ['import', 'export'])).toBeUndefined()
  })
})

describe('[OP-7] a doctor', () => {
  const GiB = 1024 ** 3

  it.each([
    [0, 100 * GiB, 'problem'],
    [GiB - 1, 10 * GiB, 'warning'],
    [4.9 * GiB, 100 * GiB, 'warning'],
    [GiB, 10 * GiB, 'ok'],
    [50 * GiB, 100 * GiB, 'ok'],
  ])('finds %i bytes free of %i: %s', (free, total, state) => expect(judgeDiskSpace(free, total)).toBe(state))

  it('compares the schema with that of the build', () => {
    expect([null, 6, 7, 8].map(stored => judgeSchema(stored, 7).state)).toEqual([
      'warning',
      'warning',
      'ok',
      'problem',
    ])
    expect([judgeNode('v18.0.0').state, judgeNode('v20.1.0').state]).toEqual(['problem', 'ok'])
  })
})
