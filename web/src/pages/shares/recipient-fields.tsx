import { SelectField, TextField } from '../../components/field'
import { IDENTITY_MODES, type IdentityMode } from './link-words'

/** Whom a link is for, and for how long. */
export interface RecipientTerms {
  readonly mode: IdentityMode
  /** The passcode or the address, where the mode asks for one. */
  readonly proof: string
  readonly days: string
}

export const DEFAULT_TERMS: RecipientTerms = { mode: 'passcode_required', proof: '', days: '30' }

const DAY_MS = 86_400_000

/** Whether everything is given that the mode asks for. */
export const isWhole = ({ mode, proof }: RecipientTerms) =>
  proof !== '' || (mode !== 'passcode_required' && mode !== 'email_bound')

/** The fields of a grant that say the same. */
export const termsToGrant = ({ mode, proof, days }: RecipientTerms) => ({
  recipientIdentityMode: mode,
  ...(mode === 'passcode_required' ? { passcode: proof } : {}),
  ...(mode === 'email_bound' ? { recipientEmail: proof } : {}),
  ...(days === '' ? {} : { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() }),
})

interface Props {
  readonly terms: RecipientTerms
  readonly onChange: (terms: RecipientTerms) => void
}

export function RecipientFields({ terms, onChange }: Props) {
  const { mode, proof, days } = terms
  return (
    <>
      <SelectField
        label="For whom"
        choices={IDENTITY_MODES}
        value={mode}
        onChange={event => onChange({ ...terms, mode: event.target.value as IdentityMode })}
      />
      {mode === 'passcode_required' ? (
        <TextField
          label="Passcode"
          hint="At least 8 characters. Five wrong ones lock the link for 15 minutes."
          value={proof}
          onChange={event => onChange({ ...terms, proof: event.target.value })}
        />
      ) : null}
      {mode === 'email_bound' ? (
        <TextField
          label="Email address"
          type="email"
          hint="A code of eight digits is sent to it each time."
          value={proof}
          onChange={event => onChange({ ...terms, proof: event.target.value })}
        />
      ) : null}
      <TextField
        label="Days until it expires"
        type="number"
        min={1}
        hint="Empty: it does not expire."
        value={days}
        onChange={event => onChange({ ...terms, days: event.target.value })}
      />
    </>
  )
}
