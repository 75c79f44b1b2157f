import type { Transaction } from '../database.js'

/** What was recognised of a scanned page: pieces of text with their places, and how sure that is. */
export interface RecognisedPage {
  readonly page: number
  readonly items: readonly {
    readonly str: string
    readonly transform: readonly number[]
    readonly width: number
    readonly height: number
  }[]
  /** From 0 to 100. */
  readonly confidence: number
  /** The page could not be recognised. */
  readonly failed?: true
}

/** A file whose scanned pages wait to be recognised. */
export interface RecognitionRow {
  readonly sourceId: string
  readonly principal: string
  /** The scanned pages; null until they are known. */
  readonly pages: readonly number[] | null
  /** How often it was begun without getting any further. */
  readonly attempts: number
  readonly problem: string | null
}

/** A file that this process recognises now. */
export interface ClaimedRecognition extends RecognitionRow {
  readonly owner: string
  readonly document: string
}

const COLUMNS = `
    r.source_id as "sourceId",
    r.principal as "principal",
    r.pages as "pages",
    r.attempts as "attempts",
    r.problem as "problem"`

/** Queues a file, or tries one again that was given up. */
export async function queueRecognition(
  tx: Transaction,
  tenant: string,
  sourceId: string,
  principal: string,
  now: Date,
): Promise<void> {
  await tx.query(QUEUE, [tenant, sourceId, principal, now])
}

const QUEUE = `
  insert into privity.recognitions (tenant_id, source_id, principal, created_at)
  values ($1, $2, $3, $4)
  on conflict (tenant_id, source_id) do update
  set attempts = 0, problem = null
  where recognitions.problem is not null`

export async function loadRecognition(
  tx: Transaction,
  tenant: string,
  sourceId: string,
): Promise<RecognitionRow | null> {
  const [row] = await tx.query<RecognitionRow>(LOAD, [tenant, sourceId])
  return row ?? null
}

const LOAD = `
  select ${COLUMNS}
  from privity.recognitions r
  where r.tenant_id = $1
    and r.source_id = $2`

/** Takes the file that was looked at longest ago, for a while. Another process takes another one. */
export async function claimRecognition(
  tx: Transaction,
  tenant: string,
  now: Date,
  until: Date,
): Promise<ClaimedRecognition | null> {
  const [row] = await tx.query<ClaimedRecognition>(CLAIM, [tenant, now, until])
  return row ?? null
}

const CLAIM = `
  update privity.recognitions r
  set
    claimed_until = $3,
    attempts = r.attempts + 1
  from privity.sources s
  where r.tenant_id = $1
    and r.source_id = (
      select w.source_id
      from privity.recognitions w
      where w.tenant_id = $1
        and w.problem is null
        and (w.claimed_until is null or w.claimed_until <= $2)
      order by w.claimed_until nulls first, w.created_at, w.source_id
      limit 1
      for update skip locked)
    and s.tenant_id = r.tenant_id
    and s.source_id = r.source_id
  returning ${COLUMNS},
    s.owner as "owner",
    s.document as "document"`

/** Gives a file back, for whoever is next. */
export async function releaseRecognition(
  tx: Transaction,
  tenant: string,
  row: Pick<RecognitionRow, 'sourceId' | 'pages' | 'attempts' | 'problem'>,
  now: Date,
): Promise<void> {
  await tx.query(RELEASE, [tenant, row.sourceId, row.pages, row.attempts, row.problem, now])
}

const RELEASE = `
  update privity.recognitions
  set
    pages = $3::int[],
    attempts = $4,
    problem = $5,
    claimed_until = $6
  where tenant_id = $1
    and source_id = $2`

export async function deleteRecognition(tx: Transaction, tenant: string, sourceId: string): Promise<void> {
  await tx.query(DELETE, [tenant, sourceId])
}

const DELETE = `
  delete from privity.recognitions
  where tenant_id = $1
    and source_id = $2`

/** Keeps what was recognised of a page. The file may be gone by now. */
export async function saveRecognisedPage(
  tx: Transaction,
  tenant: string,
  sourceId: string,
  engine: string,
  { page, confidence, items, failed }: RecognisedPage,
): Promise<void> {
  await tx.query(SAVE, [
    tenant,
    sourceId,
    page,
    engine,
    confidence,
    failed === true ? null : JSON.stringify(items),
  ])
}

const SAVE = `
  insert into privity.recognised_pages (tenant_id, source_id, page, engine, confidence, items)
  select $1, s.source_id, $3::int, $4, $5::int, $6::jsonb
  from privity.sources s
  where s.tenant_id = $1
    and s.source_id = $2
  on conflict do nothing`

/** What was recognised of a file so far, in order of its pages. */
export async function loadRecognisedPages(
  tx: Transaction,
  tenant: string,
  sourceId: string,
): Promise<RecognisedPage[]> {
  const rows = await tx.query<
    Pick<RecognisedPage, 'page' | 'confidence'> & { items: RecognisedPage['items'] | null }
  >(LOAD_PAGES, [tenant, sourceId])
  return rows.map(({ page, confidence, items }) =>
    items === null ? { page, confidence, items: [], failed: true } : { page, confidence, items },
  )
}

const LOAD_PAGES = `
  select
    p.page as "page",
    p.confidence as "confidence",
    p.items as "items"
  from privity.recognised_pages p
  where p.tenant_id = $1
    and p.source_id = $2
  order by p.page`

/** Gives the bytes of a file, and what was recognised of it, to its next version, which is of the same bytes. */
export async function moveContent(tx: Transaction, tenant: string, from: string, to: string): Promise<void> {
  await tx.query(MOVE_CONTENT, [tenant, from, to])
  await tx.query(MOVE_PAGES, [tenant, from, to])
}

const MOVE_CONTENT = `
  update privity.source_contents
  set source_id = $3
  where tenant_id = $1
    and source_id = $2`

const MOVE_PAGES = `
  update privity.recognised_pages
  set source_id = $3
  where tenant_id = $1
    and source_id = $2`
