#!/usr/bin/env node
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { machine, table } from './measure.js'
import { barChart } from './svg.js'

/**
 * @typedef {{ seed: number, quick: boolean, log: (line: string) => void }} Options
 * @typedef {{
 *   name: string,
 *   title: string,
 *   goal: string,
 *   figures: Record<string, string | number>[],
 *   chart: import('./svg.js').Chart,
 * }} Report
 */

const HELP = `usage: npm run bench [decide | store | reads | all] [-- options]

  decide   the decision over 10,000 and 100,000 compartments, against gates one by one and the slow reference
  store    remembering in batches, against bare inserts of the same rows, on PGlite and Postgres
  reads    reading with the audit, against the same reading without it, on Postgres and PGlite
  all      all of them (the default)

  --json FOLDER   also write FOLDER/<name>.json and the chart FOLDER/<name>.svg
  --quick         less of everything: to see that it runs, not to quote
  --seed N        another world (1 by default)
  --help          this text

Figures are medians, and ratios within one run on one machine are what counts. Nothing fails for being slow.`

/** @type {Record<string, () => Promise<(options: Options) => Promise<Report>>>} */
const BENCHMARKS = {
  decide: async () => (await import('./decide.js')).benchDecide,
  store: async () => (await import('./store.js')).benchStore,
  reads: async () => (await import('./reads.js')).benchReads,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    json: { type: 'string' },
    quick: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  },
})
const names = positionals.length === 0 || positionals.includes('all') ? Object.keys(BENCHMARKS) : positionals
const seed = Number(values.seed)

if (values.help) {
  console.log(HELP)
} else if (!Number.isSafeInteger(seed) || names.some(name => !Object.hasOwn(BENCHMARKS, name))) {
  console.error(HELP)
  process.exitCode = 2
} else {
  for (const name of names) await bench(name)
}

/** @param {string} name */
async function bench(name) {
  const run = await BENCHMARKS[name]?.()
  const report = await run?.({ seed, quick: values.quick, log: line => console.error(`  ${line}`) })
  if (report === undefined) return
  console.log(`\n${report.title}\n\n${table(report.figures)}\n\ngoal: ${report.goal}\n`)
  if (values.json === undefined) return
  const { chart, ...content } = report
  await mkdir(values.json, { recursive: true })
  const json = { ...content, seed, quick: values.quick, machine: machine() }
  await writeFile(join(values.json, `${name}.json`), `${JSON.stringify(json, null, 2)}\n`)
  await writeFile(join(values.json, `${name}.svg`), barChart(chart))
}
