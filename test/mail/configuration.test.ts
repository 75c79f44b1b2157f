import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openAccess } from '../../src/cli/access.js'
import type { Command, Values } from '../../src/cli/command.js'
import * as opened from '../../src/open.js'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'privity-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const none: Values = { text: () => undefined, texts: () => undefined, flag: () => false } as unknown as Values
const command = { name: 'start', makesStore: true, audience: 'host' } as unknown as Command

/** What the store is opened with in this environment. */
async function openedWith(
  place: { dataDir: string } | { databaseUrl: string },
  env: Readonly<Record<string, string | undefined>>,
): Promise<opened.OpenOptions> {
  const open = vi.spyOn(opened, 'open').mockResolvedValue({ as: () => ({}), close: async () => {} } as never)
  await openAccess(place, none, command, () => false, env)
  const [options = {}] = open.mock.calls[0] ?? []
  open.mockRestore()
  return options
}

const MAIL = {
  id: '3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61',
  to: 'a@b.example',
  subject: 'Your code',
  text: 'It is 123456.',
}
const send = ({ mail }: opened.OpenOptions) =>
  mail?.mailer.send(MAIL, { signal: new AbortController().signal })

it('PRIVITY_MAIL_FOLDER says where else, for both stores', async () => {
  const folder = join(dir, 'elsewhere')
  const places = [{ dataDir: join(dir, 'store') }, { databaseUrl: 'postgres://nowhere/' }]
  for (const place of places) {
    await send(await openedWith(place, { PRIVITY_MAIL_FOLDER: folder }))
    expect(await readdir(folder)).toEqual([`${MAIL.id}.eml`])
    await rm(folder, { recursive: true })
  }
  expect(existsSync(join(dir, 'store'))).toBe(false)
  await expect(openedWith({ dataDir: dir }, { PRIVITY_MAIL_FOLDER: '' })).rejects.toThrow(
    'PRIVITY_MAIL_FOLDER must name a folder',
  )
})

it('[ST-9] without a mail server or a folder there is no mail, on either store', async () => {
  for (const place of [{ dataDir: join(dir, 'store') }, { databaseUrl: 'postgres://nowhere/' }])
    expect(await openedWith(place, {})).not.toHaveProperty('mail')
})

it('[ST-9] PRIVITY_SMTP_URL needs a sender, and names no folder as well', async () => {
  const smtp = { PRIVITY_SMTP_URL: 'smtp://127.0.0.1:2525' }
  await expect(openedWith({ dataDir: dir }, smtp)).rejects.toThrow('PRIVITY_MAIL_FROM must be the address')
  await expect(
    openedWith({ dataDir: dir }, { ...smtp, PRIVITY_MAIL_FROM: 'a@b.example', PRIVITY_MAIL_FOLDER: dir }),
  ).rejects.toThrow('not both')
  expect(await openedWith({ dataDir: dir }, { ...smtp, PRIVITY_MAIL_FROM: 'a@b.example' })).toHaveProperty(
    'mail',
  )
})

it('a mailer has to be one', async () => {
  for (const mailer of [null, 'smtp', {}])
    await expect(
      opened.openStore({ mail: { mailer } } as unknown as opened.OpenOptions),
    ).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'mail.mailer: must be a mailer',
    })
})
