import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Chart } from '../../components/chart'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { consoleApi, type MinuteLatency } from '../../lib/api'

/** How long the server took to answer the tenant's requests. The audit itself holds no durations. */
export function LatencyChart() {
  const query = useQuery({
    queryKey: ['latencies'],
    queryFn: consoleApi.latencies,
    refetchInterval: 60_000,
  })
  return (
    <Card>
      <QueryView
        query={query}
        empty={{
          when: minutes => minutes.length === 0,
          show: <EmptyState title="No request was measured yet" />,
        }}
      >
        {minutes => <Drawn minutes={minutes} />}
      </QueryView>
    </Card>
  )
}

function Drawn({ minutes }: { readonly minutes: readonly MinuteLatency[] }) {
  const { times, series } = useMemo(
    () => ({
      times: minutes.map(({ at }) => Date.parse(at) / 1_000),
      series: [
        { label: '95th percentile', values: minutes.map(({ p95 }) => p95), tone: 'danger' as const },
        { label: 'Median', values: minutes.map(({ median }) => median), tone: 'accent' as const },
      ],
    }),
    [minutes],
  )
  return (
    <>
      <Chart label="Latency" times={times} series={series} unit=" ms" />
      <p className="muted small">Measured by this server process, for up to 12 hours.</p>
    </>
  )
}
