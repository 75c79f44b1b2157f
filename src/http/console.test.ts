import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { PAGES } from './console.js'

it('serves exactly the pages that the console has', () => {
  const routes = readFileSync(new URL('../../web/src/routes.tsx', import.meta.url), 'utf8')
  const paths = [...routes.matchAll(/\bpath: '([^']+)'/g)].map(([, path]) => path)
  expect(new Set(PAGES)).toEqual(new Set(['/', '/sign-in', ...paths]))
})
