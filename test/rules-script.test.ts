import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { citationsIn, compare, isClean, render, ruleIds, waitingIds } from '../scripts/rules.js'

const SPEC = `# Rules

## ZZ. Samples
- ZZ-1 The first, see ZZ-9.
  - ZZ-8 is only mentioned here.
- ZZ-2 (own) The second.
- ZZ-3 The third.
`

/** The bracket of a citation, put together here so that no title in this file cites a sample rule. */
const cite = (...ids: string[]) => `[${ids.join(', ')}]`
const sample = (source: string) => ({ file: 'src/sample.test.ts', source })
const cited = (source: string) => citationsIn(sample(source)).map(({ id }) => id)
const report = (input: { waiting?: string; before?: string; source?: string }) =>
  compare({
    spec: SPEC,
    waiting: input.waiting ?? '',
    waitingBefore: input.before,
    tests: [sample(input.source ?? '')],
  })
const none = { untested: [], tested: [], unknownCited: [], unknownWaiting: [], added: [] }

const one = cite('ZZ-1')
const two = cite('ZZ-2')
const run = ', () => {})\n'

describe('reading', () => {
  it('a rule is a top-level list item that begins with its id', () => {
    expect(ruleIds(SPEC)).toEqual(['ZZ-1', 'ZZ-2', 'ZZ-3'])
  })

  it('the waiting list has an id a line, with comments and blank lines', () => {
    expect(waitingIds('# header\n\nZZ-1\n  ZZ-2 # soon\r\n')).toEqual(['ZZ-1', 'ZZ-2'])
  })

  it.each([
    ['it', `it('${one} x'${run}`],
    ['test', `test("${one} x"${run}`],
    ['describe', `describe('${one}', () => { it('x'${run} })`],
    ['a template literal', `it(\`${one} \${name} x\`${run}`],
    ['a title joined of parts', `it('a ' +\n  '${one} x'${run}`],
    ['each', `it.each([['a', 1], ['b', 2]])('${one} %s'${run}`],
    ['each with types', `it.each<[string, () => void]>(rows)('${one} %s'${run}`],
    ['each with a table', `it.each\`a | b\n \${1} | \${2}\`('${one} $a'${run}`],
    ['for', `describe.for(stores)('${one} %s', () => { it('x'${run} })`],
    ['skipIf', `it.skipIf(isWindows())('${one} x'${run}`],
    ['runIf', `it.runIf(isWindows())('${one} x'${run}`],
    ['only and concurrent', `it.only.concurrent('${one} x'${run}`],
    ['options', `it('${one} x', { timeout: 5, retry: 1 }${run}`],
    ['a line of its own', `it(\n  '${one} x',\n  () => {},\n)`],
    ['a title after code with a quote in a regular expression', `const r = /['"\`]/g\nit('${one} x'${run}`],
    ['a title after a division', `const half = total / 2; it('${one} x', () => {}); n / 2`],
    ['a title after nested templates', `const s = \`a \${\`b \${"}"}\`} '\`\nit('${one} x'${run}`],
    ['a title after a comment with a quote', `// don't\n/* it's */\nit('${one} x'${run}`],
    ['a live test beside a skipped one', `describe('${one}', () => { it.skip('a'${run} it('b'${run} })`],
    ['a suite whose tests come from elsewhere', `describe('${one} x', () => storageContract(open))`],
  ])('counts a citation in %s', (_, source) => {
    expect(cited(source)).toEqual(['ZZ-1'])
  })

  it.each([
    ['a test of the deep run', `it.runIf(deep)('${one} x'${run}`],
    ['a line comment', `// it('${one} x'${run}`],
    ['a block comment', `/* it('${one} x'${run} */`],
    ['a string elsewhere', `const text = "it('${one} x')"`],
    ['a template elsewhere', `const text = \`it('${one} x', \${() => it('${one}'${run.trim()}})\``],
    ['a later argument', `it('x', () => expect('${one}').toBe(1))`],
    ['the rows of each', `it.each(['${one}'])('x'${run}`],
    ['a method named test', `pattern.test('${one}', 1)`],
    ['an optional method named test', `pattern?.test('${one}', 1)`],
    ['another function', `check('${one} x'${run}`],
    ['skip', `it.skip('${one} x'${run}`],
    ['todo', `it.todo('${one} x'${run}`],
    ['each of skip', `it.skip.each(rows)('${one} x'${run}`],
    ['xit', `xit('${one} x'${run}`],
    ['a title without a body', `it('${one} x')`],
    ['the option skip', `it('${one} x', { skip: true }${run}`],
    ['the option todo', `it('${one} x', { timeout: 5, todo: true }${run}`],
    ['a skipped describe', `describe.skip('${one}', () => { it('x'${run} })`],
    [
      'a test in a skipped describe',
      `describe.skip('x', () => { describe('y', () => { it('${one}'${run} }) })`,
    ],
    ['a test in a skipped describe of a function', `describe.skip(open, () => { it('${one}'${run} })`],
    ['a describe with nothing but skipped tests', `describe('${one}', () => { it.skip('x'${run} })`],
    ['an id that is computed', `it(\`[\${id}] x\`${run}`],
    ['an id that is computed in part', `it(\`[ZZ-\${digit}1] x\`${run}`],
    ['a title without brackets', `it('ZZ-1 x'${run}`],
  ])('does not count %s', (_, source) => {
    expect(cited(source)).toEqual([])
  })

  it('a title may cite several rules, in one bracket or in more', () => {
    expect(cited(`it('${cite('ZZ-1', 'ZZ-2')} ${cite('ZZ-3')} x'${run}`)).toEqual(['ZZ-1', 'ZZ-2', 'ZZ-3'])
  })

  it('a citation tells where its title stands', () => {
    const source = `// first\n/* two\nlines */ const s = \`a\nb\`\nit.each(rows)(\n  '${one} x'${run}`
    expect(citationsIn(sample(source))).toEqual([
      { id: 'ZZ-1', file: 'src/sample.test.ts', line: 6, title: `${one} x` },
    ])
  })

  it('this file cites nothing', () => {
    const file = fileURLToPath(import.meta.url)
    expect(citationsIn({ file, source: readFileSync(file, 'utf8') })).toEqual([])
  })
})

