import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { formatNumber } from '../lib/format'

interface ChartProps {
  /** What it shows, for who cannot see it. */
  readonly label: string
  /** Seconds since 1970. */
  readonly times: readonly number[]
  readonly series: readonly {
    readonly label: string
    readonly values: readonly number[]
    /** The name of a colour of the theme. */
    readonly tone: 'accent' | 'danger' | 'good'
  }[]
  readonly unit?: string
}

const HEIGHT = 190

/** A chart over time. The same figures stand in a table for who cannot see it. */
export function Chart({ label, times, series, unit = '' }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (element === null) return
    const colour = (name: string) => getComputedStyle(element).getPropertyValue(`--${name}`).trim()
    const resolved = (name: string) => {
      element.style.color = `var(--${name})`
      const found = getComputedStyle(element).color
      element.style.color = ''
      return found || colour(name)
    }
    const axis = {
      stroke: resolved('muted'),
      grid: { stroke: resolved('line'), width: 1 },
      ticks: { show: false },
    }
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        axes: [
          axis,
          { ...axis, size: 72, values: (_, values) => values.map(value => `${formatNumber(value)}${unit}`) },
        ],
        scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] } },
        series: [
          {},
          ...series.map(({ label, tone }) => ({
            label,
            stroke: resolved(tone),
            fill: `color-mix(in oklab, ${resolved(tone)} 18%, transparent)`,
            width: 2,
            points: { show: times.length < 3 },
          })),
        ],
      },
      [[...times], ...series.map(({ values }) => [...values])],
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [times, series, unit])
  return (
    <figure className="stack-tight">
      <figcaption className="row-between">
        <strong>{label}</strong>
        <span className="row small">
          {series.map(({ label, tone, values }) => (
            <span key={label} className="row">
              <span className={`chart-key chart-key-${tone}`} aria-hidden />
              {label}
              <span className="visually-hidden">: {values.map(value => `${value}${unit}`).join(', ')}</span>
            </span>
          ))}
        </span>
      </figcaption>
      <div ref={place} className="chart" style={{ minHeight: HEIGHT }} aria-hidden />
    </figure>
  )
}
