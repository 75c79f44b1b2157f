import { useQueryClient } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, FileUp, LoaderCircle } from 'lucide-react'
import { type DragEvent, useId, useState } from 'react'
import { Link } from 'wouter'
import { SelectField, TextField } from '../../components/field'
import { Card } from '../../components/page'
import { privity } from '../../lib/api'
import { describeFailure } from '../../lib/errors'
import { count, formatBytes, inWords } from '../../lib/format'
import { SENSITIVITIES } from '../../lib/viewers'

interface Job {
  readonly id: number
  readonly name: string
  readonly size: number
  readonly state: 'waiting' | 'running' | 'done' | 'failed'
  readonly says: string
  readonly record?: string
}

let lastId = 0

/** Takes files in: documents are read into passages, and lines of JSON become records. One after the other. */
export function Import() {
  const id = useId()
  const client = useQueryClient()
  const [corpus, setCorpus] = useState('Documents')
  const [sensitivity, setSensitivity] = useState('low')
  const [jobs, setJobs] = useState<readonly Job[]>([])
  const [over, setOver] = useState(false)
  const update = (id: number, change: Partial<Job>) =>
    setJobs(now => now.map(job => (job.id === id ? { ...job, ...change } : job)))

  const take = async (files: readonly File[]) => {
    const queued = files.map(file => ({ file, job: newJob(file) }))
    setJobs(now => [...now, ...queued.map(({ job }) => job)])
    for (const { file, job } of queued) {
      update(job.id, { state: 'running', says: 'Sending …' })
      try {
        const change = isLines(file)
          ? await importLines(file, says => update(job.id, { says }))
          : await ingest(file, corpus, sensitivity)
        update(job.id, { state: 'done', ...change })
      } catch (error) {
        const { title, advice } = describeFailure(error)
        update(job.id, { state: 'failed', says: `${title} ${advice}` })
      }
    }
    await client.invalidateQueries({ queryKey: ['records'] })
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take([...event.dataTransfer.files])
  }
  return (
    <div className="stack">
      <div className="filters">
        <TextField
          label="Corpus"
          hint="The set of documents that they become part of."
          value={corpus}
          onChange={event => setCorpus(event.target.value)}
        />
        <SelectField
          label="Sensitivity of documents"
          value={sensitivity}
          onChange={event => setSensitivity(event.target.value)}
          choices={SENSITIVITIES.map(value => ({ value, label: inWords(value) }))}
        />
      </div>
      <label
        htmlFor={id}
        className={over ? 'drop drop-over' : 'drop'}
        onDragOver={event => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <FileUp size={28} aria-hidden />
        <strong>Drop files here, or choose them</strong>
        <span className="muted small">
          PDF, Word, Excel, PowerPoint, OpenDocument, HTML, Markdown, text and mail are read as documents.
          JSON lines (.jsonl) become memories.
        </span>
        <input
          id={id}
          type="file"
          multiple
          className="visually-hidden"
          onChange={event => {
            void take([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
      </label>
      {jobs.length === 0 ? null : (
        <Card title="Files">
          <ul aria-live="polite">
            {jobs.map(job => (
              <li key={job.id} className="list-item row">
                {ICONS[job.state]}
                <span className="grow wrap-anywhere">
                  <strong>{job.name}</strong> <span className="muted small">{formatBytes(job.size)}</span>
                  <br />
                  <span className="small">{job.says}</span>
                </span>
                {job.record === undefined ? null : <Link href={`/memory/${job.record}`}>Open</Link>}
              </li>
            ))}
          </ul>
          <progress
            className="progress"
            aria-label="Files taken in"
            max={jobs.length}
            value={jobs.filter(({ state }) => state === 'done' || state === 'failed').length}
          />
        </Card>
      )}
    </div>
  )
}

const ICONS = {
  waiting: <LoaderCircle size={18} aria-label="Waiting" />,
  running: <LoaderCircle size={18} className="spin" aria-label="Running" />,
  done: <CircleCheck size={18} aria-label="Done" />,
  failed: <CircleAlert size={18} aria-label="Failed" />,
}

const newJob = ({ name, size }: File): Job => ({
  id: ++lastId,
  name,
  size,
  state: 'waiting',
  says: 'Waiting',
})
const isLines = ({ name }: File) => /\.(jsonl|ndjson)$/i.test(name)

const PROBLEMS: Readonly<Record<string, string>> = {
  created: 'Read as a new document',
  versioned: 'Read as a new version',
  described: 'Already here; its details were updated',
  unchanged: 'Already here, unchanged',
}

async function ingest(file: File, corpus: string, sensitivity: string): Promise<Partial<Job>> {
  const content = await base64(file)
  const taken = await privity.documents.ingest({
    document: file.name,
    corpus,
    content,
    sensitivity: sensitivity as never,
  })
  if (taken.outcome === 'failed')
    return {
      state: 'failed',
      says: `The file could not be read: ${inWords(taken.problem ?? 'unknown problem').toLowerCase()}.`,
    }
  const segments = taken.segments === null ? '' : `, ${count(taken.segments, 'passage')}`
  return {
    says: `${PROBLEMS[taken.outcome] ?? inWords(taken.outcome)}${segments}.`,
    ...(taken.card === null ? {} : { record: taken.card.id }),
  }
}

async function base64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 32_768)
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return btoa(text)
}

/** Sends lines of records. The server answers while it reads, a line of progress at a time. */
async function importLines(file: File, say: (text: string) => void): Promise<Partial<Job>> {
  const response = await fetch('/api/v1/import', {
    method: 'POST',
    headers: { 'privity-console': '1', 'content-type': 'application/x-ndjson' },
    body: file,
  })
  if (!response.ok || response.body === null)
    return { state: 'failed', says: `The server refused the file (${response.status}).` }
  let rest = ''
  let last: Partial<Job> = { state: 'failed', says: 'The answer ended early.' }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return last
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines.filter(one => one !== '')) {
      const said = JSON.parse(line) as Record<string, { stored?: number; message?: string } | undefined>
      const kept = said.done?.stored ?? said.progress?.stored
      if (said.done)
        last = {
          state: 'done',
          says: kept === undefined ? 'Imported.' : `${count(kept, 'record')} imported.`,
        }
      else if (said.error)
        last = { state: 'failed', says: `Import stopped: ${said.error.message ?? 'unknown problem'}.` }
      else if (said.progress) say(kept === undefined ? 'Importing …' : `${count(kept, 'record')} so far`)
    }
  }
}
