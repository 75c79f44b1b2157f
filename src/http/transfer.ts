import { PrivityError } from '../errors.js'
import { makeHandle } from '../handle.js'
import type { Privity } from '../open.js'
import { inSession } from '../runtime/caller.js'
import { FairLine } from '../runtime/fairness/fair-line.js'
import { parse } from '../runtime/input.js'
import { list } from '../runtime/operations/list.js'
import { type ExportPage, type ExportQuery, exportPages } from '../transfer/export-records.js'
import { importRecords } from '../transfer/import-records.js'
import { readJsonLines } from '../transfer/readers/json-lines.js'
import { type Admission, overloaded, partyOf, sharesOf } from './admission.js'
import type { AppOptions, Ctx, HttpApp } from './app.js'
import { readBody, requireType, streamBody } from './read-body.js'
import { inputReader } from './read-input.js'
import { readClaims, readConversation } from './read-options.js'
import { describeError } from './responses.js'
import { API } from './routes.js'
import { zipDocuments, zipInput } from './zip-documents.js'

/** How many problems are reported; further ones are only counted. */
const MOST_PROBLEMS = 1_000
/** The minimum speed in bytes per second. */
const SLOWEST = 64
/** Transfers take long, so they may use only one slot in this many. */
const SHARE = 4

/** A transfer that cannot begin now is refused. Nobody's line is longer than the one that is begun. */
const NONE_WAIT = { total: 1, perTenant: 1, perCredential: 1 }

const ZIP_HEADERS = {
  'content-type': 'application/zip',
  'content-disposition': 'attachment; filename="documents.zip"',
  'x-content-type-options': 'nosniff',
}

/** What a response is made of. Without `onFailure`, a failure in the middle breaks the response off. */
interface ByteSource {
  readonly make: (send: (bytes: Uint8Array) => void) => AsyncGenerator<Uint8Array>
  /** What is sent last where something failed. */
  readonly onFailure?: (error: unknown) => Uint8Array
}

const TYPE = { 'content-type': 'application/x-ndjson; charset=utf-8' }

/**
 * Imports and exports JSON lines of any length, and zips documents. Each batch, page and document is an operation, decided
 * by itself (CP-4).
 */
