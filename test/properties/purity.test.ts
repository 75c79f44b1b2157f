import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { directionViolations, importsOf, purityViolations, type Source } from '../support/source-rules.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const sources: readonly Source[] = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
  .map(entry => join(entry.parentPath, entry.name))
  .map(path => ({ file: relative(ROOT, path), text: readFileSync(path, 'utf8') }))

it('[DE-1] policy and search are pure: facts in, verdict out, no clock, no chance, no I/O', () => {
  expect(sources.flatMap(purityViolations)).toEqual([])
  expect(sources.filter(({ file }) => file.startsWith('src/policy/gates/')).length).toBeGreaterThan(11)
})

it('imports point one way, and only doors read the environment', () => {
  expect(sources.flatMap(directionViolations)).toEqual([])
  expect(sources.flatMap(({ text }) => importsOf(text)).length).toBeGreaterThan(200)
})

/** What reads law. */
const LAW =
  /^src\/(?:legal|search\/legal)\/|^src\/documents\/structure\/(?:caption|caption-block|courts|parts|signs)\./

it('what is about law stands behind one interface: nothing else reads it', () => {
  const read = sources
    .filter(({ file }) => !LAW.test(file))
    .flatMap(({ file, text }) =>
      importsOf(text)
        .filter(path => path.startsWith('.') && LAW.test(posix.join(posix.dirname(file), path)))
        .map(path => `${file} imports ${path}`),
    )
  expect(read).toEqual(['src/cli/legal-corpora.ts imports ../legal/index.js'])
})

describe('a planted violation is found', () => {
  it.each([
    [`import { randomUUID } from 'node:crypto'`],
    [`import fs from "fs"`],
    [`import {\n  open,\n} from '../open.js'`],
    [`export * from '../storage/database.js'`],
    [`import type { Clock } from '../runtime/clock.js'`],
    [`import '../index.js'`],
    [`const { z } = await import('zod')`],
    [`const later = import(\`../storage/\${name}.js\`)`],
    [`const fs = require('node:fs')`],
    [`const now = Date.now()`],
    [`const now = new Date()`],
    [`const now = new Date`],
    [`const now = Date()`],
    [`if (Math.random() < 0.5) return full('access.luck')`],
    [`const tenant = process.env.TENANT`],
    [`globalThis.cache = new Map()`],
    [`setTimeout(() => {}, 1)`],
    [`performance.now()`],
    [`const text = \`\${Date.now()}\``],
    [`const fine = 'a' /* b */; const now = Date.now() // late`],
  ])('in policy: %s', text => {
    expect(purityViolations({ file: 'src/policy/planted.ts', text })).not.toEqual([])
  })

  it.each([
    [`import { PrivityError } from '../errors.js'`],
    [`import { rank } from './vocabulary.js'`],
    [`// Date.now() would be wrong here, as would import x from 'node:fs'`],
    [`/* the mediation process */ const at = new Date(times.createdAt)`],
    [`const reason = 'access.process'`],
  ])('and what is allowed in policy is not one: %s', text => {
    expect(purityViolations({ file: 'src/policy/planted.ts', text })).toEqual([])
  })

  it.each([
    ['src/policy/planted.ts', `import { tokenize } from '../search/tokenize.js'`],
    ['src/search/planted.ts', `import { decide } from '../policy/decide.js'`],
    ['src/storage/planted.ts', `import { open } from '../open.js'`],
    ['src/embedding/planted.ts', `import type { Database } from '../storage/database.js'`],
    ['src/embedding/planted.ts', `import { open } from '../open.js'`],
    ['src/storage/planted.ts', `import { ProviderCalls } from '../embedding/calls.js'`],
    ['src/storage/queries/planted.ts', `export { parse } from '../../runtime/input.js'`],
    ['src/runtime/planted.ts', `import { consent } from '../mediation/consent.js'`],
    ['src/runtime/planted.ts', `import { OPERATIONS } from '../operations.js'`],
    ['src/mediation/planted.ts', `import { open } from '../open.js'`],
    ['src/notifications/planted.ts', `import { advance } from '../mediation/stages.js'`],
    ['src/runtime/planted.ts', `import { testClock } from '../testing/clock.js'`],
    ['src/mediation/planted.ts', `import { serve } from '../http/serve.js'`],
    ['src/mediation/planted.ts', `import { link } from '../sharing/link.js'`],
    ['src/http/planted.ts', `import { worlds } from '../testing/worlds.js'`],
    ['src/index.ts', `export * from './testing/index.js'`],
    ['src/errors.ts', `import { rank } from './policy/vocabulary.js'`],
    ['src/runtime/planted.ts', `const url = process.env.DATABASE_URL`],
    ['src/storage/planted.ts', `const { env } = process`],
    ['src/storage/planted.ts', `import { env } from 'node:process'`],
  ])('in %s: %s', (file, text) => {
    expect(directionViolations({ file, text })).not.toEqual([])
  })

  it.each([
    ['src/storage/planted.ts', `import type { Label } from '../policy/labels.js'`],
    ['src/runtime/operations/planted.ts', `import { lock } from '../../storage/queries/lock.js'`],
    ['src/mediation/planted.ts', `import { operation } from '../runtime/operation.js'`],
    ['src/embedding/planted.ts', `import { quantise } from '../search/vectors.js'`],
    ['src/runtime/planted.ts', `import { ProviderCalls } from '../embedding/calls.js'`],
    ['src/mcp/planted.ts', `import { routes } from '../http/routes.js'\nconst port = process.env.PORT`],
    ['src/testing/planted.ts', `import { open } from '../index.js'`],
    ['src/policy/planted.ts', `import { PrivityError } from '../errors.js'`],
    ['src/storage/planted.ts', `const own = process.pid // not process.env`],
  ])('and what is allowed is not one, in %s: %s', (file, text) => {
    expect(directionViolations({ file, text })).toEqual([])
  })
})
