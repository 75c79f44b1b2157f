/** The first characters of a text. A surrogate pair counts as one. */
export function cutToLimit(text: string, most: number): string {
  if (text.length <= most) return text
  let end = 0
  for (let count = 0; count < most && end < text.length; count++)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return text.slice(0, end)
}

/**
 * Divides items, in order, into batches with limited numbers of texts and characters. A text above the limit is a
 * batch of its own.
 */
export function cutIntoBatches<Item extends { readonly text: string }>(
  items: readonly Item[],
  size: number,
  characters: number,
): Item[][] {
  const made: Item[][] = []
  let room = 0
  for (const item of items) {
    const last = made.at(-1)
    if (last && last.length < size && item.text.length <= room) {
      last.push(item)
      room -= item.text.length
    } else {
      made.push([item])
      room = characters - item.text.length
    }
  }
  return made
}
