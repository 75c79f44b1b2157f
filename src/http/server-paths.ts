import type { OpenApiOperation, Parameter } from './openapi.js'
import { MOST_IN_A_ZIP } from './zip-documents.js'

const NDJSON = 'application/x-ndjson'
const plain = (description: string, type: string, schema: object = { type: 'object' }) => ({
  description,
  content: { [type]: { schema } },
})
const flag = (name: string, description: string): Parameter => ({
  name,
  in: 'query',
  required: false,
  description,
  schema: { type: 'boolean' },
})
const fails = (...statuses: number[]) =>
  Object.fromEntries(statuses.map(status => [status, { $ref: `#/components/responses/Error${status}` }]))

/** The first message of an MCP client. */
const MCP_EXAMPLE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'curl', version: '1' } },
}

/** The server's own routes, besides operations. */
export const SERVER_PATHS: Readonly<Record<string, OpenApiOperation>> = {
  'GET /api/v1/export': {
    operationId: 'export',
    summary: 'Export everything you may see as JSON lines',
    description:
      'For every credential. One record a line, oldest first, which import takes back. An `error` as the last line says ' +
      'that it ended early. The conditions are those of `memory.list`.',
    tags: ['transfer'],
    responses: {
      200: plain('One record a line.', NDJSON, { type: 'string' }),
      ...fails(400, 401, 403, 429, 500, 503),
    },
  },
  'POST /api/v1/import': {
    operationId: 'import',
    summary: 'Import records as JSON lines',
    description:
      'For every credential. One record a line, as `memory.remember` takes it or as export gives it; the same lines are ' +
      'kept once. The answer comes while they are read: `progress`, `problem` for a line that was left out, and last ' +
      '`done`, or `error` where it ended early.',
    tags: ['transfer'],
    parameters: [
      flag('strict', 'Stops at the first problem instead of leaving it out.'),
      flag('dryRun', 'Reads and checks, and keeps nothing.'),
    ],
    requestBody: { required: true, content: { [NDJSON]: { schema: { type: 'string' } } } },
    responses: {
      200: plain('Progress, a line at a time.', NDJSON, { type: 'string' }),
      ...fails(400, 401, 403, 413, 429, 500, 503),
    },
  },
  'POST /api/v1/documents/zip': {
    operationId: 'zipDocuments',
    summary: 'Several shared documents as one zip file',
    description:
      'For every credential. Each document is a download as by `document_download.fetch`: decided, marked and counted by itself. ' +
      '`Not included.txt` in it lists what could not be had. The file comes while it is made.',
    tags: ['document_download'],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['documents'],
            properties: {
              documents: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: MOST_IN_A_ZIP },
              form: { type: 'string', enum: ['original', 'text'], default: 'original' },
            },
          },
          example: { documents: ['3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61'] },
        },
      },
    },
    responses: {
      200: plain('The zip file.', 'application/zip', { type: 'string', format: 'binary' }),
      ...fails(400, 401, 403, 404, 429, 500, 503),
    },
  },
  'GET /healthz': {
    operationId: 'healthz',
    summary: 'Whether the server runs',
    description: 'Without a credential.',
    tags: ['server'],
    security: [],
    responses: { 200: plain('It runs.', 'application/json') },
  },
  'GET /readyz': {
    operationId: 'readyz',
    summary: 'Whether the server can answer',
    description: 'Without a credential.',
    tags: ['server'],
    security: [],
    responses: {
      200: plain('It can, perhaps less well than it should.', 'application/json'),
      503: plain('It cannot.', 'application/json'),
    },
  },
  'GET /metrics': {
    operationId: 'metrics',
    summary: 'Counts and times for Prometheus',
    description:
      'With the token that the server was given for it in `PRIVITY_METRICS_TOKEN`, as a bearer; API keys do not open it. ' +
      'Without such a token, a server has no metrics.',
    tags: ['server'],
    responses: { 200: plain('Metrics, free of content.', 'text/plain', { type: 'string' }), ...fails(401) },
  },
  'POST /mcp': {
    operationId: 'mcp',
    summary: 'The Model Context Protocol over streamable HTTP',
    description:
      'For every credential; whoever calls is an agent here. A request must accept both `application/json` and ' +
      '`text/event-stream`.',
    tags: ['server'],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { type: 'object' }, example: MCP_EXAMPLE } },
    },
    responses: { 200: plain('A message, or a stream of them.', 'application/json'), ...fails(401, 403, 503) },
  },
}
