import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { few } from './support/depth.js'
import { codeBlocks, runProgram } from './support/run-program.js'

const PAGES = ['docs/start.md', ...readdirSync('docs/guides').map(name => `docs/guides/${name}`)]

describe('the guides', () => {
  it.each(few(PAGES, 3))('%s has a program that prints what the page says', async page => {
    const [code = '', ...others] = await codeBlocks(page)
    expect(others).toEqual([])
    const [printed] = await codeBlocks(page, 'text')
    expect(await runProgram({ code })).toBe(printed)
  }, 120_000)

  it('have no code that is not run', async () => {
    for (const page of PAGES) {
      const languages = [...(await readFile(page, 'utf8')).matchAll(/^```(\w+)/gm)].map(([, name]) => name)
      expect(languages).toEqual(['ts', 'text'])
    }
  })
})
