import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, Circle } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button'
import { Card } from '../../components/page'
import { QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { useToast } from '../../components/toast'
import { privity } from '../../lib/api'

const STAGES = ['Onboarding', 'Being heard', 'Perspective', 'Needs', 'Repair']

/** What each gate waits for, and whether it is the other's. */
const GATES: Readonly<Record<string, { says: string; partner?: true }>> = {
  compactSigned: { says: 'You signed the compact' },
  partnerCompactSigned: { says: 'The other signed the compact', partner: true },
  feelHeardConfirmed: { says: 'You feel heard' },
  empathyDraftReady: { says: 'Your empathy text is ready' },
  empathyConsented: { says: 'You shared your empathy text' },
  partnerConsented: { says: 'The other shared theirs', partner: true },
  partnerValidated: { says: 'The other finds themselves in yours', partner: true },
  needsConfirmed: { says: 'You confirmed your needs' },
  partnerNeedsConfirmed: { says: 'The other confirmed theirs', partner: true },
  commonGroundConfirmed: { says: 'Common ground is confirmed' },
  strategiesSubmitted: { says: 'You proposed what to try' },
  rankingsSubmitted: { says: 'You ranked the proposals' },
  overlapIdentified: { says: 'You both like one of them' },
  agreementCreated: { says: 'You agreed' },
}

/** How far somebody is, and what the next stage waits for: their own gates in full, the other's as far as they may know. */
export function StageTrack({ session }: { readonly session: string }) {
  const [busy, setBusy] = useState(false)
  const client = useQueryClient()
  const toast = useToast()
  const query = useQuery({ queryKey: ['stages', session], queryFn: () => privity.stages.get(session) })
  const act = (run: () => Promise<unknown>) => async () => {
    setBusy(true)
    try {
      await run()
      await client.invalidateQueries({ queryKey: ['stages', session] })
      await client.invalidateQueries({ queryKey: ['bridge', session] })
    } catch (error) {
      toast.fail(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <QueryView query={query}>
      {({ stage: current, stages, waiting, mayAdvance }) => (
        <Card
          title={`You are in stage ${current}: ${STAGES[current] ?? ''}`}
          actions={
            <>
              {current === 0 && !gateOf(stages, 0, 'compactSigned') ? (
                <Button busy={busy} onClick={act(() => privity.stages.signCompact(session))}>
                  Sign the compact
                </Button>
              ) : null}
              {current === 1 && !gateOf(stages, 1, 'feelHeardConfirmed') ? (
                <Button busy={busy} onClick={act(() => privity.stages.confirmHeard(session))}>
                  I feel heard
                </Button>
              ) : null}
              {mayAdvance ? (
                <Button kind="primary" busy={busy} onClick={act(() => privity.stages.advance(session))}>
                  Go to stage {current + 1}
                </Button>
              ) : null}
            </>
          }
        >
          {waiting ? (
            <p className="notice">You wait for the other person. You are told when you can go on.</p>
          ) : null}
          <ol className="stage-track">
            {stages.map(({ stage, enteredAt, gates, complete }) => (
              <li
                key={stage}
                className={stage === current ? 'stage stage-current' : 'stage'}
                aria-current={stage === current ? 'step' : undefined}
              >
                <div className="row">
                  <span className="stage-number" aria-hidden>
                    {complete ? <Check size={16} /> : stage}
                  </span>
                  <strong>{STAGES[stage]}</strong>
                </div>
                <p className="muted small">
                  {enteredAt === null ? 'Not reached yet' : <Time at={enteredAt} />}
                </p>
                <ul className="stack-tight small">
                  {Object.entries(gates as Record<string, boolean>).map(([gate, passed]) => (
                    <li key={gate} className="row stage-gate">
                      {passed ? (
                        <Check size={15} aria-label="done" />
                      ) : (
                        <Circle size={15} aria-label="open" />
                      )}
                      <span>{GATES[gate]?.says ?? gate}</span>
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ol>
          <p className="muted small">
            The other person's stage is not shown, and yours is not shown to them. Both of you see only the
            gates named here.
          </p>
        </Card>
      )}
    </QueryView>
  )
}

const gateOf = (stages: readonly { stage: number; gates: object }[], stage: number, gate: string) =>
  (stages.find(one => one.stage === stage)?.gates as Record<string, boolean> | undefined)?.[gate] === true
