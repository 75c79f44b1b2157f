import { expect, it } from 'vitest'
import { z } from 'zod'
import { OPERATIONS } from '../../src/operations.js'

it('no two operations stand in the same place', () => {
  const shapes = OPERATIONS.map(({ route }) => route.replace(/:\w+/g, ':'))
  expect(shapes.filter((shape, at) => shapes.indexOf(shape) !== at)).toEqual([])
})

it.each(
  OPERATIONS.map(operation => [operation.name, operation] as const),
)('%s names fields of its input in its path, and changes nothing by GET', (_, { route, access, input }) => {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  for (const [, field = ''] of route.matchAll(/:(\w+)/g)) expect(Object.keys(properties)).toContain(field)
  if (route.startsWith('GET ')) expect(access).toBe('read')
  if (/^(?:PUT|PATCH|DELETE) /.test(route)) expect(access).toBe('write')
})
