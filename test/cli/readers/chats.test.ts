import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readChatGpt } from '../../../src/transfer/readers/chatgpt.js'
import { readSlack } from '../../../src/transfer/readers/slack.js'
import { readTelegram } from '../../../src/transfer/readers/telegram.js'
import { readWhatsApp, type WhatsAppOptions } from '../../../src/transfer/readers/whatsapp.js'
import { inChunks, sorted } from '../support/collect.js'

const local = (...parts: [number, number, number, number, number, number?]) => {
  const [year, month, ...rest] = parts
  return new Date(year, month - 1, ...rest).toISOString()
}

describe('a WhatsApp export', () => {
  const read = (text: string, options?: WhatsAppOptions) =>
    sorted(readWhatsApp(() => inChunks(text), options))

  it.each([
    ['Android, day first', '31/12/2023, 21:41 - Ana: hi', local(2023, 12, 31, 21, 41)],
    ['Android, short year', '13/01/23, 09:05 - Ana: hi', local(2023, 1, 13, 9, 5)],
    ['Android, American', '12/31/23, 9:41 PM - Ana: hi', local(2023, 12, 31, 21, 41)],
    ['Android, narrow space', '12/31/23, 9:41\u202fPM - Ana: hi', local(2023, 12, 31, 21, 41)],
    ['Android, day first, twelve hours', '31/12/23, 9:41 p.m. - Ana: hi', local(2023, 12, 31, 21, 41)],
    ['Android, midnight', '12/31/23, 12:41 AM - Ana: hi', local(2023, 12, 31, 0, 41)],
    ['Android, German', '31.12.23, 21:41 - Ana: hi', local(2023, 12, 31, 21, 41)],
    ['iOS', '[31/12/2023, 21:41:05] Ana: hi', local(2023, 12, 31, 21, 41, 5)],
    ['iOS, with marks', '\u200e[12/31/23, 9:41:05 PM] ~ Ana: \u200ehi', local(2023, 12, 31, 21, 41, 5)],
    ['ISO', '2023-12-31, 21:41 - Ana: hi', local(2023, 12, 31, 21, 41)],
    ['no day above twelve', '05/04/2023, 21:41 - Ana: hi', local(2023, 4, 5, 21, 41)],
    ['no day above twelve, American clock', '5/4/23, 9:41 PM - Ana: hi', local(2023, 5, 4, 21, 41)],
  ])('reads dates: %s', async (_, line, occurredAt) => {
    const { drafts, problems } = await read(line)
    expect(problems).toEqual([])
    expect(drafts).toEqual([
      {
        kind: 'episodic',
        text: 'hi',
        occurredAt,
        conversation: `WhatsApp ${occurredAt}`,
        turn: 1,
        speaker: 'Ana',
        participants: ['Ana'],
        tags: ['chat'],
        fields: { from: 'Ana' },
        provenance: { source: 'WhatsApp' },
      },
    ])
  })

  it('tells the order of dates from a later one, and is told it otherwise', async () => {
    const text = '03/04/2023, 08:00 - Ana: first\n25/04/2023, 08:00 - Ana: later'
    expect((await read(text)).drafts[0]?.occurredAt).toBe(local(2023, 4, 3, 8, 0))
    const american = '03/04/2023, 08:00 - Ana: first\n04/25/2023, 08:00 - Ana: later'
    expect((await read(american)).drafts[0]?.occurredAt).toBe(local(2023, 3, 4, 8, 0))
    const { problems } = await read(text, { dateOrder: 'mdy' })
    expect(problems).toEqual(['line 2: has a date that does not exist'])
  })

  it('keeps lines that belong together, and leaves out notices and what has no text', async () => {
    const read1 = await read(
      `\ufeff31/12/2023, 21:40 - Messages are end-to-end encrypted.\r
31/12/2023, 21:41 - Ana: one\r
two: with a colon\r
\r
31/12 is no date\r
31/12/2023, 21:42 - Ben: <Media omitted>\r
31/12/2023, 21:43 - Ben: image omitted\r
31/12/2023, 21:44 - +49 170 1234: 10:30 ok\r
`,
      { chat: 'Ben' },
    )
    expect(read1.drafts.map(({ text }) => text)).toEqual([
      'one\ntwo: with a colon\n\n31/12 is no date',
      '10:30 ok',
    ])
    expect(read1.drafts[1]).toMatchObject({
      participants: ['+49 170 1234', 'Ben'],
      fields: { from: '+49 170 1234', chat: 'Ben' },
      conversation: read1.drafts[0]?.conversation,
      turn: 2,
      speaker: '+49 170 1234',
    })
    expect(read1.skipped).toEqual([
      'line 1: is a notice of the app',
      'line 6: holds no text',
      'line 7: holds no text',
    ])
    expect(read1.problems).toEqual([])
  })

  it('leaves out what the app says under the name of a chat, and nothing that was sent', async () => {
    const { drafts, skipped } = await read(
      `[01.03.24, 21:14:05] Ben: \u200eMessages and calls are end-to-end encrypted. No one else can read them.
[01.03.24, 21:14:06] Ben: \u200eAna added you
[01.03.24, 21:15:05] Ben: Messages and calls are end-to-end encrypted, they say
[01.03.24, 21:16:05] Ben: \u200esent with a mark
`,
    )
    expect(drafts.map(({ text }) => text)).toEqual([
      'Messages and calls are end-to-end encrypted, they say',
      'sent with a mark',
    ])
    expect(skipped).toEqual(['line 1: is a notice of the app', 'line 2: is a notice of the app'])
  })

  it('reports what comes before any message', async () => {
    expect((await read('stray\n31/12/2023, 21:41 - Ana: hi')).problems).toEqual([
      'line 1: is not part of a message',
    ])
  })
})

