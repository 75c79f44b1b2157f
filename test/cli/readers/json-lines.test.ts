import { describe, expect, it } from 'vitest'
import { readJsonLines } from '../../../src/transfer/readers/json-lines.js'
import { inChunks, sorted } from '../support/collect.js'

const read = (content: string | Uint8Array, encoding?: string) =>
  sorted(readJsonLines(inChunks(content), { encoding }))

describe('JSON lines', () => {
  it('are read one a line, whichever way lines end and however bytes are cut', async () => {
    const { drafts, places, problems } = await read(
      '\ufeff{"kind":"note","text":"zwölf 🚢"}\r\n\r\n  \n{"kind":"note","text":"two"}',
    )
    expect(drafts).toEqual([
      { kind: 'note', text: 'zwölf 🚢' },
      { kind: 'note', text: 'two' },
    ])
    expect(places).toEqual(['line 1', 'line 4'])
    expect(problems).toEqual([])
  })

  it('that cannot be read are reported with their numbers, and the others go on', async () => {
    const { drafts, problems } = await read(
      Buffer.concat([
        Buffer.from('{"kind":"note","text":"one"}\n[1]\nnull\n{"text":\n"plain"\n'),
        Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
        Buffer.from('{"kind":"note","text":"last'),
      ]),
    )
    expect(drafts).toEqual([{ kind: 'note', text: 'one' }])
    expect(problems).toEqual([
      'line 2: is not a JSON object',
      'line 3: is not a JSON object',
      'line 4: is not JSON',
      'line 5: is not a JSON object',
      'line 6: is not UTF-8',
      'line 7: is not JSON',
    ])
  })

  it('that are huge are dropped as they come', async () => {
    const before = process.memoryUsage().arrayBuffers
    let held = 0
    async function* huge(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('{"kind":"note","text":"before"}\n')
      for (let at = 0; at < 512; at++) yield Buffer.alloc(1_048_576, 'x')
      held = process.memoryUsage().arrayBuffers - before
      yield Buffer.from('\n{"kind":"note","text":"after"}\n')
    }
    const { drafts, problems } = await sorted(readJsonLines(huge()))
    expect(drafts.map(({ text }) => text)).toEqual(['before', 'after'])
    expect(problems).toEqual(['line 2: is longer than 8388608 bytes'])
    expect(held).toBeLessThan(256 * 1_048_576)
  })

  it('may be in UTF-16, or in an encoding that is named', async () => {
    const line = '{"kind":"note","text":"für Ömer"}\n'
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(line, 'utf16le')])
    expect((await read(utf16)).drafts).toEqual([{ kind: 'note', text: 'für Ömer' }])
    expect((await read(Buffer.from(line, 'latin1'), 'latin1')).drafts).toEqual([
      { kind: 'note', text: 'für Ömer' },
    ])
    expect((await read(Buffer.from(line, 'latin1'))).problems).toEqual(['line 1: is not UTF-8'])
    await expect(read(line, 'klingon')).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('of an export give the record, and apart from it what only the old one had', async () => {
    const id = '3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61'
    const lines = [
      { kind: 'note', text: 'x', exported: { id, version: 'v', relations: [{ type: 'about', record: id }] } },
      { kind: 'note', exported: { id, face: 'metadata' } },
      { kind: 'note', text: 'x', exported: { id: 'no id' } },
    ]
    const items = []
    for await (const item of readJsonLines(inChunks(lines.map(line => JSON.stringify(line)).join('\n'))))
      items.push(item)
    expect(items).toEqual([
      {
        kind: 'record',
        where: 'line 1',
        draft: { kind: 'note', text: 'x' },
        exported: { id, face: 'full', relations: [{ type: 'about', record: id }] },
      },
      { kind: 'skipped', where: 'line 2', why: 'shows less than a whole record' },
      { kind: 'problem', where: 'line 3', problem: 'exported: is not valid' },
    ])
  })

  it('that are none are none', async () => {
    expect(await read('')).toEqual({ drafts: [], places: [], skipped: [], problems: [] })
  })
})
