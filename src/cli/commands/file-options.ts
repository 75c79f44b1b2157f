import { SENSITIVITIES, SURFACES, VERSION_KINDS, VISIBILITY_CLASSES } from '../../policy/vocabulary.js'
import type { Options, Values } from '../command.js'
import { omitUndefined } from '../omit-undefined.js'
import type { ProgressBar } from '../output/progress-bar.js'
import type { Terminal } from '../output/terminal.js'
import { toOneLine } from '../output/text.js'

/** The options that apply to every ingested file. */
export const FILE_OPTIONS = {
  corpus: { type: 'text', value: 'NAME', describe: 'the corpus that the documents belong to' },
  tag: { type: 'texts', value: 'NAME', describe: 'a tag; may be repeated' },
  sensitivity: { type: 'text', values: SENSITIVITIES, describe: 'the sensitivity label' },
  'record-scope': { type: 'text', value: 'NAME', describe: 'the scope that the documents belong to' },
  'visibility-class': { type: 'text', values: VISIBILITY_CLASSES, describe: 'their visibility class' },
  surface: { type: 'text', values: SURFACES, describe: 'their surface in the corpus (source_documents)' },
  'filing-unit': { type: 'text', value: 'NAME', describe: 'the filing that the documents belong to' },
  'version-kind': { type: 'text', values: VERSION_KINDS, describe: 'which version of the filing they are' },
  'time-zone': {
    type: 'text',
    value: 'NAME',
    describe: 'the time zone of their dates, such as Europe/Berlin',
  },
} as const satisfies Options

export const fileOptionsOf = (options: Values) =>
  omitUndefined({
    tags: options.texts('tag'),
    sensitivity: options.text('sensitivity') as (typeof SENSITIVITIES)[number] | undefined,
    scope: options.text('record-scope'),
    visibilityClass: options.text('visibility-class') as (typeof VISIBILITY_CLASSES)[number] | undefined,
    surface: options.text('surface') as (typeof SURFACES)[number] | undefined,
    filingUnit: options.text('filing-unit'),
    versionKind: options.text('version-kind') as (typeof VERSION_KINDS)[number] | undefined,
    timeZone: options.text('time-zone'),
  })

/** Prints what is wrong with a file or a watch. */
export function sayProblem(
  terminal: Terminal,
  progress: Pick<ProgressBar, 'clear'> | null,
  { document, problem }: { readonly document: string | null; readonly problem: string },
): void {
  if (terminal.json) return
  progress?.clear()
  const where = document === null ? '' : `${terminal.style('yellow', toOneLine(document), 'stderr')}: `
  terminal.note(`${where}${toOneLine(problem)}`)
}
