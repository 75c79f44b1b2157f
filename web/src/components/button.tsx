import type { ComponentProps, ReactNode } from 'react'

type Kind = 'primary' | 'plain' | 'quiet' | 'danger'

export const buttonClass = (kind: Kind = 'plain', small = false, iconOnly = false) =>
  `button button-${kind}${small ? ' button-small' : ''}${iconOnly ? ' button-icon' : ''}`

interface ButtonProps extends ComponentProps<'button'> {
  readonly kind?: Kind
  readonly small?: boolean
  readonly icon?: ReactNode
  /** Says what it does where it shows only an icon. */
  readonly label?: string
  readonly busy?: boolean
}

/** A button. While it is busy it cannot be pressed again. */
export function Button({ kind, small, icon, label, busy, children, disabled, ...rest }: ButtonProps) {
  const iconOnly = children === undefined
  return (
    <button
      type="button"
      className={buttonClass(kind, small, iconOnly)}
      disabled={disabled === true || busy === true}
      aria-label={label}
      aria-busy={busy === true || undefined}
      title={iconOnly ? label : undefined}
      {...rest}
    >
      {icon}
      {children}
    </button>
  )
}