export function addTransfer(
  app: HttpApp,
  privity: Privity,
  { requestTimeout, maxRequests, maxBodyBytes }: AppOptions,
  admission: Admission,
): void {
  const streams = new FairLine<null>(sharesOf(Math.max(1, Math.floor(maxRequests / SHARE))), NONE_WAIT)
  const handleOf = (c: Ctx) => {
    const credential = inSession(c.get('access'), readConversation(c.req.raw.headers))
    // The claims of a request apply to each of its steps; they can only narrow (DE-3).
    const claims = readClaims(c.req.raw.headers)
    return makeHandle((name, input, options) =>
      // Each step waits for its turn, so that a long transfer takes no place from others.
      admission.runStep(partyOf(c.get('access')), signal =>
        privity.invoke(credential, name, input, { ...options, ...claims, signal }),
      ),
    )
  }
  const readQuery = inputReader(list)
  const bodyLimits = { bytes: Math.min(maxBodyBytes, 65_536), milliseconds: requestTimeout }

  /**
   * Streams lines. A failure in the middle can no longer be a status, so it is sent as the last line, marked as an
   * error. With `say`, lines are sent immediately, without waiting for a client that is still sending.
   */
  function lines(c: Ctx, make: (say: (line: object) => void) => AsyncGenerator<string>): Response {
    const encode = (line: string) => new TextEncoder().encode(`${line}\n`)
    return stream(c, TYPE, {
      make: async function* (send) {
        for await (const line of make(said => send(encode(JSON.stringify(said))))) yield encode(line)
      },
      onFailure: error => encode(JSON.stringify({ error: describeError(error, c.get('seen').requestId) })),
    })
  }

  /** Streams bytes as they are made, in one of the places for transfers. */
  function stream(c: Ctx, headers: Record<string, string>, source: ByteSource): Response {
    const party = partyOf(c.get('access'))
    if (!streams.add(party, null)) throw overloaded()
    if (streams.take() === null) {
      streams.remove(party, null)
      throw overloaded()
    }
    const { body, ended } = streamOf(source, requestTimeout)
    ended.then(() => streams.leave(party))
    admission.hold(ended)
    return new Response(body, { headers })
  }

  app.get(`${API}/export`, async c => {
    c.get('seen').route = 'export'
    const query = readQuery({}, new URL(c.req.url).searchParams, undefined)
    for (const field of ['order', 'limit', 'cursor'])
      if (field in query) throw new PrivityError('invalid_input', `unknown field ${field}`)
    const pages = exportPages(handleOf(c), query as ExportQuery)
    // Nothing has been sent yet, so a refusal is still a normal error response.
    const first = await pages.next()
    return lines(c, linesOf(first, pages))
  })

  app.post(`${API}/documents/zip`, async c => {
    c.get('seen').route = 'documents.zip'
    const { documents, form } = parse(zipInput, await readBody(c.req.raw, bodyLimits))
    const handle = handleOf(c)
    const made = zipDocuments(documents, document => handle.documents.download(document, { form }))
    // Nothing has been sent yet, so a refusal of all of them is still a normal error response.
    const first = await made.next()
    return stream(c, ZIP_HEADERS, {
      async *make() {
        if (!first.done) yield first.value
        yield* made
      },
    })
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
    return lines(c, async function* (say: (line: object) => void) {
      let problems = 0
      const done = await importRecords(handleOf(c), readJsonLines(steadily(raw.body, requestTimeout)), {
        strict: asked.get('strict') === 'true',
        dryRun: asked.get('dryRun') === 'true',
        onProgress: progress => say({ progress }),
        // The lines wait in memory while the client is still sending.
        onProblem: problem => void (++problems <= MOST_PROBLEMS && say({ problem })),
      })
      yield JSON.stringify({ done })
    })
  })
}

/** Requires a minimum speed, so that a client that sends a byte now and then does not occupy a slot. */
async function* steadily(
  body: ReadableStream<Uint8Array> | null,
  patience: number,
): AsyncGenerator<Uint8Array> {
  if (body === null) return
  const began = Date.now()
  let bytes = 0
  const left = () => began + patience + (bytes / SLOWEST) * 1_000 - Date.now()
  for await (const chunk of streamBody(body, () => Math.min(patience, left()))) {
    bytes += chunk.length
    yield chunk
  }
}

function linesOf(first: IteratorResult<ExportPage, void>, rest: AsyncGenerator<ExportPage>) {
  return async function* (): AsyncGenerator<string> {
    for (let page = first; !page.done; page = await rest.next()) yield* page.value.lines
  }
}

/**
 * A response body. It ends with the last bytes, with a failure, or when nobody has read any for too long.
 */
function streamOf(
  { make, onFailure }: ByteSource,
  patience: number,
): { body: ReadableStream<Uint8Array>; ended: Promise<void> } {
  let end: () => void = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  let made: AsyncGenerator<Uint8Array> | undefined
  let waiting: NodeJS.Timeout | undefined
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      clearTimeout(waiting)
      const send = (bytes: Uint8Array) => controller.enqueue(bytes)
      made ??= make(send)
      try {
        const next = await made.next()
        if (!next.done) {
          send(next.value)
          waiting = setTimeout(() => {
            controller.error(new Error('nobody reads'))
            void made?.return(undefined)
            end()
          }, patience)
          return
        }
      } catch (error) {
        const last = onFailure?.(error)
        if (last === undefined) {
          controller.error(error)
          return end()
        }
        send(last)
      }
      controller.close()
      end()
    },
    async cancel() {
      clearTimeout(waiting)
      end()
      await made?.return(undefined)
    },
  })
  return { body, ended }
}
