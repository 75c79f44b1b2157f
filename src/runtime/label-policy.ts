import type { ContentClass } from '../policy/recognise/classes.js'

/** What a tenant does about what is recognised in a text when it is written. */
export interface LabelPolicy {
  readonly mode: 'off' | 'raise'
  /** The least sensitivity of a class, where it is not the default. Null leaves the class alone. */
  readonly classes: Readonly<Partial<Record<ContentClass, string | null>>>
  /** Whether known people who are named in a text become participants. */
  readonly people: boolean
}

export const DEFAULT_LABEL_POLICY: LabelPolicy = { mode: 'off', classes: {}, people: true }
