import { Command } from 'cmdk'
import { Dialog } from 'radix-ui'
import { useLocation } from 'wouter'
import { useWho } from '../lib/session'
import { ROUTES } from '../routes'

/** Goes anywhere by a few letters. */
export default function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const [, navigate] = useLocation()
  const who = useWho()
  const go = (path: string) => {
    onClose()
    navigate(path)
  }
  return (
    <Dialog.Root open onOpenChange={open => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="overlay" />
        <Dialog.Content className="dialog palette" aria-describedby={undefined}>
          <Dialog.Title className="visually-hidden">Go to</Dialog.Title>
          <Command label="Go to">
            <Command.Input placeholder="Where to?" autoFocus />
            <Command.List>
              <Command.Empty>Nothing has that name.</Command.Empty>
              {ROUTES.filter(({ shownTo }) => shownTo?.(who) ?? true).map(({ path, label, icon: Icon }) => (
                <Command.Item key={path} value={label} onSelect={() => go(path)}>
                  <Icon size={18} aria-hidden />
                  {label}
                </Command.Item>
              ))}
              <Command.Item value="Add a memory" onSelect={() => go('/memory?add=1')}>
                Add a memory
              </Command.Item>
              <Command.Item value="API reference" onSelect={() => window.location.assign('/reference')}>
                API reference
              </Command.Item>
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
