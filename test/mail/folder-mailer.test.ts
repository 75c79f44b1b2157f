import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { folderMailer } from '../../src/mail/folder-mailer.js'
import type { Mail } from '../../src/mail/mailer.js'

const still = new AbortController().signal

describe('mail in a folder', () => {
  let root: string
  let folder: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'privity-'))
    folder = join(root, 'deep', 'mail')
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  const mailOf = (more: Partial<Mail> = {}): Mail => ({
    id: randomUUID(),
    to: 'counsel@firm.example',
    subject: 'Your code',
    text: 'It is 123456.\n',
    ...more,
  })
  const send = (mail: Mail) => folderMailer(folder).send(mail, { signal: still })
  const fileOf = ({ id }: Mail) => readFile(join(folder, `${id}.eml`))

  it('is one whole RFC 5322 message in a file for its owner alone', async () => {
    const before = Date.now()
    const mail = mailOf()
    await send(mail)
    expect(await readdir(folder)).toEqual([`${mail.id}.eml`])
    const lines = (await fileOf(mail)).toString('latin1').split('\r\n')
    expect(lines.join('')).not.toMatch(/[\r\n]/)
    const [date = '', ...rest] = lines
    expect(date).toMatch(/^Date: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000$/)
    expect(Math.abs(Date.parse(date.slice(6)) - before)).toBeLessThan(10_000)
    expect(rest).toEqual([
      'From: Privity <privity@localhost>',
      'To: counsel@firm.example',
      `Message-ID: <${mail.id}@privity.localhost>`,
      'Subject: Your code',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 8bit',
      '',
      'It is 123456.',
      '',
      '',
    ])
    expect((await stat(join(folder, `${mail.id}.eml`))).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  it.each([
    ['short and plain', 'Your code', 'It is 123456.\n'],
    ['in other letters', 'Ваш код: 🔑 für Zoë', 'Grüße, 東京\r\nнижняя строка\rlast'],
    ['long', 'A'.repeat(63) + ' and on and on '.repeat(20), 'x'.repeat(998)],
    ['long in other letters', '🔑é東'.repeat(55), `${'é'.repeat(500)}\nand a short line\n`],
    ['that looks encoded', '=?utf-8?B?aGk=?= as it is', '=?utf-8?B?aGk=?='],
    ['with spaces at its ends', ' here and there ', ' .\n.\n..\n\n'],
    ['empty', '', ''],
  ])('a mail %s is read as it was written', async (_what, subject, text) => {
    const mail = mailOf({ subject, text })
    await send(mail)
    const raw = await fileOf(mail)
    const head = raw.toString('latin1').split('\r\n\r\n')[0] ?? ''
    expect(head).toMatch(/^[\x20-\x7e\r\n]*$/)
    for (const line of head.split('\r\n')) expect(line.length).toBeLessThanOrEqual(78)
    for (const line of raw.toString('latin1').split('\r\n')) expect(line.length).toBeLessThanOrEqual(998)
    for (const [word] of head.matchAll(/=\?utf-8\?B\?[^?]*\?=/g)) expect(word.length).toBeLessThanOrEqual(75)
    const read = await PostalMime.parse(raw)
    // A reader may drop spaces at its ends.
    expect((read.subject ?? '').trim()).toBe(subject.trim())
    expect(decodedSubject(head)).toBe(subject)
    expect(read.messageId).toBe(`<${mail.id}@privity.localhost>`)
    const unified = (value: string) => value.replace(/\r\n?/g, '\n').trimEnd()
    expect(unified(read.text ?? '')).toBe(unified(text))
  })

  it('one that is sent again replaces itself, and leaves nothing else', async () => {
    const mail = mailOf()
    await Promise.all([send(mail), send(mail), send(mail)])
    await send({ ...mail, text: 'the same, later' })
    expect(await readdir(folder)).toEqual([`${mail.id}.eml`])
    expect((await fileOf(mail)).toString()).toContain('the same, later')
  })

  it('what cannot be written leaves nothing behind', async () => {
    const mail = mailOf()
    await mkdir(join(folder, `${mail.id}.eml`), { recursive: true })
    await expect(send(mail)).rejects.toThrow()
    expect(await readdir(folder)).toEqual([`${mail.id}.eml`])
  })

  it('no header can be put in, and no file outside of the folder', async () => {
    const bad: Partial<Mail>[] = [
      { to: 'a@b.example\r\nBcc: eve@evil.example' },
      { to: 'a@b.example\nBcc: eve@evil.example' },
      { to: 'a@b.example\r' },
      { to: 'a@b.example, eve@evil.example' },
      { to: 'Eve <eve@evil.example>' },
      { to: 'a@b.example eve' },
      { to: '"a\\"b"@b.example' },
      { to: 'nobody' },
      { to: 'a@b@c.example' },
      { to: '' },
      { subject: 'Hello\r\nBcc: eve@evil.example' },
      { subject: 'Hello\nBcc: eve@evil.example' },
      { subject: 'Hello\r' },
      { subject: 'Hello\u2028there' },
      { subject: 'Hello\0' },
      { id: '../../escaped' },
      { id: 'a\r\nBcc: eve@evil.example' },
      { text: 'with a \0' },
    ]
    for (const more of bad)
      await expect(send(mailOf(more)), JSON.stringify(more)).rejects.toMatchObject({ code: 'invalid_input' })
    expect(await readdir(root)).toEqual([])
  })

  it('writes nothing that nobody waits for any more', async () => {
    const mailer = folderMailer(folder)
    await expect(mailer.send(mailOf(), { signal: AbortSignal.abort() })).rejects.toThrow()
    expect(await readdir(root)).toEqual([])
  })
})

/** By the letter of RFC 2047: white space between encoded words is none of theirs. */
function decodedSubject(head: string): string {
  const written = /^Subject: ((?:.|\r\n )*)$/m.exec(head)?.[1] ?? ''
  return written
    .replace(/\?=\r\n =\?/g, '?==?')
    .replace(/=\?utf-8\?B\?([^?]*)\?=/g, (_, word: string) => Buffer.from(word, 'base64').toString())
}