describe('a Telegram export', () => {
  const read = (value: unknown) =>
    sorted(readTelegram(inChunks(typeof value === 'string' ? value : JSON.stringify(value, null, 1))))
  const message = {
    id: 7,
    type: 'message',
    date: '2023-12-31T21:41:00',
    date_unixtime: '1704058860',
    from: 'Ana',
    text: ['see ', { type: 'link', text: 'https://example.org' }, ' {"not": ["json'],
  }

  it('of one chat gives a record a message', async () => {
    const { drafts, skipped, places } = await read({
      name: 'Ben',
      type: 'personal_chat',
      id: 1,
      messages: [
        message,
        { id: 8, type: 'service', action: 'phone_call', text: '' },
        { id: 9, type: 'message', date_unixtime: '1704058861', from: null, text: '' },
      ],
    })
    expect(drafts).toEqual([
      {
        kind: 'episodic',
        text: 'see https://example.org {"not": ["json',
        occurredAt: '2023-12-31T21:41:00.000Z',
        conversation: 'Ben 2023-12-31T21:41:00.000Z',
        turn: 1,
        speaker: 'Ana',
        participants: ['Ana', 'Ben'],
        tags: ['chat'],
        fields: { from: 'Ana', chat: 'Ben' },
        provenance: { source: 'Telegram' },
      },
    ])
    expect(places).toEqual(['message 7'])
    expect(skipped).toEqual(['message 8: is a notice of the app', 'message 9: holds no text'])
  })

  it('of all chats keeps them apart', async () => {
    const { drafts } = await read({
      about: 'messages',
      chats: {
        list: [
          { name: 'Crew', type: 'private_group', messages: [message] },
          { name: 'Ben', type: 'personal_chat', messages: [message] },
        ],
      },
    })
    expect(drafts.map(({ fields, participants }) => [fields, participants])).toEqual([
      [{ from: 'Ana', chat: 'Crew' }, ['Ana']],
      [{ from: 'Ana', chat: 'Ben' }, ['Ana', 'Ben']],
    ])
  })

  it('that is cut off gives what came before', async () => {
    const whole = JSON.stringify({ name: 'Ben', messages: [message, message] })
    const { drafts, problems } = await read(whole.slice(0, -40))
    expect(drafts).toHaveLength(1)
    expect(problems).toEqual(['after message 1: ends before it is complete'])
    expect((await read('')).problems).toEqual(['after message 0: is empty', 'the file: holds no messages'])
    expect((await read({ name: 'x' })).problems).toEqual(['the file: holds no messages'])
  })
})

