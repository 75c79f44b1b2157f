import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readFolder } from '../../../src/transfer/readers/folder.js'
import { sorted } from '../support/collect.js'

describe('a folder of texts', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'privity-folder-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function world(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
    const root = await mkdtemp(join(folder, 'f-'))
    for (const [name, content] of Object.entries(files)) {
      await mkdir(join(root, name, '..'), { recursive: true })
      await writeFile(join(root, name), content)
    }
    return root
  }

  it('is read file by file, nested ones too, in the order of names; what is hidden is left alone', async () => {
    const root = await world({
      'b.txt': 'plain\r\ntext\r\n',
      'a/deep/note.md': '# A day at sea #\n\nWind from the west.',
      'a/z.md': 'no heading',
      '.obsidian/config.md': 'hidden',
      '.env': 'SECRET=1',
    })
    expect((await sorted(readFolder(root))).drafts).toEqual([
      {
        kind: 'note',
        title: 'A day at sea',
        text: '# A day at sea #\n\nWind from the west.',
        provenance: { source: 'file', uri: 'a/deep/note.md' },
      },
      { kind: 'note', title: 'z', text: 'no heading', provenance: { source: 'file', uri: 'a/z.md' } },
      { kind: 'note', title: 'b', text: 'plain\ntext', provenance: { source: 'file', uri: 'b.txt' } },
    ])
  })

  it('takes front matter as fields of the record, and what it does not know as fields of its own', async () => {
    const root = await world({
      'trip.md': `---
title: "Trip: the north"
tags: [travel, north]
kind: episodic
sensitivity: high
date: 2024-05-06
participants: ana, ben
mood: good
rating: 4
nothing:
---

We took the night train.
`,
      'windows.md': '\ufeff---\r\ntags:\r\n  - one\r\noccurredAt: 2024-05-06 07:08\r\n---\r\ntext',
      'empty-matter.md': '---\n---\ntext',
      'rule.md': 'text\n\n---\n\nmore',
    })
    const { drafts, problems } = await sorted(readFolder(root))
    expect(problems).toEqual([])
    expect(drafts).toEqual([
      expect.objectContaining({ title: 'empty-matter', text: 'text' }),
      expect.objectContaining({ text: 'text\n\n---\n\nmore' }),
      {
        kind: 'episodic',
        title: 'Trip: the north',
        tags: ['travel', 'north'],
        sensitivity: 'high',
        occurredAt: '2024-05-06T00:00:00Z',
        participants: ['ana', 'ben'],
        fields: { mood: 'good', rating: 4 },
        text: 'We took the night train.',
        provenance: { source: 'file', uri: 'trip.md' },
      },
      expect.objectContaining({ tags: ['one'], occurredAt: '2024-05-06T07:08:00Z', text: 'text' }),
    ])
  })

  it('reports what is no text, what is in another encoding and what cannot be read, each with its path', async () => {
    const root = await world({
      'picture.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
      'latin.txt': Buffer.from('für', 'latin1'),
      'broken.md': '---\ntags: [one\n---\ntext',
      'list.md': '---\n- one\n---\ntext',
      'huge.txt': Buffer.alloc(5 * 1_048_576, 'x'),
      'blank.txt': ' \n\n',
      'empty.txt': '',
      'utf16.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('für', 'utf16le')]),
    })
    await symlink('/etc/passwd', join(root, 'link.txt'))
    const read = await sorted(readFolder(root))
    expect(read.problems).toEqual([
      'broken.md: has front matter that is not YAML',
      'huge.txt: is larger than 4194304 bytes',
      'latin.txt: is not UTF-8',
      'list.md: has front matter that is not YAML',
      'picture.png: is not text',
    ])
    expect(read.skipped).toEqual(['blank.txt: is empty', 'empty.txt: is empty'])
    expect(read.drafts).toEqual([expect.objectContaining({ text: 'für' })])
    const latin = await sorted(readFolder(join(root, 'latin.txt'), { encoding: 'latin1' }))
    expect(latin.drafts).toEqual([expect.objectContaining({ title: 'latin', text: 'für' })])
  })

  it.skipIf(process.getuid?.() === 0)('reports a file that may not be read, and goes on', async () => {
    const root = await world({ 'a.txt': 'shut', 'b.txt': 'open' })
    await chmod(join(root, 'a.txt'), 0)
    const read = await sorted(readFolder(root))
    expect(read.problems).toEqual(['a.txt: cannot be read (EACCES)'])
    expect(read.places).toEqual(['b.txt'])
  })
})
