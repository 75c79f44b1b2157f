import type { Handle } from '../../handle.js'
import type { RecordView } from '../../runtime/record-view.js'
import { printMore } from '../page.js'
import { printPairs } from './table.js'
import type { Terminal } from './terminal.js'
import { displayWidth, formatCount, formatMoment, padEnd, toLines, toOneLine, truncate } from './text.js'

type SearchAnswer = Awaited<ReturnType<Handle['search']>>

const COMPLETENESS: Readonly<Record<string, string>> = {
  exhaustive_for_scope: 'all of what you may see was searched',
  exhaustive_for_scope_stale: 'all of it was searched, but the index was not current',
  ranked_top_k_not_exhaustive: 'only the best of many matches were ranked',
  partial_due_to_policy: 'some records were left out by policy',
  partial_due_to_visibility: 'some records lie above the visibility that was asked for',
  partial_due_to_staleness: 'what some records mean is still being worked out',
  partial_due_to_index_health: 'part of the index could not be used',
  partial_due_to_resource_limit: 'the search ran into a limit',
}

/** Prints results with the matching passages, and what was searched. */
export function printResults(terminal: Terminal, found: SearchAnswer): void {
  for (const [at, result] of found.results.entries()) printResult(terminal, at + 1, result)
  if (found.notice !== null) terminal.line(found.notice)
  if (found.suggestion !== null)
    terminal.line(`did you mean: ${terminal.style('bold', toOneLine(found.suggestion.query))}`)
  terminal.line(terminal.style('dim', receiptSentence(found)))
  printMore(terminal, found)
}

/** Summarises a receipt in one sentence. */
export function receiptSentence({ count, receipt }: Pick<SearchAnswer, 'count' | 'receipt'>): string {
  const completeness = COMPLETENESS[receipt.resultSetCompleteness] ?? receipt.resultSetCompleteness
  return `${formatCount(count, 'match', 'matches')} in ${formatCount(receipt.searchedCount, 'record')}; ${completeness}.`
}

function printResult(
  terminal: Terminal,
  number: number,
  { record, score, scores, snippet }: SearchAnswer['results'][number],
): void {
  const title = record.payload?.title
  const passages = snippet.passages.map(({ text, highlights }) => marked(terminal, text, highlights))
  const head = title ? marked(terminal, title, snippet.title.highlights) : (passages.shift() ?? '')
  terminal.line(
    `${terminal.style('bold', `${number}.`)} ${head}${head ? ' ' : ''}${terminal.style('dim', `(${score.toFixed(2)})`)}`,
  )
  for (const passage of passages) terminal.line(`   ${passage}`)
  if (record.payload === null) terminal.line('   (its text is not shown to you)')
  const parts = scores.parts ?? []
  const width = Math.max(0, ...parts.map(({ part }) => displayWidth(toOneLine(part))))
  for (const { part, raw, normalised, weight } of parts)
    terminal.line(
      `   ${padEnd(toOneLine(part), width)} ${normalised.toFixed(3)} × ${weight.toFixed(3)}${raw === null ? '' : terminal.style('dim', `  (${raw.toFixed(3)} before normalising)`)}`,
    )
  terminal.line(`   ${terminal.style('dim', truncate(about(record), terminal.width - 3))}`)
}

const about = ({ id, kind, sensitivity, createdAt, tags }: RecordView) =>
  toOneLine([id, kind, sensitivity, formatMoment(createdAt), ...tags.map(tag => `#${tag}`)].join(' · '))

function marked(
  terminal: Terminal,
  text: string,
  highlights: readonly (readonly [number, number])[],
): string {
  const safe = toOneLine(text)
  let shown = ''
  let at = 0
  for (const [start, end] of highlights) {
    shown += safe.slice(at, start) + terminal.style('mark', safe.slice(start, end))
    at = end
  }
  return shown + safe.slice(at)
}

/** Prints a record as the caller sees it: first its fields, then its text. */
export function printRecord(terminal: Terminal, record: RecordView): void {
  const { payload } = record
  printPairs(terminal, [
    ['id', record.id],
    ['title', payload?.title],
    ['kind', record.kind],
    ['shown', record.face === 'full' ? null : `${record.face} only`],
    ['sensitivity', record.sensitivity],
    ['scope', record.scope],
    ['visibility', payload?.visibilityClass],
    ['owner', payload?.owner],
    ['author', payload?.author],
    ['people', payload?.participants?.join(', ')],
    ['tags', record.tags.join(', ')],
    ['happened', formatMoment(payload?.occurredAt)],
    ['made', formatMoment(record.createdAt)],
    ['changed', record.updatedAt === record.createdAt ? null : formatMoment(record.updatedAt)],
    ['expires', formatMoment(payload?.expiresAt)],
    ['contested', payload?.contested ? (payload.contestedReason ?? 'yes') : null],
    ['corpus', payload?.corpus],
    ['fields', Object.keys(payload?.fields ?? {}).length === 0 ? null : JSON.stringify(payload?.fields)],
    ['from', Object.values(record.provenance ?? {}).join(' ')],
    ...record.relations.map(
      ({ type, direction, record: other }) => [direction === 'out' ? type : `${type} (of)`, other] as const,
    ),
  ])
  if (payload === null) return
  terminal.line()
  terminal.line(toLines(payload.text))
}
