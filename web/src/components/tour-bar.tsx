import { useLocation } from 'wouter'
import { setTour, type TourPosition } from '../lib/tour'
import { TOURS } from '../pages/welcome/tours'
import { Button } from './button'

/** The step of a tour that somebody is at, on whatever page it leads to. */
export default function TourBar({ world, step }: TourPosition) {
  const [, navigate] = useLocation()
  const tour = TOURS[world]
  const at = tour?.steps[step]
  if (tour === undefined || at === undefined) return null
  const go = (to: number) => {
    const next = tour.steps[to]
    if (next === undefined) return
    setTour({ world, step: to })
    navigate(next.href)
  }
  const isLast = step === tour.steps.length - 1
  return (
    <section className="tour-bar" aria-label="Tour">
      <div className="grow">
        <p>
          <span className="muted small">
            {tour.title}, step {step + 1} of {tour.steps.length}
          </span>
          <br />
          <strong>{at.title}.</strong> {at.text}
        </p>
      </div>
      <div className="row">
        {step === 0 ? null : (
          <Button small onClick={() => go(step - 1)}>
            Back
          </Button>
        )}
        {isLast ? null : (
          <Button small kind="primary" onClick={() => go(step + 1)}>
            Next
          </Button>
        )}
        <Button small kind={isLast ? 'primary' : 'quiet'} onClick={() => setTour(null)}>
          {isLast ? 'Finish' : 'End the tour'}
        </Button>
      </div>
    </section>
  )
}
