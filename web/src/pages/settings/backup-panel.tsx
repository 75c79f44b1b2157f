import { CopyBlock } from '../../components/copy-button'
import { Card } from '../../components/page'

const COMMANDS = [
  { label: 'Back up the whole store while it is in use', text: 'privity backup memory.privity' },
  { label: 'Encrypt the backup with a passphrase', text: 'privity backup memory.privity --encrypt' },
  { label: 'Restore it into a temporary store and check it', text: 'privity backup verify memory.privity' },
  { label: 'Fill an empty store from it', text: 'privity restore memory.privity' },
] as const

/** How to back up. It needs the store itself, so it is a command on the server and not a button here. */
export const BackupPanel = () => (
  <Card title="Backup">
    <div className="stack">
      <p className="muted">
        A backup holds every tenant, so it is made on the machine of the server and not in a browser. It holds
        the memories, labels, consents, audit and files, with checksums.{' '}
        <a href="/docs/backup">Read about backup and restore</a>
      </p>
      {COMMANDS.map(({ label, text }) => (
        <CopyBlock key={text} label={label} text={text} />
      ))}
    </div>
  </Card>
)
