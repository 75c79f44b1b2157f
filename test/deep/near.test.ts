import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { AREAS, type Area } from '../support/areas.js'
import { type Near, nearTo } from '../support/near.js'
import { POLICY_MUTANTS } from '../support/policy-mutants.js'

const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : null)
const namesIn = (area: string, all: readonly Near[]) =>
  all.filter(near => near.area === area).map(({ name }) => name)

describe('what is broken on purpose near a change', () => {
  it('has every mutant of a gate that changed, and every planted leak in it', () => {
    const gate = 'src/policy/gates/consent.ts'
    const { touched, judged } = nearTo(['README.md', gate], AREAS, read)
    const ofGate = POLICY_MUTANTS.filter(([, { file }]) => file === gate).map(([name]) => name)
    expect(ofGate.length).toBeGreaterThan(5)
    expect(namesIn('policy', touched)).toEqual(ofGate)
    expect(namesIn('leaks-mediation', touched)).toEqual(['content whose consent was taken back'])
    expect(judged).toEqual([])
  })

  it('has every mutant there is when all files changed', () => {
    const files = [...new Set(AREAS.flatMap(({ broken }) => broken.flatMap(({ files }) => files)))]
    const { touched } = nearTo(files, AREAS, read)
    expect(touched.length).toBe(AREAS.reduce((sum, { broken }) => sum + broken.length, 0))
  })

  it('has nothing where a change is of other files', () => {
    expect(nearTo(['README.md', 'src/cli/main.ts'], AREAS, read)).toEqual({ touched: [], judged: [] })
  })

  it('follows the imports of a test to what holds it, but not into what is held', () => {
    const area: Area = {
      name: 'area',
      test: 'test/a.test.ts',
      broken: [
        { name: 'one', files: ['src/one.ts'], mutations: [] },
        { name: 'two', files: ['src/two.ts', 'sql/two.sql'], mutations: [] },
      ],
    }
    const texts: Record<string, string> = {
      'test/a.test.ts': `import './support/laws.js'\nimport { one } from '../src/one.js'`,
      'test/support/laws.ts': `import { world } from '../../src/testing/world.js'`,
      'src/testing/world.ts': `import { held } from '../held.js'`,
      'src/held.ts': `import './testing/further.js'`,
    }
    const near = (...changed: string[]) => {
      const { touched, judged } = nearTo(changed, [area], path => texts[path] ?? null)
      return [touched, judged].map(found => found.map(({ name }) => name))
    }
    expect(near('test/a.test.ts')).toEqual([[], ['one', 'two']])
    expect(near('src/testing/world.ts')).toEqual([[], ['one', 'two']])
    expect(near('src/testing/world.ts', 'sql/two.sql')).toEqual([['two'], ['one']])
    expect(near('src/one.ts')).toEqual([['one'], []])
    expect(near('src/held.ts', 'src/testing/further.ts', 'test/b.test.ts')).toEqual([[], []])
  })

  it('tells everything apart by its name', () => {
    for (const { broken } of AREAS) {
      const names = broken.map(({ name }) => name)
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
    }
  })
})