describe('a ChatGPT export', () => {
  const read = (value: unknown) =>
    sorted(readChatGpt(inChunks(typeof value === 'string' ? value : JSON.stringify(value))))
  const node = (
    parent: string | null,
    role: string,
    parts: unknown[],
    create_time: number | null = 1_704_058_860,
  ) => ({
    parent,
    message: { author: { role }, create_time, content: { content_type: 'text', parts } },
  })

  it('gives the branch that is shown, in order', async () => {
    const { drafts, skipped } = await read([
      {
        title: 'Sailing',
        conversation_id: 'c-1',
        create_time: 1_704_058_800,
        current_node: 'd',
        mapping: {
          root: { parent: null, message: null },
          s: node('root', 'system', ['be brief']),
          a: node('s', 'user', ['how do I tack?']),
          old: node('a', 'assistant', ['never shown']),
          b: node('a', 'assistant', ['turn ', { asset_pointer: 'x' }, 'into the wind'], null),
          c: node('b', 'user', [{ asset_pointer: 'picture' }]),
          d: node('c', 'assistant', ['nice']),
        },
      },
    ])
    expect(drafts.map(({ text, fields, occurredAt }) => [text, fields, occurredAt])).toEqual([
      ['how do I tack?', { from: 'user' }, '2023-12-31T21:41:00.000Z'],
      ['turn \ninto the wind', { from: 'assistant' }, '2023-12-31T21:40:00.000Z'],
      ['nice', { from: 'assistant' }, '2023-12-31T21:41:00.000Z'],
    ])
    expect(drafts.map(({ conversation, turn, speaker }) => [conversation, turn, speaker])).toEqual([
      ['c-1', 1, 'user'],
      ['c-1', 2, 'assistant'],
      ['c-1', 3, 'assistant'],
    ])
    expect(drafts[0]).toMatchObject({
      title: 'Sailing',
      provenance: { source: 'ChatGPT', uri: 'urn:chatgpt:c-1' },
    })
    expect(skipped).toEqual(['conversation 1, message 4: holds no text'])
  })

  it('reports what is none, and does not run in circles', async () => {
    const circle = {
      current_node: 'a',
      mapping: { a: node('b', 'user', ['a']), b: node('a', 'user', ['b']) },
    }
    const { drafts, problems } = await read([{ title: 'x' }, circle])
    expect(problems).toEqual(['conversation 1: is not a conversation'])
    expect(drafts).toHaveLength(2)
    expect((await read('[{"mapping": {')).problems).toEqual([
      'after conversation 0: ends before it is complete',
    ])
  })
})

describe('a Slack export', () => {
  it('gives a record a message, with people by name and text as it was seen', async () => {
    const root = await mkdtemp(join(tmpdir(), 'privity-slack-'))
    try {
      const write = async (name: string, value: unknown) => {
        await mkdir(join(root, name, '..'), { recursive: true })
        await writeFile(join(root, name), typeof value === 'string' ? value : JSON.stringify(value))
      }
      await write('users.json', [
        { id: 'U1', name: 'ana', profile: { real_name: 'Ana Silva' } },
        { id: 'U2', name: 'ben' },
        null,
      ])
      await write('channels.json', [{ name: 'general' }])
      await write('general/2024-01-02.json', [
        { type: 'message', user: 'U2', text: 'second day', ts: '1704186000.000200' },
      ])
      await write('general/2024-01-01.json', [
        {
          type: 'message',
          user: 'U1',
          text: 'hi <@U2>, see <https://example.org|the page> in <#C1|random> &amp; <!here> &lt;b&gt; <@U9>',
          ts: '1704099600.000100',
        },
        { type: 'message', subtype: 'channel_join', user: 'U2', text: 'joined', ts: '1704099601.0' },
        { type: 'message', subtype: 'bot_message', username: 'Deploy', text: 'done', ts: '1704099602.0' },
        { type: 'message', user: 'U1', text: '', ts: '1704099603.0' },
        { type: 'message', user: 'U7', text: 'no date' },
        'text',
      ])
      await write('general/2024-01-03.json', '[{"type": "mess')
      await write('general/canvas.json', '{}')
      const { drafts, places, skipped, problems } = await sorted(readSlack(root))
      expect(drafts).toEqual([
        {
          kind: 'episodic',
          text: 'hi @ben, see the page (https://example.org) in #random & @here <b> @U9',
          occurredAt: '2024-01-01T09:00:00.000Z',
          conversation: 'general 2024-01-01T09:00:00.000Z',
          turn: 1,
          speaker: 'Ana Silva',
          participants: ['Ana Silva'],
          tags: ['chat'],
          fields: { from: 'Ana Silva', chat: 'general' },
          provenance: { source: 'Slack' },
        },
        expect.objectContaining({ text: 'done', participants: ['Deploy'], turn: 2 }),
        expect.objectContaining({ text: 'second day', participants: ['ben'], turn: 1 }),
      ])
      expect(places).toEqual([
        'general/2024-01-01.json, message 1',
        'general/2024-01-01.json, message 3',
        'general/2024-01-02.json, message 1',
      ])
      expect(skipped).toEqual([
        'general/2024-01-01.json, message 2: is a notice of the app',
        'general/2024-01-01.json, message 4: holds no text',
      ])
      expect(problems).toEqual([
        'general/2024-01-01.json, message 5: has no date',
        'general/2024-01-01.json, message 6: is not an object',
        'general/2024-01-03.json: is not a JSON list',
      ])
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  })
})
