import { useEffect, useMemo, useState } from 'react'
import { Chart } from '../../components/chart'
import { Card } from '../../components/page'

const API = '/api/v1/'

/** How long the requests of this page took, as the browser measured them. The audit itself holds no durations. */
export function LatencyChart() {
  const [timings, setTimings] = useState(read)
  useEffect(() => {
    const observer = new PerformanceObserver(() => setTimings(read()))
    observer.observe({ type: 'resource' })
    return () => observer.disconnect()
  }, [])
  const { times, series } = useMemo(
    () => ({
      times: timings.map(({ at }) => at),
      series: [{ label: 'Milliseconds', values: timings.map(({ ms }) => ms), tone: 'accent' as const }],
    }),
    [timings],
  )
  return (
    <Card>
      <Chart label="Latency of your requests" times={times} series={series} unit=" ms" />
      <p className="muted small">Measured by this browser. The server has its own under /metrics.</p>
    </Card>
  )
}

const read = () =>
  performance
    .getEntriesByType('resource')
    .filter(({ name }) => name.includes(API))
    .map(({ startTime, duration }) => ({
      at: (performance.timeOrigin + startTime) / 1_000,
      ms: Math.round(duration),
    }))
