import { useQueryClient } from '@tanstack/react-query'
import type { MemoryRecord, MemoryRelabelInput } from 'privity/client'
import { useState } from 'react'
import { Button } from '../../components/button'
import { Dialog } from '../../components/dialog'
import { SelectField, TextField } from '../../components/field'
import { useToast } from '../../components/toast'
import { privity } from '../../lib/api'
import { describeFailure } from '../../lib/errors'
import { inWords } from '../../lib/format'
import { SENSITIVITIES } from '../../lib/viewers'

export const CLASSES = [
  'public_open',
  'party_confidential',
  'work_product_internal',
  'privileged',
  'sealed',
  'firewalled',
] as const

export const listOf = (text: string) =>
  text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

/** Changes who may be told: sensitivity, scope, class, people and tags. */
export function LabelDialog({
  record,
  onClose,
}: {
  readonly record: MemoryRecord
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const toast = useToast()
  const people = record.payload?.participants ?? []
  const [sensitivity, setSensitivity] = useState(record.sensitivity)
  const [scope, setScope] = useState(record.scope ?? '')
  const [visibility, setVisibility] = useState(record.payload?.visibilityClass ?? '')
  const [names, setNames] = useState(people.join(', '))
  const [tags, setTags] = useState(record.tags.join(', '))
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const save = async () => {
    const wanted = listOf(names)
    const change: MemoryRelabelInput = {
      record: record.id,
      ...(sensitivity === record.sensitivity ? {} : { sensitivity: sensitivity as never }),
      ...(scope === (record.scope ?? '') ? {} : { scope: scope === '' ? null : scope }),
      ...(visibility === '' || visibility === record.payload?.visibilityClass
        ? {}
        : { visibilityClass: visibility as never }),
      ...(tags === record.tags.join(', ') ? {} : { tags: listOf(tags) }),
      ...difference('addParticipants', wanted, people),
      ...difference('removeParticipants', people, wanted),
    }
    setBusy(true)
    setProblem(null)
    try {
      await privity.relabel(change)
      toast.say('The labels were changed.')
      await client.invalidateQueries()
      onClose()
    } catch (error) {
      const { title, advice } = describeFailure(error)
      setProblem(`${title} ${advice}`)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title="Change labels"
      description="Labels decide who can see it. A change applies from the next request."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={busy} onClick={() => void save()}>
            Save labels
          </Button>
        </>
      }
    >
      <SelectField
        label="Sensitivity"
        value={sensitivity}
        onChange={event => setSensitivity(event.target.value)}
        choices={SENSITIVITIES.map(value => ({ value, label: inWords(value) }))}
      />
      <TextField
        label="Scope"
        hint="An area that agents can be limited to, such as home or work."
        value={scope}
        onChange={event => setScope(event.target.value)}
      />
      <SelectField
        label="Visibility class"
        value={visibility}
        onChange={event => setVisibility(event.target.value)}
        choices={CLASSES.map(value => ({ value, label: inWords(value) }))}
      />
      <TextField
        label="People in it"
        hint="Names, separated by commas."
        value={names}
        onChange={event => setNames(event.target.value)}
      />
      <TextField
        label="Tags"
        hint="Separated by commas."
        value={tags}
        onChange={event => setTags(event.target.value)}
      />
      {problem === null ? null : (
        <p className="notice notice-danger" role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  )
}

function difference<Name extends string>(name: Name, these: readonly string[], those: readonly string[]) {
  const left = these.filter(one => !those.includes(one))
  return left.length === 0 ? {} : ({ [name]: left } as Record<Name, string[]>)
}
