import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encode } from '#images'
import { PDFDocument } from '#pdf-lib'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import { mailbox, visit } from '../support/share-links.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { refusalOf, textOf } from '../support/sharing.js'
import { engines } from '../support/stores.js'

async function pdfOf(...pages: string[]): Promise<string> {
  const pdf = await PDFDocument.create()
  for (const page of pages) pdf.addPage([400, 600]).drawText(page, { x: 40, y: 500, size: 12 })
  return Buffer.from(await pdf.save()).toString('base64')
}

const MAIL = Buffer.from(
  'From: a@example.org\r\nTo: b@example.org\r\nMessage-ID: <1@x>\r\nDate: Mon, 1 Jan 2024 10:00:00 +0000\r\nSubject: Terms\r\n\r\nThe terms of the letter.',
).toString('base64')

describe.each(engines)('watermarks, on %s', engine => {
  let store: SharedStore
  let privity: Privity
  const post = mailbox()
  beforeAll(async () => {
    store = await sharedStore(engine)
    privity = await store.instance(undefined, { mail: { mailer: post.mailer } })
  })
  afterAll(async () => {
    await privity?.close()
    await store?.dispose()
  })

  type Grant = Parameters<Handle['links']['grant']>[0]
  async function bank() {
    const tenant = store.tenant()
    const host = privity.as({ tenant, actor: 'hana' })
    const file = async (document: string, content: string) =>
      (await host.documents.ingest({ document, corpus: 'bank', content, visibilityClass: 'public_open' }))
        .card?.id ?? ''
    const view = async () => (await host.views.create({ corpus: 'bank', viewTemporalMode: 'live_view' })).view
    const open = async (more: Partial<Grant> = {}) => {
      const { link, token } = await host.links.grant({
        views: [await view()],
        recipientIdentityMode: 'anonymous_share_token',
        ...more,
      })
      return { link: link.link, guest: await visit(privity, { token: token ?? '' }) }
    }
    return { tenant, host, file, view, open }
  }

  it('[ST-4, ST-8] an image leaves as an image with its number, and not at all where it cannot carry one', async () => {
    const { host, file, open } = await bank()
    const plain = Buffer.from(encode({ width: 40, height: 30, data: new Uint8Array(4_800).fill(200) }))
    const { guest } = await open()
    const copy = await guest.handle.documents.download(await file('scan.png', plain.toString('base64')))
    expect(copy).toMatchObject({ form: 'original', fileName: 'scan.png', mediaType: 'image/png' })
    const found = await host.watermarks.check({ content: copy.content, document: 'found.png' })
    expect(found).toMatchObject({ numbers: [copy.watermark], copies: [{ state: 'valid', of: 'download' }] })
    const at = plain.indexOf('IDAT') - 4
    const control = Buffer.from('000000086163544c000000020000000000000000', 'hex')
    const animated = Buffer.concat([plain.subarray(0, at), control, plain.subarray(at)])
    const refused = guest.handle.documents.download(await file('moves.png', animated.toString('base64')))
    expect(await refusalOf(refused)).toMatchObject({ reason: 'share.watermark_not_possible' })
  })

  it('[ST-4, ST-8] a download is the filed document, marked, numbered and traced to its link, session and time', async () => {
    const { host, file, open } = await bank()
    const id = await file('briefs/motion.pdf', await pdfOf('The scienter argument.', 'Second page.'))
    const { link, guest } = await open()
    const copy = await guest.handle.documents.download(id)
    expect(copy).toMatchObject({ form: 'original', fileName: 'motion.pdf', mediaType: 'application/pdf' })
    const found = await host.watermarks.check({ content: copy.content, document: 'found.pdf' })
    expect(found).toMatchObject({
      numbers: [copy.watermark],
      unknown: [],
      copies: [
        { state: 'valid', of: 'download', link, session: guest.profile, document: id, recipient: null },
      ],
    })
    // Each copy has a number of its own, and its text tells too what it is.
    const again = await guest.handle.documents.download(id)
    expect(again.watermark).not.toBe(copy.watermark)
    const text = await guest.handle.documents.download(id, { form: 'text' })
    expect(textOf(text)).toContain('The scienter argument.')
    expect((await host.watermarks.check({ content: text.content })).numbers).toEqual([text.watermark])
    // The number alone, as it is read from a print.
    const read = String(again.watermark).toLowerCase().replaceAll('-', ' ')
    expect((await host.watermarks.check({ number: read })).copies).toMatchObject([
      { number: again.watermark },
    ])
    // Somebody else's number is one that nobody has.
    const other = privity.as({ tenant: (await bank()).tenant, actor: 'olaf' })
    expect(await other.watermarks.check({ number: String(copy.watermark) })).toEqual({
      numbers: [copy.watermark],
      copies: [],
      unknown: [copy.watermark],
    })
    expect(await refusalOf(host.watermarks.check({ number: 'PV-00000-00000-00001' }))).toMatchObject({
      code: 'invalid_input',
    })
  })

  it('[ST-4] a file that cannot carry the mark does not leave, and its marked text does', async () => {
    const { file, open } = await bank()
    const id = await file('letter.eml', MAIL)
    const { guest } = await open()
    expect(await refusalOf(guest.handle.documents.download(id))).toMatchObject({
      code: 'not_allowed',
      reason: 'share.watermark_not_possible',
    })
    expect(await refusalOf(guest.handle.documents.file(id))).toMatchObject({
      reason: 'share.watermark_not_possible',
    })
    const text = await guest.handle.documents.download(id, { form: 'text' })
    expect(textOf(text)).toContain(String(text.watermark))
    const { guest: plain } = await open({ watermarkDownloads: false })
    expect(textOf(await plain.handle.documents.download(id))).toBe(Buffer.from(MAIL, 'base64').toString())
  })

  it('[ST-4] the policy of the link says what is marked, with what, and where', async () => {
    const { host, file, open, view } = await bank()
    const id = await file('notes.txt', Buffer.from('All of the notes.').toString('base64'))
    const on = (
      appliesTo: 'downloaded_artifacts' | 'displayed_content' | 'both',
      watermarkVisibility: 'visible' | 'invisible_metadata' | 'both',
    ) => open({ watermarkPolicy: { appliesTo, watermarkKind: 'session_id', watermarkVisibility } })
    const shown = (text: string) => /PV-/.test(text)
    for (const [appliesTo, visibility, down, seen] of [
      ['downloaded_artifacts', 'visible', true, false],
      ['displayed_content', 'both', false, true],
      ['both', 'invisible_metadata', false, false],
      ['both', 'visible', true, true],
    ] as const) {
      const { guest } = await on(appliesTo, visibility)
      const copy = await guest.handle.documents.download(id)
      expect([appliesTo, visibility, shown(textOf(copy))]).toEqual([appliesTo, visibility, down])
      expect((await host.watermarks.check({ content: copy.content })).copies).toHaveLength(1)
      const read = await guest.handle.documents.open(id)
      expect([appliesTo, visibility, shown(read?.text ?? '')]).toEqual([appliesTo, visibility, seen])
      // What is displayed as a file can be kept, and always has its session's number.
      const file = await guest.handle.documents.file(id)
      expect((await host.watermarks.check({ content: file?.content ?? '' })).copies).toMatchObject([
        { of: 'display', session: guest.profile },
      ])
    }
    const refused = async (policy: object, more: Partial<Grant> = {}) =>
      refusalOf(
        host.links.grant({
          views: [await view()],
          recipientIdentityMode: 'anonymous_share_token',
          watermarkPolicy: {
            appliesTo: 'both',
            watermarkKind: 'session_id',
            watermarkVisibility: 'both',
            ...policy,
          } as never,
          ...more,
        }),
      )
    expect(await refused({ watermarkKind: 'custom' })).toMatchObject({ code: 'invalid_input' })
    expect(await refused({ watermarkKind: 'user_email' })).toMatchObject({ code: 'invalid_input' })
    expect(await refused({}, { watermarkDownloads: false })).toMatchObject({ code: 'invalid_input' })
  })

  it('[ST-4, ST-5] a recall marks every number of the link as invalid', async () => {
    const { host, file, view } = await bank()
    const id = await file('notes.txt', Buffer.from('All of the notes.').toString('base64'))
    const recipientEmail = 'berg@example.org'
    const granted = await host.links.grant({
      views: [await view()],
      recipientIdentityMode: 'email_bound',
      recipientEmail,
    })
    const token = granted.token ?? ''
    await privity.redeem({ token, email: recipientEmail })
    const guest = await visit(privity, {
      token,
      email: recipientEmail,
      code: await post.codeFor(recipientEmail),
    })
    const copy = await guest.handle.documents.download(id)
    expect(textOf(copy)).toContain(`${recipientEmail} · ${copy.watermark}`)
    await host.links.revoke({
      link: granted.link.link,
      reason: 'over',
      downloadedCopiesDisposition: 'best_effort_recall_request',
    })
    expect((await host.watermarks.check({ content: copy.content })).copies).toMatchObject([
      {
        state: 'invalid',
        recipient: recipientEmail,
        invalidSince: expect.any(String),
        linkRevokedAt: expect.any(String),
      },
    ])
  })

  it('[ST-8, NI-12] a file leaves only where all of it may be seen', async () => {
    const { host, file, open } = await bank()
    const long = `# First\n\n${'one '.repeat(800)}\n\n# Second\n\n${'two '.repeat(800)}`
    const id = await file('long.md', Buffer.from(long).toString('base64'))
    const { guest } = await open({ watermarkDownloads: false })
    expect((await guest.handle.documents.open(id))?.file).toBe('text/markdown')
    expect(textOf(await guest.handle.documents.download(id))).toBe(long)
    const { results } = await host.documents.search({ query: 'two' })
    const segment = results.find(({ card }) => card !== null)?.document.segment ?? ''
    await host.overlays.add({ target: { kind: 'segment', ref: segment }, restriction: 'not_shareable' })
    expect((await guest.handle.documents.open(id))?.file).toBeNull()
    expect(await guest.handle.documents.file(id)).toBeNull()
    const rest = await guest.handle.documents.download(id)
    expect(rest.form).toBe('text')
    expect(textOf(rest)).toContain('one')
    expect(textOf(rest).length).toBeLessThan(long.length)
  })
})
