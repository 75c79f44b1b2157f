import type { Handle } from '../../handle.js'
import { CLOSING, OPENING } from '../../runtime/data-markers.js'
import type { SupportedSentence } from '../../runtime/search/router/answer.js'
import { QUERY_INTENTS } from '../../runtime/search/router/intent.js'
import type { Command, Options, Values } from '../command.js'
import { omitUndefined } from '../omit-undefined.js'
import { printPairs, printTable } from '../output/table.js'
import type { Terminal } from '../output/terminal.js'
import { formatCount, toLines, toOneLine } from '../output/text.js'

type Plan = Awaited<ReturnType<Handle['documents']['plan']>>
type Bundle = Awaited<ReturnType<Handle['documents']['bundle']>>

const QUESTION_OPTIONS = {
  corpus: { type: 'texts', value: 'NAME', describe: 'only in this corpus; may be repeated' },
  intent: {
    type: 'text',
    values: QUERY_INTENTS,
    describe: 'the intent of the question, if its words do not tell',
  },
} as const satisfies Options

function questionOf(args: readonly string[], options: Values) {
  const corpora = options.texts('corpus')
  return {
    query: args.join(' '),
    ...omitUndefined({ intent: options.text('intent') as (typeof QUERY_INTENTS)[number] | undefined }),
    ...(corpora === undefined ? {} : { scope: { corpusScope: corpora } }),
  }
}

const planCommand: Command = {
  name: 'plan',
  summary: 'Show how a question would be answered, without answering it',
  arguments: [{ name: 'question', many: true }],
  options: QUESTION_OPTIONS,
  examples: [{ line: 'plan "What did the court hold on scienter?"', does: 'intent, posture and executors' }],
  needs: 'access',
  async run({ args, options, open, terminal }) {
    const { handle } = await open()
    const planned = await handle.documents.plan(questionOf(args, options))
    if (terminal.json) terminal.document(planned)
    else printPlan(terminal, planned)
  },
}

function printPlan(terminal: Terminal, { plan, failure }: Plan): void {
  const { queryIntentResolution: intent, searchScope: scope } = plan
  printPairs(terminal, [
    [
      'intent',
      `${intent.resolvedIntent} (${intent.resolverKind}${intent.patternId === undefined ? '' : `, ${intent.patternId}`})`,
    ],
    ['posture', scope.retrievalPosture.posture],
    ['parts', scope.retrievalPosture.filingContentScope],
    [
      'sources',
      scope.retrievalPosture.sourceSpanRequired ? 'have to be shown' : 'are shown where there are any',
    ],
    ['fusion', plan.resultFusionStrategy],
    ['expansions', plan.queryExpansionsPlanned.flatMap(({ appliedTerms }) => appliedTerms).join(', ')],
  ])
  terminal.line('')
  printTable(
    terminal,
    plan.executorAssignments,
    [
      { title: 'executor', text: ({ executorClass }) => executorClass },
      { title: 'weight', text: ({ weight }) => weight },
      { title: 'tokens', text: ({ budgetTokens }) => budgetTokens },
      { title: 'deadline', text: ({ deadlineMs }) => `${deadlineMs} ms` },
      { title: 'why', text: ({ reasonCode }) => reasonCode },
    ],
    'nothing would be searched',
  )
  sayFailure(terminal, failure)
}

const askCommand: Command = {
  name: 'ask',
  summary: 'Gather passages that answer a question, each with its source',
  arguments: [{ name: 'question', many: true }],
  options: {
    ...QUESTION_OPTIONS,
    answer: {
      type: 'flag',
      describe: 'let the configured model answer from the passages; each sentence cites them',
    },
    tokens: { type: 'number', least: 100, most: 200_000, describe: 'the token budget (4000)' },
  },
  examples: [
    { line: 'ask "What did the court hold on scienter?" --corpus brief-bank', does: 'passages, with pages' },
    { line: 'ask "When was the motion filed?" --json', does: 'what a model would be given' },
    {
      line: 'ask "When was the motion filed?" --answer',
      does: 'an answer, with PRIVITY_CHAT_URL and PRIVITY_CHAT_MODEL',
    },
  ],
  needs: 'access',
  async run({ args, options, open, terminal }) {
    const { handle } = await open()
    const asked = {
      ...questionOf(args, options),
      ...omitUndefined({ tokenBudget: options.number('tokens') }),
    }
    if (options.flag('answer')) return answerFrom(handle, asked, terminal)
    const bundle = await handle.documents.bundle(asked)
    if (terminal.json) terminal.document(bundle)
    else printBundle(terminal, bundle)
  },
}

