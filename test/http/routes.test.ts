import { expect, it } from 'vitest'
import { z } from 'zod'
import { OPERATIONS } from '../../src/operations.js'

it('no two operations stand in the same place', () => {
  const shapes = OPERATIONS.map(({ route }) => route.replace(/:\w+/g, ':'))
  expect(shapes.filter((shape, at) => shapes.indexOf(shape) !== at)).toEqual([])
})

it('no operation is answered by one before it, whose path has a field where this one has a word', () => {
  const shadowed = OPERATIONS.flatMap(({ name, route }, at) => {
    const before = OPERATIONS.slice(0, at).find(other => matches(other.route, route))
    return before === undefined ? [] : [`${route} of ${name} is answered by ${before.name}: move it up`]
  })
  expect(shadowed).toEqual([])
  expect(matches('GET /records/:record', 'GET /records/count')).toBe(true)
  expect(matches('GET /records/:record', 'GET /records/:record/history')).toBe(false)
})

/** Whether the router would answer a request for the second route with the first. */
function matches(first: string, second: string): boolean {
  const [ours, theirs] = [first.split(/[ /]/), second.split(/[ /]/)]
  return (
    ours.length === theirs.length && ours.every((part, at) => part.startsWith(':') || part === theirs[at])
  )
}

it.each(
  OPERATIONS.map(operation => [operation.name, operation] as const),
)('%s names fields of its input in its path, and changes nothing by GET', (_, { route, access, input }) => {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  for (const [, field = ''] of route.matchAll(/:(\w+)/g)) expect(Object.keys(properties)).toContain(field)
  if (route.startsWith('GET ')) expect(access).toBe('read')
  if (/^(?:PUT|PATCH|DELETE) /.test(route)) expect(access).toBe('write')
})
