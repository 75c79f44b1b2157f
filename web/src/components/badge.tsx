import { Eye, EyeOff, FileText, Replace, ScanEye } from 'lucide-react'
import type { ReactNode } from 'react'
import { inWords } from '../lib/format'

export type Tone = 'plain' | 'good' | 'warn' | 'danger' | 'accent' | 'violet'

export const Badge = ({
  tone = 'plain',
  children,
  title,
}: {
  tone?: Tone
  children: ReactNode
  title?: string
}) => (
  <span className={tone === 'plain' ? 'badge' : `badge badge-${tone}`} title={title}>
    {children}
  </span>
)

interface FaceStyle {
  readonly label: string
  readonly tone: Tone
  readonly icon: ReactNode
  readonly says: string
}

const SIZE = { size: 13, 'aria-hidden': true } as const
const FACES: Readonly<Record<string, FaceStyle>> = {
  full: { label: 'Full', tone: 'good', icon: <Eye {...SIZE} />, says: 'All of it is shown.' },
  preview: {
    label: 'Preview',
    tone: 'accent',
    icon: <ScanEye {...SIZE} />,
    says: 'Only the title and the beginning are shown.',
  },
  metadata: {
    label: 'Redacted',
    tone: 'warn',
    icon: <FileText {...SIZE} />,
    says: 'Only that it exists, its kind and its sensitivity are shown.',
  },
  none: {
    label: 'Hidden',
    tone: 'danger',
    icon: <EyeOff {...SIZE} />,
    says: 'It does not exist for this caller.',
  },
}
const SUBSTITUTE: FaceStyle = {
  label: 'Substitute',
  tone: 'violet',
  icon: <Replace {...SIZE} />,
  says: 'A redacted version is shown in its place.',
}

export const faceOf = (level: string, form = 'original'): FaceStyle =>
  form === 'substitute' && level !== 'none'
    ? SUBSTITUTE
    : (FACES[level] ?? { label: inWords(level), tone: 'plain', icon: null, says: '' })

/** How much of a record is shown. */
export function FaceBadge({ level, form }: { readonly level: string; readonly form?: string | undefined }) {
  const { label, tone, icon, says } = faceOf(level, form)
  return (
    <Badge tone={tone} title={says}>
      {icon}
      {label}
    </Badge>
  )
}

const SENSITIVITY: Readonly<Record<string, Tone>> = { high: 'warn', hyper: 'danger' }
export const SensitivityBadge = ({ level }: { readonly level: string }) => (
  <Badge tone={SENSITIVITY[level] ?? 'plain'} title="How sensitive it is">
    {inWords(level)} sensitivity
  </Badge>
)

const CONSENTS: Readonly<Record<string, { tone: Tone; label: string }>> = {
  granted: { tone: 'good', label: 'Consent given' },
  revoked: { tone: 'danger', label: 'Consent revoked' },
  denied: { tone: 'danger', label: 'Consent denied' },
  pending: { tone: 'warn', label: 'Not asked yet' },
  unknown: { tone: 'warn', label: 'Not asked yet' },
}
export function ConsentBadge({ status }: { readonly status: string }) {
  const { tone, label } = CONSENTS[status] ?? { tone: 'plain' as const, label: inWords(status) }
  return <Badge tone={tone}>{label}</Badge>
}