/** Prints the sentences of an answer as they are written, then what their numbers stand for. */
async function answerFrom(
  handle: Handle,
  asked: Parameters<Handle['documents']['answer']>[0],
  terminal: Terminal,
): Promise<void> {
  const heard: SupportedSentence[] = []
  const tell = (sentence: SupportedSentence) => {
    heard.push(sentence)
    const marks = sentence.citations.map(ref => `[${ref}]`).join('')
    terminal.line(`${toOneLine(sentence.text)} ${terminal.style('dim', marks)}`)
  }
  const answer = await handle.documents.answer(asked, terminal.json ? {} : { onSentence: tell })
  if (terminal.json) return terminal.document(answer)
  if (answer.answer === null) {
    if (heard.length > 0)
      terminal.note('what is printed above no longer holds, because what it rests on changed')
    return printBundle(terminal, answer)
  }
  for (const sentence of answer.sentences.slice(heard.length)) tell(sentence)
  terminal.line('')
  const cited = new Set(answer.sentences.flatMap(({ citations }) => citations))
  for (const { ref, title, document, page } of answer.citations)
    if (cited.has(ref))
      terminal.line(
        `${terminal.style('bold', `[${ref}]`)} ${[
          title === document ? null : title,
          document,
          page === undefined ? null : `page ${page}`,
        ]
          .filter(part => part !== null && part !== undefined)
          .map(part => toOneLine(String(part)))
          .join(', ')}`,
      )
  if (answer.notice !== null) terminal.note(toOneLine(answer.notice))
  terminal.note(`written by ${toOneLine(answer.model ?? '')} from ${formatCount(cited.size, 'passage')}`)
}

function printBundle(
  terminal: Terminal,
  { text, citations, leftOut, notice, failure, searchRun, completeness }: Bundle,
): void {
  const passages = new Map(sourcesIn(text).map(source => [source.ref, source.text]))
  for (const { ref, title, document, page, start, end } of citations) {
    const where = [title === document ? null : title, document, page === undefined ? null : `page ${page}`]
    const named = where
      .filter(part => part !== null && part !== undefined)
      .map(part => toOneLine(String(part)))
    terminal.line(
      `${terminal.style('bold', `[${ref}]`)} ${named.join(', ')} ${terminal.style('dim', `(characters ${start}–${end})`)}`,
    )
    for (const line of toLines(passages.get(ref) ?? '').split('\n')) terminal.line(`    ${line}`)
    terminal.line('')
  }
  if (notice !== null) terminal.line(toOneLine(notice))
  if (completeness === 'partial_due_to_policy' && citations.length === 0)
    terminal.note(
      'ask gathers text for a model, so people in a memory must have consented; see privity people list',
    )
  if (leftOut > 0) terminal.note(`${formatCount(leftOut, 'more passage')} did not fit; --tokens makes room`)
  sayFailure(terminal, failure)
  if (searchRun !== null && citations.length > 0) terminal.note(`search ${searchRun}`)
}

/** The text between the markers is JSON. */
function sourcesIn(text: string): readonly { readonly ref: number; readonly text: string }[] {
  const data = text.slice(text.indexOf(OPENING) + OPENING.length, text.lastIndexOf(CLOSING))
  return JSON.parse(data).sources
}

function sayFailure(terminal: Terminal, failure: Plan['failure']): void {
  if (failure === null) return
  const hint = failure.remediationHint === undefined ? '' : `: ${toOneLine(failure.remediationHint)}`
  terminal.note(`${failure.failureKind.replaceAll('_', ' ')}${hint}`)
}

export const ASK_COMMANDS = [planCommand, askCommand]
