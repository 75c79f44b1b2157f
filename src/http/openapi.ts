import { z } from 'zod'
import { ERRORS, type ErrorCode } from '../errors.js'
import { OPERATIONS, type OperationName } from '../operations.js'
import { answersNull, type Operation } from '../runtime/operation.js'
import { exampleOf } from './example-of.js'
import { type JsonSchema, JsonSchemas } from './json-schemas.js'
import { OPTION_HEADERS } from './read-options.js'
import { API } from './routes.js'
import { SERVER_PATHS } from './server-paths.js'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema?: JsonSchema
  readonly content?: Record<string, { schema: JsonSchema }>
}
type OrReference<T> = T | { readonly $ref: string }

export interface OpenApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly security?: readonly object[]
  readonly parameters?: readonly OrReference<Parameter>[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Record<string, { schema: JsonSchema; example?: unknown }>
  }
  readonly responses: Record<string, OrReference<{ description: string; content?: object; headers?: object }>>
  readonly 'x-callers'?: Operation['callers']
  readonly 'x-access'?: Operation['access']
  readonly 'x-effects'?: readonly string[]
  readonly 'x-reversibility'?: string
  /** An example of a valid input. */
  readonly 'x-example'?: Record<string, unknown>
}

export interface OpenApiDocument {
  readonly openapi: '3.1.1'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly security: readonly object[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Record<string, Record<string, OpenApiOperation>>
  readonly components: {
    readonly securitySchemes: object
    readonly parameters: Record<string, Parameter>
    readonly responses: Record<string, { description: string }>
    readonly schemas: Record<string, JsonSchema>
  }
}

const DESCRIPTION = `Every operation of Privity over HTTP.

Answers are \`{"success": true, "data": …}\`, errors \`{"success": false, "error": {"code", "message", "requestId"}}\`.
Send \`Authorization: Bearer <API key or token>\`. A record that the credential may not see answers like one that does not
exist. Texts are well-formed Unicode without NUL. Lists come in pages: send the \`cursor\` of a response to get the next page.`

const TAGS: Readonly<Record<string, string>> = {
  memory: 'Keep, find, change and forget records.',
  captures: 'What a model reads of captured conversations.',
  changes: 'Changes that agents ask for, and what was decided.',
  searches: 'Saved searches, and what changed since they last ran.',
  receipts: 'Receipts of searches: what was searched, and how completely.',
  index: 'The search index.',
  people: 'People in records, and their consent.',
  labels: 'Which labels texts call for, and what is done about it.',
  consents: 'Requests for consent, and their decisions.',
  requests: 'Why a request was refused.',
  groups: 'Groups of people who own records together.',
  overlays: 'Restrictions on documents and collections.',
  grants: 'Permissions given to others.',
  keys: 'API keys.',
  profiles: 'Session profiles: permissions, rate limits and state of a session.',
  viewers: 'Looking as somebody who works for you.',
  views: 'Which part of a corpus may be shared.',
  links: 'Share links: who may open them, and what they did.',
  search:
    'Search in documents and what is known of them: how it would be done, what is found, and what to answer with.',
  document_view: 'Shared documents, as their readers see them.',
  document_download: 'Copies of shared documents.',
  watermarks: 'Where a copy that was found came from.',
  upload: 'Files that recipients of a link send in.',
  uploads: 'What was sent in by your links, to be filed or discarded.',
  mail: 'Whether mail was delivered.',
  documents: 'Files and documents: ingest, versions, text and metadata.',
  bindings: 'Watched folders and feeds, their results and their usefulness.',
  agents: 'Sub-agents that a session starts, and what they may do.',
  sessions: 'A mediation between two people: who takes part, and whether it goes on.',
  stages: 'How far you are in a mediation, and what it waits for.',
  vessel: 'What you say in a mediation, for yourself.',
  bridge: 'What you are asked to share, and what you decided.',
  shared: 'What was shared with you, and by you.',
  empathy: 'How you think the other feels, and whether they find themselves in it.',
  common_ground: 'What both of you need.',
  strategies: 'What could be tried, and what each would rather.',
  agreements: 'What was agreed.',
  experiments: 'What is tried, and how it went.',
  turns: 'What a model may be told before it answers.',
  library: 'Small things that two people could try: what comes with it, and what people gave.',
  notifications: 'Notifications of a person.',
  webhooks: 'Where else to tell of it: signed posts, each sent at least once, in no particular order.',
  signals: 'What was useful to readers, as far as their sessions let that be known.',
  capabilities: 'Operations and tools that callers can be allowed to use.',
  policies: 'Policies: which capabilities a credential has.',
  reasons: 'Reason codes of refusals.',
  audit: 'The audit log, and whether it is complete.',
  transfer: 'Import and export as JSON lines.',
  server: 'The server itself.',
}

/** The whole API as OpenAPI 3.1, generated from the operations' own schemas. It is the same for everybody. */
export function openApiDocument({ version }: { readonly version: string }): OpenApiDocument {
  const schemas = new JsonSchemas()
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  const add = (route: string, described: OpenApiOperation) => {
    const [method = '', path = ''] = route.split(' ')
    const at = path.replace(/:(\w+)/g, '{$1}')
    paths[at] = { ...paths[at], [method.toLowerCase()]: described }
  }
  for (const operation of OPERATIONS) {
    add(operation.route.replace(' ', ` ${API}`), describe(operation, schemas))
  }
  for (const [route, described] of Object.entries(SERVER_PATHS)) add(route, described)
  const listed = paths[`${API}/records`]?.get?.parameters ?? []
  const exported = paths[`${API}/export`]?.get
  // An export returns all records in a fixed order, so it has no parameters for order and pages.
  if (exported !== undefined)
    add(`GET ${API}/export`, {
      ...exported,
      parameters: listed.filter(one => !NOT_EXPORTED.has(nameOf(one))),
    })
  return {
    openapi: '3.1.1',
    info: { title: 'Privity', version, description: DESCRIPTION },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key, or a token of a trusted issuer.',
        },
      },
      parameters: HEADER_PARAMETERS,
      responses: Object.fromEntries(STATUSES.map(status => [`Error${status}`, errorResponse(status)])),
      schemas: { ...schemas.shared, Error: ERROR },
    },
  }
}

