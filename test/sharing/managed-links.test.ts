import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Privity } from '../../src/open.js'
import { KeyRing } from '../../src/runtime/key-ring.js'
import { HostAlerts } from '../../src/sharing/host-alerts.js'
import { type Bank, mailbox, openBank, visit } from '../support/share-links.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { type PassingClock, passingClock, refusalOf } from '../support/sharing.js'
import { engines } from '../support/stores.js'

const MINUTE = 60_000
const PASSCODE = 'correct horse battery'
const EXPIRED = { code: 'session_profile_invalid', reason: 'session.profile_expired' }

describe.each(engines)('links that people manage, on %s', engine => {
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

  const bank = () => openBank(privity, store.tenant())
  const told = async ({ host }: Bank) =>
    (await host.notifications.list({ limit: 100 })).notifications.map(({ type }) => type).reverse()
  const until = async (isSo: () => Promise<boolean> | boolean) => {
    for (let tries = 0; tries < 400; tries++) {
      if (await isSo()) return
      await new Promise(resolve => setTimeout(resolve, 10))
    }
    throw new Error('it never was so')
  }
  const mailsTo = (address: string) => box.mails.filter(({ to }) => to === address)
  /** Somebody who has an address of a link, and what else it asks for. */
  const enter = async (token: string, email: string, more: object = {}) => {
    const before = box.mails.length
    await privity.redeem({ token, email, ...more })
    return await visit(privity, { token, email, code: await box.codeFor(email, before), ...more })
  }

  it('[ST-10] a session that nobody uses ends and makes room; one that is used goes on', async () => {
    const made = await bank()
    const { token } = await made.grant({
      sessionIdleSeconds: 600,
      rateLimits: { maxRecipientSessionsConcurrent: 1 },
    })
    const first = await visit(privity, { token })
    for (let times = 0; times < 3; times++) {
      clock.pass(9 * MINUTE)
      await first.handle.documents.list()
    }
    expect(await refusalOf(privity.redeem({ token }))).toMatchObject({ code: 'not_found' })
    clock.pass(11 * MINUTE)
    expect(await refusalOf(first.handle.documents.list())).toMatchObject(EXPIRED)
    expect((await made.host.profiles.get(first.profile))?.profileState).toBe('expired')
    await visit(privity, { token })
    // Being let in again ends nothing of what is over.
    expect(await refusalOf(first.handle.documents.list())).toMatchObject(EXPIRED)
  })

  it('[ST-10] a host is told of whoever opens, downloads, is refused or finds the link full, and not of each repetition', async () => {
    const made = await bank()
    const id = await made.keep('the motion')
    const { link, token } = await made.grant({
      recipientIdentityMode: 'passcode_required',
      passcode: PASSCODE,
      rateLimits: { maxRecipientSessionsConcurrent: 1 },
    })
    await privity.redeem({ token, passcode: 'wrong horse' })
    await privity.redeem({ token, passcode: 'wrong horses' })
    const guest = await visit(privity, { token, passcode: PASSCODE })
    await guest.handle.documents.download(id)
    await guest.handle.documents.download(id)
    for (let times = 0; times < 2; times++) await refusalOf(privity.redeem({ token, passcode: PASSCODE }))
    await until(async () => (await told(made)).includes('share.full'))
    expect(await told(made)).toEqual(['share.refused', 'share.opened', 'share.downloaded', 'share.full'])
    const [full] = (await made.host.notifications.list({ limit: 1 })).notifications
    expect(full?.refs).toEqual({ link })
    clock.pass(61 * MINUTE)
    await privity.redeem({ token, passcode: 'wrong' })
    await until(async () => (await told(made)).length === 5)
  })

  it('[ST-10] a link tells only what its host asked for', async () => {
    const made = await bank()
    const { token } = await made.grant({ notices: { events: ['downloaded'] } })
    const guest = await visit(privity, { token })
    expect(await told(made)).toEqual([])
    await guest.handle.documents.download(await made.keep('the motion'))
    expect(await told(made)).toEqual(['share.downloaded'])
  })

  it('[ST-10, ST-9] notices are mailed at once, or all of a day together, without a word of documents', async () => {
    const made = await bank()
    const id = await made.keep('Zebra motion')
    const to = `host-${store.tenant()}@firm.example`
    const { link, token } = await made.grant({ name: 'Filings', notices: { email: to } })
    const guest = await visit(privity, { token })
    await until(() => mailsTo(to).length === 1)
    expect(mailsTo(to)[0]?.subject).toBe('Somebody opened “Filings”.')
    await made.host.links.change({ link, notices: { digest: 'daily' } })
    expect((await made.host.links.get(link))?.notices).toMatchObject({ email: to, digest: 'daily' })
    for (const _ of [1, 2, 3]) await guest.handle.documents.download(id)
    await visit(privity, { token })
    const keys = await KeyRing.open(store.db)
    const sender = { mails: true, noteWork: () => {} }
    const alerts = new HostAlerts(store.db, keys, clock, sender, { sweeps: false })
    expect(await alerts.sweep()).toBe(0)
    clock.pass(25 * 60 * MINUTE)
    expect(await alerts.sweep()).toBe(1)
    expect(await alerts.sweep()).toBe(0)
    // The digest is queued; whatever is sent next takes it along.
    await visit(privity, await made.grant({ notices: { email: to } }))
    await until(() => mailsTo(to).length === 3)
    const digest = mailsTo(to).find(({ subject }) => subject.startsWith('What happened'))
    expect(digest?.text).toContain('Sessions opened: 1\nDocuments downloaded: 3\n')
    expect(JSON.stringify(mailsTo(to))).not.toContain('Zebra')
    const { mails } = await made.host.mail.list({ link })
    expect(mails.map(({ purpose }) => purpose)).toEqual(['notice', 'notice'])
  })

  it('[ST-10, ST-2] lists let in addresses and domains, each by a code of its own, and keep others out; all answers are alike', async () => {
    const made = await bank()
    const { link, token } = await made.grant({
      recipientIdentityMode: 'email_bound',
      allowList: ['Ana@firm.example', '@court.example'],
      denyList: ['intern@court.example'],
    })
    const started = box.mails.length
    const answers = new Set<string>()
    for (const email of [
      'ana@firm.example',
      'clerk@court.example',
      'intern@court.example',
      'bo@firm.example',
      'x',
    ])
      answers.add(JSON.stringify(Object.keys(await privity.redeem({ token, email }))))
    expect([...answers]).toEqual(['["status","expiresAt"]'])
    const anas = await box.codeFor('ana@firm.example', started)
    const clerks = await box.codeFor('clerk@court.example', started)
    expect(mailsTo('intern@court.example').length + mailsTo('bo@firm.example').length).toBe(0)
    // A code is of its address: neither opens with the other's, and both stay good.
    expect((await privity.redeem({ token, email: 'ana@firm.example', code: clerks })).status).toBe('refused')
    const ana = await visit(privity, { token, email: 'ana@firm.example', code: anas })
    const clerk = await visit(privity, { token, email: 'clerk@court.example', code: clerks })
    expect((await privity.redeem({ token, email: 'ana@firm.example', code: anas })).status).toBe('refused')
    await until(async () => (await told(made)).includes('share.refused'))
    await clerk.handle.documents.list()
    const { entries } = await made.host.links.accessLog({ link })
    expect(entries.find(({ session }) => session === clerk.profile)?.recipient).toBe('clerk@court.example')
    expect((await made.host.profiles.get(ana.profile))?.recipientEmail).toBe('ana@firm.example')
    // Whoever is put on the list is out at once.
    await made.host.links.change({ link, denyList: ['@court.example'] })
    expect(await refusalOf(clerk.handle.documents.list())).toMatchObject({ code: 'session_profile_invalid' })
    await ana.handle.documents.list()
    const rows = await store.sql<{ row: string }>(`select l::text || c::text as row
      from privity.share_links l left join privity.link_codes c using (tenant_id, link_id)`)
    expect(JSON.stringify(rows)).not.toMatch(/court\.example|firm\.example/)
  })

  it('[ST-10] refuses lists that no link can have', async () => {
    const made = await bank()
    for (const [wrong, message] of [
      [{ allowList: ['@court.example'] }, 'allowList: needs a link with recipientIdentityMode email_bound'],
      [{ recipientIdentityMode: 'email_bound' }, 'recipientEmail: a link bound to an address needs one'],
      [
        { recipientIdentityMode: 'email_bound', recipientEmail: 'a@b.example', denyList: ['@b.example'] },
        'denyList: must not keep out recipientEmail',
      ],
      [
        { recipientIdentityMode: 'email_bound', allowList: ['court.example'] },
        expect.stringContaining('must be an e-mail address, or a domain such as @example.com'),
      ],
    ] as const)
      expect(await refusalOf(made.grant(wrong as never))).toMatchObject({ code: 'invalid_input', message })
  })

  it('[ST-10, ST-2] an address and a passcode together: both are needed each time, and no code is mailed before the passcode', async () => {
    const made = await bank()
    const email = `dana-${store.tenant()}@counsel.example`
    const { token } = await made.grant({
      recipientIdentityMode: 'email_bound',
      recipientEmail: email,
      passcode: PASSCODE,
    })
    expect((await privity.redeem({ token, email })).status).toBe('passcode_needed')
    expect((await privity.redeem({ token, email, passcode: 'wrong horse' })).status).toBe('refused')
    expect((await privity.redeem({ token, passcode: PASSCODE })).status).toBe('email_needed')
    expect((await privity.redeem({ token, email, passcode: PASSCODE })).status).toBe('code_sent')
    const code = await box.codeFor(email)
    expect(mailsTo(email)).toHaveLength(1)
    expect((await privity.redeem({ token, email, code })).status).toBe('passcode_needed')
    await visit(privity, { token, email, code, passcode: PASSCODE })
  })

  it('[ST-10] an agreement is shown to whoever proved who they are, and recorded by its hash', async () => {
    const made = await bank()
    const agreement = 'You keep it confidential. ¶'
    const sha256 = createHash('sha256').update(agreement).digest('hex')
    const email = `nda-${store.tenant()}@counsel.example`
    const { link, token } = await made.grant({
      recipientIdentityMode: 'email_bound',
      recipientEmail: email,
      agreement,
    })
    expect((await made.host.links.get(link))?.agreement).toEqual({ text: agreement, sha256 })
    expect(JSON.stringify(await privity.redeem({ token, email }))).not.toContain('confidential')
    const proof = { token, email, code: await box.codeFor(email) }
    const asked = { status: 'agreement_needed', text: agreement, sha256 }
    expect(await privity.redeem(proof)).toEqual(asked)
    expect(await privity.redeem({ ...proof, agreement: sha256.replace(/^./, 'g') })).toEqual(asked)
    const guest = await visit(privity, { ...proof, agreement: sha256 })
    expect((await made.host.profiles.get(guest.profile))?.agreementSha256).toBe(sha256)
    expect((await privity.redeem({ ...proof, agreement: sha256 })).status).toBe('refused')
  })

  it('[ST-10, ST-6] several recipients each get a link of their own, which ends alone', async () => {
    const made = await bank()
    const { link } = await made.grant({
      recipientIdentityMode: 'email_bound',
      allowList: ['@court.example'],
      denyList: ['@rival.example'],
      maxSensitivity: 'public',
    })
    const recipients = [{ email: 'ana@firm.example' }, { email: 'bo@firm.example', name: 'Bo' }]
    const { copies } = await made.host.links.copy({ link, recipients }, { idempotencyKey: 'k' })
    expect(copies.map(copy => [copy.link.name, copy.link.recipientEmail, copy.link.copyOf])).toEqual([
      ['bank: ana@firm.example', 'ana@firm.example', link],
      ['bank: Bo', 'bo@firm.example', link],
    ])
    expect(copies[0]?.link).toMatchObject({
      maxSensitivity: 'public',
      denyList: ['@rival.example'],
      allowList: [],
    })
    const again = await made.host.links.copy({ link, recipients }, { idempotencyKey: 'k' })
    expect(again.copies).toEqual(copies.map(copy => ({ ...copy, token: null })))
    const [ana, bo] = copies.map(copy => copy.token ?? '')
    const guest = await enter(ana ?? '', 'ana@firm.example')
    await made.host.links.revoke({ link: copies[1]?.link.link ?? '', reason: 'over' })
    expect(await refusalOf(privity.redeem({ token: bo ?? '' }))).toMatchObject({ code: 'not_found' })
    await guest.handle.documents.list()
    for (const wrong of [{ name: 'Nobody' }, { email: 'eve@rival.example' }])
      expect(await refusalOf(made.host.links.copy({ link, recipients: [wrong] }))).toMatchObject({
        code: 'invalid_input',
      })
    const other = privity.as({ tenant: made.tenant, actor: 'olaf' })
    expect(await refusalOf(other.links.copy({ link, recipients }))).toMatchObject({ code: 'not_found' })
  })

  it('[ST-10, ST-5] a recall asks each address that downloaded, and nobody else', async () => {
    const made = await bank()
    const id = await made.keep('the motion')
    const { link, token } = await made.grant({
      recipientIdentityMode: 'email_bound',
      allowList: ['@court.example'],
    })
    const people = ['ana', 'bo', 'cy'].map(one => `${one}-${store.tenant()}@court.example`)
    const [ana = '', bo = '', cy = ''] = people
    for (const email of people) {
      const { handle } = await enter(token, email)
      if (email !== cy) await handle.documents.download(id)
    }
    const { recall, recallMails, message } = await made.host.links.revoke({
      link,
      reason: 'over',
      downloadedCopiesDisposition: 'best_effort_recall_request',
    })
    expect([recall, recallMails.length]).toEqual(['requested', 2])
    expect(message).toContain('2 recipients were asked to delete 1 downloaded file.')
    const isRecall = ({ subject }: { subject: string }) => subject.startsWith('Share link revoked')
    await until(() => mailsTo(ana).some(isRecall) && mailsTo(bo).some(isRecall))
    expect(mailsTo(cy).some(isRecall)).toBe(false)
    const { mails } = await made.host.mail.list({ link })
    const recalls = mails.filter(({ purpose }) => purpose === 'recall').map(({ mail }) => mail)
    expect(recalls.sort()).toEqual([...recallMails].sort())
  })
})
