import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Skeleton } from './states'

interface VirtualListProps<Item> {
  readonly items: readonly Item[]
  readonly keyOf: (item: Item) => string
  /** Renders one item. Give it a function that stays the same, so that a row is rendered once. */
  readonly render: (item: Item, at: number) => ReactNode
  readonly label: string
  /** The expected height of an item in pixels. It is measured once the item is shown. */
  readonly estimate?: number
  /** Called when the end comes near, while there is more. */
  readonly onEnd?: (() => void) | undefined
  readonly hasMore?: boolean
}

/** A list of any length that scrolls with the page. Only what can be seen exists. */
export function VirtualList<Item>({
  items,
  keyOf,
  render,
  label,
  estimate = 72,
  onEnd,
  hasMore = false,
}: VirtualListProps<Item>) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  // Where the list begins in the page changes with whatever is above it.
  useLayoutEffect(() => {
    const measure = () => setTop((list.current?.getBoundingClientRect().top ?? 0) + scrollY)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => estimate,
    getItemKey: at => {
      const item = items[at]
      return item === undefined ? at : keyOf(item)
    },
    overscan: 6,
    scrollMargin: top,
  })
  const rows = virtual.getVirtualItems()
  const lastShown = rows.at(-1)?.index ?? -1
  useEffect(() => {
    if (hasMore && lastShown >= items.length - 5) onEnd?.()
  }, [hasMore, lastShown, items.length, onEnd])
  return (
    <>
      <ul ref={list} aria-label={label} className="virtual" style={{ height: virtual.getTotalSize() }}>
        {rows.map(({ key, index, start }) => {
          const item = items[index]
          return item === undefined ? null : (
            <li
              key={key}
              data-index={index}
              ref={virtual.measureElement}
              className="list-item virtual-item"
              aria-setsize={hasMore ? -1 : items.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <Row item={item} at={index} render={render} />
            </li>
          )
        })}
      </ul>
      {hasMore ? (
        <div className="more">
          <Skeleton lines={1} />
        </div>
      ) : null}
    </>
  )
}

/** Scrolling moves rows; it does not change what is in them. */
const Row = memo(function Row<Item>({
  item,
  at,
  render,
}: {
  readonly item: Item
  readonly at: number
  readonly render: (item: Item, at: number) => ReactNode
}) {
  return render(item, at)
}) as <Item>(props: { item: Item; at: number; render: (item: Item, at: number) => ReactNode }) => ReactNode