const NOT_EXPORTED = new Set([
  'order',
  'limit',
  'cursor',
  'trust',
  'respectConsent',
  'profile',
  'forModel',
  'as',
])
const nameOf = (one: OrReference<Parameter>) =>
  '$ref' in one ? one.$ref.slice(one.$ref.lastIndexOf('/') + 1) : one.name

const takesBody = (route: string) => !/^(?:GET|DELETE) /.test(route)

type NamedOperation = Operation & { readonly name: OperationName }

function describe(operation: NamedOperation, schemas: JsonSchemas): OpenApiOperation {
  const { name, route, summary, callers, access, isPublic } = operation
  const input = schemas.of(operation.input, 'input')
  const inPath = [...route.matchAll(/:(\w+)/g)].map(([, field = '']) => field)
  const example = exampleOf(input, schemas.shared) as Record<string, unknown>
  const rest = without(input, inPath)
  const changesOne = access === 'write' && JSON.stringify(input).includes('"record":')
  const headers = [
    ...(access === 'write' ? (['idempotencyKey', 'causalParents'] as const) : []),
    ...(changesOne ? (['ifVersion'] as const) : []),
    ...(['trust', 'respectConsent', 'profile', 'forModel', 'session'] as const),
    ...(access === 'read' ? (['as'] as const) : []),
  ]
  return {
    operationId: name,
    summary,
    description: isPublic ? 'For everybody: what is presented is in the input.' : CALLERS[callers],
    tags: [name.slice(0, name.indexOf('.'))],
    'x-callers': callers,
    ...(isPublic ? { security: [] } : {}),
    'x-access': access,
    ...(operation.access === 'write'
      ? { 'x-effects': operation.effects, 'x-reversibility': operation.reversibility }
      : {}),
    parameters: [
      ...inPath.map(field => parameter('path', field, input)),
      ...(takesBody(route)
        ? []
        : Object.keys(rest.properties ?? {}).map(field => parameter('query', field, input))),
      // A caller without a credential has nothing to narrow, and opens a profile only once.
      ...(isPublic ? [] : headers.map(header)),
    ],
    ...(takesBody(route)
      ? {
          requestBody: {
            required: (rest.required ?? []).length > 0 || (rest.oneOf ?? rest.anyOf) !== undefined,
            content: {
              'application/json': { schema: rest, example: dropped(example, inPath) },
              ...(name === 'documents.ingest' ? uploads(rest) : {}),
            },
          },
        }
      : {}),
    responses: {
      200: answer(operation, schemas),
      ...Object.fromEntries(
        statusesOf(operation).map(status => [status, { $ref: `#/components/responses/Error${status}` }]),
      ),
    },
    'x-example': example,
  }
}

const FILE: JsonSchema = { type: 'string', format: 'binary', description: 'The file as it is.' }

/** A file may also be sent as it is: as the whole body with the other fields in the query, or in a multipart form. */
function uploads({ properties = {}, required = [] }: JsonSchema): Record<string, { schema: JsonSchema }> {
  const { content: _, ...fields } = properties
  const form = {
    type: 'object',
    required: ['file', ...required.filter(field => field !== 'content' && field !== 'document')],
    properties: { file: FILE, ...fields },
    additionalProperties: false,
  }
  return { 'application/octet-stream': { schema: FILE }, 'multipart/form-data': { schema: form } }
}

const CALLERS = {
  anyone: 'For every credential, agents included.',
  owner: 'For people and hosts, not for agents.',
  host: 'For hosts only.',
} as const

