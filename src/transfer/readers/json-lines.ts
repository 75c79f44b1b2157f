import { type Bytes, exportedRecord, type Item } from '../item.js'
import { readLines } from '../lines.js'

/** Allows for 1 MiB of text with every character escaped, plus the other fields. */
const MOST_BYTES = 8 * 1_048_576

/**
 * Reads JSON lines. Each line is a record as `remember` accepts it, or a line of a Privity export.
 *
 * @example
 * for await (const item of readJsonLines(createReadStream('memory.jsonl'))) console.log(item.where)
 */
export async function* readJsonLines(
  source: Bytes,
  { encoding }: { encoding?: string | undefined } = {},
): AsyncGenerator<Item> {
  for await (const line of readLines(source, { mostBytes: MOST_BYTES, encoding })) {
    const where = `line ${line.number}`
    if ('problem' in line) yield { kind: 'problem', where, problem: line.problem }
    else if (line.text.trim() !== '') yield readLine(where, line.text)
  }
}

function readLine(where: string, text: string): Item {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'problem', where, problem: 'is not JSON' }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { kind: 'problem', where, problem: 'is not a JSON object' }
  if (!('exported' in value)) return { kind: 'record', where, draft: value }
  const { exported: said, ...draft } = value
  const read = exportedRecord.safeParse(said)
  if (!read.success) return { kind: 'problem', where, problem: 'exported: is not valid' }
  if (read.data.face !== 'full') return { kind: 'skipped', where, why: 'shows less than a whole record' }
  return { kind: 'record', where, draft, exported: read.data }
}
