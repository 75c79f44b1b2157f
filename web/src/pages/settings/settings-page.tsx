import { useLocation, useRoute } from 'wouter'
import { Page } from '../../components/page'
import { Tabs } from '../../components/tabs'
import { useWho } from '../../lib/session'
import { AgentsPanel } from './agents-panel'
import { BackupPanel } from './backup-panel'
import { HealthPanel } from './health-panel'
import { KeysPanel } from './keys-panel'
import { LabelsPanel } from './labels-panel'
import { LibraryPanel } from './library-panel'
import { PoliciesPanel } from './policies-panel'
import { ProvidersPanel } from './providers-panel'
import { WatchesPanel } from './watches-panel'
import { WebhooksPanel } from './webhooks-panel'

/** Keys, agents, policies, providers and health. */
export default function SettingsPage() {
  const who = useWho()
  const [, navigate] = useLocation()
  const [, params] = useRoute('/settings/:part')
  const tabs = [
    { value: 'keys', label: 'Keys', content: <KeysPanel /> },
    { value: 'agents', label: 'Agents', content: <AgentsPanel /> },
    ...(who.audience === 'host'
      ? [
          { value: 'policies', label: 'Policies', content: <PoliciesPanel /> },
          { value: 'labels', label: 'Labels', content: <LabelsPanel /> },
          { value: 'webhooks', label: 'Webhooks', content: <WebhooksPanel /> },
          { value: 'library', label: 'Library', content: <LibraryPanel /> },
        ]
      : []),
    { value: 'folders', label: 'Folders', content: <WatchesPanel /> },
    { value: 'providers', label: 'Providers', content: <ProvidersPanel /> },
    { value: 'health', label: 'Health', content: <HealthPanel /> },
    ...(who.audience === 'host' ? [{ value: 'backup', label: 'Backup', content: <BackupPanel /> }] : []),
  ]
  const asked = params?.part
  const value = tabs.find(tab => tab.value === asked)?.value ?? 'keys'
  return (
    <Page title="Settings" lead="Who may call, what agents may do, and how the server is doing.">
      <Tabs
        label="Settings"
        tabs={tabs}
        value={value}
        onChange={part => navigate(`/settings/${part}`, { replace: true })}
      />
    </Page>
  )
}
