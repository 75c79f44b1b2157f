import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { jsonElements } from '../../../src/transfer/json-elements.js'
import { cleanName } from '../../../src/transfer/names.js'
import { findSource, measureSource, readSource } from '../../../src/transfer/source.js'
import { collect, inChunks, sorted } from '../support/collect.js'

describe('the format of a source', () => {
  let root: string
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'privity-source-'))
  })
  afterAll(() => rm(root, { recursive: true, force: true }))

  it.each([
    ['mail', 'From ana@example.org Mon Jan  1 10:00:00 2024\nSubject: x\n\ny', 'mbox'],
    ['records.jsonl', '{"kind":"note","text":"the \\"messages\\": of a chat"}\n', 'jsonl'],
    ['records', '\ufeff{"kind":"note","text":"x"}\r\n{"kind"', 'jsonl'],
    ['empty.jsonl', '', 'jsonl'],
    ['result.json', '{\n "name": "Ben",\n "type": "personal_chat",\n "messages": []\n}', 'telegram'],
    ['minified.json', '{"name":"Ben","messages":[]}', 'telegram'],
    ['conversations.json', '[{"title":"x","mapping":{}}]', 'chatgpt'],
    ['_chat.txt', '\u200e[31/12/2023, 21:41:05] Ana: hi', 'whatsapp'],
    ['chat.txt', '12/31/23, 9:41 PM - Ana: hi', 'whatsapp'],
    ['note.md', '# A note on 12/31/23', 'folder'],
    ['note.txt', 'words', 'folder'],
  ])('is told from what it holds: %s', async (name, content, format) => {
    await writeFile(join(root, name), content)
    expect(await findSource(join(root, name))).toEqual({ path: join(root, name), format })
  })

  it('is asked for where it cannot be told', async () => {
    await writeFile(join(root, 'data.bin'), Buffer.from([1, 2, 3]))
    await expect(findSource(join(root, 'data.bin'))).rejects.toMatchObject({ code: 'invalid_input' })
    expect(await findSource(join(root, 'data.bin'), 'mbox')).toMatchObject({ format: 'mbox' })
    await expect(findSource(join(root, 'absent'))).rejects.toMatchObject({ code: 'not_found' })
    await expect(findSource(root, 'mbox')).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('of a folder is told from what lies in it', async () => {
    const folder = async (name: string, files: readonly string[]) => {
      for (const file of files) {
        await mkdir(join(root, name, file, '..'), { recursive: true })
        await writeFile(join(root, name, file), '[]')
      }
      return findSource(join(root, name))
    }
    expect(await folder('slack', ['users.json', 'general/2024-01-01.json'])).toMatchObject({
      format: 'slack',
    })
    expect(await folder('notes', ['users.json', 'a.md'])).toMatchObject({ format: 'folder' })
    expect(await folder('gpt', ['conversations.json', 'user.json'])).toEqual({
      path: join(root, 'gpt', 'conversations.json'),
      format: 'chatgpt',
    })
    expect(await folder('tg', ['result.json', 'photos/a.jpg'])).toEqual({
      path: join(root, 'tg', 'result.json'),
      format: 'telegram',
    })
  })

  it('says how much there is to read, and how much was', async () => {
    for (const name of ['slack', 'notes', 'chat.txt', 'note.md']) {
      const source = await findSource(join(root, name))
      let bytes = 0
      await sorted(readSource(source, { onBytes: more => (bytes += more) }))
      // Of a workspace, only the days are read.
      expect([name, source.format === 'slack' ? bytes > 0 : bytes]).toEqual([
        name,
        source.format === 'slack' ? true : await measureSource(source),
      ])
    }
  })

  it('of a WhatsApp chat has its name in that of the file', async () => {
    const file = join(root, 'WhatsApp Chat with Ben & Cyd.txt')
    await writeFile(file, '12/31/23, 9:41 PM - Ana: hi')
    const { drafts } = await sorted(readSource(await findSource(file)))
    expect(drafts[0]).toMatchObject({ participants: ['Ana', 'Ben & Cyd'] })
  })
})

describe('JSON that is read as a stream', () => {
  const parts = (text: string, wanted: (path: string) => boolean, chunk = 3) =>
    collect(jsonElements(inChunks(text, chunk), wanted))

  it('gives wanted elements and plain values, wherever it is cut', async () => {
    const value = {
      name: 'a "quoted" \\ name\u0000 🚢',
      list: [{ x: [1, { y: '}' }] }, [2], 3, 'four', null],
      'k,e:y': -1.5e3,
      yes: true,
      empty: {},
    }
    for (const indent of [undefined, 2])
      for (const chunk of [1, 2, 5, 1_000])
        expect(await parts(JSON.stringify(value, null, indent), path => path === 'list.*', chunk)).toEqual(
          [
            [['name'], value.name],
            [['list', '*'], { x: [1, { y: '}' }] }],
            [['list', '*'], [2]],
            [['list', '*'], 3],
            [['list', '*'], 'four'],
            [['list', '*'], null],
            [['k,e:y'], -1500],
            [['yes'], true],
          ].map(([path, value]) => ({ kind: 'value', path, value })),
        )
  })

  it('says where it is none, or not whole', async () => {
    const all = () => false
    expect(await parts('42', all)).toEqual([{ kind: 'value', path: [], value: 42 }])
    expect(await parts('nope', all)).toEqual([{ kind: 'problem', problem: 'is not JSON' }])
    expect(await parts('[1', all)).toEqual([{ kind: 'problem', problem: 'ends before it is complete' }])
    expect(await parts('', all)).toEqual([{ kind: 'problem', problem: 'is empty' }])
    expect(await parts('[{a}, {"b": 1}]', path => path === '*')).toEqual([
      { kind: 'problem', problem: 'is not JSON' },
      { kind: 'value', path: ['*'], value: { b: 1 } },
    ])
  })
})

describe('a name', () => {
  it.each([
    ['  Ana\u202e \t Silva\u0007 ', 'Ana Silva'],
    ['👩‍🚀', '👩‍🚀'],
    ['\u200e', undefined],
    ['a\ud800b', 'a\ufffdb'],
    [`${'é'.repeat(150)}`, 'é'.repeat(100)],
    [7, undefined],
  ])('%j is kept as %j', (given, kept) => expect(cleanName(given)).toBe(kept))
})
