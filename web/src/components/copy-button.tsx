import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button'
import { useToast } from './toast'

/** Copies a text, and says so. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [done, setDone] = useState(false)
  const toast = useToast()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setDone(true)
      setTimeout(() => setDone(false), 2_000)
    } catch {
      toast.say('The browser did not allow copying. Select the text and copy it by hand.')
    }
  }
  return (
    <Button
      small
      icon={done ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
      onClick={copy}
    >
      {done ? 'Copied' : label}
    </Button>
  )
}

/** A secret or a snippet that is shown once, ready to copy. */
export const CopyBlock = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <div className="stack-tight">
    <div className="row-between">
      <span className="field-label">{label}</span>
      <CopyButton text={text} />
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls. */}
    <pre tabIndex={0} className="wrap-anywhere">
      {text}
    </pre>
  </div>
)
