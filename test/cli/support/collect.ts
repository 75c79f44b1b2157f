import type { Item } from '../../../src/transfer/item.js'

/** All that comes, in order. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Bytes as a source gives them: cut anywhere, in the middle of characters too. */
export async function* inChunks(content: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(content as Uint8Array)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

type Draft = Readonly<Record<string, unknown>>

/** What was read, by kind: records as they are, the others as `where: why`. */
export async function sorted(items: AsyncIterable<Item>) {
  const all = await collect(items)
  return {
    drafts: all.flatMap(item => (item.kind === 'record' ? [item.draft as Draft] : [])),
    places: all.flatMap(item => (item.kind === 'record' ? [item.where] : [])),
    skipped: all.flatMap(item => (item.kind === 'skipped' ? [`${item.where}: ${item.why}`] : [])),
    problems: all.flatMap(item => (item.kind === 'problem' ? [`${item.where}: ${item.problem}`] : [])),
  }
}
