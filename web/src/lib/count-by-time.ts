/** Steps in seconds, from a minute to a week. */
const STEPS = [60, 300, 900, 3_600, 6 * 3_600, 86_400, 7 * 86_400]
const MOST = 60
const LEAST = 12

/**
 * Counts entries in equal steps of time, as many as a chart can show. Steps in which nothing happened count 0.
 *
 * @param conditions Names of series, and whether an entry belongs to each.
 */
export function countByTime<Entry extends { readonly at: string }, Name extends string>(
  entries: readonly Entry[],
  conditions: Readonly<Record<Name, (entry: Entry) => boolean>>,
): { times: number[]; counts: Record<Name, number[]> } {
  const names = Object.keys(conditions) as Name[]
  const moments = entries.map(({ at }) => new Date(at).getTime() / 1_000)
  const first = Math.min(...moments, Date.now() / 1_000)
  const last = Math.max(...moments, first)
  const step = STEPS.find(size => (last - first) / size <= MOST) ?? 7 * 86_400
  // A lone moment would be a lone dot: there is always some time before it.
  const from = Math.min(Math.floor(first / step), Math.floor(last / step) - LEAST) * step
  const length = Math.floor((last - from) / step) + 1
  const times = Array.from({ length }, (_, at) => from + at * step)
  const counts = Object.fromEntries(names.map(name => [name, times.map(() => 0)])) as Record<Name, number[]>
  entries.forEach((entry, at) => {
    const slot = Math.floor(((moments[at] ?? from) - from) / step)
    for (const name of names) if (conditions[name](entry)) counts[name][slot] = (counts[name][slot] ?? 0) + 1
  })
  return { times, counts }
}
