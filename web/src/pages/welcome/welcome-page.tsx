import { useQuery } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../components/button'
import { ConfirmDialog } from '../../components/dialog'
import { Card, Page } from '../../components/page'
import { QueryView } from '../../components/states'
import { useToast } from '../../components/toast'
import { consoleApi, type ExampleWorld } from '../../lib/api'
import { count } from '../../lib/format'
import { useForgetAll, useWho } from '../../lib/session'
import { setTour } from '../../lib/tour'
import { TOURS } from './tours'

/** Examples to load, each with a tour of five steps. */
export default function WelcomePage() {
  const who = useWho()
  const examples = useQuery({
    queryKey: ['examples'],
    queryFn: consoleApi.examples,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Page
      title="Examples"
      lead="Load a small world to see what Privity does: the same question, asked by people and agents who may be told different things."
    >
      <QueryView query={examples}>
        {worlds => (
          <div className="grid-2">
            {worlds.map(world => (
              <World key={world.name} world={world} isHost={who.audience === 'host'} />
            ))}
          </div>
        )}
      </QueryView>
    </Page>
  )
}

function World({ world, isHost }: { readonly world: ExampleWorld; readonly isHost: boolean }) {
  const who = useWho()
  const [, navigate] = useLocation()
  const [loading, setLoading] = useState(false)
  const toast = useToast()
  const forgetAll = useForgetAll()
  const tour = TOURS[world.name]
  if (tour === undefined) return null
  const people = world.callers.filter(({ key }) => key.audience !== 'agent')
  const isInside = people.some(({ key }) => key.actor === who.actor)
  const enter = async (actor: string) => {
    await consoleApi.continueAs({ actor })
    await forgetAll()
    navigate('/welcome')
  }
  const visit = (step: number) => {
    setTour({ world: world.name, step })
    navigate(tour.steps[step]?.href ?? '/ask')
  }
  return (
    <Card title={tour.title}>
      <div className="stack">
        <p className="muted">{tour.story}</p>
        {isInside ? (
          <ol className="tour">
            {tour.steps.map(({ title, text }, at) => (
              <li key={title} className="tour-step">
                <span className="tour-number">{at + 1}</span>
                <div className="grow">
                  <button type="button" className="link-button" onClick={() => visit(at)}>
                    <strong>{title}</strong>
                  </button>
                  <p className="small muted">{text}</p>
                </div>
              </li>
            ))}
          </ol>
        ) : isHost ? (
          <div className="row">
            <Button kind="primary" icon={<Sparkles size={16} aria-hidden />} onClick={() => setLoading(true)}>
              Load and take the tour
            </Button>
            {people.map(({ key }) => (
              <Button
                key={key.name}
                kind="quiet"
                small
                onClick={() => void enter(key.actor ?? '').catch(toast.fail)}
              >
                Continue as {key.actor}
              </Button>
            ))}
          </div>
        ) : (
          <p className="small muted">Return to yourself to load it.</p>
        )}
      </div>
      <ConfirmDialog
        open={loading}
        onOpenChange={setLoading}
        title={`Load “${tour.title}”?`}
        confirm="Load it"
        description={`It is added to this store, tenant “${who.tenant}”: ${count(people.length, 'person', 'people')} (${people.map(({ key }) => key.actor).join(', ')}) and ${count(world.callers.length - people.length, 'agent')}, each with memories of their own. Yours are not touched. You then continue as ${tour.as.actor}.`}
        onConfirm={async () => {
          await consoleApi.loadExample(world.name)
          await enter(tour.as.actor)
          visit(0)
        }}
      />
    </Card>
  )
}
