import { useState } from 'react'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { CopyBlock } from '../../components/copy-button'
import { Dialog } from '../../components/dialog'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Tabs } from '../../components/tabs'
import { Time } from '../../components/time'
import { inWords } from '../../lib/format'
import { agentsOf, countKeys, NewKeyDialog, useKeys } from './keys-panel'
import { SNIPPETS } from './mcp-snippets'

/** Agents and how to connect one: a key of its own, and a snippet for the assistant. */
export function AgentsPanel() {
  const keys = useKeys()
  const [connecting, setConnecting] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const [assistant, setAssistant] = useState<string>(SNIPPETS[0]?.value ?? '')
  const connect = (
    <Button kind="primary" onClick={() => setConnecting(true)}>
      Connect an agent
    </Button>
  )
  return (
    <>
      <QueryView query={keys}>
        {({ pages }) => {
          const agents = agentsOf(pages)
          return (
            <Card title={countKeys(agents)} actions={connect}>
              {agents.length === 0 ? (
                <EmptyState title="No agent is connected">
                  Create a key for an assistant and paste a snippet into its settings. It sees no more than
                  you allow.
                </EmptyState>
              ) : (
                <ul aria-label="Agents">
                  {agents.map(key => (
                    <li key={key.id} className="list-item row-between">
                      <div className="grow">
                        <strong>{key.actor}</strong> <span className="muted">for {key.for}</span>
                        <p className="muted small">
                          {key.name}. Last used <Time at={key.lastUsedAt} />
                        </p>
                      </div>
                      <Badge tone="violet">
                        up to {inWords(key.trust?.maxSensitivity ?? 'public').toLowerCase()}
                      </Badge>
                    </li>
                  ))}
                </ul>
              )}
            </Card>
          )
        }}
      </QueryView>
      {connecting ? (
        <NewKeyDialog
          audience="agent"
          onClose={() => setConnecting(false)}
          onMade={made => {
            setConnecting(false)
            setSecret(made)
          }}
        />
      ) : null}
      {secret === null ? null : (
        <Dialog
          open
          wide
          onOpenChange={open => open || setSecret(null)}
          title="Connect your assistant"
          description="Copy the key now. It is shown this once. Put it into the environment of the assistant and the snippet into its settings."
          footer={
            <Button kind="primary" onClick={() => setSecret(null)}>
              Done
            </Button>
          }
        >
          <CopyBlock label="Key (PRIVITY_KEY)" text={secret} />
          <Tabs
            label="Assistants"
            value={assistant}
            onChange={setAssistant}
            tabs={SNIPPETS.map(({ value, label, file, snippet }) => ({
              value,
              label,
              content: <CopyBlock label={file} text={snippet(location.origin)} />,
            }))}
          />
        </Dialog>
      )}
    </>
  )
}
