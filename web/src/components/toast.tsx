import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'
import { describeFailure } from '../lib/errors'

interface Toast {
  readonly id: number
  readonly text: string
  readonly danger: boolean
  readonly action: { readonly label: string; readonly run: () => void } | null
}

interface Toasts {
  /** Says that something was done, perhaps with a way to take it back. */
  say(text: string, action?: { label: string; run: () => void }): void
  /** Says that something failed, and what to do. */
  fail(error: unknown): void
}

const ToastContext = createContext<Toasts>({ say: () => {}, fail: () => {} })
export const useToast = () => useContext(ToastContext)

const SHOWN_MS = 6_000

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const last = useRef(0)
  const remove = useCallback((id: number) => setToasts(now => now.filter(toast => toast.id !== id)), [])
  const add = useCallback(
    (toast: Omit<Toast, 'id'>) => {
      const id = ++last.current
      setToasts(now => [...now.slice(-2), { ...toast, id }])
      setTimeout(() => remove(id), SHOWN_MS)
    },
    [remove],
  )
  const value = useRef<Toasts>({
    say: (text, action) => add({ text, danger: false, action: action ?? null }),
    fail: error => {
      const { title, advice } = describeFailure(error)
      add({ text: `${title} ${advice}`, danger: true, action: null })
    },
  })
  return (
    <ToastContext.Provider value={value.current}>
      {children}
      <div className="toasts" role="status" aria-live="polite">
        {toasts.map(({ id, text, danger, action }) => (
          <div key={id} className={danger ? 'toast toast-danger' : 'toast'}>
            <span>{text}</span>
            {action === null ? null : (
              <button
                type="button"
                onClick={() => {
                  remove(id)
                  action.run()
                }}
              >
                {action.label}
              </button>
            )}
          </div>
        ))}
      </div>
    </ToastContext.Provider>
  )
}
