import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { loadWorld } from '../../src/example-world/load.js'
import { WORLDS } from '../../src/example-world/world.js'
import { openTestConsole, type TestConsole } from '../support/console.js'

/** Pictures of every page, to be looked at: `PRIVITY_PICTURES=folder npx vitest run test/console/screenshots`. */
const FOLDER = process.env.PRIVITY_PICTURES ?? 'node_modules/.cache/pictures'

const PAGES: readonly (readonly [name: string, path: string, actor: string, press?: string])[] = [
  ['ask', '/ask?q=bee%20stings', 'nora'],
  ['memory', '/memory', 'nora'],
  ['people', '/people', 'nora'],
  ['inbox', '/inbox', 'mara'],
  ['sessions', '/sessions', 'mara'],
  ['shares', '/shares', 'hollis'],
  ['views', '/shares', 'hollis', 'Views'],
  ['audit', '/audit', 'ops'],
  ['keys', '/settings/keys', 'ops'],
  ['health', '/settings/health', 'ops'],
]
const LOOKS = [
  ['light', { width: 1280, height: 860 }, 'light'],
  ['dark', { width: 1280, height: 860 }, 'dark'],
  ['phone', { width: 390, height: 844 }, 'light'],
] as const

describe('pictures of the console', () => {
  let console: TestConsole
  const tenant = 'default'
  beforeAll(async () => {
    console = await openTestConsole()
    const host = { tenant, actor: 'ops', audience: 'host' } as const
    for (const world of WORLDS) await loadWorld(console.privity, world, host)
    await mkdir(FOLDER, { recursive: true })
  }, 300_000)
  afterAll(() => console.dispose())

  it.each(LOOKS)(
    '%s',
    async (look, viewport, colorScheme) => {
      for (const [name, path, actor, press] of PAGES) {
        const audience = actor === 'ops' ? 'host' : 'owner'
        const { page, context } = await console.signedIn(
          { tenant, actor, audience },
          { viewport, colorScheme },
        )
        await page.goto(console.url + path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        if (press !== undefined) await page.getByRole('tab', { name: press }).click()
        if (name === 'views') await page.getByRole('checkbox').first().check()
        await page.waitForTimeout(800)
        await page.screenshot({ path: join(FOLDER, `${name}-${look}.png`), fullPage: look === 'phone' })
        await context.close()
      }
    },
    300_000,
  )
})
