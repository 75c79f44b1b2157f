import { describeError } from './responses.js'

/** Whether a client wants an answer while it is written. */
export const wantsEvents = (headers: Headers): boolean =>
  headers.get('accept')?.includes('text/event-stream') === true

/**
 * Answers with server-sent events: a `sentence` for each part as it is told, then the whole `answer`, or an `error`. What fails
 * before the first sentence fails as any other request does.
 */
export function eventStream(
  work: (tell: (part: unknown) => void) => Promise<unknown>,
  requestId: string,
): Promise<Response> {
  const encoder = new TextEncoder()
  return new Promise((resolve, reject) => {
    let sending: ReadableStreamDefaultController<Uint8Array> | null = null
    let isGone = false
    const send = (event: string, data: unknown) => {
      if (!isGone) sending?.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
    }
    const begin = () => {
      if (sending !== null) return
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          sending = controller
        },
        cancel() {
          isGone = true
        },
      })
      resolve(
        new Response(body, {
          headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' },
        }),
      )
    }
    const end = () => {
      if (!isGone) sending?.close()
    }
    work(part => {
      begin()
      send('sentence', part)
    }).then(
      data => {
        begin()
        send('answer', { success: true, data })
        end()
      },
      error => {
        if (sending === null) return reject(error)
        send('error', { success: false, error: describeError(error, requestId) })
        end()
      },
    )
  })
}
