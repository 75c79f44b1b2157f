import { deflateSync } from 'node:zlib'
import type { MediaType } from '../../src/documents/extract/extract.js'
import { type Draft, draftOf, type SampleKind } from './sample-drafts.js'
import {
  renderDocx,
  renderEml,
  renderHtml,
  renderMarkdown,
  renderMbox,
  renderPdf,
  renderText,
} from './sample-formats.js'

/** A document of the corpus, and what must be found in it. */
export interface Sample {
  readonly index: number
  readonly path: string
  readonly bytes: Uint8Array
  readonly mediaType: MediaType
  readonly kind: SampleKind
  readonly expected: {
    readonly title: string
    /** Words that stand in its text, some in no other document. */
    readonly words: readonly string[]
    /** Every sentence that it was made of, as it is written. */
    readonly sentences: readonly string[]
    readonly caseNumber: string
    /** In their order. */
    readonly partKinds: readonly string[]
  }
}

const FORMATS: Readonly<
  Record<string, { mediaType: MediaType; render: (draft: Draft) => Promise<Uint8Array> | Uint8Array }>
> = {
  pdf: { mediaType: 'application/pdf', render: renderPdf },
  docx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    render: renderDocx,
  },
  html: { mediaType: 'text/html', render: renderHtml },
  md: { mediaType: 'text/markdown', render: renderMarkdown },
  txt: { mediaType: 'text/plain', render: renderText },
  eml: { mediaType: 'message/rfc822', render: renderEml },
  mbox: { mediaType: 'application/mbox', render: renderMbox },
}
const FILED = ['pdf', 'docx', 'pdf', 'html', 'pdf', 'md', 'pdf', 'txt'] as const

/**
 * Invented securities litigation, the same for the same seed: motions with their exhibits, oppositions, orders,
 * letters, mail and memos in every format that is read.
 */
export async function* sampleCorpus({ seed = 1, count = 300 } = {}): AsyncGenerator<Sample> {
  for (let index = 0; index < count; index++) yield await sample({ seed, index })
}

/** One of the corpus; a later revision differs in some sentences, a word and a date, under the same path. */
export async function sample({ seed = 1, index = 0, revision = 0 }): Promise<Sample> {
  const draft = draftOf(seed, index, revision)
  const extension = formatOf(draft.kind, index)
  const { mediaType, render } = FORMATS[extension] as (typeof FORMATS)[string]
  return {
    index,
    path: `${draft.folder}/${String(index).padStart(4, '0')}-${draft.kind.replaceAll('_', '-')}.${extension}`,
    bytes: await render(draft),
    mediaType,
    kind: draft.kind,
    expected: {
      title: draft.title,
      words: draft.words,
      sentences: draft.parts.flatMap(({ blocks }) => blocks.flatMap(({ text }) => text.split('. '))),
      caseNumber: draft.caseNumber,
      partKinds: draft.parts.map(({ kind }) => kind),
    },
  }
}

/** The same document, changed. */
export const changedSample = (of: { seed: number; index: number }): Promise<Sample> =>
  sample({ ...of, revision: 1 })

function formatOf(kind: SampleKind, index: number): string {
  if (kind === 'email') return index % 3 === 0 ? 'mbox' : 'eml'
  return FILED[Math.floor(index / 10 + index) % FILED.length] ?? 'txt'
}

/** Files that cannot be read whole: each with what must be said of it. */
export async function brokenSamples(): Promise<
  readonly { readonly path: string; readonly bytes: Uint8Array; readonly says: string }[]
> {
  const whole = await renderPdf(draftOf(1, 0, 0))
  return [
    {
      path: 'scans/exhibit.pdf',
      bytes: await renderPdf(draftOf(1, 0, 0), { picture: picture() }),
      says: 'needs_ocr',
    },
    {
      path: 'sealed/motion.pdf',
      bytes: await renderPdf(draftOf(1, 0, 0), { password: 'under seal' }),
      says: 'encrypted',
    },
    { path: 'broken/motion.pdf', bytes: whole.subarray(0, 700), says: 'damaged' },
    {
      path: 'broken/rubbish.bin',
      bytes: Uint8Array.from({ length: 4_096 }, (_, at) => (at * 7_919) % 251),
      says: 'unknown_type',
    },
    { path: 'blank.txt', bytes: Uint8Array.of(0x0a), says: 'complete' },
  ]
}

/** A grey picture with lines, as a scanner would make of a page. */
function picture(width = 120, height = 160): Buffer {
  const rows = Buffer.alloc((width + 1) * height, 0xee)
  for (let row = 0; row < height; row++) {
    rows[row * (width + 1)] = 0
    if (row % 8 === 4) rows.fill(0x22, row * (width + 1) + 12, row * (width + 1) + width - 12)
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(body.length, 0)
  framed.set(named, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
