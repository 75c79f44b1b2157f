/** What a record has unless it says otherwise; a model need not read it. */
const USUAL: Readonly<Record<string, unknown>> = {
  confidence: 1,
  vessel: 'user',
  contested: false,
  pinned: false,
  markedShareable: false,
}
/** What only programs use: digests to compare, and numbers behind a score. */
const FOR_PROGRAMS: ReadonlySet<string> = new Set(['version'])
/** What a result of a search says beside its record, whose text a model reads anyway. */
const BESIDE_TEXT: ReadonlySet<string> = new Set(['scores', 'matchSurface', 'snippet'])

/**
 * An answer with fewer words for a model to read: below its top level, what is null or empty is left out, of records what
 * is as usual or only for programs, and of results what repeats the text. Names and structure stay as they are.
 */
export function leanAnswer(answer: unknown): unknown {
  if (!isObject(answer)) return answer
  if (isRecord(answer)) return leanRecord(answer)
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, lean(value)]))
}

type JsonObject = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether this is a record as a caller sees it. */
const isRecord = (value: JsonObject): boolean =>
  'face' in value && 'payload' in value && 'sensitivity' in value

function lean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lean)
  if (!isObject(value)) return value
  if (isRecord(value)) return leanRecord(value)
  const isHit = isObject(value.record) && isRecord(value.record) && isObject(value.record.payload)
  return without(value, (name, each) => isEmpty(name, each) || (isHit && BESIDE_TEXT.has(name)))
}

function leanRecord(record: JsonObject): JsonObject {
  const { payload, updatedAt, ...rest } = record
  const isUsual = (name: string, value: unknown) =>
    isEmpty(name, value) || USUAL[name] === value || FOR_PROGRAMS.has(name)
  const { author, ...said } = isObject(payload) ? payload : {}
  return {
    ...without(rest, isUsual),
    ...(updatedAt === rest.createdAt ? {} : { updatedAt }),
    ...(isObject(payload)
      ? { payload: without({ ...said, ...(author === said.owner ? {} : { author }) }, isUsual) }
      : {}),
  }
}

const isEmpty = (_name: string, value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0)

function without(value: JsonObject, leaves: (name: string, value: unknown) => boolean): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      const kept = lean(each)
      return leaves(name, kept) ? [] : [[name, kept]]
    }),
  )
}
