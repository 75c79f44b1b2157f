import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SLICES, sliceOf } from '../../scripts/slices.js'
import { AREAS } from '../support/areas.js'

const TESTS = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter(file => file !== '' && existsSync(file))

describe('the slices of the deep run', () => {
  it('have every test file, so that none is forgotten', () => {
    expect(TESTS.length).toBeGreaterThan(200)
    expect(TESTS.filter(file => sliceOf(file) === null)).toEqual([])
  })

  it('name nothing that is gone, and nothing twice', () => {
    const paths = Object.values(SLICES).flat()
    expect(paths.filter(path => !existsSync(path))).toEqual([])
    expect(new Set(paths).size).toBe(paths.length)
    expect(Object.keys(SLICES).filter(name => !TESTS.some(file => sliceOf(file) === name))).toEqual([])
  })

  it('prefer a file to its folder, and take no folder for the beginning of a name', () => {
    const slices = { files: ['test/a/one.test.ts'], folders: ['test/a', 'test/b'] }
    expect(sliceOf('test/a/one.test.ts', slices)).toBe('files')
    expect(sliceOf('test/a/two.test.ts', slices)).toBe('folders')
    expect(sliceOf('test/b/c/one.test.ts', slices)).toBe('folders')
    expect(sliceOf('test/bee/one.test.ts', slices)).toBeNull()
  })

  it('have the tests of everything that is broken on purpose', () => {
    expect(AREAS.filter(({ test }) => !TESTS.includes(test)).map(({ name }) => name)).toEqual([])
  })
})
