import type { RequestOptions } from '../runtime/runtime.js'

type Listener = NonNullable<RequestOptions['onSentence']>

/**
 * Reads an answer that comes as server-sent events: tells each sentence as it comes, and returns the last event, which
 * is what a request without events is answered with.
 */
export async function readEvents(body: ReadableStream<Uint8Array>, onSentence: Listener): Promise<string> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  let unread = ''
  for (;;) {
    const { done, value } = await reader.read()
    unread += decoder.decode(value, { stream: !done })
    const events = unread.split('\n\n')
    unread = events.pop() ?? ''
    for (const event of events) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? []
      if (data === undefined) continue
      if (name !== 'sentence') return data
      onSentence(JSON.parse(data))
    }
    if (done) throw new Error('the answer ended before it was complete')
  }
}
