import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { ERRORS } from '../../src/errors.js'
import type { JsonSchema } from '../../src/http/json-schemas.js'
import { type OpenApiOperation, openApiDocument, type Parameter } from '../../src/http/openapi.js'
import { SERVER_PATHS } from '../../src/http/server-paths.js'
import { OPERATIONS } from '../../src/operations.js'

const document = openApiDocument({ version: '1.2.3' })
const described = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      operation.operationId,
      { ...operation, at: `${method.toUpperCase()} ${path}` },
    ]),
  ),
)
const of = (name: string) => described.get(name) as OpenApiOperation & { at: string }

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
ajv.addSchema({ $id: 'doc', components: document.components })
const against = (schema: JsonSchema | undefined) =>
  ajv.compile(JSON.parse(JSON.stringify(schema ?? false).replaceAll('"#/components', '"doc#/components')))

/** Whether a request of these fields is one that the document describes; for the first that is not, why. */
function accepts(name: string, fields: Record<string, unknown>): boolean {
  const { parameters = [], requestBody } = of(name)
  const own = parameters.filter((one): one is Parameter => !('$ref' in one))
  const rest = Object.fromEntries(
    Object.entries(fields).filter(([field]) => !own.some(one => one.name === field)),
  )
  const inAddress = own.every(one => {
    const schema = one.schema ?? one.content?.['application/json']?.schema
    return fields[one.name] === undefined ? !one.required : against(schema)(fields[one.name])
  })
  const body = requestBody?.content['application/json']?.schema
  return inAddress && (body === undefined ? Object.keys(rest).length === 0 : against(body)(rest))
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    expect(validator.version).toBe('3.1')
  })

  it('[CP-4] describes every operation and everything else that a server answers, once', () => {
    const names = [
      ...OPERATIONS.map(({ name }) => name),
      ...Object.values(SERVER_PATHS).map(o => o.operationId),
    ]
    expect([...described.keys()].sort()).toEqual([...names].sort())
    for (const { name, route, callers, summary } of OPERATIONS) {
      expect(of(name)).toMatchObject({ 'x-callers': callers, summary, tags: [name.split('.')[0]] })
      expect(of(name).at).toBe(route.replace(' ', ' /api/v1').replace(/:(\w+)/g, '{$1}'))
    }
    const tags = document.tags.map(({ name }) => name)
    expect(new Set(tags)).toEqual(new Set([...described.values()].flatMap(operation => operation.tags)))
  })

  it('[ST-3] asks for a credential everywhere but where a token is presented', () => {
    expect(OPERATIONS.filter(({ isPublic }) => isPublic).map(({ name }) => name)).toEqual(['links.redeem'])
    expect(document.security).toEqual([{ bearer: [] }])
    for (const { name } of OPERATIONS) {
      const { security, parameters = [], responses } = of(name)
      expect(security, name).toEqual(name === 'links.redeem' ? [] : undefined)
      expect('401' in responses, name).toBe(name !== 'links.redeem')
      const headers = parameters.flatMap(one => ('$ref' in one ? [one.$ref.replace(/.*\//, '')] : []))
      // What a credential could be narrowed by, where there is one.
      expect(headers.includes('profile'), name).toBe(name !== 'links.redeem')
      if (name === 'links.redeem') expect(headers).toEqual([])
    }
  })

  it('narrows an export as it narrows a list', () => {
    const names = (of('export').parameters ?? []).map(one => ('name' in one ? one.name : one.$ref))
    expect(names).toEqual([
      'kinds',
      'tags',
      'createdAfter',
      'createdBefore',
      'owner',
      'corpus',
      'people',
      'asOf',
      'fields',
      'face',
      '#/components/parameters/session',
    ])
  })

  it('is the same each time', () => {
    expect(JSON.stringify(openApiDocument({ version: '1.2.3' }))).toBe(JSON.stringify(document))
  })

  it('refers only to what is there', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)]
    expect(references.length).toBeGreaterThan(100)
    const components = document.components as unknown as Record<string, Record<string, unknown>>
    for (const [, kind = '', name = ''] of references) expect(components[kind]?.[name], name).toBeDefined()
    expect(JSON.stringify(document)).not.toMatch(/\$defs|__schema|"~standard"/)
  })

  it.each(
    OPERATIONS.map(operation => [operation.name, operation] as const),
  )('gives an example of %s that the operation and the document take', (name, { input }) => {
    const example = of(name)['x-example'] ?? {}
    // What is made up where a field gives no example of its own.
    expect(JSON.stringify(example)).not.toContain('"a word"')
    expect(input.safeParse(example).error?.issues).toBeUndefined()
    expect(accepts(name, example)).toBe(true)
    // And no more than that.
    expect(accepts(name, { ...example, surprise: 1 })).toBe(false)
    for (const field of Object.keys(example)) {
      const { [field]: _, ...less } = example
      expect(accepts(name, less), `without ${field}`).toBe(input.safeParse(less).success)
    }
  })

  it('takes what the schemas take and refuses what they refuse', () => {
    const record = { kind: 'note', text: 'x' }
    const cases: [string, Record<string, unknown>][] = [
      ['memory.remember', { records: [{ ...record, occurredAt: '2026-01-01T00:00:00+02:00' }] }],
      ['memory.remember', { records: [{ ...record, occurredAt: 'yesterday' }] }],
      ['memory.remember', { records: [{ ...record, occurredAt: 5 }] }],
      ['memory.remember', { records: [{ ...record, fields: { a: [1, { b: null }] } }] }],
      ['memory.remember', { records: [{ ...record, fields: 'a' }] }],
      ['memory.remember', { records: [{ ...record, text: '' }] }],
      ['memory.remember', { records: [{ ...record, tags: ['x'.repeat(201)] }] }],
      ['memory.remember', { records: [{ ...record, derivedFrom: ['x'] }] }],
      ['memory.remember', { records: [] }],
      ['memory.get', { record: 'x' }],
      ['memory.list', { limit: 200, kinds: ['note'], fields: { a: 1 } }],
      ['memory.list', { limit: 201 }],
      ['memory.list', { kinds: [] }],
      ['memory.search', { query: 'a', recency: {}, snippet: { passages: 3 } }],
      ['memory.search', { query: 'a', mode: 'magic' }],
      ['memory.revise', { how: 'retract', record: '3f2b8c1e-5d4a-4e6b-9c7d-1a2b3c4d5e6f' }],
      ['memory.revise', { how: 'retract' }],
      ['memory.revise', { how: 'other', record: '3f2b8c1e-5d4a-4e6b-9c7d-1a2b3c4d5e6f' }],
      ['keys.create', { name: 'a', trust: { maxSensitivity: 'low' }, expiresAt: '2030-01-01T00:00:00Z' }],
      ['keys.create', { name: 'a', trust: { maxSensitivity: 'most' } }],
    ]
    for (const [name, fields] of cases) {
      const operation = OPERATIONS.find(one => one.name === name)
      expect(accepts(name, fields), JSON.stringify(fields).slice(0, 80)).toBe(
        operation?.input.safeParse(fields).success,
      )
    }
    expect(accepts('memory.list', { kinds: ['note'] })).toBe(true)
    expect(accepts('memory.list', { kinds: ['brand new'] })).toBe(false)
  })

  it('says of every field what it is', () => {
    const silent: string[] = []
    const look = (schema: JsonSchema, at: string): void => {
      for (const [field, part] of Object.entries(schema.properties ?? {})) {
        if (part.description === undefined) silent.push(`${at}.${field}`)
        look(part, `${at}.${field}`)
      }
      for (const part of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) look(part, at)
      for (const part of [schema.items, schema.additionalProperties])
        if (typeof part === 'object') look(part, at)
    }
    for (const { name } of OPERATIONS) {
      const { parameters = [], requestBody, responses } = of(name)
      for (const one of parameters)
        if (!('$ref' in one) && one.description === undefined) silent.push(`${name}.${one.name}`)
      look(requestBody?.content['application/json']?.schema ?? {}, name)
      const { content } = responses['200'] as { content: Record<string, { schema: JsonSchema }> }
      look(content['application/json']?.schema.properties?.data ?? {}, name)
    }
    for (const [name, schema] of Object.entries(document.components.schemas))
      if (name !== 'Error') look(schema, name)
    expect(silent).toEqual([])
  })

  it('says what rules beyond JSON Schema there are, and that ids and times are such', () => {
    const { Name, Id, Moment, MemoryRecord } = document.components.schemas
    expect(Name).toEqual({
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'Must be at most 200 bytes; must not be empty; must not contain control characters.',
    })
    expect(Id).toEqual({ type: 'string', format: 'uuid', example: expect.any(String) })
    expect(Moment).toMatchObject({ type: 'string', format: 'date-time' })
    expect(MemoryRecord?.properties?.createdAt).toMatchObject({ format: 'date-time' })
    expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER))
  })

  it('says how an address spells what is no text, and that null is no answer', () => {
    const fields = of('memory.list').parameters?.find(one => 'name' in one && one.name === 'fields')
    expect(fields).toMatchObject({
      in: 'query',
      content: { 'application/json': { schema: { type: 'object' } } },
    })
    const schema = { properties: { data: { $ref: '#/components/schemas/MemoryRecord' } } }
    expect(of('memory.get').responses['200']).toMatchObject({ content: { 'application/json': { schema } } })
    for (const { name } of OPERATIONS.filter(({ output }) => output.safeParse(null).success)) {
      const { content } = of(name).responses['200'] as { content: Record<string, { schema: JsonSchema }> }
      const envelope = content['application/json']?.schema
      expect(against(envelope)({ success: true, data: null }), name).toBe(false)
    }
  })

  it('[RS-2] names every code of an error with its status, and only where it can be', () => {
    for (const [code, { http }] of Object.entries(ERRORS))
      expect(document.components.responses[`Error${http}`]?.description).toContain(`\`${code}\``)
    expect(Object.keys(of('memory.list').responses)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '429',
      '500',
      '503',
    ])
    expect(Object.keys(of('memory.search').responses)).toEqual([
      '200',
      '400',
      '401',
      '403',
      '408',
      '413',
      '429',
      '500',
      '503',
    ])
    expect(Object.keys(of('memory.get').responses)).toContain('404')
    expect(Object.keys(of('memory.pin').responses)).toEqual(expect.arrayContaining(['404', '409', '412']))
  })
})
