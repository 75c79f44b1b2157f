import { useQueryClient } from '@tanstack/react-query'
import type { MemoryRecord, RecordRevision } from 'privity/client'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../components/button'
import { Dialog } from '../../components/dialog'
import { SelectField, TextArea, TextField } from '../../components/field'
import { useToast } from '../../components/toast'
import { privity } from '../../lib/api'
import { describeFailure } from '../../lib/errors'
import { inWords, kindInWords } from '../../lib/format'
import { SENSITIVITIES } from '../../lib/viewers'
import { KINDS } from './browse'
import { listOf } from './label-dialog'

/** Adds a memory; or, given one, writes a new version that takes its place. */
export function AddDialog({
  onClose,
  revises,
}: {
  readonly onClose: () => void
  readonly revises?: MemoryRecord
}) {
  const client = useQueryClient()
  const toast = useToast()
  const [, navigate] = useLocation()
  const [title, setTitle] = useState(revises?.payload?.title ?? '')
  const [text, setText] = useState(revises?.payload?.text ?? '')
  const [kind, setKind] = useState('note')
  const [sensitivity, setSensitivity] = useState(revises?.sensitivity ?? 'low')
  const [people, setPeople] = useState((revises?.payload?.participants ?? []).join(', '))
  const [tags, setTags] = useState((revises?.tags ?? []).join(', '))
  const [when, setWhen] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const save = async () => {
    if (text.trim() === '') return setProblem('Write what to remember.')
    const draft = {
      text,
      sensitivity: sensitivity as never,
      tags: listOf(tags),
      participants: listOf(people),
      ...(title.trim() === '' ? {} : { title: title.trim() }),
      ...(when === '' ? {} : { occurredAt: new Date(when).toISOString() }),
    }
    setBusy(true)
    setProblem(null)
    try {
      const { id } =
        revises === undefined
          ? await privity.remember({ ...draft, kind: kind as never })
          : await supersede(revises.id, draft)
      toast.say(revises === undefined ? 'The memory was added.' : 'The new version was saved.')
      onClose()
      await client.invalidateQueries()
      if (id !== undefined) navigate(`/memory/${id}`)
    } catch (error) {
      const { title: said, advice } = describeFailure(error)
      setProblem(`${said} ${advice}`)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title={revises === undefined ? 'Add a memory' : 'Write a new version'}
      description={
        revises === undefined
          ? undefined
          : 'The old version stays in the history. Readers see the new one from the next request on.'
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={busy} onClick={() => void save()}>
            {revises === undefined ? 'Add' : 'Save the new version'}
          </Button>
        </>
      }
    >
      <TextArea
        label="What to remember"
        rows={5}
        value={text}
        onChange={event => setText(event.target.value)}
        error={problem}
      />
      <TextField label="Title (optional)" value={title} onChange={event => setTitle(event.target.value)} />
      <div className="grid-2">
        {revises === undefined ? (
          <SelectField
            label="Kind"
            value={kind}
            onChange={event => setKind(event.target.value)}
            choices={KINDS.filter(value => value !== 'document').map(value => ({
              value,
              label: kindInWords(value),
            }))}
          />
        ) : null}
        <SelectField
          label="Sensitivity"
          value={sensitivity}
          onChange={event => setSensitivity(event.target.value)}
          choices={SENSITIVITIES.map(value => ({ value, label: inWords(value) }))}
        />
        <TextField
          label="People in it"
          hint="Names, separated by commas. Agents see it once all of them agree."
          value={people}
          onChange={event => setPeople(event.target.value)}
        />
        <TextField
          label="Tags"
          hint="Separated by commas."
          value={tags}
          onChange={event => setTags(event.target.value)}
        />
        {revises === undefined ? (
          <TextField
            label="When it happened"
            type="datetime-local"
            value={when}
            onChange={event => setWhen(event.target.value)}
          />
        ) : null}
      </div>
    </Dialog>
  )
}

/** The record that took the place of the old one. */
async function supersede(record: string, by: RecordRevision): Promise<{ id: string | undefined }> {
  const { records } = await privity.revise({ how: 'supersede', record, by })
  return { id: records.find(({ id }) => id !== record)?.id }
}
