import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button'
import { Dialog } from '../../components/dialog'
import { TextArea, TextField } from '../../components/field'
import { privity } from '../../lib/api'
import { describeFailure } from '../../lib/errors'
import { NewLinkDialog } from './new-link-dialog'
import { DEFAULT_TERMS, isWhole, RecipientFields, termsToGrant } from './recipient-fields'

/** Asks somebody outside for files: what for, where to file them, and who may send. */
export function RequestFilesDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [message, setMessage] = useState('')
  const [corpus, setCorpus] = useState('Received files')
  const [folder, setFolder] = useState('')
  const [terms, setTerms] = useState(DEFAULT_TERMS)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [address, setAddress] = useState<string | null>(null)
  const ask = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const { token } = await privity.links.requestFiles({
        name: name.trim(),
        message: message.trim(),
        corpus: corpus.trim(),
        ...(folder.trim() === '' ? {} : { folder: folder.trim() }),
        ...termsToGrant(terms),
      })
      setAddress(`${location.origin}/share#${token}`)
      await client.invalidateQueries({ queryKey: ['links'] })
    } catch (error) {
      const { title, advice } = describeFailure(error)
      setFailure(`${title} ${advice}`)
    } finally {
      setBusy(false)
    }
  }
  if (address !== null) return <NewLinkDialog address={address} terms={terms} onClose={onClose} />
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title="Request files"
      description="Whoever has the link can send you files. They see your message and nothing else of yours."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            busy={busy}
            disabled={name.trim() === '' || corpus.trim() === '' || !isWhole(terms)}
            onClick={ask}
          >
            Create the link
          </Button>
        </>
      }
    >
      <div className="stack">
        <TextField
          label="Name"
          hint="Only you see it."
          value={name}
          onChange={event => setName(event.target.value)}
        />
        <TextArea
          label="Message to the sender"
          rows={3}
          maxLength={2_000}
          value={message}
          onChange={event => setMessage(event.target.value)}
        />
        <TextField
          label="Corpus"
          hint="Where files are filed once you accept them."
          value={corpus}
          onChange={event => setCorpus(event.target.value)}
        />
        <TextField
          label="Folder (optional)"
          value={folder}
          onChange={event => setFolder(event.target.value)}
        />
        <RecipientFields terms={terms} onChange={setTerms} />
        {failure === null ? null : (
          <p className="notice notice-danger" role="alert">
            {failure}
          </p>
        )}
      </div>
    </Dialog>
  )
}
