import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PDFDocument } from '#pdf-lib'
import { smtpMailer } from '../../src/mail/smtp-mailer.js'
import { openBrowser } from '../support/browser.js'
import { times } from '../support/depth.js'
import { openTestServer, type TestServer } from '../support/server.js'
import { anyEngine } from '../support/stores.js'

/** As many as in the worked example in the deep run. */
const PDFS = times(4, 47)
const COCOUNSEL = 'cocounsel@firm.example'

let server: TestServer
let smtp: SMTPServer
const letters: string[] = []

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      const pieces: Buffer[] = []
      stream.on('data', piece => pieces.push(piece))
      stream.on('end', () => {
        letters.push(Buffer.concat(pieces).toString())
        done()
      })
    },
  })
  await new Promise<void>(resolve => smtp.listen(0, '127.0.0.1', resolve))
  const url = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`
  const mail = { mailer: smtpMailer({ url, from: 'sharing@firm.example' }) }
  server = await openTestServer(anyEngine, {}, { mail })
})
afterAll(async () => {
  await server?.dispose()
  await new Promise<void>(resolve => smtp.close(resolve))
})

async function letterWith(words: RegExp): Promise<string> {
  for (let tries = 0; tries < 600; tries++) {
    const found = letters.findLast(letter => words.test(letter))
    if (found !== undefined) return found
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error(`no letter with ${words}`)
}

async function exhibit(number: number): Promise<string> {
  const pdf = await PDFDocument.create()
  pdf.addPage([400, 600]).drawText(`Exhibit ${number} to the motion.`, { x: 40, y: 500, size: 12 })
  return Buffer.from(await pdf.save()).toString('base64')
}

it('[ST-4, ST-5, ST-8, ST-9, ST-11] worked example 21.4 with real PDFs, a mail server and a browser: marked copies leave, and their recall arrives', async () => {
  const { privity } = server
  const host = privity.as({ tenant: server.tenant(), actor: 'Harrow & Pym' })
  const ids: string[] = []
  for (let number = 1; number <= PDFS; number++) {
    const { card } = await host.documents.ingest({
      document: `exhibit-${number}.pdf`,
      content: await exhibit(number),
      corpus: 'bank',
      surface: 'source_documents',
      visibilityClass: 'public_open',
    })
    ids.push(card?.id ?? '')
  }
  const { view } = await host.views.create({ corpus: 'bank' })
  const { link, token } = await host.links.grant({
    name: 'STK-001',
    views: [view],
    recipientIdentityMode: 'email_bound',
    recipientEmail: COCOUNSEL,
  })

  // Co-counsel opens the link in a browser, by the code that arrives, and downloads one exhibit there.
  const browser = await openBrowser()
  const page = await browser.newPage()
  page.setDefaultTimeout(20_000)
  await page.goto(`${server.url}/share#${token}`)
  await page.fill('#field', COCOUNSEL)
  await page.keyboard.press('Enter')
  await page.waitForSelector('text=Code from the e-mail')
  const code = /Your code: (\d{8})/.exec(await letterWith(/Your code: \d{8}/))?.[1] ?? ''
  await page.fill('#field', code)
  await page.keyboard.press('Enter')
  await page.waitForSelector('.items')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('button:has-text("Download")').first().click(),
  ])
  const file = (await saved.createReadStream()) as AsyncIterable<Buffer>
  const pieces: Buffer[] = []
  for await (const piece of file) pieces.push(piece)
  const inBrowser = await host.watermarks.check({
    content: Buffer.concat(pieces).toString('base64'),
    document: 'found.pdf',
  })
  expect(inBrowser.copies).toMatchObject([{ recipient: COCOUNSEL, state: 'valid', of: 'download' }])

  // The others over HTTP, in the same session.
  const key = await page.evaluate<string>('Object.values(localStorage)[0]')
  const taken = inBrowser.copies[0]?.document
  const numbers = [...inBrowser.numbers]
  for (const id of ids.filter(one => one !== taken)) {
    const answer = await fetch(`${server.url}/api/v1/documents/${id}/download`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{}',
    })
    const { data } = (await answer.json()) as {
      data: { content: string; watermark: string; mediaType: string }
    }
    expect(data.mediaType).toBe('application/pdf')
    numbers.push(data.watermark)
    if (numbers.length > 3 && PDFS > 4) continue
    const found = await host.watermarks.check({ content: data.content, document: 'found.pdf' })
    expect(found.copies).toMatchObject([{ number: data.watermark, document: id, recipient: COCOUNSEL }])
  }
  expect(new Set(numbers).size).toBe(PDFS)
  const { totals, entries } = await host.links.accessLog({ link: link.link, limit: 200 })
  expect(totals).toMatchObject({ sessions: 1, downloads: PDFS })
  expect(entries.flatMap(({ watermarks }) => watermarks).sort()).toEqual([...numbers].sort())

  const revoked = await host.links.revoke({
    link: link.link,
    reason: 'inadvertently_shared_sealed_material',
    downloadedCopiesDisposition: 'best_effort_recall_request',
  })
  expect(revoked).toMatchObject({
    sessionsTerminated: 1,
    downloads: PDFS,
    downloadedFiles: PDFS,
    recall: 'requested',
  })
  expect(revoked.message).toContain(`${COCOUNSEL} was asked to delete ${PDFS} downloaded files.`)
  const letter = await letterWith(/please delete what you downloaded/)
  expect(letter).toContain(`To: ${COCOUNSEL}`)
  expect(letter.replace(/=\r\n/g, '')).toContain(`delete ${PDFS} downloaded files`)
  expect(letter).not.toContain('Exhibit')
  for (const number of numbers)
    expect((await host.watermarks.check({ number })).copies).toMatchObject([{ number, state: 'invalid' }])
  // Nothing of the session is left on the screen at its next step.
  await page.locator('button.title').first().click()
  await page.waitForSelector('text=This session has ended')
  await browser.close()
}, 600_000)
