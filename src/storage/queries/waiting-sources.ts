import type { Transaction } from '../database.js'

/** Whether files of these owners wait to be read, in a corpus or of a filing unit that is asked about. */
export async function hasWaitingSources(
  tx: Transaction,
  tenant: string,
  asked: {
    readonly owners: readonly string[]
    readonly corpora: readonly string[] | null
    readonly filingUnits: readonly string[] | null
  },
): Promise<boolean> {
  const [row] = await tx.query<{ waiting: boolean }>(HAS_WAITING_SOURCES, [
    tenant,
    asked.owners,
    asked.corpora,
    asked.filingUnits,
  ])
  return row?.waiting === true
}

const HAS_WAITING_SOURCES = `
  select exists (
    select 1
    from privity.sources s
    where s.tenant_id = $1
      and s.owner = any ($2::text[])
      and s.state = 'extracting'
      and ($3::text[] is null or s.corpus = any ($3))
      and ($4::text[] is null or s.filing_unit = any ($4))
  ) as waiting`
