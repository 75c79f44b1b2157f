import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openApiDocument } from '../../src/http/openapi.js'
import { referencePages } from '../../src/http/reference-page.js'
import { OPERATIONS } from '../../src/operations.js'
import { POSTURES } from '../../src/runtime/search/router/posture.js'
import { openBrowser } from '../support/browser.js'
import { openTestServer, type TestServer } from '../support/server.js'
import { anyEngine } from '../support/stores.js'

const document = openApiDocument({ version: '1.2.3' })
const pages = referencePages(document)
const all = pages.map(({ body }) => body).join('\n')

describe('the API reference', () => {
  it('[CP-4] has every operation once, on the page of its area, with an example', () => {
    for (const { name } of OPERATIONS) {
      const on = pages.filter(({ body }) => body.includes(`<article id="${name}">`))
      expect(on.map(page => page.name)).toEqual([name.split('.')[0]])
    }
    expect(all.match(/<pre><code>curl /g)).toHaveLength(
      Object.values(document.paths).flatMap(methods => Object.keys(methods)).length,
    )
  })

  it('has fields within others, by their path', () => {
    for (const path of ['snippet.passages', 'documentScope', 'recency.weight', 'heads[].seq'])
      expect(all).toContain(`<code>${path}</code>`)
    // What has a name stands in one place, and fields lead there.
    expect(all).toContain(
      '<code>provenance</code></td><td><a href="/docs/reference/schemas#Provenance">Provenance</a>',
    )
    expect(all).toContain('how: supersede')
  })

  it('[SR-3] says which postures there are', () => {
    const [, rest = ''] = all.split('<article id="search.execute">')
    const row = /<code>posture<\/code>.*?<\/tr>/s.exec(rest)?.[0] ?? ''
    for (const posture of POSTURES) expect(row).toContain(`<code>${posture}</code>`)
  })

  it('takes whatever stands in a document for text', () => {
    const hostile = '<img src=x onerror=alert(1)>"\'&'
    const changed = JSON.parse(JSON.stringify(document), (_, value) =>
      typeof value === 'string' && value === 'Store one record or many' ? hostile : value,
    )
    const made = referencePages(changed)
      .map(({ body }) => body)
      .join('\n')
    expect(made).not.toContain('<img')
    expect(made).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;.')
  })
})

describe('the built documentation', () => {
  const folder = fileURLToPath(new URL('../../dist/docs/', import.meta.url))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.html'),
  )
  const built = new Map(
    files.map(name => [name.replace(/(^index)?\.html$/, ''), readFileSync(folder + name, 'utf8')]),
  )

  it('leads nowhere that is not there', () => {
    const idsOf = (page: string) => new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const ids = new Map([...built].map(([path, page]) => [path, idsOf(page)]))
    const broken: string[] = []
    for (const [from, page] of built)
      for (const [, href = ''] of page.matchAll(/href="((?:\/docs|#)[^"]*)"/g)) {
        const [path = '', hash] = href.split('#')
        const to = path === '' ? from : path.replace(/^\/docs\/?/, '')
        if (to.startsWith('assets/')) continue
        const found = ids.get(to)
        if (found === undefined || (hash !== undefined && hash !== '' && !found.has(hash)))
          broken.push(`${from}: ${href}`)
      }
    expect(built.size).toBeGreaterThan(60)
    expect(broken).toEqual([])
  })

  it('has no script or style in its pages', () => {
    for (const page of built.values()) {
      expect(page).not.toMatch(/\son\w+=|<style|\sstyle=|javascript:/i)
      expect(page.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/docs/assets/docs.js">'])
    }
  })
})

describe('the documentation, in a browser', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer(anyEngine)
  })
  afterAll(() => server.dispose())

  it('is searched with the keyboard, and an operation is tried, on a desk and on a phone', async () => {
    const key = await server.keyFor({ tenant: server.tenant(), actor: 'ana' })
    const browser = await openBrowser()
    try {
      for (const [width, colorScheme] of [
        [1280, 'light'],
        [390, 'dark'],
      ] as const) {
        const view = await browser.newPage({ viewport: { width, height: 900 }, colorScheme })
        const complaints: string[] = []
        view.on('console', message => void complaints.push(message.text()))
        view.on('pageerror', error => void complaints.push(error.message))
        await view.goto(`${server.url}/reference`)
        expect(new URL(view.url()).pathname).toBe('/docs/reference')
        await view.keyboard.press('/')
        await view.keyboard.type('memory.remember')
        await view.waitForSelector('#found [aria-selected=true]')
        await view.keyboard.press('Enter')
        await view.waitForURL('**/docs/reference/memory#memory.remember')
        const article = view.locator('[id="memory.remember"]')
        await article.getByText('Try it').click()
        await article.getByLabel('API key').fill(key)
        await article.getByRole('button', { name: 'Send' }).click()
        await article.getByText(/^200 /).waitFor()
        expect(await article.locator('form pre').textContent()).toContain('"success": true')
        const wider = await view.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
        expect(wider).toBe(0)
        expect(complaints).toEqual([])
        await view.close()
      }
    } finally {
      await browser.close()
    }
  }, 120_000)

  it('answers for no file outside of it', async () => {
    for (const path of [
      '../package.json',
      '%2e%2e/index.js',
      'nothing',
      '.content-hash',
      'assets/../../index.js',
    ])
      expect((await fetch(`${server.url}/docs/${path}`)).status).toBe(404)
    const page = await fetch(`${server.url}/docs/concepts`)
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(page.headers.get('content-security-policy')).toContain("trusted-types 'none'")
  })
})
