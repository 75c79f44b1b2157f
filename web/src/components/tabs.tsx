import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

interface Tab {
  readonly value: string
  readonly label: ReactNode
  readonly content: ReactNode
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Parts of a page, one at a time. Only the one that is shown is loaded. */
export const Tabs = ({ label, tabs, value, onChange }: TabsProps) => (
  <Radix.Root value={value} onValueChange={onChange}>
    <Radix.List className="tab-list" aria-label={label}>
      {tabs.map(tab => (
        <Radix.Trigger key={tab.value} value={tab.value} className="tab">
          {tab.label}
        </Radix.Trigger>
      ))}
    </Radix.List>
    {tabs.map(tab => (
      <Radix.Content key={tab.value} value={tab.value} className="tab-panel">
        {tab.content}
      </Radix.Content>
    ))}
  </Radix.Root>
)
