import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { exportsOf, nameClashes, type Source } from '../support/source-rules.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const sources: readonly Source[] = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && /(?<!\.test)\.(?:ts|js)$/.test(entry.name))
  .map(entry => join(entry.parentPath, entry.name))
  .map(path => ({ file: relative(ROOT, path), text: readFileSync(path, 'utf8') }))

it('no name is exported by two files for two things', () => {
  expect(nameClashes(sources)).toEqual([])
  expect(sources.flatMap(({ text }) => exportsOf(text)).length).toBeGreaterThan(2_000)
})

describe('a planted clash is found', () => {
  it.each([
    ['export const name = 1'],
    ['export function name() {}'],
    ['export async function name() {}'],
    ['export async function* name() {}'],
    ['export function* name() {}'],
    ['export class name {}'],
    ['export abstract class name {}'],
    ['export interface name {}'],
    ['export type name = string'],
    ['export const { other, name } = pair'],
    ['export const { other: name } = pair'],
    ['const name = 1\nexport { name }'],
    ['const own = 1\nexport { own as name }'],
    ['interface name {}\nexport type { name }'],
  ])('%s', text => {
    const other = { file: 'src/other.ts', text: 'export const name = 2' }
    expect(nameClashes([{ file: 'src/planted.ts', text }, other])).toEqual([
      'name: src/other.ts, src/planted.ts',
    ])
  })

  it.each([
    [`export { name } from './other.js'`],
    [`export type { name } from './other.js'`],
    [`export * from './other.js'`],
    [`import { name } from './other.js'\nexport { name }`],
    [`import { type name } from './other.js'\nexport { type name }`],
    ['const name = 1'],
    ['// export const name = 1'],
    ['/*\nexport const name = 1\n*/'],
  ])('and what passes a name on, or keeps it, is none: %s', text => {
    const other = { file: 'src/other.ts', text: 'export const name = 2' }
    expect(nameClashes([{ file: 'src/planted.ts', text }, other])).toEqual([])
  })

  it('a type and a value of one file may share a name', () => {
    const text = 'export const name = 1\nexport type name = typeof name'
    expect(nameClashes([{ file: 'src/one.ts', text }])).toEqual([])
  })
})
