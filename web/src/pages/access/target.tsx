import { useQuery } from '@tanstack/react-query'
import type { InputOf, OutputOf } from 'privity/client'
import { Link } from 'wouter'
import { SelectField, TextField } from '../../components/field'
import { titleOf } from '../../components/record-line'
import { privity } from '../../lib/api'
import { count, inWords } from '../../lib/format'

export type Target = InputOf<'overlays.add'>['target']
type ShownTarget = OutputOf<'overlays.list'>['overlays'][number]['target']

const KINDS: readonly { readonly value: Target['kind']; readonly label: string; readonly hint: string }[] = [
  { value: 'corpus', label: 'A corpus', hint: 'Its name, for example briefs. Everything in it is included.' },
  { value: 'filing_unit', label: 'A filing', hint: 'Its name. All versions and parts are included.' },
  { value: 'version', label: 'A version of a filing', hint: 'The name of the version.' },
  { value: 'part', label: 'A part of a filing', hint: 'The name of the part.' },
  {
    value: 'document',
    label: 'One document or memory',
    hint: 'The last part of its address in Memory. What was made from it is included.',
  },
  { value: 'segment', label: 'One passage', hint: 'The last part of its address in Memory.' },
]

const isId = (ref: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(ref)

const useRecord = (ref: string) =>
  useQuery({ queryKey: ['record', ref], queryFn: () => privity.get(ref), enabled: isId(ref) })

/** Chooses what a restriction or a grant is about, and says how many memories that is. */
export function TargetFields({
  target,
  onChange,
}: {
  readonly target: Target
  readonly onChange: (target: Target) => void
}) {
  const { kind, ref } = target
  return (
    <>
      <SelectField
        label="What"
        choices={KINDS}
        value={kind}
        onChange={event => onChange({ ...target, kind: event.target.value as Target['kind'] })}
      />
      <TextField
        label={kind === 'document' || kind === 'segment' ? 'Id' : 'Name'}
        hint={KINDS.find(({ value }) => value === kind)?.hint}
        value={ref}
        onChange={event => onChange({ ...target, ref: event.target.value })}
      />
    </>
  )
}

/** How much more than this is not counted. */
const MOST = 200

/** How many memories of a target the reader can see now, in words; null until that is known or if it cannot be told. */
export function useExtent({ kind, ref }: Target): string | null {
  const name = ref.trim()
  const record = useRecord(name)
  const corpus = useQuery({
    queryKey: ['records', 'extent', name],
    queryFn: () => privity.list({ corpus: name, limit: MOST }),
    enabled: kind === 'corpus' && name !== '',
  })
  if (isId(name)) {
    if (record.data === undefined) return null
    return record.data === null
      ? 'You can see no memory with this id now.'
      : `It is about 1 memory: “${titleOf(record.data)}”.`
  }
  if (kind !== 'corpus' || corpus.data === undefined) return null
  const { records, cursor } = corpus.data
  return `It is about ${cursor === null ? '' : 'more than '}${count(records.length, 'memory', 'memories')} that you can see now, and whatever is added to the corpus later.`
}

/** What a restriction or a grant is about, in words. */
export function TargetName({ target: { kind, ref } }: { readonly target: ShownTarget }) {
  const record = useRecord(ref ?? '')
  if (ref === null) return <>Something that you cannot see now</>
  if (isId(ref))
    return <Link href={`/memory/${ref}`}>{record.data ? titleOf(record.data) : inWords(kind)}</Link>
  return (
    <>
      {inWords(kind === 'filing_unit' ? 'filing' : kind)} “{ref}”
    </>
  )
}

/** What the address names to begin with: one record, or nothing yet. */
export const targetOf = (record: string | null): Target =>
  record === null ? { kind: 'corpus', ref: '' } : { kind: 'document', ref: record }

export const trimmed = (target: Target): Target => ({ ...target, ref: target.ref.trim() })
