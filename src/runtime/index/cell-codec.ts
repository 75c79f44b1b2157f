import { CompartmentTable, type FieldColumns } from '../../policy/compartments.js'
import { Lexicon } from '../../search/lexicon.js'
import type { PostingsData } from '../../search/postings.js'
import { Segment, type SegmentData } from '../../search/segment.js'
import { VectorStore } from '../../search/vectors.js'
import type { ModelVectors, PartVectors } from './part-vectors.js'

/**
 * Increase this when the stored index changes in form or meaning (tokeniser, stemmer): older indexes are then
 * rebuilt.
 */
const FORMAT = 14

/** In some scripts, word boundaries depend on the ICU version that Node ships, so it is part of the format. */
export const CELL_FORMAT = FORMAT * 1_000 + Number.parseInt(process.versions.icu ?? '0', 10)

/** The base of a cell as it is stored: a head with the names of the columns, followed by the columns. */
export interface KeptCell {
  readonly segment: Segment
  readonly vectors: PartVectors
  readonly table: CompartmentTable
  /** The ids of the compartments in the table, concatenated. */
  readonly compartmentIds: Uint8Array
  /** The domain that made index keys from the texts; null for none. */
  readonly domain: string | null
}

type Column = Uint8Array | Int8Array | Uint32Array | Int32Array | Float64Array
const COLUMN_TYPES = { Uint8Array, Int8Array, Uint32Array, Int32Array, Float64Array }

interface Head {
  readonly columns: { name: string; type: keyof typeof COLUMN_TYPES; length: number }[]
  readonly tagSets: SegmentData['tagSets']
  readonly filings: SegmentData['filings']
  readonly conversations: SegmentData['conversations']
  readonly speakers: SegmentData['speakers']
  readonly compartments: number
  readonly domain: string | null
  /** The models whose vectors are stored, with the sizes of these vectors. */
  readonly models: { model: string; sizes: number[] }[]
  readonly fields: Record<string, Pick<FieldColumns, 'plain' | 'members'>>
}

const ALIGNMENT = 8
const aligned = (length: number) => Math.ceil(length / ALIGNMENT) * ALIGNMENT

/** Encodes a cell without pauses. */
export function encodeCell(cell: KeptCell): Uint8Array {
  const run = encodeCellInSteps(cell)
  for (;;) {
    const step = run.next()
    if (step.done) return step.value
  }
}

/**
 * Encodes a cell as it is when the first step runs: what is added to its table later is in none of its columns. It is a
 * generator, so that the caller can do other work between two steps.
 */
export function* encodeCellInSteps({
  segment,
  vectors,
  table,
  compartmentIds,
  domain,
}: KeptCell): Generator<void, Uint8Array> {
  const { tagSets, filings, conversations, speakers, ...data } = segment.data
  const columns = new Map<string, Column>(Object.entries(data))
  for (const [level, postings] of [
    ['full', segment.full],
    ['preview', segment.preview],
    ['metadata', segment.metadata],
  ] as const) {
    for (const [name, column] of Object.entries(postings.data)) {
      if (column instanceof Lexicon) {
        columns.set(`${level}.${name}.bytes`, column.bytes)
        columns.set(`${level}.${name}.starts`, column.starts)
      } else columns.set(`${level}.${name}`, column)
    }
  }
  columns.set('compartmentIds', compartmentIds)
  const models = [...vectors].map(([model, { nothing, bySize }], at) => {
    columns.set(`vectors.${at}.nothing`, Uint32Array.from(nothing))
    for (const [size, { rows, store }] of bySize)
      for (const [name, column] of Object.entries({ rows, ...store.planes() }))
        columns.set(`vectors.${at}.${size}.${name}`, column)
    return { model, sizes: [...bySize.keys()] }
  })
  const fields: Head['fields'] = {}
  for (const [name, { plain, members, ...numbers }] of table.fields) {
    fields[name] = { plain, members }
    for (const [of, column] of Object.entries(numbers)) columns.set(`field.${name}.${of}`, column)
  }
  const head: Head = {
    columns: [...columns].map(([name, column]) => ({ name, type: typeOf(column), length: column.length })),
    tagSets,
    filings,
    conversations,
    speakers,
    compartments: table.size,
    domain,
    models,
    fields,
  }
  const headBytes = Buffer.from(JSON.stringify(head), 'utf8')
  const start = aligned(4 + headBytes.length)
  const size = [...columns.values()].reduce((sum, column) => sum + aligned(column.byteLength), start)
  const bytes = new Uint8Array(size)
  new DataView(bytes.buffer).setUint32(0, headBytes.length, true)
  bytes.set(headBytes, 4)
  let at = start
  for (const column of columns.values()) {
    yield
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at)
    at += aligned(column.byteLength)
  }
  return bytes
}

