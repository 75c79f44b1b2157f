import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { smtpMailer } from '../../src/mail/smtp-mailer.js'
import type { Privity } from '../../src/open.js'
import { visit } from '../support/share-links.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { refusalOf } from '../support/sharing.js'
import { waitUntil } from '../support/webhooks.js'

interface Received {
  readonly to: readonly string[]
  readonly raw: string
}

let store: SharedStore
let privity: Privity
let smtp: SMTPServer
let url: string
const received: Received[] = []
const isRefused = (address: string) => address.startsWith('nobody@')

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, done) =>
      isRefused(address) ? done(Object.assign(new Error('no such user'), { responseCode: 550 })) : done(),
    onData(stream, session, done) {
      const pieces: Buffer[] = []
      stream.on('data', piece => pieces.push(piece))
      stream.on('end', () => {
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(pieces).toString(),
        })
        done()
      })
    },
  })
  await new Promise<void>(resolve => smtp.listen(0, '127.0.0.1', resolve))
  url = `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`
  store = await sharedStore('pglite')
  privity = await store.instance(undefined, {
    mail: { mailer: smtpMailer({ url, from: 'sharing@firm.example' }) },
  })
})
afterAll(async () => {
  await privity?.close()
  await store?.dispose()
  await new Promise<void>(resolve => smtp.close(resolve))
})

async function grantTo(recipientEmail: string) {
  const host = privity.as({ tenant: store.tenant(), actor: 'Hana Brandt' })
  await host.remember({
    kind: 'document',
    corpus: 'bank',
    surface: 'source_documents',
    visibilityClass: 'public_open',
    title: 'Secret title',
    text: 'secret words',
  })
  const { view } = await host.views.create({ corpus: 'bank' })
  const { link, token } = await host.links.grant({
    views: [view],
    recipientIdentityMode: 'email_bound',
    recipientEmail,
  })
  return { host, link: link.link, token: token ?? '' }
}

it('[ST-9, ST-2] a code arrives over SMTP, in the name of the host, and opens the link; its host sees that it was sent', async () => {
  const email = 'berg@example.org'
  const { host, link, token } = await grantTo(email)
  await privity.redeem({ token, email })
  await waitUntil(() => received.some(({ to }) => to.includes(email)))
  const { raw } = received.find(({ to }) => to.includes(email)) ?? { raw: '' }
  expect(raw).toMatch(/^From: Hana Brandt <sharing@firm\.example>/m)
  expect(raw).toMatch(/^Auto-Submitted: auto-generated/m)
  expect(raw).toContain('text/plain')
  expect(raw).toContain('text/html')
  expect(raw).not.toMatch(/secret/i)
  const code = /Subject: Your code: (\d{8})/.exec(raw)?.[1] ?? ''
  const guest = await visit(privity, { token, email, code })
  expect((await guest.handle.documents.list()).documents).toHaveLength(1)
  await waitUntil(async () => (await host.mail.list({ link })).mails[0]?.state === 'sent')
  const { mails } = await host.mail.list({ link })
  expect(mails).toMatchObject([{ purpose: 'code', link, state: 'sent', attempts: 1, lastFailure: null }])
  // Nobody else is told of it, and neither the address nor the words are in the answer.
  expect((await privity.as({ tenant: store.tenant(), actor: 'olaf' }).mail.list()).mails).toEqual([])
  expect(JSON.stringify(mails)).not.toContain('berg')
})

it('[ST-9] an address that the server refuses is told to the host as rejected, and is not tried again', async () => {
  const email = 'nobody@example.org'
  const { host, link, token } = await grantTo(email)
  // Whoever asks is told the same as for any address.
  expect(await privity.redeem({ token, email })).toMatchObject({ status: 'code_sent' })
  await waitUntil(async () => (await host.mail.list({ link })).mails[0]?.state === 'rejected')
  expect((await host.mail.list({ link })).mails).toMatchObject([
    { state: 'rejected', attempts: 1, lastFailure: 'rejected', nextAttemptAt: null },
  ])
})

it('[ST-9] a server that is down is tried again later', async () => {
  const down = await store.instance(undefined, {
    mail: { mailer: smtpMailer({ url: 'smtp://127.0.0.1:1', from: 'sharing@firm.example' }) },
  })
  try {
    const host = down.as({ tenant: store.tenant(), actor: 'hana' })
    const { view } = await host.views.create({ corpus: 'bank', viewTemporalMode: 'live_view' })
    const email = 'berg@example.org'
    const { link, token } = await host.links.grant({
      views: [view],
      recipientIdentityMode: 'email_bound',
      recipientEmail: email,
    })
    await down.redeem({ token: token ?? '', email })
    await waitUntil(
      async () => (await host.mail.list({ link: link.link })).mails[0]?.lastFailure === 'not_sent',
    )
    const [mail] = (await host.mail.list({ link: link.link })).mails
    expect(mail).toMatchObject({ state: 'waiting', attempts: 1 })
    expect(Date.parse(mail?.nextAttemptAt ?? '')).toBeGreaterThan(Date.now() + 30_000)
  } finally {
    await down.close()
  }
})

it('[ST-9] one address gets 20 codes an hour at most, by whichever links, and all answers are alike', async () => {
  const email = 'often@example.org'
  const tenant = store.tenant()
  const host = privity.as({ tenant, actor: 'hana' })
  const { view } = await host.views.create({ corpus: 'bank', viewTemporalMode: 'live_view' })
  for (let link = 0; link < 5; link++) {
    const { token } = await host.links.grant({
      views: [view],
      recipientIdentityMode: 'email_bound',
      recipientEmail: email,
    })
    for (let times = 0; times < 5; times++)
      expect(await privity.redeem({ token: token ?? '', email })).toMatchObject({ status: 'code_sent' })
  }
  expect((await host.mail.list({ limit: 100 })).mails).toHaveLength(20)
})

it('[ST-9] without a mailer no link is granted that needs one', async () => {
  const silent = await store.instance()
  try {
    const host = silent.as({ tenant: store.tenant(), actor: 'hana' })
    const { view } = await host.views.create({ corpus: 'bank', viewTemporalMode: 'live_view' })
    const recipientEmail = 'berg@example.org'
    expect(
      await refusalOf(
        host.links.grant({ views: [view], recipientIdentityMode: 'email_bound', recipientEmail }),
      ),
    ).toMatchObject({ code: 'setup_incomplete' })
    expect((await host.links.list()).links).toEqual([])
  } finally {
    await silent.close()
  }
})
