import type { OutputOf } from 'privity/client'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { TextField } from '../../components/field'
import { Card } from '../../components/page'
import { useToast } from '../../components/toast'
import { privity } from '../../lib/api'
import { formatDateTime } from '../../lib/format'

type Found = OutputOf<'watermarks.check'>

/** Tells where a copy that turned up came from, by the file or by the number printed on it. */
export function WatermarkPanel() {
  const [number, setNumber] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [found, setFound] = useState<Found | null>(null)
  const [busy, setBusy] = useState(false)
  const toast = useToast()
  const check = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFound(null)
    try {
      setFound(
        await privity.watermarks.check(
          file === null ? { number: number.trim() } : { content: await inBase64(file), document: file.name },
        ),
      )
    } catch (error) {
      toast.fail(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="stack">
      <Card title="Where did this copy come from?">
        <form className="stack" onSubmit={check}>
          <TextField
            label="File that was found"
            type="file"
            onChange={({ target }) => setFile(target.files?.[0] ?? null)}
          />
          <TextField
            label="Or the number printed on it"
            hint="For a printed or scanned page, such as PV-7K3M9-QXD2T-WBCPE."
            value={number}
            disabled={file !== null}
            onChange={({ target }) => setNumber(target.value)}
          />
          <div>
            <Button kind="primary" type="submit" busy={busy} disabled={file === null && number.trim() === ''}>
              Check
            </Button>
          </div>
        </form>
      </Card>
      {found === null ? null : <Result found={found} />}
    </div>
  )
}

function Result({ found: { copies, numbers, unknown } }: { readonly found: Found }) {
  if (numbers.length === 0)
    return <Card title="No number was found">The file has no mark of a shared copy that can be read.</Card>
  return (
    <Card title="What was found">
      <ul aria-label="Copies">
        {copies.map(copy => (
          <li key={copy.number} className="list-item">
            <strong>{copy.number}</strong>{' '}
            <Badge tone={copy.state === 'valid' ? 'good' : 'danger'}>
              {copy.state === 'valid' ? 'Valid' : 'Invalid: its deletion was asked for'}
            </Badge>
            <p>
              {copy.recipient ?? 'Somebody'} {copy.of === 'download' ? 'downloaded' : 'displayed'}{' '}
              {copy.title ?? 'documents'} by <Link href={`/shares/${copy.link}`}>{copy.linkName}</Link> on{' '}
              {formatDateTime(copy.at)}.
            </p>
            <p className="muted small">
              Session <code>{copy.session}</code>
            </p>
          </li>
        ))}
        {unknown.map(one => (
          <li key={one} className="list-item">
            <strong>{one}</strong> <Badge tone="warn">Not of your links</Badge>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** A piece at a time: a large file does not fit into one call. */
async function inBase64(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 32_768)
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return btoa(text)
}
