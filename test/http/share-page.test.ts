import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PDFDocument } from '#pdf-lib'
import type { Handle } from '../../src/handle.js'
import { sharePage } from '../../src/http/share-page.js'
import { folderMailer } from '../../src/mail/folder-mailer.js'
import { findNumbers } from '../../src/policy/watermark.js'
import { openBrowser } from '../support/browser.js'
import { axeProblems } from '../support/console.js'
import { deep } from '../support/depth.js'
import { openTestServer, type TestServer } from '../support/server.js'
import { anyEngine } from '../support/stores.js'

const HOSTILE = `<img src=x onerror="document.title='owned'"> brief`

describe('the page of a share', () => {
  it('is whole and small: one script, and nothing from elsewhere', () => {
    const { html } = sharePage()
    const script = scriptOf(html)
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html.replace(script, '')).not.toMatch(/https?:|url\(|@import|javascript:|\son\w+="/i)
    expect(script).not.toMatch(
      /^(?:import|export)\b|innerHTML|outerHTML|insertAdjacent|document\.write|cookie/m,
    )
    expect(script.length).toBeLessThan(40_000)
  })
})

const scriptOf = (html: string) => /<script type="module">([\s\S]*)<\/script>/.exec(html)?.[1] ?? ''

describe('opening a share link, in a browser', () => {
  let server: TestServer
  let browser: Browser
  let mail: string
  let host: Handle
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    mail = await mkdtemp(join(tmpdir(), 'privity-share-'))
    server = await openTestServer(anyEngine, {}, { mail: { mailer: folderMailer(mail) } })
    host = server.privity.as({ tenant: server.tenant(), actor: 'Harrow & Pym' })
    const keep = async (title: string, text: string, more: object = {}) => {
      const { id } = await host.remember({
        kind: 'document',
        corpus: 'bank',
        surface: 'source_documents',
        visibilityClass: 'public_open',
        title,
        text,
        ...more,
      })
      ids[title] = id
    }
    await keep('Motion', 'The motion argues that scienter is not pleaded.\n\nSecond paragraph.', {
      fields: {
        case_number: '24-cv-1180',
        parties: ['Berg', 'North Line Inc.'],
        filingDate: { date: '2026-06-30', timeZone: 'America/Los_Angeles' },
        mediaType: 'application/pdf',
      },
    })
    await keep(HOSTILE, `A reply <script>document.title = 'owned'</script> with <b>markup</b> to the motion.`)
    await keep('Strategy', 'The secret strategy of the motion.', { surface: 'host_strategy_notes' })
    for (let n = 1; n <= 22; n++) await keep(`Exhibit ${n}`, `Quarterly report number ${n}.`)
    browser = await openBrowser()
  }, 120_000)
  afterAll(async () => {
    await browser.close()
    await server.dispose()
    await rm(mail, { recursive: true, force: true })
  })

  type Grant = Partial<Parameters<Handle['links']['grant']>[0]>
  type View = Partial<Parameters<Handle['views']['create']>[0]>
  async function share(more: Grant = {}, view: View = {}) {
    const { view: viewId } = await host.views.create({ corpus: 'bank', ...view })
    const { link, token } = await host.links.grant({
      views: [viewId],
      recipientIdentityMode: 'anonymous_share_token',
      ...more,
    })
    return { link: link.link, token: token ?? '' }
  }

  interface Visit {
    readonly page: Page
    /** What the browser complained of. */
    readonly complaints: string[]
    /** Every address that was asked for, with what was sent before it was a body. */
    readonly asked: string[]
  }
  async function visit(token: string, options: Parameters<Browser['newPage']>[0] = {}): Promise<Visit> {
    // A browser of its own, in which more tabs can be opened.
    const context = await browser.newContext({ viewport: { width: 1180, height: 900 }, ...options })
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    const complaints: string[] = []
    const asked: string[] = []
    page.on('console', message => void complaints.push(message.text()))
    page.on('pageerror', error => void complaints.push(error.message))
    page.on('request', request => void asked.push(`${request.url()} ${request.headers().referer ?? ''}`))
    await page.goto(`${server.url}/share#${token}`)
    return { page, complaints, asked }
  }
  /** The code in the mail to an address, once it has come. */
  const codeFor = (address: string) =>
    until(async () => {
      for (const name of (await readdir(mail)).filter(one => one.endsWith('.eml'))) {
        const letter = await readFile(join(mail, name), 'utf8')
        if (letter.includes(`To: ${address}`)) return /Your code: (\d+)/.exec(letter)?.[1]
      }
      return undefined
    })
  const text = (page: Page, selector = '#screen') => page.locator(selector).innerText()
  const submit = async (page: Page, value: string) => {
    await page.fill('#field', value)
    await page.keyboard.press('Enter')
  }
  const search = async (page: Page, query: string) => {
    await page.fill('#query', query)
    await page.keyboard.press('Enter')
    await page.waitForSelector(`h2 q:has-text("${query}")`)
  }
  const isOpen = (page: Page) => page.waitForSelector('.item')

  it('[ST-2] [SV-5] anyone who has an anonymous link reads what is shared, under the two sentences; the token is in no address', async () => {
    const { token } = await share({}, { viewTemporalMode: 'snapshot_at_share_with_drift_disclosure' })
    const { page, complaints, asked } = await visit(token)
    await isOpen(page)
    const { headers } = await server.ask('GET', '/share')
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-[^' ]+' 'self'; /,
    )
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    expect(page.url()).toBe(`${server.url}/share`)
    expect(asked.join('\n')).not.toContain('privshare_')
    const shown = await text(page)
    expect(shown).toContain('Shared by Harrow & Pym')
    expect(shown).toContain(
      'Host annotations and analysis are not included in this share unless the host chose to include them.',
    )
    expect(shown).toMatch(/You are viewing a snapshot of this corpus as of \w{3} \d+, \d{4}, /)
    expect(shown).toContain('They have not changed since then.')
    const kept = await page.evaluate<[string[], string, string[]]>(
      '[Object.values(sessionStorage), document.cookie, Object.values(localStorage)]',
    )
    // The tab knows its link, without what opens it; the browser has the key of the one session.
    expect(kept).toEqual([[token.split('.')[1]], '', [expect.stringMatching(/^privity_/)]])
    await page.reload()
    await isOpen(page)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('[SV-3] searches, completes with the keyboard, offers what was meant, and says when there is nothing', async () => {
    const { token } = await share()
    const { page, complaints } = await visit(token)
    await isOpen(page)
    await page.fill('#query', 'scie')
    await page.waitForSelector('#completions li:has-text("scienter")')
    expect(await page.getAttribute('#query', 'aria-expanded')).toBe('true')
    await page.keyboard.press('ArrowDown')
    expect(await page.getAttribute('#query', 'aria-activedescendant')).toBe('completion-0')
    await page.keyboard.press('Enter')
    await page.waitForSelector('mark')
    expect(await page.locator('mark').allInnerTexts()).toEqual(['scienter'])
    expect(await text(page, '#content h2')).toBe('1 result for scienter')
    expect(await text(page, '#status')).toBe('1 result.')
    expect(await text(page)).not.toMatch(/undefined|null|\[object/)
    await search(page, 'scientr')
    await page.click('button:has-text("scienter")')
    await page.waitForSelector('mark')
    await search(page, 'zzyzx')
    expect(await text(page, '#content')).toMatch(/^Nothing found for zzyzx\n+\S.+/)
    await search(page, 'strategy')
    expect(await text(page, '#content h2')).toContain('Nothing found')
    await search(page, 'quarterly')
    expect(await page.locator('.item').count()).toBe(10)
    await page.click('text=Show more')
    await page.waitForSelector('.item >> nth=19')
    expect(await text(page, '#content h2')).toContain('22 results')
    expect(complaints).toEqual([])
    await page.close()
  })

  it('reads and downloads; going back asks for nothing anew, and whoever listens is taken along', async () => {
    const { link, token } = await share()
    const { page, complaints } = await visit(token)
    await isOpen(page)
    await search(page, 'scienter')
    await page.click('button.title')
    await page.waitForSelector('.document')
    expect(await text(page, '.document .text')).toBe(
      'The motion argues that scienter is not pleaded.\n\nSecond paragraph.',
    )
    expect(await text(page, '.document dl')).toMatch(/case number\s+24-cv-1180/i)
    expect(await text(page, '.document dl')).toMatch(/parties\s+Berg, North Line Inc\.\s/i)
    expect(await text(page, '.document dl')).toMatch(/filing date\s+2026-06-30\s/i)
    expect(await text(page, '.document dl')).not.toMatch(/[{}[\]]|pdf/)
    expect(await text(page, '.document dl')).toMatch(/you may\s+download, read, quote, cite/i)
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Motion')
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Download')])
    expect(download.suggestedFilename()).toBe('Motion.txt')
    expect(await readFile(await download.path(), 'utf8')).toMatch(
      /^\[session .* · PV-.*\]\n\nThe motion argues that scienter is not pleaded\.[^\n]*\n\nSecond paragraph\./,
    )
    await page.click('text=Back')
    await page.waitForSelector('mark')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Motion')
    expect((await host.links.accessLog({ link })).totals).toMatchObject({
      searches: 1,
      views: 1,
      downloads: 1,
    })
    await page.click('text=What you did')
    await page.waitForSelector('.log li')
    expect(await text(page, '.log')).toMatch(/Downloaded\s+Motion/)
    expect(complaints).toEqual([])
    await page.close()
  })

  it('[ST-8, ST-4] downloads several documents as one zip, each with a number of its own', async () => {
    const { token, link } = await share()
    const { page, complaints } = await visit(token)
    await isOpen(page)
    await page.getByLabel('Select Exhibit 22').check()
    await page.getByLabel('Select Exhibit 21').check()
    expect(await axeProblems(page)).toEqual([])
    const downloading = page.waitForEvent('download')
    await page.click('text=Download selected (2)')
    const saved = await downloading
    expect(saved.suggestedFilename()).toBe('documents.zip')
    const files = unzipSync(await readFile(await saved.path()))
    expect(Object.keys(files).sort()).toEqual(['Exhibit 21.txt', 'Exhibit 22.txt'])
    const numbers = Object.values(files).flatMap(bytes => findNumbers(strFromU8(bytes)))
    expect(new Set(numbers).size).toBe(2)
    const { entries } = await host.links.accessLog({ link })
    expect(entries.flatMap(({ watermarks }) => watermarks).sort()).toEqual([...new Set(numbers)].sort())
    expect(complaints).toEqual([])
    await page.context().close()
    // What is hidden is refused as what does not exist, alone and beside others.
    const opened = await server.privity.redeem({ token })
    const key = opened.status === 'open' ? opened.key : ''
    const zip = async (...documents: (string | undefined)[]) => {
      const response = await fetch(`${server.url}/api/v1/documents/zip`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ documents }),
      })
      return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
    }
    const absent = '3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61'
    for (const document of [ids.Strategy, absent]) {
      const alone = await zip(document)
      expect([alone.status, JSON.parse(alone.bytes.toString()).error.code]).toEqual([404, 'not_found'])
      const beside = unzipSync((await zip(document, ids.Motion)).bytes)
      expect(Object.keys(beside)).toEqual(['Motion.txt', 'Not included.txt'])
      expect(strFromU8(beside['Not included.txt'] ?? new Uint8Array())).toBe(
        `${document}: not_found, not found\n`,
      )
    }
  })

  it('[ST-8] draws the pages of a filed PDF, with nothing but what the page may do', async () => {
    const pdf = await PDFDocument.create()
    for (const words of ['First page', 'Second page'])
      pdf.addPage([300, 400]).drawText(words, { x: 40, y: 300, size: 24 })
    await host.documents.ingest({
      document: 'exhibit.pdf',
      title: 'Exhibit of pages',
      corpus: 'bank',
      visibilityClass: 'public_open',
      content: Buffer.from(await pdf.save()).toString('base64'),
    })
    const { token } = await share()
    const { page, complaints } = await visit(token)
    await isOpen(page)
    await page.click('button.title:has-text("Exhibit of pages")')
    await page.click('text=Show pages')
    await page.waitForSelector('canvas[data-drawn] >> nth=1')
    const ink = await page.evaluate<number[]>(
      `[...document.querySelectorAll('canvas.page')].map(canvas => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
        let dark = 0
        for (let at = 0; at < data.length; at += 4) if (data[at] < 100) dark++
        return dark
      })`,
    )
    for (const dark of ink) expect(dark).toBeGreaterThan(200)
    // Words that were searched for are marked, on the page and in the text.
    await search(page, 'second')
    await page.click('button.title:has-text("Exhibit of pages")')
    await page.click('text=Show pages')
    await page.waitForSelector('canvas[data-drawn] >> nth=1')
    expect(await page.locator('canvas').evaluateAll(all => all.map(one => one.ariaLabel))).toEqual([
      'Page 1 of 2',
      'Page 2 of 2, 1 match marked',
    ])
    const yellow = await page.evaluate<number[]>(
      `[...document.querySelectorAll('canvas.page')].map(canvas => {
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
        let marked = 0
        for (let at = 0; at < data.length; at += 4) if (data[at] > 240 && data[at + 2] < 120) marked++
        return marked
      })`,
    )
    expect(yellow[0]).toBe(0)
    expect(yellow[1]).toBeGreaterThan(500)
    expect(await page.locator('.text mark').allInnerTexts()).toEqual(['Second'])
    expect(complaints).toEqual([])
    await page.close()
  })

  it('[ST-7] sends a file, and says why another is refused', async () => {
    const { token, link } = await share({
      allowedActions: ['search', 'document_view', 'upload'].map(namespace => ({
        kind: 'namespace_all' as const,
        namespace,
      })),
    })
    const { page, complaints } = await visit(token)
    await isOpen(page)
    await page.click('text=Send files')
    const file = (name: string, text: string) => ({
      name,
      mimeType: 'application/pdf',
      buffer: Buffer.from(text),
    })
    await page.setInputFiles('#file', { ...file('letter.txt', 'The letter.'), mimeType: 'text/plain' })
    await page.fill('#message', 'As promised.')
    await page.click('button:has-text("Send") >> nth=-1')
    await page.waitForSelector('.log li:has-text("letter.txt"):has-text("sent")')
    expect((await host.uploads.list({ link })).uploads).toMatchObject([
      { fileName: 'letter.txt', message: 'As promised.', state: 'received' },
    ])
    await page.setInputFiles('#file', file('fake.pdf', 'MZ a program'))
    await page.click('button:has-text("Send") >> nth=-1')
    await page.waitForSelector('.refused:has-text("not of the type declared")')
    expect((await host.uploads.list({ link })).uploads).toHaveLength(1)
    expect(complaints.filter(text => !/403/.test(text))).toEqual([])
    await page.close()
  })

  it('[ST-12] a file request shows its message, and takes several files at once', async () => {
    const { link, token } = await host.links.requestFiles({
      name: 'Payslips of Berg',
      message: 'Please send your payslips.\nThank you.',
      corpus: 'secret audit',
    })
    const { page, complaints } = await visit(token ?? '', { viewport: { width: 390, height: 844 } })
    await page.waitForSelector('h1:has-text("Send files to Harrow & Pym")')
    const seen = await text(page, 'body')
    expect(seen).toContain('Please send your payslips.\nThank you.')
    expect(seen).not.toMatch(/secret audit|Berg|Search|Documents shared with you/)
    await page.setInputFiles('#file', [
      { name: 'january.txt', mimeType: 'text/plain', buffer: Buffer.from('One.') },
      { name: 'fake.pdf', mimeType: 'application/pdf', buffer: Buffer.from('MZ a program') },
      { name: 'march.txt', mimeType: 'text/plain', buffer: Buffer.from('Three.') },
    ])
    await page.click('button:has-text("Send") >> nth=-1')
    await page.waitForSelector('#status:has-text("2 files of 3 sent.")', { state: 'attached' })
    expect(await page.locator('.sent > li').allInnerTexts()).toEqual([
      expect.stringMatching(/^march.txt\s+sent\s/),
      expect.stringMatching(/^fake.pdf\s+not sent\. /),
      expect.stringMatching(/^january.txt\s+sent\s/),
    ])
    expect((await host.uploads.list({ link: link.link })).uploads).toHaveLength(2)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(await axeProblems(page)).toEqual([])
    // Another session of the same link does not know of them.
    const other = await visit(token ?? '')
    await other.page.waitForSelector('h1:has-text("Send files to")')
    expect(await other.page.locator('.sent > li').count()).toBe(0)
    expect(complaints.filter(one => !/403/.test(one))).toEqual([])
    await page.context().close()
    await other.page.context().close()
  })

  it('takes whatever a document says for text', async () => {
    const { token } = await share()
    const { page, complaints } = await visit(token)
    await isOpen(page)
    await search(page, 'markup')
    expect(await text(page, '.item h3')).toBe(HOSTILE)
    expect(await text(page, '.passage')).toContain(
      `<script>document.title = 'owned'</script> with <b>markup</b>`,
    )
    await page.click('button.title')
    await page.waitForSelector('.document')
    expect(await text(page, '.document h2')).toBe(HOSTILE)
    expect(await text(page, '.document .text')).toContain('<b>markup</b>')
    expect(await page.locator('#screen :is(img, script, b)').count()).toBe(0)
    expect(await page.title()).toBe('Shared documents')
    expect(complaints).toEqual([])
    await page.close()
  })

  it('[ST-2] a link bound to an address asks for the address, then for the code that was mailed to it', async () => {
    const { token } = await share({
      recipientIdentityMode: 'email_bound',
      recipientEmail: 'dana@counsel.example',
    })
    const { page } = await visit(token)
    await page.waitForSelector('text=E-mail address')
    await submit(page, 'Dana@counsel.example')
    await page.waitForSelector('text=Code from the e-mail')
    const code = await codeFor('dana@counsel.example')
    const wrong = code === '00000000' ? '11111111' : '00000000'
    await submit(page, wrong)
    await page.waitForSelector('#problem:has-text("That code is wrong or has expired")')
    expect(await page.evaluate('document.activeElement.id')).toBe('field')
    await submit(page, code)
    await isOpen(page)
    await page.close()
  })

  it.runIf(deep)('[ST-2] a link with a passcode opens by it, and by no other', async () => {
    const { token } = await share({ recipientIdentityMode: 'passcode_required', passcode: 'correct horse' })
    const { page } = await visit(token)
    await page.waitForSelector('text=Enter the passcode')
    expect(await page.getAttribute('#field', 'type')).toBe('password')
    await submit(page, 'wrong horse')
    await page.waitForSelector('#problem:has-text("That passcode is wrong")')
    await submit(page, 'correct horse')
    await isOpen(page)
    await page.close()
  })

  it('[ST-10] a link may ask for a passcode, for an address and for consent to a text, one after the other', async () => {
    const { token } = await share({
      recipientIdentityMode: 'email_bound',
      allowList: ['@counsel.example'],
      passcode: 'correct horse',
      agreement: 'Keep it <b>confidential</b>.',
    })
    const { page } = await visit(token)
    await page.waitForSelector('text=Enter the passcode')
    await submit(page, 'correct horse')
    await page.waitForSelector('text=Confirm your e-mail address')
    await submit(page, 'ada@counsel.example')
    await page.waitForSelector('text=Enter the code')
    await submit(page, await codeFor('ada@counsel.example'))
    await page.waitForSelector('text=Before you continue')
    expect(await text(page, '.agreement')).toBe('Keep it <b>confidential</b>.')
    await page.click('text=I agree')
    await isOpen(page)
    await page.close()
  })

  it('[ST-2] a link whose host approves by name waits for the host, also over a reload, and tells when one is not let in', async () => {
    const { link, token } = await share({ recipientIdentityMode: 'host_approved_named_external' })
    const { page } = await visit(token)
    await page.waitForSelector('text=Your name')
    await submit(page, 'Dana Roe')
    await page.waitForSelector('text=Waiting for approval')
    await page.reload()
    await page.waitForSelector('text=Waiting for approval')
    const decide = async (decision: 'approve' | 'decline') => {
      const pending = async () => (await host.links.requests({ link, state: 'pending' })).requests
      // The page says that it waits once it has asked, which may be before the request stands.
      await expect.poll(async () => (await pending()).map(({ name }) => name)).toEqual(['Dana Roe'])
      await host.links.decide({ request: (await pending())[0]?.request ?? '', decision })
    }
    await decide('decline')
    await page.waitForSelector('text=Access was not approved')
    await page.click('text=Request access again')
    await page.waitForSelector('text=Your name')
    await submit(page, 'Dana Roe')
    await page.waitForSelector('text=Waiting for approval')
    await decide('approve')
    await isOpen(page)
    await page.close()
  }, 60_000)

  it('[ST-3] a link that is unknown, expired, revoked or full is one sentence', async () => {
    const revoked = await share()
    await host.links.revoke({ link: revoked.link, reason: 'over' })
    const full = await share({ rateLimits: { maxRecipientSessionsConcurrent: 1 } })
    const first = await visit(full.token)
    await isOpen(first.page)
    const expired = await share({ expiresAt: new Date(Date.now() + 1_500).toISOString() })
    await new Promise(resolve => setTimeout(resolve, 1_600))
    const unknown = `${full.token.slice(0, -4)}${full.token.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`
    const said = new Set<string>()
    const malformed = deep ? ['nonsense', '%', 'a'.repeat(500)] : []
    for (const token of [revoked.token, full.token, expired.token, unknown, ...malformed]) {
      const { page } = await visit(token)
      await page.waitForSelector('.card')
      said.add(await text(page))
      await page.close()
    }
    expect([...said]).toEqual([expect.stringContaining('This link cannot be opened')])
    // One browser has one session, in however many tabs.
    const tabs = await Promise.all([1, 2, 3].map(() => first.page.context().newPage()))
    await Promise.all(tabs.map(tab => tab.goto(`${server.url}/share#${full.token}`)))
    for (const tab of tabs) await isOpen(tab)
    // The place of one who leaves is free.
    await first.page.click('text=Leave')
    await first.page.waitForSelector('text=You have left')
    expect(await first.page.evaluate('sessionStorage.length + localStorage.length')).toBe(0)
    for (const tab of tabs) await tab.waitForSelector('text=This session has ended')
    const second = await visit(full.token)
    await isOpen(second.page)
    await second.page.close()
    await first.page.close()
  }, 60_000)

  it('[ST-5] of a session that is revoked while it is open nothing stays on the screen', async () => {
    const { link, token } = await share()
    const { page } = await visit(token)
    await isOpen(page)
    await search(page, 'scienter')
    await host.links.revoke({ link, reason: 'over' })
    await page.click('button.title')
    await page.waitForSelector('text=This session has ended')
    expect(await text(page)).toBe(
      'This session has ended\n\nThis session has been revoked and cannot be resumed. Ask for a new one.',
    )
    expect(await text(page, '#session')).toBe('')
    expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0)
    await page.close()
  })

  it('[SP-10] [SP-5] whoever asks too often is told to wait, what is shown stays, and a suspended session can go on later', async () => {
    const { link, token } = await share({ rateLimits: { maxQueriesPerHour: 1 } })
    const { page } = await visit(token)
    await isOpen(page)
    await search(page, 'scienter')
    await page.fill('#query', 'motion')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#notice:has-text("Wait a few minutes")')
    expect(await text(page, '#content h2')).toContain('scienter')
    await page.click('text=Close')
    expect(await text(page, '#notice')).toBe('')
    const { profiles } = await host.profiles.list({ link })
    const profile = profiles[0]?.profile ?? ''
    await host.profiles.suspend({ profile })
    await page.click('button.title')
    await page.waitForSelector('text=This session is suspended')
    await host.profiles.resume(profile)
    await page.click('text=Try again')
    await page.waitForSelector('.document, .item')
    await page.close()
  })

  it.runIf(deep)(
    '[SV-4] a view that lists its changes does so; a snapshot that drifted says so',
    async () => {
      await host.remember({
        kind: 'document',
        corpus: 'log',
        surface: 'source_documents',
        visibilityClass: 'public_open',
        title: 'First',
        text: 'the first',
      })
      const views = []
      for (const mode of ['live_view_with_change_log', 'snapshot_at_share_with_drift_disclosure'] as const)
        views.push(await share({}, { corpus: 'log', viewTemporalMode: mode }))
      await host.remember({
        kind: 'document',
        corpus: 'log',
        surface: 'source_documents',
        visibilityClass: 'public_open',
        title: 'Second',
        text: 'the second',
      })
      const live = await visit(views[0]?.token ?? '')
      await isOpen(live.page)
      await live.page.click('text=What changed')
      await live.page.click('.log button:has-text("Second")')
      await live.page.waitForSelector('.document:has-text("the second")')
      const still = await visit(views[1]?.token ?? '')
      await isOpen(still.page)
      expect(await text(still.page, '.corpora')).toContain('The documents have changed since then')
      expect(await still.page.locator('text=What changed').count()).toBe(0)
      await live.page.close()
      await still.page.close()
    },
  )

  it.runIf(deep)('is read on a phone and in the dark, and says when the server is out of reach', async () => {
    const { token } = await share()
    const { page } = await visit(token, { viewport: { width: 360, height: 740 }, colorScheme: 'dark' })
    await isOpen(page)
    expect(
      await page.evaluate<unknown>(`({
        wider: document.documentElement.scrollWidth > innerWidth,
        background: getComputedStyle(document.body).backgroundColor,
        unnamed: [...document.querySelectorAll('button, input, select')].filter(
          one => !(one.textContent.trim() || one.getAttribute('aria-label') || one.labels?.length)).length,
      })`),
    ).toEqual({ wider: false, background: 'rgb(21, 23, 27)', unnamed: 0 })
    await page.context().setOffline(true)
    await page.click('button.title')
    await page.waitForSelector('#notice:has-text("could not be reached")')
    await page.context().setOffline(false)
    await page.click('button.title')
    await page.waitForSelector('.document')
    await page.close()
  })
})

/** The first that there is, asked for again and again. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
