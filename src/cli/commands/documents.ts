import { writeFile } from 'node:fs/promises'
import { PrivityError } from '../../errors.js'
import type { Handle } from '../../handle.js'
import type { Command } from '../command.js'
import { omitUndefined } from '../omit-undefined.js'
import { printPairs, printTable } from '../output/table.js'
import { formatBytes, formatCount, formatMoment, toLines, toOneLine } from '../output/text.js'
import { PAGE, printPage, readPageOptions } from '../page.js'
import { UsageError } from '../usage-error.js'

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Finds a document by the id of its card, or by its name. */
async function cardOf(handle: Handle, named: string): Promise<string> {
  if (ID.test(named)) return named
  const found = await handle.documents.fields({ document: named })
  if (found?.id == null) throw absent()
  return found.id
}

const absent = () => new PrivityError('not_found', 'not found')

const documentsList: Command = {
  name: 'documents list',
  summary: 'List documents, newest first',
  arguments: [],
  options: { corpus: { type: 'text', value: 'NAME', describe: 'only in this corpus' }, ...PAGE },
  examples: [{ line: 'documents list --corpus brief-bank', does: 'the documents of a corpus' }],
  needs: 'access',
  async run({ options, open, terminal }) {
    const { handle } = await open()
    const page = await handle.documents.cards({
      ...omitUndefined({ corpus: options.text('corpus') }),
      ...readPageOptions(options),
    })
    printPage(
      terminal,
      page,
      page.documents,
      [
        { title: 'document', text: ({ document, id }) => document ?? id },
        { title: 'title', from: 100, text: ({ title }) => title },
        { title: 'version', text: ({ version }) => version?.split('@').at(-1) },
        { title: 'pages', text: ({ pages }) => pages || '' },
        { title: 'state', text: ({ state }) => state },
        { title: 'corpus', from: 120, text: ({ corpus }) => corpus },
      ],
      'there are no documents',
    )
  },
}

const documentsShow: Command = {
  name: 'documents show',
  summary: 'Show a document with its parts and versions',
  arguments: [{ name: 'document' }],
  options: {},
  examples: [{ line: 'documents show briefs/opposition.pdf', does: 'by its name, or the id of its card' }],
  needs: 'access',
  async run({ args, open, terminal }) {
    const { handle } = await open()
    const card = await handle.documents.get(await cardOf(handle, args[0] ?? ''))
    if (card === null) throw absent()
    if (terminal.json) {
      terminal.document(card)
      return
    }
    terminal.line(terminal.style('bold', toOneLine(card.title ?? card.document ?? card.id)))
    printPairs(terminal, [
      ['id', card.id],
      ['document', card.document],
      ['corpus', card.corpus],
      ['version', card.version],
      ['version kind', card.versionKind],
      ['filing unit', card.filingUnit],
      ['type', card.mediaType],
      ['pages', card.pages || null],
      ['state', card.state],
      ['segments', card.segments],
      ['since', formatMoment(card.createdAt)],
    ])
    if (card.text !== '') terminal.line(toLines(card.text))
    if (card.parts.length === 0) return
    terminal.line('')
    printTable(
      terminal,
      card.parts,
      [
        { title: 'part', text: ({ kind }) => kind },
        { title: 'title', text: ({ title }) => title },
        { title: 'page', text: ({ page }) => page },
        { title: 'characters', text: ({ start, end }) => `${start}–${end}` },
      ],
      '',
    )
  },
}

const documentsRead: Command = {
  name: 'documents read',
  summary: 'Print the text of a document',
  arguments: [{ name: 'document' }],
  options: {
    page: { type: 'number', least: 1, describe: 'only this page' },
    from: { type: 'number', least: 0, describe: 'start at this character' },
    to: { type: 'number', least: 0, describe: 'stop before this character' },
  },
  examples: [{ line: 'documents read briefs/opposition.pdf --page 3', does: 'one page' }],
  needs: 'access',
  async run({ args, options, open, terminal }) {
    const { handle } = await open()
    const id = await cardOf(handle, args[0] ?? '')
    const asked = omitUndefined({
      page: options.number('page'),
      from: options.number('from'),
      to: options.number('to'),
    })
    for (let from = asked.from; ; ) {
      const read = await handle.documents.read(id, { ...asked, ...omitUndefined({ from }) })
      if (read === null) throw absent()
      if (terminal.json) {
        terminal.document(read)
        return
      }
      if (asked.page !== undefined && read.segments.length === 0)
        throw new UsageError(`nothing is written on page ${asked.page}`, 'documents read')
      await terminal.stream(toLines(read.text))
      if (read.next === null) break
      from = read.next
    }
    terminal.line('')
  },
}

const documentsOriginal: Command = {
  name: 'documents original',
  summary: 'Write the original file of a document',
  arguments: [{ name: 'document' }, { name: 'file' }],
  options: {},
  examples: [
    { line: 'documents original briefs/opposition.pdf copy.pdf', does: 'the file as it was taken in' },
  ],
  needs: 'access',
  completesFiles: true,
  async run({ args, open, terminal }) {
    const [named = '', file = ''] = args
    const { handle } = await open()
    const original = await handle.documents.original(await cardOf(handle, named))
    if (original === null) throw absent()
    await writeFile(file, Buffer.from(original.content, 'base64')).catch(() => {
      throw new PrivityError('invalid_input', `${file} cannot be written`)
    })
    const { content: _, ...about } = original
    if (terminal.json) terminal.document({ ...about, file })
    else terminal.line(`${formatBytes(original.size)} in ${toOneLine(file)}`)
  },
}

