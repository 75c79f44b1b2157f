import type { Level } from '../../policy/faces.js'
import { referenceFace } from '../../policy/reference.js'
import type { Subject } from '../../policy/subject.js'
import type { Database } from '../../storage/database.js'
import { type BornRecord, inspect } from './inspect.js'
import { inspectShared, opensWithin, type SeenCorpus } from './sharing-reference.js'
import type { Who } from './world.js'

/** How the viewer gets access: by a credential, by the views of a link, or both. */
export interface ReaderOfWorld {
  readonly who: Who
  readonly link: string | null
}

/** A record and how much of it the viewer may see. */
export interface SeenDocument extends BornRecord {
  readonly level: Level
  /** What would be seen if the record were still current: stale records are shown as stale (SR-14). */
  readonly framed: Level
  /** Whether its fields are shown if it is seen in full. */
  readonly showsFields: boolean
}

export type SeenDocuments = ReadonlyMap<string, SeenDocument>

/** Everything in a tenant, read without any policy, and what the slow reference says that one viewer may see. */
export async function inspectDocuments(
  db: Database,
  tenant: string,
  { who, link }: ReaderOfWorld,
  now: number,
): Promise<SeenDocuments> {
  const isRecipient = who.audience === 'recipient'
  const plain = (await inspect(db, tenant, isRecipient ? { actor: 'nobody' } : who)).seenAt(new Date(now))
  const shared = link === null ? null : (await inspectShared(db, tenant, link)).seenAt(now)
  const corpora = shared?.corpora ?? null
  const decide = (record: BornRecord): { level: Level; framed: Level } => {
    if (isRecipient) {
      const level = shared?.records.get(record.id)?.level ?? 'none'
      return { level, framed: level }
    }
    const subject = { ...plain.subject, views: corpora }
    return {
      level: levelOf(subject, record, {}),
      framed: levelOf(subject, record, { lifecycle: 'active', endedAt: null }),
    }
  }
  return new Map(
    [...plain.records.values()].map(record => {
      const showsFields = !isRecipient || exposesFields(corpora, record)
      return [record.id, { ...record, ...decide(record), showsFields }]
    }),
  )
}

function levelOf(subject: Subject, { tuple, targets, ...row }: BornRecord, instead: object): Level {
  const times = { createdAt: row.createdAt.getTime(), expiresAt: row.expiresAt?.getTime() ?? null }
  // Chosen here by hand, because choosing it is the job of the code under test.
  const opening = tuple.kind === 'segment' && opensWithin(row.spans)
  const record = { ...tuple, ...instead, ...times, overlayTargets: targets, opening }
  const { form, level } = referenceFace(subject, record)
  return form === 'original' ? level : 'none'
}

function exposesFields(corpora: ReadonlyMap<string, SeenCorpus> | null, { tuple }: BornRecord): boolean {
  const key = JSON.stringify(['corpus', tuple.owner, tuple.corpus ?? ''])
  return corpora?.get(key)?.surfaces.has('filing_metadata') === true
}
