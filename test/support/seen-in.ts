/** The text of a list with another world for one of its leaks. */
export function withSeenIn(text: string, name: string, from: number, to: number): string {
  const at = text.search(new RegExp(`^  (['"])${name.replace(/[^\w ]/g, '\\\\?\\$&')}\\1: \\{`, 'm'))
  const number = text.indexOf(`seenIn: ${from},`, at)
  const next = text.indexOf('seenIn: ', at)
  if (at < 0 || number !== next) throw new Error(`the leak "${name}" with seenIn: ${from} is not in its list`)
  return `${text.slice(0, number)}seenIn: ${to},${text.slice(number + `seenIn: ${from},`.length)}`
}
