import { propagation, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../support/server.js'
import { anyEngine } from '../support/stores.js'

describe('traces', () => {
  const exporter = new InMemorySpanExporter()
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  let server: TestServer
  beforeAll(async () => {
    provider.register()
    server = await openTestServer(anyEngine)
  })
  afterAll(async () => {
    await server.dispose()
    await provider.shutdown()
    trace.disable()
    propagation.disable()
  })

  it('[OP-7] have a span for each request, in the trace of whoever asked, without content', async () => {
    const tenant = server.tenant()
    const key = await server.keyFor({ tenant, actor: 'ana' })
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` }
    const body = { records: [{ kind: 'note', text: 'unspeakable', tags: ['unspeakable'] }] }
    const made = await server.ask('POST', '/api/v1/records', { key, body, headers })
    await server.ask('POST', '/api/v1/search', { key, body: { query: 'unspeakable' }, headers })
    await server.ask('GET', '/api/v1/records/unspeakable?unspeakable=1', { key, headers })
    const spans = exporter.getFinishedSpans()
    expect(spans.map(({ name }) => name)).toEqual([
      'POST memory.remember',
      'POST memory.search',
      'GET memory.get',
    ])
    for (const span of spans) {
      expect(span.spanContext().traceId).toBe(traceId)
      expect(span.parentSpanContext?.spanId).toBe('b7ad6b7169203331')
    }
    expect(spans[0]?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': 'memory.remember',
      'http.response.status_code': 200,
      'privity.request_id': made.headers.get('x-request-id'),
    })
    expect(spans[2]?.attributes).toMatchObject({
      'http.response.status_code': 400,
      'error.type': 'invalid_input',
    })
    const told = JSON.stringify(
      spans.map(({ name, attributes, events, status }) => [name, attributes, events, status]),
    )
    for (const secret of ['unspeakable', tenant, key, made.body.data.records[0].id])
      expect(told).not.toContain(secret)
  })
})
