import { SENSITIVITIES } from '../../policy/vocabulary.js'
import { credentialOf } from '../access.js'
import type { Command } from '../command.js'
import { domainOf } from '../legal-corpora.js'
import { UsageError } from '../usage-error.js'

const SERVE_OPTIONS = {
  port: {
    type: 'number',
    least: 0,
    most: 65_535,
    describe: 'the port to listen on (7171); 0 picks a free one',
    env: 'PRIVITY_PORT',
  },
  host: {
    type: 'text',
    value: 'ADDRESS',
    describe: 'the address to listen on (this machine only)',
    env: 'PRIVITY_HOST',
  },
  'allow-host': {
    type: 'texts',
    value: 'NAME',
    describe: 'a host name under which the server may be reached; may be repeated',
  },
  origin: {
    type: 'texts',
    value: 'ORIGIN',
    describe: 'a site whose pages may send requests from a browser; may be repeated',
  },
  config: {
    type: 'text',
    value: 'FILE',
    describe: 'a JSON configuration file, for token issuers and limits',
    env: 'PRIVITY_CONFIG',
  },
  'mcp-sensitivity': {
    type: 'text',
    values: SENSITIVITIES,
    describe: 'the highest sensitivity for models that use a person’s key over MCP (medium)',
  },
  log: {
    type: 'text',
    values: ['json', 'none'],
    describe:
      'a line for each request on standard error (json; none on a terminal, or where both outputs are one)',
  },
} as const

export const startCommand: Command = {
  name: 'start',
  summary: 'Serve a store over HTTP and MCP until Ctrl-C',
  arguments: [],
  options: {
    ...SERVE_OPTIONS,
    example: { type: 'flag', describe: 'load the example worlds into the store' },
    processes: {
      type: 'number',
      least: 1,
      most: 64,
      describe:
        'serve with this many processes (1), on a Postgres database; one for each core is a good number',
      env: 'PRIVITY_PROCESSES',
    },
  },
  examples: [
    { line: 'start', does: 'serve the embedded store; the first start prints the key of its owner, once' },
    { line: 'start --example', does: 'the same, with a family, a team, a couple and a brief bank in it' },
    {
      line: 'start --host 0.0.0.0 --allow-host memory.example.org',
      does: 'serve other machines, under a host name',
    },
    { line: 'start --database-url postgres://… --processes 4', does: 'use four cores, with one database' },
  ],
  needs: 'store',
  makesStore: true,
  async run(context) {
    const processes = context.options.number('processes') ?? 1
    if (processes > 1) {
      if (!('databaseUrl' in context.place()))
        throw new UsageError('--processes needs a Postgres database: give --database-url', 'start')
      const { default: cluster } = await import('node:cluster')
      const { serveInProcesses } = await import('../serve-in-processes.js')
      if (cluster.isPrimary) return serveInProcesses(processes, context)
    }
    const { privity } = await context.open()
    if (privity === null) return
    const { serveUntilInterrupted } = await import('../serve-until-interrupted.js')
    await serveUntilInterrupted(
      privity,
      credentialOf(context.options),
      context,
      context.options.flag('example'),
      context.place(),
    )
  },
}

export const demoCommand: Command = {
  name: 'demo',
  summary: 'Serve the example worlds on a store that lasts as long as the command',
  arguments: [],
  options: SERVE_OPTIONS,
  examples: [{ line: 'demo', does: 'try it out; nothing is stored' }],
  needs: 'nothing',
  async run(context) {
    const { open } = await import('../../open.js')
    const privity = await open(domainOf(context.env, { withExample: true }))
    try {
      const { serveUntilInterrupted } = await import('../serve-until-interrupted.js')
      await serveUntilInterrupted(privity, { tenant: 'default', actor: 'owner' }, context, true, null)
    } finally {
      await privity.close()
    }
  },
}
