/** A text with some stretches marked. It is text throughout: markup in it stays visible as what it is. */
export function Highlighted({
  text,
  at,
}: {
  readonly text: string
  readonly at: readonly (readonly [number, number])[]
}) {
  const parts: { readonly text: string; readonly marked: boolean; readonly start: number }[] = []
  let end = 0
  for (const [from, to] of [...at].sort(([a], [b]) => a - b)) {
    if (from < end) continue
    if (from > end) parts.push({ text: text.slice(end, from), marked: false, start: end })
    parts.push({ text: text.slice(from, to), marked: true, start: from })
    end = to
  }
  if (end < text.length) parts.push({ text: text.slice(end), marked: false, start: end })
  return (
    <>
      {parts.map(part =>
        part.marked ? <mark key={part.start}>{part.text}</mark> : <span key={part.start}>{part.text}</span>,
      )}
    </>
  )
}
