import { Dialog as Radix } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { describeFailure } from '../lib/errors'
import { Button } from './button'

interface DialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  readonly description?: ReactNode
  readonly children?: ReactNode
  readonly footer?: ReactNode
  readonly wide?: boolean
}

/** A dialog: it takes the focus, keeps it, gives it back, and closes on Escape. */
export const Dialog = ({ open, onOpenChange, title, description, children, footer, wide }: DialogProps) => (
  <Radix.Root open={open} onOpenChange={onOpenChange}>
    <Radix.Portal>
      <Radix.Overlay className="overlay" />
      <Radix.Content
        className={wide ? 'dialog dialog-wide' : 'dialog'}
        {...(description ? {} : { 'aria-describedby': undefined })}
      >
        <div className="stack-tight">
          <Radix.Title asChild>
            <h2>{title}</h2>
          </Radix.Title>
          {description ? (
            <Radix.Description asChild>
              <div className="muted">{description}</div>
            </Radix.Description>
          ) : null}
        </div>
        {children}
        {footer ? <div className="dialog-foot">{footer}</div> : null}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
)

interface ConfirmProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  /** What will happen, in numbers. */
  readonly description: ReactNode
  readonly children?: ReactNode
  readonly confirm: string
  readonly danger?: boolean
  /** Until what would happen is known, nobody can agree to it. */
  readonly disabled?: boolean
  readonly onConfirm: () => Promise<unknown>
}

/** Asks before something is done that cannot be taken back lightly. It stays open if that fails, and says why. */
export function ConfirmDialog({ confirm, danger, disabled, onConfirm, children, ...dialog }: ConfirmProps) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const act = async () => {
    setBusy(true)
    setFailure(null)
    try {
      await onConfirm()
      dialog.onOpenChange(false)
    } catch (error) {
      const { title, advice } = describeFailure(error)
      setFailure(`${title} ${advice}`)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      {...dialog}
      footer={
        <>
          <Button onClick={() => dialog.onOpenChange(false)}>Cancel</Button>
          <Button kind={danger ? 'danger' : 'primary'} busy={busy} disabled={disabled === true} onClick={act}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      {failure === null ? null : (
        <p className="notice notice-danger" role="alert">
          {failure}
        </p>
      )}
    </Dialog>
  )
}
