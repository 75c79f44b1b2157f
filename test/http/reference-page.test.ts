import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openApiDocument } from '../../src/http/openapi.js'
import { referencePage } from '../../src/http/reference-page.js'
import { OPERATIONS } from '../../src/operations.js'
import { POSTURES } from '../../src/runtime/search/router/posture.js'
import { openBrowser } from '../support/browser.js'
import { openTestServer, type TestServer } from '../support/server.js'
import { anyEngine } from '../support/stores.js'

const document = openApiDocument({ version: '1.2.3' })
const page = referencePage(document)

describe('the reference page', () => {
  it('[CP-4] has every operation, in its navigation and with an example', () => {
    for (const { name } of OPERATIONS) {
      expect(page).toContain(`<article id="${name}">`)
      expect(page).toContain(`<li><a href="#${name}">`)
    }
    expect(page.match(/<pre>curl /g)).toHaveLength(
      Object.values(document.paths).flatMap(methods => Object.keys(methods)).length,
    )
  })

  it('has fields within others, by their path', () => {
    for (const path of ['snippet.passages', 'documentScope', 'recency.weight', 'heads[].seq'])
      expect(page).toContain(`<code>${path}</code>`)
    // What has a name stands in one place, and fields lead there.
    expect(page).toContain('<code>provenance</code></td><td><a href="#schema-Provenance">Provenance</a>')
    expect(page).toContain('how: supersede')
  })

  it('[SR-3] says which postures there are', () => {
    const [, rest = ''] = page.split('<article id="search.execute">')
    const row = /<code>posture<\/code>.*?<\/tr>/s.exec(rest)?.[0] ?? ''
    for (const posture of POSTURES) expect(row).toContain(`<code>${posture}</code>`)
  })

  it('leads nowhere that is not there', () => {
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(links.length).toBeGreaterThan(150)
    expect(links.filter(id => !ids.has(id))).toEqual([])
  })

  it('needs no script and nothing from elsewhere', () => {
    // Where a webhook could lead is an example, and no link.
    const shown = page.replaceAll('https://app.example/privity', '')
    expect(shown).not.toMatch(/<script|\son\w+=|https?:|url\(|@import|javascript:/i)
    expect(shown).toContain('1.2.3')
  })

  it('takes whatever stands in a document for text', () => {
    const hostile = '<img src=x onerror=alert(1)>"\'&'
    const changed = JSON.parse(JSON.stringify(document), (_, value) =>
      typeof value === 'string' && value === 'Keep one record or many' ? hostile : value,
    )
    const made = referencePage({ ...changed, info: { ...changed.info, version: hostile } })
    expect(made).not.toContain('<img')
    expect(made).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;.')
  })
})

describe('the pages of a server, in a browser', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer(anyEngine)
  })
  afterAll(() => server.dispose())

  it('are read on a desk and on a phone, in light and dark, without a complaint of the browser', async () => {
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
        await view.click('nav a[href="#memory"]')
        const seen = await view.evaluate<{ wider: number; columns: string; background: string }>(`({
          wider: document.documentElement.scrollWidth - innerWidth,
          columns: getComputedStyle(document.querySelector('.layout')).display,
          background: getComputedStyle(document.body).backgroundColor,
        })`)
        expect(seen).toEqual(
          width === 390
            ? { wider: 0, columns: 'block', background: 'rgb(20, 23, 27)' }
            : { wider: 0, columns: 'grid', background: 'rgb(255, 255, 255)' },
        )
        expect(complaints).toEqual([])
        await view.close()
      }
    } finally {
      await browser.close()
    }
  }, 120_000)
})
