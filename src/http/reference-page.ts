import { fieldRows, fieldTable } from './field-table.js'
import { type Html, html, withCode } from './html.js'
import type { OpenApiDocument, OpenApiOperation, Parameter } from './openapi.js'

interface PlacedOperation extends OpenApiOperation {
  readonly method: string
  readonly path: string
}

/** A page of the API reference: one area, with its operations. */
export interface ReferencePage {
  /** The last part of the page's address. */
  readonly name: string
  readonly description: string
  readonly body: string
  readonly entries: readonly { readonly id: string; readonly summary: string; readonly route: string }[]
}

/** The API reference: a page for each area, then one for the schemas that they share. */
export function referencePages(document: OpenApiDocument): ReferencePage[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): PlacedOperation => ({ ...operation, method, path })),
  )
  const areas = document.tags.map(({ name, description }): ReferencePage => {
    const own = operations.filter(({ tags }) => tags.includes(name))
    const sections = own.map(operation => section(operation, document))
    return {
      name,
      description,
      body: html`<p class="lead">${withCode(description)}</p>${sections}`.markup,
      entries: own.map(({ operationId, summary, method, path }) => ({
        id: operationId,
        summary,
        route: `${method.toUpperCase()} ${path}`,
      })),
    }
  })
  const schemas = Object.entries(document.components.schemas)
  return [
    ...areas,
    {
      name: 'schemas',
      description: 'Objects that several operations share.',
      body: html`<p class="lead">Objects that several operations share.</p>${schemas.map(
        ([name, schema]) => html`<article id="${name}"><h2><a href="#${name}">${name}</a></h2>
${schema.description === undefined ? null : html`<p>${withCode(schema.description)}</p>`}
${fieldTable(fieldRows(schema))}</article>`,
      )}`.markup,
      entries: schemas.map(([id, { description = '' }]) => ({ id, summary: description, route: '' })),
    },
  ]
}

/** What can be tried in a browser: everything that takes and answers JSON. */
const canTry = ({ requestBody, path }: PlacedOperation) =>
  path !== '/mcp' && Object.keys(requestBody?.content ?? { 'application/json': {} })[0] === 'application/json'

function section(operation: PlacedOperation, document: OpenApiDocument): Html {
  const { operationId, method, path, summary, description } = operation
  const parameters = (operation.parameters ?? []).map(one =>
    '$ref' in one ? (document.components.parameters[lastOf(one.$ref)] as Parameter) : one,
  )
  const given = parameters.filter(one => one.in !== 'header')
  const headers = parameters.filter(one => one.in === 'header')
  const [body] = Object.values(operation.requestBody?.content ?? {})
  const callers = operation['x-callers']
  return html`<article id="${operationId}">
<h2><a href="#${operationId}">${operationId}</a></h2>
<p class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code>
${callers === undefined ? null : html`<span class="callers">${CALLERS[callers]}</span>`}</p>
<p>${withCode(summary)}.${callers === undefined ? html` ${withCode(description)}` : null}</p>
${table(
  'Path and query',
  given.flatMap(one => fieldRows(inObject(one))),
)}
${table('Body', body === undefined ? [] : fieldRows(body.schema))}
<h3>Example</h3>
<pre><code>${curl(operation)}</code></pre>
${
  canTry(operation)
    ? html`<div class="try" data-method="${method.toUpperCase()}" data-path="${path}" data-example="${JSON.stringify(exampleOf(operation))}"></div>`
    : null
}
${folded('Response', fieldTable(fieldRows(answerOf(operation))))}
${headers.length === 0 ? null : folded('Headers', fieldTable(headers.flatMap(one => fieldRows(inObject(one)))))}
${folded('Errors', errors(operation, document))}
</article>`
}

const CALLERS = {
  anyone: 'every credential',
  owner: 'people and hosts',
  host: 'hosts only',
} as const

/** The example of a whole input: the fields of path, query and body. */
function exampleOf(operation: PlacedOperation): object {
  const [body] = Object.values(operation.requestBody?.content ?? {})
  const example = body?.example
  return { ...operation['x-example'], ...(typeof example === 'object' ? example : {}) }
}

const lastOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)

const inObject = ({ name, required, description, schema, content }: Parameter) => ({
  type: 'object',
  properties: {
    [name]: {
      ...(schema ?? content?.['application/json']?.schema ?? {}),
      ...(description === undefined ? {} : { description }),
    },
  },
  required: required ? [name] : [],
})

const table = (title: string, rows: ReturnType<typeof fieldRows>) =>
  rows.length === 0 ? null : html`<h3>${title}</h3>${fieldTable(rows, 'request')}`

const folded = (title: string, inside: Html) => html`<details><summary>${title}</summary>${inside}</details>`

/** The fields of an answer, without its envelope if it has one. */
function answerOf({ responses }: PlacedOperation) {
  const answer = responses['200']
  const content = answer !== undefined && 'content' in answer ? (answer.content ?? {}) : {}
  const [{ schema } = { schema: {} }] = Object.values(content as Record<string, { schema: object }>)
  return (schema as { properties?: { data?: object } }).properties?.data ?? schema
}

function errors({ responses }: PlacedOperation, { components }: OpenApiDocument): Html {
  const rows = Object.entries(responses).flatMap(([status, response]) => {
    if (!('$ref' in response)) return []
    const { description } = components.responses[lastOf(response.$ref)] ?? { description: '' }
    return html`<tr><td>${status}</td><td>${withCode(description)}</td></tr>`
  })
  return html`<div class="scroll" tabindex="0"><table><thead><tr><th>Status</th><th>Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

/** The placeholder for the credential in an example. */
const BEARERS: Readonly<Record<string, string | null>> = {
  '/healthz': null,
  '/readyz': null,
  '/metrics': '$PRIVITY_METRICS_TOKEN',
}

/** The example as a curl command. */
function curl(operation: PlacedOperation): string {
  const { method, path, requestBody } = operation
  const example = operation['x-example'] ?? {}
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(String(example[field])))
  const query = (operation.parameters ?? []).flatMap(one =>
    'in' in one && one.in === 'query' && example[one.name] !== undefined
      ? [`${one.name}=${encodeURIComponent(String(example[one.name]))}`]
      : [],
  )
  const bearer = Object.hasOwn(BEARERS, path) ? (BEARERS[path] ?? null) : '$PRIVITY_KEY'
  const [[type = '', body] = []] = Object.entries(requestBody?.content ?? {})
  const data = body?.example === undefined ? '@-' : quoted(JSON.stringify(body.example))
  return [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"$PRIVITY_URL${filled}${query.length > 0 ? `?${query.join('&')}` : ''}"`,
    ...(bearer === null ? [] : [`-H "Authorization: Bearer ${bearer}"`]),
    // MCP requires the client to accept both types, whichever is sent.
    ...(path === '/mcp' ? [`-H 'Accept: application/json, text/event-stream'`] : []),
    ...(body === undefined ? [] : [`-H 'Content-Type: ${type}'`, `--data-binary ${data}`]),
  ].join(' \\\n  ')
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
