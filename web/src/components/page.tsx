import { type ReactNode, useEffect } from 'react'

interface PageProps {
  readonly title: string
  /** One or two sentences on what the page is for. */
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A page with its title, which is also that of the browser's tab. */
export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Privity`
  }, [title])
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          <h1>{title}</h1>
          {lead ? <p>{lead}</p> : null}
        </div>
        {actions ? <div className="row">{actions}</div> : null}
      </header>
      {children}
    </div>
  )
}

interface CardProps {
  readonly title?: ReactNode
  readonly actions?: ReactNode
  readonly flat?: boolean
  readonly children: ReactNode
}

export const Card = ({ title, actions, flat, children }: CardProps) => (
  <section className={flat ? 'card card-flat' : 'card'}>
    {title || actions ? (
      <div className="card-head">
        {title ? <h2>{title}</h2> : <span />}
        {actions ? <div className="row">{actions}</div> : null}
      </div>
    ) : null}
    {children}
  </section>
)
