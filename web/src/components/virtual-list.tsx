import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import { Skeleton } from './states'

interface VirtualListProps<Item> {
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  readonly render: (item: Item, at: number) => ReactNode
  readonly label: string
  /** The expected height of an item in pixels. It is measured once the item is shown. */
  readonly estimate?: number
  readonly height?: string
  /** Called when the end comes near, while there is more. */
  readonly onEnd?: (() => void) | undefined
  readonly hasMore?: boolean
}

/** A list of any length, of which only what can be seen exists in the page. */
export function VirtualList<Item>({
  items,
  keyOf,
  render,
  label,
  estimate = 72,
  height = '70vh',
  onEnd,
  hasMore = false,
}: VirtualListProps<Item>) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => estimate,
    getItemKey: at => {
      const item = items[at]
      return item === undefined ? at : keyOf(item)
    },
    overscan: 8,
  })
  const rows = virtual.getVirtualItems()
  const lastShown = rows.at(-1)?.index ?? -1
  useEffect(() => {
    if (hasMore && lastShown >= items.length - 5) onEnd?.()
  }, [hasMore, lastShown, items.length, onEnd])
  const isShort = items.length * estimate < 600 && !hasMore
  if (isShort)
    return (
      <ul aria-label={label}>
        {items.map((item, at) => (
          <li key={keyOf(item)} className="list-item">
            {render(item, at)}
          </li>
        ))}
      </ul>
    )
  return (
    // A region that scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
    <section ref={scroller} className="virtual" style={{ height }} tabIndex={0} aria-label={label}>
      <ul style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {rows.map(({ key, index, start }) => {
          const item = items[index]
          if (item === undefined) return null
          return (
            <li
              key={key}
              data-index={index}
              ref={virtual.measureElement}
              className="list-item"
              aria-setsize={hasMore ? -1 : items.length}
              aria-posinset={index + 1}
              style={{ position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${start}px)` }}
            >
              {render(item, index)}
            </li>
          )
        })}
      </ul>
      {hasMore ? <Skeleton lines={1} /> : null}
    </section>
  )
}
