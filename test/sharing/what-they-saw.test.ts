import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import { mailbox, openBank, visit } from '../support/share-links.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { type PassingClock, passingClock, refusalOf } from '../support/sharing.js'
import { engines } from '../support/stores.js'

const MINUTE = 60_000
const base64 = (text: string) => Buffer.from(text).toString('base64')

describe.each(engines)('what recipients saw, on %s', engine => {
  let store: SharedStore
  let privity: Privity
  let clock: PassingClock
  const box = mailbox()
  beforeAll(async () => {
    store = await sharedStore(engine)
    clock = passingClock()
    privity = await store.instance(clock, { mail: { mailer: box.mailer } })
  })
  afterAll(async () => {
    await privity?.close()
    await store?.dispose()
  })

  /** A file of several pieces in the shared corpus, and its card. */
  const ingest = async (host: Handle, name = 'motion.md', title = 'Motion') => {
    const text = `# ${title}\n\nNo fact pleads scienter.\n\n# Reply\n\n${'More of the argument. '.repeat(300)}`
    const { card } = await host.documents.ingest({
      document: name,
      content: base64(text),
      corpus: 'bank',
      surface: 'source_documents',
      visibilityClass: 'public_open',
    })
    return card?.id ?? ''
  }

  it('[ST-11] one read is one line of one document, and log, totals and CSV say the same', async () => {
    const { host, grant } = await openBank(privity, store.tenant())
    const card = await ingest(host)
    const { link, token } = await grant()
    const { handle, profile } = await visit(privity, { token })
    const read = async () => {
      await handle.profiles.current()
      await handle.documents.open(card)
      await handle.documents.file(card)
    }
    await read()
    clock.pass(40 * MINUTE)
    await read()
    await handle.documents.search({ query: 'scienter' })
    const { watermark } = await handle.documents.download(card)
    const { entries, totals } = await host.links.accessLog({ link })
    const motion = [{ document: card, title: 'Motion' }]
    expect(entries.map(one => [one.operation, one.viewed, one.documents, one.watermarks])).toEqual([
      ['document_download.fetch', false, motion, [watermark]],
      ['search.execute', false, motion, []],
      ['document_view.open', true, motion, []],
      ['document_view.open', true, motion, []],
    ])
    expect(totals).toEqual({ sessions: 1, searches: 1, views: 2, downloads: 1, refused: 0 })
    expect(totals.views).toBe(entries.filter(({ viewed }) => viewed).length)
    expect((await handle.profiles.log()).entries).toHaveLength(4)
    const { csv, lines } = await host.links.exportLog(link)
    expect(lines).toBe(4)
    expect(csv.split('\r\n')[1]).toContain(
      `${profile},,document_download.fetch,ok,,no,,${card},Motion,${watermark}`,
    )
    // A file without its text is a read of its own.
    clock.pass(40 * MINUTE)
    await handle.documents.file(card)
    expect((await host.links.accessLog({ link })).totals.views).toBe(3)
  })

  it('[ST-11, AU-3] the words of a search are told where a policy keeps searches, and only then', async () => {
    const { host, grant, keep } = await openBank(privity, store.tenant())
    await keep('scienter motion')
    await host.profiles.setPolicy({
      kind: 'transcript_retention_policy',
      policy: 'a year',
      settings: { retention: 'durable_audit_1y' },
    })
    const kept = await grant({ policyRefs: { transcriptRetentionPolicyRef: 'a year' } })
    const plain = await grant()
    for (const { token } of [kept, plain])
      await (await visit(privity, { token })).handle.documents.search({ query: '=scienter, "fact"' })
    const queryOf = async (link: string) => (await host.links.accessLog({ link })).entries[0]?.query
    expect(await queryOf(kept.link)).toBe('=scienter, "fact"')
    expect(await queryOf(plain.link)).toBeNull()
    expect((await host.links.exportLog(kept.link)).csv).toContain(`"'=scienter, ""fact"""`)
  })

  it('[ST-11] time on pages adds up by session and document, for the host alone, and no longer than the session', async () => {
    const { host, grant, tenant, keep } = await openBank(privity, store.tenant())
    const card = await ingest(host)
    const hidden = await keep('not shared', { surface: 'host_strategy_notes' })
    const { link, token } = await grant({ sessionIdleSeconds: 600 })
    const { handle, profile } = await visit(privity, { token })
    clock.pass(8 * MINUTE)
    const note = (document: string, ...pages: [number, number][]) =>
      handle.documents.noteReading({ document, pages: pages.map(([page, seconds]) => ({ page, seconds })) })
    await note(card, [1, 30], [2, 5])
    await note(card, [1, 12], [1, 3])
    // It is use of the session.
    clock.pass(8 * MINUTE)
    await note(card, [3, 3_600])
    const { readings } = await host.links.readings(link)
    expect(readings).toMatchObject([{ session: profile, document: card, title: 'Motion' }])
    const pages = readings[0]?.pages ?? []
    expect(pages.slice(0, 2)).toEqual([
      { page: 1, seconds: 45 },
      { page: 2, seconds: 5 },
    ])
    expect(pages[2]?.seconds).toBeGreaterThanOrEqual(16 * 60)
    expect(pages[2]?.seconds).toBeLessThan(17 * 60)
    expect(await refusalOf(note(hidden, [1, 1]))).toMatchObject({ code: 'not_found' })
    expect(await refusalOf(note(card, [1, 0]))).toMatchObject({ code: 'invalid_input' })
    expect(
      await refusalOf(host.documents.noteReading({ document: card, pages: [{ page: 1, seconds: 1 }] })),
    ).toMatchObject({ code: 'not_found' })
    const other = privity.as({ tenant, actor: 'olaf' })
    for (const asked of [other.links.readings(link), other.links.exportLog(link)])
      expect(await refusalOf(asked)).toMatchObject({ code: 'not_found' })
    // What is hidden from its host since has no line.
    const quiet = await grant({ auditVisibility: 'session_local' })
    const guest = await visit(privity, { token: quiet.token })
    await guest.handle.documents.noteReading({ document: card, pages: [{ page: 1, seconds: 1 }] })
    expect((await host.links.readings(quiet.link)).readings).toEqual([])
    expect((await host.links.exportLog(quiet.link)).lines).toBe(0)
  })

  it('[ST-6, AU-2, ST-9] grants name what they follow from; a revocation names its grant, what became of the recall, and its mail', async () => {
    const tenant = store.tenant()
    const bank = await openBank(privity, tenant)
    const id = await bank.keep('the motion')
    const email = `dana-${tenant}@counsel.example`
    const { link, token } = await bank.grant({ recipientIdentityMode: 'email_bound', recipientEmail: email })
    await privity.redeem({ token, email })
    const guest = await visit(privity, { token, email, code: await box.codeFor(email) })
    await guest.handle.documents.download(id)
    const { recallMails } = await bank.host.links.revoke({
      link,
      reason: 'over',
      downloadedCopiesDisposition: 'best_effort_recall_request',
    })
    const operator = privity.as({ tenant, actor: 'op', audience: 'host' })
    const about = async (name: string) => {
      const { operations } = await operator.audit.operations({ name, limit: 10 })
      return operations[0]
    }
    const views = await about('views.create')
    const granted = await about('links.grant')
    expect(granted?.causalParents).toEqual([views?.operation])
    for (let tries = 0; tries < 400 && (await about('links.revoke'))?.mails[0]?.state !== 'sent'; tries++)
      await new Promise(resolve => setTimeout(resolve, 10))
    expect(await about('links.revoke')).toMatchObject({
      causalParents: [granted?.operation],
      effects: ['share_link_revoke', 'recall_requested', 'watermarks_invalidated'],
      mails: recallMails.map(mail => ({ mail, state: 'sent' })),
    })
  })
})
