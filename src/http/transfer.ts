import { PrivityError } from '../errors.js'
import { inSession } from '../runtime/caller.js'
import { makeHandle } from '../runtime/handle.js'
import type { Privity } from '../runtime/open.js'
import { list } from '../runtime/operations/list.js'
import { type ExportPage, type ExportQuery, exportPages } from '../transfer/export-records.js'
import { importRecords } from '../transfer/import-records.js'
import { readJsonLines } from '../transfer/readers/json-lines.js'
import type { AppOptions, Ctx, HttpApp } from './app.js'
import { arriving, requireType } from './read-body.js'
import { inputReader } from './read-input.js'
import { readSession } from './read-options.js'
import { described } from './responses.js'
import { API, ROUTES } from './routes.js'

const TYPE = { 'content-type': 'application/x-ndjson; charset=utf-8' }

/** JSON lines in and out, of any length. Each batch and each page is an operation of its own, decided by itself (CP-4). */
export function addTransfer(app: HttpApp, privity: Privity, { requestTimeout }: AppOptions): void {
  const handleOf = (c: Ctx) => {
    const credential = inSession(c.get('access'), readSession(c.req.raw.headers))
    return makeHandle((name, input, options) => privity.invoke(credential, name, input, options))
  }
  const readQuery = inputReader(list, ROUTES['memory.list'])

  app.get(`${API}/export`, async c => {
    c.get('seen').route = 'export'
    const query = readQuery({}, new URL(c.req.url).searchParams, undefined)
    for (const field of ['order', 'limit', 'cursor'])
      if (field in query) throw new PrivityError('invalid_input', `unknown field ${field}`)
    const pages = exportPages(handleOf(c), query as ExportQuery)
    // A refusal is an answer of its own: nothing has been sent yet.
    const first = await c.get('place').within(pages.next())
    return lines(c, linesOf(first, pages))
  })

  app.post(`${API}/import`, c => {
    c.get('seen').route = 'import'
    const { raw } = c.req
    requireType(
      raw,
      /^application\/(?:x-ndjson|jsonl|x-jsonlines|json-seq)\s*(?:;|$)/i,
      'application/x-ndjson',
    )
    const asked = new URL(c.req.url).searchParams
    for (const [name, value] of asked)
      if (!['strict', 'dryRun'].includes(name) || !['true', 'false'].includes(value))
        throw new PrivityError(
          'invalid_input',
          `${name.slice(0, 40)}: must be strict or dryRun, true or false`,
        )
    const body = raw.body === null ? [] : arriving(raw.body, () => requestTimeout)
    return lines(c, async function* (say: (line: object) => void) {
      const done = await importRecords(handleOf(c), readJsonLines(from(body)), {
        strict: asked.get('strict') === 'true',
        dryRun: asked.get('dryRun') === 'true',
        onProgress: progress => say({ progress }),
        onProblem: problem => say({ problem }),
      })
      yield JSON.stringify({ done })
    })
  })
}

async function* from(body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* body
}

function linesOf(first: IteratorResult<ExportPage, void>, rest: AsyncGenerator<ExportPage>) {
  return async function* (): AsyncGenerator<string> {
    for (let page = first; !page.done; page = await rest.next()) yield* page.value.lines
  }
}

/**
 * Lines as they come. A failure in the middle can no longer be a status: it is the last line, and says that it is one.
 * Whoever makes the lines may also say some at once, without waiting for a reader that is still sending.
 */
function lines(c: Ctx, make: (say: (line: object) => void) => AsyncGenerator<string>): Response {
  const encoder = new TextEncoder()
  let ended: () => void = () => {}
  c.get('place').hold(
    new Promise<void>(resolve => {
      ended = resolve
    }),
  )
  let made: AsyncGenerator<string> | undefined
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const send = (line: string) => controller.enqueue(encoder.encode(`${line}\n`))
      made ??= make(line => send(JSON.stringify(line)))
      try {
        const next = await made.next()
        if (!next.done) return send(next.value)
      } catch (error) {
        send(JSON.stringify({ error: described(error, c.get('seen').requestId) }))
      }
      controller.close()
      ended()
    },
    async cancel() {
      ended()
      await made?.return(undefined)
    },
  })
  return new Response(stream, { headers: TYPE })
}
