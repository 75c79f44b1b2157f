import { zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import { visit } from '../support/share-links.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { type PassingClock, passingClock, refusalOf } from '../support/sharing.js'
import { engines } from '../support/stores.js'

const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64')
const BOMB = base64(zipSync({ 'a.txt': new Uint8Array(20 * 1_048_576) }))
const PAGE = base64('<html><script>alert(1)</script></html>')
const SHOWN = {
  kind: 'document',
  corpus: 'bank',
  surface: 'source_documents',
  visibilityClass: 'public_open',
} as const
const NOTES = { document: 'notes.txt', content: base64('What we found.') }

describe.each(engines)('files that recipients send in, on %s', engine => {
  let store: SharedStore
  let privity: Privity
  let clock: PassingClock
  beforeAll(async () => {
    store = await sharedStore(engine)
    clock = passingClock()
    privity = await store.instance(clock)
  })
  afterAll(async () => {
    await privity?.close()
    await store?.dispose()
  })

  type Controls = Partial<Parameters<Handle['profiles']['setPolicy']>[0]['settings']>
  async function taking(controls: Controls | null = null, maxUploadsPerDay = 10) {
    const tenant = store.tenant()
    const host = privity.as({ tenant, actor: 'hana' })
    if (controls !== null)
      await host.profiles.setPolicy({
        kind: 'external_upload_file_safety_controls',
        policy: 'controls',
        settings: controls,
      } as never)
    const { view } = await host.views.create({ corpus: 'bank', viewTemporalMode: 'live_view' })
    const { token, link } = await host.links.grant({
      views: [view],
      recipientIdentityMode: 'anonymous_share_token',
      allowedActions: ['search', 'document_view', 'upload'].map(namespace => ({
        kind: 'namespace_all',
        namespace,
      })),
      rateLimits: { maxUploadsPerDay },
      ...(controls === null ? {} : { policyRefs: { externalUploadFileSafetyControlsRef: 'controls' } }),
    } as Parameters<Handle['links']['grant']>[0])
    const enter = () => visit(privity, { token: token ?? '' })
    return { tenant, host, view, link: link.link, enter }
  }

  it('[ST-7] a file waits for the host, who files it as a document that no recipient sees', async () => {
    const { host, link, enter } = await taking()
    const guest = await enter()
    const sent = await guest.handle.upload.send({ ...NOTES, message: 'As promised.' })
    expect(sent).toMatchObject({
      state: 'received',
      warnings: [],
      duplicateOf: null,
      mediaType: 'text/plain',
    })
    expect((await host.notifications.list()).notifications).toMatchObject([
      { type: 'share.uploaded', refs: { link, upload: sent.upload } },
      { type: 'share.opened' },
    ])
    expect((await host.uploads.list()).uploads).toMatchObject([
      { upload: sent.upload, link, session: guest.profile, message: 'As promised.', state: 'received' },
    ])
    expect((await host.uploads.fetch(sent.upload))?.content).toBe(NOTES.content)
    // Nobody else knows of it: another host, another recipient of the same link.
    const other = privity.as({ tenant: store.tenant(), actor: 'olaf' })
    expect((await other.uploads.list()).uploads).toEqual([])
    expect(await other.uploads.fetch(sent.upload)).toBeNull()
    const second = await enter()
    expect((await second.handle.upload.list()).uploads).toEqual([])
    expect((await guest.handle.upload.list()).uploads).toMatchObject([{ upload: sent.upload }])
    const filed = await host.uploads.file({ upload: sent.upload, corpus: 'bank' })
    expect(filed).toMatchObject({ state: 'filed', record: expect.any(String) })
    expect((await host.documents.read(filed.record ?? ''))?.text).toContain('What we found.')
    // Even in the corpus that is shared it has a label that the view does not show.
    for (const { handle } of [guest, second]) expect((await handle.documents.list()).documents).toEqual([])
    expect(await refusalOf(host.uploads.file({ upload: sent.upload }))).toMatchObject({ code: 'conflict' })
  })

  it('[ST-12] a file request shows nothing and takes files in, which are filed where it says', async () => {
    const tenant = store.tenant()
    const host = privity.as({ tenant, actor: 'hana' })
    await host.remember({ ...SHOWN, text: 'What anybody may see.' })
    const { link, token } = await host.links.requestFiles({
      name: 'Payslips of Berg',
      message: 'Please send your payslips.',
      corpus: 'secret audit',
      folder: 'Berg/payslips',
    })
    expect(link).toMatchObject({
      views: [],
      fileRequest: { corpus: 'secret audit', folder: 'Berg/payslips' },
    })
    const { handle: berg } = await visit(privity, { token: token ?? '' })
    const manifest = await berg.profiles.current()
    expect(manifest).toMatchObject({
      fileRequest: { requestedBy: 'hana', message: 'Please send your payslips.' },
      corpora: [],
      actions: ['upload.send'],
    })
    // Where files go is for the host alone.
    expect(JSON.stringify(manifest)).not.toMatch(/audit|payslips of|Berg/)
    for (const asked of [berg.documents.list(), berg.documents.search({ query: 'anybody' })])
      expect(await refusalOf(asked)).toMatchObject({ code: 'not_allowed' })
    const { upload } = await berg.upload.send(NOTES)
    const { record } = await host.uploads.file({ upload })
    expect((await host.get(record ?? ''))?.payload).toMatchObject({
      corpus: 'secret audit',
      document: `Berg/payslips/${upload.slice(0, 8)}/notes.txt`,
    })
    // It stays what it is, and copies of it are the same.
    const more = { allowedActions: [{ kind: 'namespace_all', namespace: 'document_view' }] } as const
    expect(await refusalOf(host.links.change({ link: link.link, ...more } as never))).toMatchObject({
      code: 'invalid_input',
    })
    const { copies } = await host.links.copy({ link: link.link, recipients: [{ name: 'Ada' }] })
    const ada = await visit(privity, { token: copies[0]?.token ?? '' })
    expect((await ada.handle.profiles.current()).fileRequest).toMatchObject({ requestedBy: 'hana' })
    expect((await ada.handle.upload.list()).uploads).toEqual([])
  })

  it('[ST-12] a session without views sees nothing, even if it may ask', async () => {
    const tenant = store.tenant()
    const host = privity.as({ tenant, actor: 'hana' })
    const { id } = await host.remember({ ...SHOWN, text: 'What anybody may see.' })
    const { token } = await host.links.requestFiles({ name: 'Papers' })
    const guest = await visit(privity, { token: token ?? '' })
    // As if somebody had widened what it may do behind the back of every check.
    const actions = JSON.stringify(
      ['search', 'document_view', 'document_download'].map(namespace => ({
        kind: 'namespace_all',
        namespace,
      })),
    )
    await store.sql('update privity.share_links set allowed_actions = $2::jsonb where tenant_id = $1', [
      tenant,
      actions,
    ])
    expect((await guest.handle.documents.list()).documents).toEqual([])
    expect((await guest.handle.documents.search({ query: 'anybody' })).results).toEqual([])
    expect(await guest.handle.documents.open(id)).toBeNull()
  })

  it('[ST-7] a failure is rejected with its reason, waits in quarantine, or goes on with a warning, as the controls say', async () => {
    const bomb = { document: 'a.zip', content: BOMB }
    const strict = await taking()
    const rejected = (await strict.enter()).handle.upload.send(bomb)
    expect(await refusalOf(rejected)).toMatchObject({
      code: 'not_allowed',
      reason: 'upload_safety_failed',
      details: { check: 'decompression_bomb_detected' },
    })
    expect((await strict.host.uploads.list()).uploads).toEqual([])

    const careful = await taking({ onSafetyFailure: 'quarantine_and_alert_host' } as Controls)
    const held = await (await careful.enter()).handle.upload.send(bomb)
    expect(held).toMatchObject({ state: 'quarantined', warnings: ['decompression_bomb_detected'] })
    expect((await careful.host.notifications.list()).notifications).toMatchObject([
      { type: 'share.quarantined' },
      { type: 'share.opened' },
    ])
    expect(await refusalOf(careful.host.uploads.file({ upload: held.upload }))).toMatchObject({
      code: 'conflict',
    })
    expect(await careful.host.uploads.decide({ upload: held.upload, decision: 'release' })).toMatchObject({
      state: 'received',
    })
    expect(await careful.host.uploads.decide({ upload: held.upload, decision: 'discard' })).toMatchObject({
      state: 'discarded',
    })
    expect(await careful.host.uploads.fetch(held.upload)).toBeNull()

    const lenient = await taking({ onSafetyFailure: 'warn_recipient_proceed_anyway' } as Controls)
    expect(
      await (await lenient.enter()).handle.upload.send({ ...NOTES, mediaType: 'image/png' }),
    ).toMatchObject({
      state: 'received',
      warnings: ['mime_type_mismatch'],
    })
  })

  it('[ST-7] active content is warned of by default, and blocked where the controls say so', async () => {
    const page = { document: 'a.html', content: PAGE }
    const plain = await taking()
    expect(await (await plain.enter()).handle.upload.send(page)).toMatchObject({
      state: 'received',
      warnings: ['active_content_detected'],
    })
    const strict = await taking({ activeContentBlockOrWarn: 'block' } as Controls)
    expect(await refusalOf((await strict.enter()).handle.upload.send(page))).toMatchObject({
      details: { check: 'active_content_blocked' },
    })
    const small = await taking({ maxFileSizeBytes: 5 } as Controls)
    expect(await refusalOf((await small.enter()).handle.upload.send(NOTES))).toMatchObject({
      details: { check: 'file_size_exceeds_cap' },
    })
  })

  it('[ST-7] a name that is not what it looks like is refused, and a long one is filed under a shorter', async () => {
    const { host, enter } = await taking()
    const guest = await enter()
    for (const document of ['photo\u202egpj.exe', 'a\u0000.txt', 'a\nb.txt', '', 'x'.repeat(400)])
      expect(await refusalOf(guest.handle.upload.send({ ...NOTES, document }))).toMatchObject({
        code: document.length > 200 ? 'too_large' : 'invalid_input',
      })
    const { upload } = await guest.handle.upload.send({ ...NOTES, document: `${'ü'.repeat(75)}.txt` })
    expect(await host.uploads.file({ upload })).toMatchObject({ state: 'filed' })
  })

  it('[ST-7, NI-6] a duplicate is only noticed of what the recipient sent or sees', async () => {
    const { host, enter } = await taking()
    await host.documents.ingest({ ...NOTES, corpus: 'elsewhere' })
    const guest = await enter()
    expect(await guest.handle.upload.send(NOTES)).toMatchObject({ warnings: [], duplicateOf: null })
    expect(await guest.handle.upload.send(NOTES)).toMatchObject({
      warnings: ['upload_duplicate_detected'],
      duplicateOf: null,
    })
    const open = { document: 'open.txt', content: base64('Seen by all.') }
    const { card } = await host.documents.ingest({ ...open, corpus: 'bank', visibilityClass: 'public_open' })
    expect(await (await enter()).handle.upload.send(open)).toMatchObject({
      warnings: ['upload_duplicate_detected'],
      duplicateOf: card?.id,
    })
  })

  it('[ST-7, ST-1] a link takes as many files a day as it says, all sessions together, and none unless it allows uploads', async () => {
    const { enter, host, view } = await taking(null, 2)
    const [first, second] = [await enter(), await enter()]
    await first.handle.upload.send(NOTES)
    await second.handle.upload.send(NOTES)
    expect(await refusalOf(first.handle.upload.send(NOTES))).toMatchObject({ code: 'rate_limit_exceeded' })
    clock.pass(0.9 * 3_600_000)
    expect(await refusalOf(second.handle.upload.send(NOTES))).toMatchObject({ code: 'rate_limit_exceeded' })
    const { token } = await host.links.grant({
      views: [view],
      recipientIdentityMode: 'anonymous_share_token',
    })
    const reader = await visit(privity, { token: token ?? '' })
    expect(await refusalOf(reader.handle.upload.send(NOTES))).toMatchObject({ code: 'not_allowed' })
    // It is for those who come by a link.
    expect(await refusalOf(host.upload.send(NOTES))).toMatchObject({ code: 'not_found' })
  })
})
