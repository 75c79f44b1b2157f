import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { writeTable } from '../../scripts/distil-embedder/write-table.js'
import { builtIn, wordTable } from '../../src/embedding/built-in.js'
import { StaticTable } from '../../src/embedding/static-table.js'

const folder = mkdtempSync(join(tmpdir(), 'privity-words-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const bytes = writeTable({
  name: 'tiny/1',
  words: ['cat', 'kitten', 'tax'],
  weights: [1, 1, 1],
  vectors: [
    [1, 0.1, 0],
    [1, 0.3, 0],
    [0, 0, 1],
  ].map(numbers => Float64Array.from(numbers)),
})
const file = pathToFileURL(join(folder, 'tiny.bin'))
writeFileSync(file, bytes)
const { signal } = new AbortController()

describe('a word table', () => {
  const tiny = wordTable({ file: file.href, name: 'tiny/1' })
  const provider = tiny()
  afterAll(() => provider.close?.())

  it('embeds in a thread as it does here', async () => {
    const here = StaticTable.read(bytes)
    const texts = [
      'cat',
      'kitten tax',
      '',
      'Пример',
      ...Array.from({ length: 40 }, (_, at) => 'cat '.repeat(at)),
    ]
    const vectors = await provider.embed(texts, 'document', signal)
    expect(vectors).toEqual(texts.map(text => here.embed(text)))
    expect(vectors.filter(Boolean).length).toBeGreaterThan(40)
  })

  it('[QX-1] knows neighbours of a word', async () => {
    expect(await provider.neighbours?.('cat', 1)).toEqual(['kitten'])
    expect(await provider.neighbours?.('dog', 1)).toEqual([])
  })

  it('goes on for one store when another closes', async () => {
    const [first, second] = [tiny(), tiny()]
    await first.embed(['cat'], 'query', signal)
    const running = second.embed(Array(500).fill('cat tax kitten'), 'document', signal)
    await first.close?.()
    expect(await running).toHaveLength(500)
    await second.close?.()
    expect(await first.embed(['cat'], 'query', signal)).toHaveLength(1)
    await first.close?.()
  })

  it('of another name is refused: its vectors would be taken for others', async () => {
    const other = wordTable({ file: file.href, name: 'tiny/2' })()
    await expect(other.embed(['cat'], 'query', signal)).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'the model could not be loaded: the word table is tiny/1, not tiny/2',
    })
    await other.close?.()
  })
})

describe('the built-in provider', () => {
  const provider = builtIn()
  afterAll(() => provider.close?.())

  it('[OV-4] is local', () => {
    expect(provider.local).toBe(true)
    expect(provider.model).toMatch(/^built_in\//)
  })

  it('[SC-6] gives a text the same vector whatever else it was asked', async () => {
    const text = 'The children went to the museum on Sunday'
    const [alone] = await provider.embed([text], 'query', signal)
    const [, together] = await provider.embed(['tax law', text, 'museum museum museum'], 'document', signal)
    expect(alone?.length).toBeGreaterThan(0)
    expect(together).toEqual(alone)
  })

  it('finds near what means the same in other words', async () => {
    const texts = ['My puppy is sick', 'The dog is ill', 'The court denied the motion']
    const [puppy, dog, court] = await provider.embed(texts, 'document', signal)
    if (!puppy || !dog || !court) return expect.unreachable('no vector')
    const dot = (a: Float32Array, b: Float32Array) =>
      a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
    expect(dot(puppy, dog)).toBeGreaterThan(provider.near)
    expect(dot(puppy, court)).toBeLessThan(provider.near)
  })

  it('weighs more in short texts than in long ones', () => {
    expect(provider.weight(5)).toBeGreaterThan(provider.weight(200))
    for (const words of [0, 10, 10_000]) {
      expect(provider.weight(words)).toBeGreaterThanOrEqual(0)
      expect(provider.weight(words)).toBeLessThan(0.5)
    }
  })
})
