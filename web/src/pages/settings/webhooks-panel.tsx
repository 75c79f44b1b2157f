import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Webhook } from 'privity/client'
import { useState } from 'react'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { CopyBlock } from '../../components/copy-button'
import { ConfirmDialog, Dialog } from '../../components/dialog'
import { TextField } from '../../components/field'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { privity } from '../../lib/api'
import { count, inWords } from '../../lib/format'
import { useAction } from '../../lib/use-action'

/** Addresses that are called when something happens. */
export function WebhooksPanel() {
  const client = useQueryClient()
  const query = useQuery({ queryKey: ['webhooks'], queryFn: () => privity.webhooks.list() })
  const [adding, setAdding] = useState(false)
  const [url, setUrl] = useState('')
  const [description, setDescription] = useState('')
  const [secret, setSecret] = useState<string | null>(null)
  const [removing, setRemoving] = useState<Webhook | null>(null)
  const { act, busy } = useAction()
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      Add a webhook
    </Button>
  )
  return (
    <>
      <QueryView
        query={query}
        empty={{
          when: ({ webhooks }) => webhooks.length === 0,
          show: (
            <EmptyState title="No webhooks" action={add}>
              Your own server can be called when somebody opens a link, sends a file or decides in a
              mediation. Calls are signed and hold ids, never content.
            </EmptyState>
          ),
        }}
      >
        {({ webhooks }) => (
          <Card title={count(webhooks.length, 'webhook')} actions={add}>
            <ul aria-label="Webhooks">
              {webhooks.map(webhook => (
                <li key={webhook.id} className="list-item row-between">
                  <div className="grow">
                    <strong className="wrap-anywhere">{webhook.url}</strong>
                    <p className="muted small">
                      {webhook.description === null ? '' : `${webhook.description}. `}
                      {webhook.lastSuccessAt === null ? (
                        'Never delivered'
                      ) : (
                        <>
                          Delivered <Time at={webhook.lastSuccessAt} />
                        </>
                      )}
                      {webhook.waiting === 0 ? '' : `, ${webhook.waiting} waiting`}
                      {webhook.givenUp === 0 ? '' : `, ${webhook.givenUp} given up`}
                      {webhook.lastFailure === null ? '' : `. Last failure: ${inWords(webhook.lastFailure)}`}.
                    </p>
                  </div>
                  <div className="row">
                    {webhook.disabledAt === null ? null : <Badge tone="danger">Switched off</Badge>}
                    <Button
                      small
                      disabled={busy}
                      onClick={() =>
                        void act(
                          () => privity.webhooks.test(webhook.id),
                          'A test call was sent. Reload in a moment to see whether it arrived.',
                        )
                      }
                    >
                      Test
                    </Button>
                    <Button small kind="danger" onClick={() => setRemoving(webhook)}>
                      Remove
                    </Button>
                  </div>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </QueryView>
      <ConfirmDialog
        open={adding}
        onOpenChange={setAdding}
        title="Add a webhook"
        description="This address is called with every notification of this tenant, signed with a secret that you are shown once."
        confirm="Add"
        disabled={url.trim() === ''}
        onConfirm={async () => {
          const made = await privity.webhooks.create({
            url: url.trim(),
            ...(description.trim() === '' ? {} : { description: description.trim() }),
          })
          setSecret(made.secret)
          setUrl('')
          setDescription('')
          await client.invalidateQueries({ queryKey: ['webhooks'] })
        }}
      >
        <TextField
          label="Address"
          type="url"
          placeholder="https://example.com/hooks/privity"
          hint="An https address of your own server."
          value={url}
          onChange={event => setUrl(event.target.value)}
        />
        <TextField
          label="Description (optional)"
          value={description}
          onChange={event => setDescription(event.target.value)}
        />
      </ConfirmDialog>
      {secret === null ? null : (
        <Dialog
          open
          onOpenChange={open => open || setSecret(null)}
          title="Keep this secret"
          description="Your server checks the signature of each call with it. It is shown this once."
          footer={
            <Button kind="primary" onClick={() => setSecret(null)}>
              Done
            </Button>
          }
        >
          <CopyBlock label="Secret" text={secret} />
        </Dialog>
      )}
      {removing === null ? null : (
        <ConfirmDialog
          open
          onOpenChange={open => open || setRemoving(null)}
          title="Remove this webhook?"
          danger
          description={`${removing.url} is called no more. ${count(removing.waiting, 'waiting call is', 'waiting calls are')} dropped.`}
          confirm="Remove"
          onConfirm={async () => {
            await privity.webhooks.delete(removing.id)
            await client.invalidateQueries({ queryKey: ['webhooks'] })
          }}
        />
      )}
    </>
  )
}
