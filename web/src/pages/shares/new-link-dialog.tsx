import { Button } from '../../components/button'
import { CopyBlock } from '../../components/copy-button'
import { Dialog } from '../../components/dialog'
import type { RecipientTerms } from './recipient-fields'

interface Props {
  readonly address: string
  readonly terms: RecipientTerms
  readonly onClose: () => void
}

/** The address of a link that was just granted. */
export const NewLinkDialog = ({ address, terms, onClose }: Props) => (
  <Dialog
    open
    onOpenChange={open => open || onClose()}
    title="Your link"
    description="Copy it now. It is shown this once and stored nowhere."
    footer={
      <Button kind="primary" onClick={onClose}>
        Done
      </Button>
    }
  >
    <CopyBlock label="Send this address" text={address} />
    {terms.mode === 'passcode_required' ? (
      <p className="muted">Tell the passcode in another way, such as by phone.</p>
    ) : null}
  </Dialog>
)