describe('comparing', () => {
  const source = `it('${one} x'${run}it('${two} x'${run}`

  it('is clean when each rule has a test or waits', () => {
    const clean = report({ waiting: 'ZZ-3\n', before: 'ZZ-2\nZZ-3\n', source })
    expect(clean.problems).toEqual(none)
    expect(isClean(clean)).toBe(true)
    expect(render(clean, { check: true })).toBe('3 rules: 2 with tests, 1 not yet')
  })

  it.each([
    ['a rule with neither test nor line', { source }, { untested: ['ZZ-3'] }, 'neither'],
    ['a rule that waits and is tested', { waiting: 'ZZ-2\nZZ-3', source }, { tested: ['ZZ-2'] }, 'remove'],
    [
      'a test that cites no rule of the spec',
      {
        waiting: 'ZZ-3',
        source: `${source}\nit('${cite('ZZ-3x', 'ZZ-9')} x'${run}it('${cite('ZZ-8')}'${run}`,
      },
      { unknownCited: ['ZZ-3x, ZZ-9  src/sample.test.ts:4', 'ZZ-8  src/sample.test.ts:5'] },
      'does not have',
    ],
    [
      'a range',
      { waiting: 'ZZ-3', source: `${source}it('${cite('ZZ-1..ZZ-3')} x'${run}` },
      { unknownCited: ['ZZ-1..ZZ-3  src/sample.test.ts:3'] },
      'does not have',
    ],
    [
      'a line that is no rule',
      { waiting: 'ZZ-3\nZZ-9\nlater', source: `${source}it.skip('${cite('ZZ-9')}'${run}` },
      { unknownWaiting: ['ZZ-9', 'later'] },
      'no rule',
    ],
    [
      'a waiting list that grew',
      { waiting: 'ZZ-3', before: '# none', source },
      { added: ['ZZ-3'] },
      'gets shorter',
    ],
  ])('finds %s', (_, input, problems, words) => {
    const found = report(input)
    expect(found.problems).toEqual({ ...none, ...problems })
    expect(isClean(found)).toBe(false)
    const text = render(found, { check: true })
    expect(text).toContain(words)
    for (const item of Object.values(problems).flat()) expect(text).toContain(`\n  ${item}`)
  })

  it('a skipped test leaves its rule without a test', () => {
    expect(report({ waiting: 'ZZ-2\nZZ-3', source: `it.skip('${one} x'${run}` }).problems).toEqual({
      ...none,
      untested: ['ZZ-1'],
    })
  })

  it('a rule that is unknown to the spec, yet cited and waiting, is unknown twice', () => {
    const source = `it('${cite('ZZ-1', 'ZZ-2', 'ZZ-3', 'ZZ-9')} x'${run}`
    expect(report({ waiting: 'ZZ-9', source }).problems).toEqual({
      ...none,
      unknownCited: ['ZZ-9  src/sample.test.ts:1'],
      unknownWaiting: ['ZZ-9'],
    })
  })

  it('the list is not compared where there is no earlier one', () => {
    expect(report({ waiting: 'ZZ-3', source }).problems.added).toEqual([])
  })

  it('verbose lists the tests of each rule', () => {
    const text = render(report({ waiting: 'ZZ-2', source: `it('${one} x'${run}` }), { verbose: true })
    expect(text).toContain(`ZZ-1\n  src/sample.test.ts:1  ${one} x\nZZ-2  not yet\nZZ-3  no test\n`)
  })
})

describe('the command', () => {
  const script = fileURLToPath(new URL('../scripts/rules.js', import.meta.url))

  it('explains itself', () => {
    expect(execFileSync(process.execPath, [script, '--help'], { encoding: 'utf8' })).toContain('--check')
  })

  it('refuses an option it does not know', () => {
    const options = { stdio: 'pipe' } as const
    expect(() => execFileSync(process.execPath, [script, '--chekc'], options)).toThrow(
      expect.objectContaining({ status: 2 }),
    )
  })

  it('reads this project', () => {
    const text = execFileSync(process.execPath, [script], { encoding: 'utf8' })
    expect(text).toMatch(/^\d+ rules: \d+ with tests, \d+ not yet\n/)
  })
})
