import { type ComponentProps, type ReactNode, useId } from 'react'

interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | null | undefined
  /** Renders the control with the ids that tie it to its label, hint and error. */
  readonly children: (ids: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': true | undefined
  }) => ReactNode
}

/** A control with its label, a hint and what is wrong with it. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  const described = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': error ? true : undefined })}
      {hint ? (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      ) : null}
    </div>
  )
}

type Labelled<Props> = Props & Pick<FieldProps, 'label' | 'hint' | 'error'>

export const TextField = ({ label, hint, error, ...rest }: Labelled<ComponentProps<'input'>>) => (
  <Field label={label} hint={hint} error={error}>
    {ids => <input className="input" {...ids} {...rest} />}
  </Field>
)

export const TextArea = ({ label, hint, error, ...rest }: Labelled<ComponentProps<'textarea'>>) => (
  <Field label={label} hint={hint} error={error}>
    {ids => <textarea className="input" {...ids} {...rest} />}
  </Field>
)

interface Choice {
  readonly value: string
  readonly label: string
}

export const SelectField = ({
  label,
  hint,
  error,
  choices,
  ...rest
}: Labelled<Omit<ComponentProps<'select'>, 'children'>> & { readonly choices: readonly Choice[] }) => (
  <Field label={label} hint={hint} error={error}>
    {ids => (
      <select className="input" {...ids} {...rest}>
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    )}
  </Field>
)

export const CheckField = ({ label, ...rest }: { label: ReactNode } & ComponentProps<'input'>) => (
  <label className="check">
    <input type="checkbox" {...rest} />
    <span>{label}</span>
  </label>
)
