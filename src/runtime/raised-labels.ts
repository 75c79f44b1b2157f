import { z } from 'zod'
import { joinLabels, type Label } from '../policy/labels.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { storedRecord } from './operations/stored.js'

const FIELDS = ['sensitivity', 'scope', 'visibilityClass', 'participants'] as const
const CAUSES = ['source', 'shown', 'content'] as const

export const rememberedRecord = storedRecord
  .extend({
    readable: z.boolean().meta({
      description: 'Whether you can read it back; false if its label is now stricter than what you may see.',
    }),
    raised: z
      .array(
        z
          .object({
            field: z.enum(FIELDS).meta({ description: 'What is stricter than you asked for.' }),
            to: z
              .string()
              .nullable()
              .meta({ description: 'What it is now; null for participants, who were added to yours.' }),
            because: z.enum(CAUSES).meta({
              description:
                'Why: a record it is derived from, what you were shown in this conversation, or what its text says.',
            }),
            why: z
              .array(z.string())
              .meta({ description: 'What was recognised in its text, if that is the reason.' }),
            records: z
              .array(z.string())
              .meta({ description: 'Ids of the records that raised it, as far as you see them.' }),
          })
          .meta({
            id: 'RaisedLabel',
            description: 'Part of a label that is stricter than its writer asked for.',
          }),
      )
      .meta({ description: 'Where its label is stricter than you asked for, and why.' }),
  })
  .meta({
    id: 'RememberedRecord',
    description: 'What a writer learns of a record it wrote: its id, its label, and why that is what it is.',
  })
export type Raise = z.input<typeof rememberedRecord>['raised'][number]

/** Something that may have raised a label: a label as a whole, or only those of records that the writer sees. */
export interface Cause {
  readonly because: Raise['because']
  readonly label?: Label
  readonly why?: readonly string[]
  readonly records: readonly Pick<RecordRow, 'id' | 'tuple'>[]
}

/** Where a label is stricter than what was asked for, with every cause that would have raised it alone (WR-6). */
export function raisesOf(asked: Label, got: Label, causes: readonly Cause[]): Raise[] {
  return FIELDS.flatMap(field => {
    if (same(asked, got, field)) return []
    return causes.flatMap(({ because, label, why = [], records }): Raise[] => {
      const by = records.filter(({ tuple }) => !same(asked, joinLabels(asked, tuple), field))
      const raises = label === undefined ? by.length > 0 : !same(asked, joinLabels(asked, label), field)
      if (!raises) return []
      const to = field === 'participants' ? null : got[field]
      return [{ field, to, because, why: [...why], records: by.map(({ id }) => id) }]
    })
  })
}

const same = (a: Label, b: Label, field: (typeof FIELDS)[number]) =>
  JSON.stringify(a[field]) === JSON.stringify(b[field])
