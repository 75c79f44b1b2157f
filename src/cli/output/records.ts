import type { Handle } from '../../handle.js'
import type { RecordView } from '../../runtime/record-view.js'
import { printMore } from '../page.js'
import { printPairs } from './table.js'
import type { Terminal } from './terminal.js'
import { displayWidth, formatCount, formatMoment, padEnd, toLines, toOneLine, truncate } from './text.js'

type SearchAnswer = Awaited<ReturnType<Handle['search']>>

const COMPLETENESS: Readonly<Record<string, string>> = {
  exhaustive_for_scope: 'everything you may see was searched',
  exhaustive_for_scope_stale: 'everything was searched, but the index is still catching up',
  ranked_top_k_not_exhaustive: 'only the best matches were ranked',
  partial_due_to_policy: 'a policy left some records out',
  partial_due_to_visibility: 'some records are above the visibility class that was asked for',
  partial_due_to_staleness: 'the index is still catching up',
  partial_due_to_index_health: 'part of the index was not available, so try again',
  partial_due_to_resource_limit: 'the search reached a limit',
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
  const completeness =
    semanticState(receipt) ?? COMPLETENESS[receipt.resultSetCompleteness] ?? receipt.resultSetCompleteness
  return `${formatCount(count, 'match', 'matches')} in ${formatCount(receipt.searchedCount, 'record')}; ${completeness}.`
}

/** What semantic search could not do, if that is why the results are incomplete. */
function semanticState({ resultSetCompleteness, meaning = [], searchedCount }: SearchAnswer['receipt']) {
  const waiting = Math.max(0, ...meaning.map(({ waiting }) => waiting))
  if (resultSetCompleteness === 'partial_due_to_staleness' && waiting > 0)
    return `semantic search is still catching up (${waiting.toLocaleString('en')} of ${formatCount(searchedCount, 'record')} to go), and finds those by keywords only`
  const isDown = meaning.some(({ state }) => state === 'timeout' || state === 'unavailable')
  if (resultSetCompleteness === 'partial_due_to_index_health' && isDown)
    return 'semantic search was not available, so these results use keywords only'
  return undefined
}

function printResult(
  terminal: Terminal,
  number: number,
  { record, score, scores, snippet }: SearchAnswer['results'][number],
): void {
  const title = record.payload?.title
  const passages = snippet.passages.map(({ text, highlights }) => marked(terminal, text, highlights))
  const head = title ? marked(terminal, title, snippet.title.highlights) : (passages.shift() ?? '')
  // A score is relative to the other matches, so that of a single one says nothing.
  const shown = score.toFixed(2) === '0.00' ? '' : terminal.style('dim', `(${score.toFixed(2)})`)
  terminal.line([terminal.style('bold', `${number}.`), head, shown].filter(Boolean).join(' '))
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
