import { useQuery } from '@tanstack/react-query'
import { QueryView } from '../../components/states'
import { privity } from '../../lib/api'
import { EmpathyTask } from './empathy-task'
import { NeedsTask } from './needs-task'
import { RepairTask } from './repair-task'

/** What there is to do in somebody's stage, below where they stand. */
export function StageTask({ session }: { readonly session: string }) {
  const query = useQuery({ queryKey: ['stages', session], queryFn: () => privity.stages.get(session) })
  return (
    <QueryView query={query} loading={null}>
      {({ stage }) =>
        stage === 2 ? (
          <EmpathyTask session={session} />
        ) : stage === 3 ? (
          <NeedsTask session={session} />
        ) : stage === 4 ? (
          <RepairTask session={session} />
        ) : null
      }
    </QueryView>
  )
}
