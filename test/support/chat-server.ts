import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ChatCall {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: { model: string; messages: { role: string; content: string }[] }
}

/** A chat endpoint on this machine, as real as any other. */
export interface ChatServer {
  readonly url: string
  /** What it was asked, in order. */
  readonly calls: ChatCall[]
  /** How it answers from now on. */
  answer: (response: ServerResponse, call: ChatCall) => void | Promise<void>
  close(): Promise<void>
}

/** Answers in the form that is expected. */
export const says =
  (content: unknown, finish = 'stop'): ChatServer['answer'] =>
  response => {
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
      }),
    )
  }

/** Sends an answer piece by piece, as servers do. */
export const streams =
  (...pieces: string[]): ChatServer['answer'] =>
  async (response, { body }) => {
    if (!('stream' in body) || body.stream !== true)
      return says(pieces.join(''))(response, { path: '', headers: {}, body })
    response.setHeader('content-type', 'text/event-stream')
    for (const content of pieces) {
      response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    response.end(
      `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
    )
  }

export async function chatServer(): Promise<ChatServer> {
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const call = {
      path: request.url ?? '',
      headers: request.headers,
      body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
    }
    server.calls.push(call)
    await server.answer(response, call)
  })
  // Longer than a busy test waits between two calls: a connection that ends as it is used is a failure of another kind.
  http.keepAliveTimeout = 600_000
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const server: ChatServer = {
    url: `http://127.0.0.1:${port}/v1`,
    calls: [],
    answer: says('a summary'),
    async close() {
      http.closeAllConnections()
      await new Promise(resolve => http.close(resolve))
    },
  }
  return server
}
