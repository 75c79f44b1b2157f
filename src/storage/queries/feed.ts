import { parseTimestamptz } from '../column-types.js'
import { storedFunction, withParams } from '../stored-function.js'
import {
  askChanges,
  CHANGES_FUNCTION,
  type ChangesRow,
  readChanges,
  type SeenChanges,
  type Since,
} from './changes-since.js'
import { FETCH_VECTORS, type VectorRow } from './embeddings.js'
import { FETCH_INDEX_ROWS, type IndexRow } from './index-feed.js'
import { KEPT_BY_GENERATION } from './kept-by-generation.js'
import type { Send } from './read.js'

/** Changes, with the records and vectors that they name as the same snapshot sees them. */
export interface Feed extends SeenChanges {
  readonly rows: readonly IndexRow[]
  readonly vectors: readonly VectorRow[]
}

/**
 * What some cells lack, by one statement; null if there is more of it than `most` changes or `mostBytes` of texts.
 */
export async function fetchIndexFeed(
  send: Send,
  tenant: string,
  since: Since,
  models: readonly string[],
  { most, mostBytes }: { readonly most: number; readonly mostBytes: number },
): Promise<Feed | null> {
  const asked = { ...JSON.parse(askChanges(tenant, since, most + 1)), models, mostBytes }
  const [row] = await send<{ feed: ChangesRow & { rows: FedRow[]; vectors: FedVector[] } }>(FEED, [
    JSON.stringify(asked),
  ])
  if (row === undefined) throw new Error('a function returned nothing')
  const { rows, vectors, ...changes } = row.feed
  if (changes.changes.length > most || rows.some(({ fits }) => !fits)) return null
  return {
    ...readChanges(changes),
    rows: rows.map(({ fits: _, ...row }) => ({
      ...row,
      createdAt: parseTimestamptz(row.createdAt),
      occurredAt: timeOf(row.occurredAt),
      validFrom: timeOf(row.validFrom),
      validTo: timeOf(row.validTo),
      expiresAt: timeOf(row.expiresAt),
      salienceAt: parseTimestamptz(row.salienceAt),
    })),
    vectors: vectors.map(({ vector, ...rest }) => ({
      ...rest,
      vector: new Uint8Array(Buffer.from(vector.slice(2), 'hex')),
    })),
  }
}

/** JSON has no times, so they come as texts. */
type FedRow = {
  readonly [Name in keyof IndexRow]-?: Date extends IndexRow[Name]
    ? string | Exclude<IndexRow[Name], Date | undefined>
    : IndexRow[Name]
} & { readonly fits: boolean }
const timeOf = (text: string | null): Date | null => (text === null ? null : parseTimestamptz(text))
type FedVector = Omit<VectorRow, 'vector'> & { readonly vector: string }

const FEED_BODY = `
declare
  seen constant json := ${CHANGES_FUNCTION.name}(asked);
  changed uuid[];
  touched uuid[];
begin
  select coalesce(array_agg(distinct id) filter (where not vector), '{}'), coalesce(array_agg(distinct id), '{}')
  into changed, touched
  from (
    select (change ->> 2)::uuid as id, (change ->> 3)::boolean as vector
    from json_array_elements(seen -> 'changes') as change
    limit (asked ->> 'most')::int
  ) as named;
  return json_build_object(
    'snapshot', seen -> 'snapshot',
    'changes', seen -> 'changes',
    'rows', coalesce(
      (select json_agg(item)
       from (${withParams(FETCH_INDEX_ROWS, `(asked ->> 'tenant')`, 'changed', `(asked ->> 'mostBytes')::bigint`)}) item),
      '[]'),
    'vectors', coalesce(
      (select json_agg(item)
       from (${withParams(FETCH_VECTORS, `(asked ->> 'tenant')`, 'touched', `(array(select jsonb_array_elements_text(asked -> 'models')))`)}) item),
      '[]'));
end
`

export const FEED_FUNCTION = storedFunction('feed', {
  owner: 'privity_index',
  volatility: 'stable',
  body: FEED_BODY,
})

const FEED = `
  ${KEPT_BY_GENERATION}
  select ${FEED_FUNCTION.name}($1::jsonb) as "feed"`