function answer(operation: NamedOperation, schemas: JsonSchemas) {
  const { output, name } = operation
  // Over HTTP, a null answer becomes `not_found`.
  const found =
    answersNull(operation) && output instanceof z.ZodNullable ? (output.unwrap() as z.ZodType) : output
  const data = schemas.of(found, 'output')
  const envelope = {
    type: 'object',
    required: ['success', 'data'],
    properties: { success: { const: true }, data },
  }
  return {
    description: 'The answer.',
    ...(name === 'memory.get' ? { headers: { ETag: { schema: { type: 'string' } } } } : {}),
    content: {
      'application/json': { schema: envelope },
      ...(name === 'documents.original' ? { 'application/octet-stream': { schema: FILE } } : {}),
    },
  }
}

function parameter(where: 'path' | 'query', field: string, input: JsonSchema): Parameter {
  const { description, ...schema } = input.properties?.[field] ?? {}
  const required = where === 'path' || (input.required ?? []).includes(field)
  return {
    name: field,
    in: where,
    required,
    ...(description === undefined ? {} : { description }),
    ...(schema.type === 'object' ? { content: { 'application/json': { schema } } } : { schema }),
  }
}

const header = (option: keyof typeof HEADER_NOTES) => ({ $ref: `#/components/parameters/${option}` })

const HEADER_NOTES = {
  idempotencyKey: 'Makes repeating a write safe: the same key does the work once. Percent-encoded.',
  ifVersion: 'The version of the record, in quotes, as its ETag has it: it is changed only while it is that.',
  trust: 'A trust context as JSON, for this request. It can only narrow what the credential holds.',
  respectConsent: 'Whether people are left out who did not agree, as for an agent.',
  causalParents: 'Ids of operations that led to this one, with commas between them.',
  profile: 'The id of a session profile of your own: the request runs under it, and can do no more for it.',
  forModel:
    'Set it to `true` if the answer goes to a model: a person’s request is then decided as that of their agent, as over MCP.',
  as: 'Somebody who works for you, as JSON: a read is answered as it would be for them. It is recorded as yours.',
  session: 'The conversation, where the credential leaves that to the request. Percent-encoded.',
} as const satisfies Partial<Record<keyof typeof OPTION_HEADERS, string>>

const HEADER_SCHEMAS: Readonly<Partial<Record<string, JsonSchema>>> = {
  respectConsent: { type: 'boolean' },
  forModel: { type: 'boolean' },
}

const HEADER_PARAMETERS: Record<string, Parameter> = Object.fromEntries(
  Object.entries(HEADER_NOTES).map(([option, description]) => {
    const name = OPTION_HEADERS[option as keyof typeof HEADER_NOTES]
    const shape = { trust: 'TrustContext', as: 'Viewer' }[option]
    const value =
      shape !== undefined
        ? { content: { 'application/json': { schema: { $ref: `#/components/schemas/${shape}` } } } }
        : { schema: HEADER_SCHEMAS[option] ?? { type: 'string' } }
    return [option, { name, in: 'header', required: false, description, ...value }]
  }),
)

const CODES = Object.keys(ERRORS) as ErrorCode[]
const STATUSES = [...new Set(CODES.map(code => ERRORS[code].http))].sort((a, b) => a - b)
const OF_WRITES = [409, 412, 422]
const OF_BODIES = [408, 413]

/** The error statuses that an operation may return. */
const statusesOf = (operation: NamedOperation) =>
  STATUSES.filter(status => {
    const { access, route, isPublic } = operation
    if (status === 401) return !isPublic
    if (OF_WRITES.includes(status)) return access === 'write'
    if (OF_BODIES.includes(status)) return takesBody(route)
    return status !== 404 || access === 'write' || route.includes(':') || answersNull(operation)
  })

function errorResponse(status: number) {
  const codes = CODES.filter(code => ERRORS[code].http === status)
  return {
    description: codes.map(code => `\`${code}\``).join(', '),
    ...(status === 429 || status === 503
      ? { headers: { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } } }
      : {}),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
}

const ERROR: JsonSchema = {
  type: 'object',
  required: ['success', 'error'],
  properties: {
    success: { const: false },
    error: {
      type: 'object',
      required: ['code', 'message', 'requestId'],
      properties: {
        code: { type: 'string', enum: CODES },
        message: { type: 'string', description: 'For a person. It never holds content.' },
        reason: { type: 'string', description: 'A reason code, where this caller may read it.' },
        details: {
          type: 'object',
          description:
            'What the message says, for a program; `failedGates` where a profile was not activated.',
        },
        requestId: { type: 'string', format: 'uuid', description: 'To ask why the request was refused.' },
      },
    },
  },
}

/** An input without the fields that are sent elsewhere. */
function without(input: JsonSchema, fields: readonly string[]): JsonSchema {
  if (fields.length === 0) return input
  const { properties = {}, required = [], ...rest } = input
  const left = required.filter(field => !fields.includes(field))
  return { ...rest, properties: dropped(properties, fields), ...(left.length > 0 ? { required: left } : {}) }
}

const dropped = <Value>(of: Record<string, Value>, fields: readonly string[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(of).filter(([field]) => !fields.includes(field)))
