import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

/** A menu behind a button. */
export const Menu = ({
  trigger,
  children,
}: {
  readonly trigger: ReactNode
  readonly children: ReactNode
}) => (
  <Radix.Root modal={false}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
      <Radix.Content className="menu" align="end" sideOffset={4}>
        {children}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

interface ItemProps {
  readonly onSelect: () => void
  readonly icon?: ReactNode
  readonly danger?: boolean
  readonly disabled?: boolean
  readonly children: ReactNode
}

export const MenuItem = ({ onSelect, icon, danger, disabled, children }: ItemProps) => (
  <Radix.Item
    className={danger ? 'menu-item menu-item-danger' : 'menu-item'}
    onSelect={onSelect}
    disabled={disabled === true}
  >
    {icon}
    {children}
  </Radix.Item>
)

export const MenuLine = () => <Radix.Separator className="menu-line" />