export function decodeCell(bytes: Uint8Array): KeptCell {
  // Columns are views of one buffer, and a view must begin at a multiple of its element width. The constructor
  // copies; Buffer's `slice` would only return another view of the same memory.
  const whole = bytes.byteOffset % ALIGNMENT === 0 ? bytes : new Uint8Array(bytes)
  const view = new DataView(whole.buffer, whole.byteOffset)
  const headLength = view.getUint32(0, true)
  const head = JSON.parse(Buffer.from(whole.subarray(4, 4 + headLength)).toString('utf8')) as Head
  const columns = new Map<string, Column>()
  let at = aligned(4 + headLength)
  for (const { name, type, length } of head.columns) {
    const make = COLUMN_TYPES[type]
    columns.set(name, new make(whole.buffer as ArrayBuffer, whole.byteOffset + at, length))
    at += aligned(length * make.BYTES_PER_ELEMENT)
  }
  const column = <Kind extends Column>(name: string): Kind => {
    const found = columns.get(name)
    if (found === undefined) throw new Error('the kept index lacks a column')
    return found as Kind
  }
  const postings = (level: string): PostingsData => ({
    terms: new Lexicon(column(`${level}.terms.bytes`), column(`${level}.terms.starts`)),
    termBlocks: column(`${level}.termBlocks`),
    blockFirst: column(`${level}.blockFirst`),
    blockAt: column(`${level}.blockAt`),
    blockPositionsAt: column(`${level}.blockPositionsAt`),
    documents: column(`${level}.documents`),
    positions: column(`${level}.positions`),
    classes: new Lexicon(column(`${level}.classes.bytes`), column(`${level}.classes.starts`)),
    classTerms: column(`${level}.classTerms`),
    lengths: column(`${level}.lengths`),
    languages: column(`${level}.languages`),
  })
  const data: SegmentData = {
    ids: column('ids'),
    byId: column('byId'),
    compartments: column('compartments'),
    createdAt: column('createdAt'),
    occurredAt: column('occurredAt'),
    expiring: column('expiring'),
    expiresAt: column('expiresAt'),
    salient: column('salient'),
    saliences: column('saliences'),
    salientSince: column('salientSince'),
    pinned: column('pinned'),
    tagSets: head.tagSets,
    tags: column('tags'),
    filings: head.filings,
    filing: column('filing'),
    conversations: head.conversations,
    conversation: column('conversation'),
    turns: column('turns'),
    inOrder: column('inOrder'),
    speakers: head.speakers,
    speaker: column('speaker'),
    traits: column('traits'),
    previews: column('previews'),
  }
  const fields = new Map<string, FieldColumns>(
    Object.entries(head.fields).map(([name, { plain, members }]) => [
      name,
      {
        plain,
        members,
        flat: column(`field.${name}.flat`),
        starts: column(`field.${name}.starts`),
        values: column(`field.${name}.values`),
        codes: column(`field.${name}.codes`),
      },
    ]),
  )
  const vectors = head.models.map(({ model, sizes }, at): [string, ModelVectors] => {
    const columnOf = (size: number) => {
      const named = <Kind extends Column>(name: string) => column<Kind>(`vectors.${at}.${size}.${name}`)
      const store = VectorStore.of(size, { high: named<Int8Array>('high'), low: named<Int8Array>('low') })
      return { store, rows: named<Int32Array>('rows') }
    }
    const nothing = new Set(column<Uint32Array>(`vectors.${at}.nothing`))
    return [model, { nothing, bySize: new Map(sizes.map(size => [size, columnOf(size)])) }]
  })
  return {
    vectors: new Map(vectors),
    segment: new Segment(data, {
      full: postings('full'),
      preview: postings('preview'),
      metadata: postings('metadata'),
    }),
    table: CompartmentTable.of(head.compartments, fields),
    compartmentIds: column('compartmentIds'),
    domain: head.domain,
  }
}

function typeOf(column: Column): keyof typeof COLUMN_TYPES {
  const name = Object.keys(COLUMN_TYPES).find(
    type => column instanceof COLUMN_TYPES[type as keyof typeof COLUMN_TYPES],
  )
  return name as keyof typeof COLUMN_TYPES
}