const documentsFields: Command = {
  name: 'documents fields',
  summary: 'Show the metadata of a document, and how reliable it is',
  arguments: [{ name: 'document' }],
  options: {},
  examples: [{ line: 'documents fields briefs/opposition.pdf', does: 'case, court, parties and dates' }],
  needs: 'access',
  async run({ args, open, terminal }) {
    const [named = ''] = args
    const { handle } = await open()
    const found = await handle.documents.fields(ID.test(named) ? { id: named } : { document: named })
    if (found === null) throw absent()
    if (terminal.json) {
      terminal.document(found)
      return
    }
    printTable(
      terminal,
      found.fields.filter(({ source }) => source !== 'none'),
      [
        { title: 'field', text: ({ field }) => field },
        { title: 'value', text: ({ value }) => valueText(value) },
        { title: 'from', text: ({ source }) => source.replaceAll('_', ' ') },
        { title: 'it is', text: ({ framing }) => framing },
      ],
      'nothing is known of it',
    )
    if (found.derived.length > 0)
      terminal.note(
        `${formatCount(found.derived.length, 'record')} made from earlier versions may no longer hold`,
      )
  },
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  if (typeof value === 'object' && value !== null && 'date' in value) {
    const { date, timeZone } = value as { date: string; timeZone?: string }
    return timeZone === undefined ? date : `${date} (${timeZone})`
  }
  return String(value ?? '')
}

const documentsSources: Command = {
  name: 'documents sources',
  summary: 'List ingested files and their state',
  arguments: [],
  options: {
    state: {
      type: 'text',
      values: ['extracting', 'complete', 'partial', 'needs_ocr', 'failed'],
      describe: 'only in this state',
    },
    corpus: { type: 'text', value: 'NAME', describe: 'only in this corpus' },
    ...PAGE,
  },
  examples: [{ line: 'documents sources --state failed', does: 'what could not be read, and why' }],
  needs: 'access',
  async run({ options, open, terminal }) {
    const { handle } = await open()
    const page = await handle.documents.sources({
      ...omitUndefined({
        state: options.text('state') as 'failed' | undefined,
        corpus: options.text('corpus'),
      }),
      ...readPageOptions(options),
    })
    printPage(
      terminal,
      page,
      page.sources,
      [
        { title: 'document', text: ({ document }) => document },
        { title: 'version', text: ({ version }) => version },
        { title: 'state', text: ({ state, problem }) => (problem === null ? state : `${state}: ${problem}`) },
        { title: 'size', text: ({ size }) => formatBytes(size) },
        { title: 'since', from: 100, text: ({ createdAt }) => formatMoment(createdAt) },
      ],
      'there are no files',
    )
  },
}

const documentsExtract: Command = {
  name: 'documents extract',
  summary: 'Extract the text of a file that is waiting, or failed before',
  arguments: [{ name: 'document' }],
  options: {},
  examples: [{ line: 'documents extract briefs/opposition.pdf', does: 'after ingest --later' }],
  needs: 'access',
  async run({ args, open, terminal }) {
    const { handle } = await open()
    const read = await handle.documents.extract({ document: args[0] ?? '' })
    if (terminal.json) terminal.document(read)
    else
      terminal.line(
        `${toOneLine(read.document)}: ${read.state}${read.problem === null ? '' : ` (${read.problem})`}`,
      )
  },
}

const documentsRecognise: Command = {
  name: 'documents recognise',
  summary: 'Read the scanned pages of a document by text recognition (OCR)',
  arguments: [{ name: 'document' }],
  options: {},
  examples: [
    { line: 'documents recognise scans/letter.pdf', does: 'with PRIVITY_OCR=eng; waits until it is read' },
  ],
  needs: 'access',
  async run({ args, open, terminal }) {
    const { handle, recognised } = await open()
    const asked = { document: args[0] ?? '' }
    let read = await handle.documents.recognise(asked)
    if (read.recognition === 'waiting') {
      await recognised()
      read = await handle.documents.recognise(asked)
    }
    if (terminal.json) terminal.document(read)
    else terminal.line(`${toOneLine(read.document)}: ${describeRecognition(read)}`)
  },
}

function describeRecognition({
  recognition,
  waitingPages,
  state,
}: Awaited<ReturnType<Handle['documents']['recognise']>>): string {
  if (recognition === 'not_set_up')
    return 'text recognition is not set up; npm install tesseract.js @tesseract.js-data/eng, then set PRIVITY_OCR=eng'
  if (recognition !== 'waiting') return state
  return waitingPages === null ? 'waits to be read' : `${formatCount(waitingPages, 'page')} wait to be read`
}

const documentsRemove: Command = {
  name: 'documents remove',
  summary: 'Delete a document with all its versions and everything made from them',
  arguments: [{ name: 'document' }],
  options: {},
  examples: [{ line: 'documents remove briefs/opposition.pdf', does: 'by its name, permanently' }],
  needs: 'access',
  async run({ args, open, terminal }) {
    const { handle } = await open()
    const removed = await handle.documents.remove({ document: args[0] ?? '' })
    if (terminal.json) terminal.document(removed)
    else terminal.line(`${toOneLine(removed.document)} is deleted`)
  },
}

export const DOCUMENT_COMMANDS = [
  documentsList,
  documentsShow,
  documentsRead,
  documentsOriginal,
  documentsFields,
  documentsSources,
  documentsExtract,
  documentsRecognise,
  documentsRemove,
]
