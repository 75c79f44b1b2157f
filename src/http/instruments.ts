import { context, propagation, SpanKind, SpanStatusCode, type TextMapGetter, trace } from '@opentelemetry/api'
import type { Logger } from 'pino'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Latencies } from './latencies.js'
import type { Loads } from './saturation.js'

/** What is logged about a request. It contains nothing that anybody wrote, and no URL with its ids and queries. */
export interface RequestTrace {
  readonly requestId: string
  readonly method: string
  /** The name of the operation, or the pattern of the path. */
  route: string
  /** The tenant, once it is known. It is not logged. */
  tenant?: string
  /** The error code, if it failed. */
  code?: string
  /** An unexpected error. */
  error?: unknown
}

/** Writes logs, metrics and traces. */
export class Instruments {
  readonly registry = new Registry()
  readonly #logger: Logger | null
  readonly #latencies: Latencies
  readonly #tracer = trace.getTracer('privity')
  readonly #requests: Counter<'route' | 'method' | 'status'>
  readonly #seconds: Histogram<'route'>

  constructor(logger: Logger | null, loads: () => Loads, latencies: Latencies) {
    this.#logger = logger
    this.#latencies = latencies
    const registers = [this.registry]
    collectDefaultMetrics({ register: this.registry })
    this.#requests = new Counter({
      name: 'privity_http_requests_total',
      help: 'Requests answered',
      labelNames: ['route', 'method', 'status'],
      registers,
    })
    this.#seconds = new Histogram({
      name: 'privity_http_request_seconds',
      help: 'Seconds until the answer began',
      labelNames: ['route'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    })
    new Gauge({
      name: 'privity_http_requests_running',
      help: 'Requests that run now',
      registers,
      collect() {
        this.set(loads().requests?.running ?? 0)
      },
    })
    for (const state of ['running', 'waiting'] as const)
      new Gauge({
        name: `privity_work_${state}`,
        help: `What is ${state} now: requests, credentials to look up, connections, threads, files to read`,
        labelNames: ['of'],
        registers,
        collect() {
          for (const [of, load] of Object.entries(loads())) this.set({ of }, load[state])
        },
      })
  }

  /** Runs a request and records it. */
  async observe(headers: Headers, seen: RequestTrace, answer: () => Promise<Response>): Promise<Response> {
    const parent = propagation.extract(context.active(), headers, HEADER_GETTER)
    const kind = SpanKind.SERVER
    return this.#tracer.startActiveSpan(`${seen.method} request`, { kind }, parent, async span => {
      const began = performance.now()
      try {
        const response = await answer()
        const { status } = response
        const milliseconds = performance.now() - began
        span.updateName(`${seen.method} ${seen.route}`)
        span.setAttributes({
          'http.request.method': seen.method,
          'http.route': seen.route,
          'http.response.status_code': status,
          'privity.request_id': seen.requestId,
          ...(seen.code === undefined ? {} : { 'error.type': seen.code }),
        })
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
        this.#requests.inc({ route: seen.route, method: seen.method, status })
        this.#seconds.observe({ route: seen.route }, milliseconds / 1_000)
        if (seen.tenant !== undefined) this.#latencies.note(seen.tenant, milliseconds)
        this.#log(seen, status, milliseconds)
        return response
      } finally {
        span.end()
      }
    })
  }

  #log({ error, tenant: _, ...seen }: RequestTrace, status: number, milliseconds: number): void {
    const line = { ...seen, status, milliseconds: Math.round(milliseconds * 10) / 10 }
    if (error === undefined) this.#logger?.info(line, 'request')
    else this.#logger?.error({ ...line, stack: placeOf(error) }, 'unexpected error')
  }
}

/** Reads only the headers that a propagator asks for; without one, none. */
const HEADER_GETTER: TextMapGetter<Headers> = {
  get: (headers, name) => headers.get(name) ?? undefined,
  keys: headers => [...headers.keys()],
}

/** The stack without the message, because that may quote what somebody wrote. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const frames = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line))
  return [error.name, ...frames].join('\n')
}
