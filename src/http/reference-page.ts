import { fieldRows, fieldTable } from './field-table.js'
import { type Html, html, htmlPage, withCode } from './html.js'
import type { OpenApiDocument, OpenApiOperation, Parameter } from './openapi.js'
import { PAGE_STYLE } from './page-style.js'

interface PlacedOperation extends OpenApiOperation {
  readonly method: string
  readonly path: string
}

/** The API reference as an HTML page. */
export function referencePage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): PlacedOperation => ({ ...operation, method, path })),
  )
  const ofTag = (tag: string) => operations.filter(({ tags }) => tags.includes(tag))
  const { info, tags, components } = document
  return htmlPage(
    'Privity API reference',
    PAGE_STYLE,
    html`<div class="layout">
<nav aria-label="Operations">
<a href="/">Privity ${info.version}</a>
${tags.map(
  ({ name }) => html`<strong><a href="#${name}">${name}</a></strong>
<ul>${ofTag(name).map(({ operationId }) => html`<li><a href="#${operationId}">${shortName(operationId)}</a></li>`)}</ul>`,
)}
<strong><a href="#schemas">schemas</a></strong>
<ul>${Object.keys(components.schemas).map(name => html`<li><a href="#schema-${name}">${name}</a></li>`)}</ul>
</nav>
<main>
<h1>API reference</h1>
${info.description.split('\n\n').map(text => html`<p>${withCode(text)}</p>`)}
<p class="faint">The same for programs: <a href="/openapi.json">openapi.json</a>. Fields marked <span class="must">required</span> must be given.</p>
${tags.map(
  ({ name, description }) => html`<h2 id="${name}">${name}</h2>
<p class="faint">${description}</p>
${ofTag(name).map(operation => section(operation, document))}`,
)}
<h2 id="schemas">schemas</h2>
<p class="faint">What operations share.</p>
${Object.entries(components.schemas).map(
  ([name, schema]) => html`<article id="schema-${name}"><h3>${name}</h3>
${schema.description === undefined ? null : html`<p>${withCode(schema.description)}</p>`}
${fieldTable(fieldRows(schema))}</article>`,
)}
</main>
</div>`,
  )
}

const shortName = (operationId: string) => operationId.slice(operationId.indexOf('.') + 1)

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
<h3><a href="#${operationId}">${operationId}</a></h3>
<p class="route"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code>
${callers === undefined ? null : html`<span class="callers">${CALLERS[callers]}</span>`}</p>
<p>${summary}.${callers === undefined ? html` ${withCode(description)}` : null}</p>
${table(
  'Path and query',
  given.flatMap(one => fieldRows(inObject(one))),
)}
${table('Body', body === undefined ? [] : fieldRows(body.schema))}
<h4>Example</h4>
<pre>${curl(operation)}</pre>
${folded('Answer', fieldTable(fieldRows(answerOf(operation))))}
${headers.length === 0 ? null : folded('Headers', fieldTable(headers.flatMap(one => fieldRows(inObject(one)))))}
${folded('Errors', errors(operation, document))}
</article>`
}

const CALLERS = {
  anyone: 'every credential',
  owner: 'people and hosts',
  host: 'hosts only',
} as const

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
  rows.length === 0 ? null : html`<h4>${title}</h4>${fieldTable(rows, 'request')}`

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
  return html`<div class="scroll"><table><tbody>${rows}</tbody></table></div>`
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
