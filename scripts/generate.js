#!/usr/bin/env node
/**
 * Writes what follows from the operations' declarations and cannot be computed where it is used: the table that a client
 * carries without the operations themselves, the types of what they take and answer, and the methods of the library with
 * a sentence each.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { z } from 'zod'
import { biomeCommand } from './biome.js'
import { generateTypes } from './generate-types.js'

/** @typedef {import('../src/runtime/operation.js').Operation} Operation */
/** @typedef {import('../src/operation-table-row.js').OperationTableRow} OperationTableRow */
/** @typedef {{ OPERATIONS: readonly Operation[], answersNull: typeof import('../src/runtime/operation.js').answersNull, methodOf: typeof import('../src/operation-table-row.js').methodOf }} Declared */
/** @typedef {{ properties?: Record<string, Field>, required?: string[] }} InputSchema */
/** @typedef {{ type?: string, items?: { type?: string } }} Field */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const NOTICE = '// Made by `npm run generate` from the declarations of the operations. Do not edit.'

/** The files and what they should hold, by their paths from the project's root. */
export async function generate() {
  const { OPERATIONS, answersNull, methodOf } = await load()
  const rows = OPERATIONS.map(operation => ({ operation, row: rowOf(operation, answersNull(operation)) }))
  const types = generateTypes(OPERATIONS, findListTypes())
  const command = await biomeCommand()
  return new Map(
    Object.entries({
      'src/generated/operation-table.ts': renderTable(rows),
      'src/generated/types.ts': `${NOTICE}\n\n${types.text}`,
      'src/generated/handle.ts': renderHandle(rows, methodOf, types),
    }).map(([path, text]) => [path, format(command, path, text)]),
  )
}

/** The types of closed lists in the sources, each with the module it stands in: the generated types are the same ones. */
function findListTypes() {
  /** @type {Map<string, string>} */
  const found = new Map()
  for (const file of readdirSync(`${ROOT}/src`, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts') || file.startsWith('generated')) continue
    const text = readFileSync(`${ROOT}/src/${file}`, 'utf8')
    for (const [, name = ''] of text.matchAll(/^export type (\w+) = \(typeof \w+\)\[number\]/gm))
      found.set(name, `../${file.replaceAll('\\', '/').replace(/\.ts$/, '.js')}`)
  }
  return found
}

/** The declarations as they are now, whether or not the project compiles. @returns {Promise<Declared>} */
async function load() {
  const outfile = `${ROOT}/node_modules/.cache/privity/declarations.mjs`
  await build({
    stdin: {
      contents: `
        export { OPERATIONS } from './src/operations.ts'
        export { methodOf } from './src/operation-table-row.ts'
        export { answersNull } from './src/runtime/operation.ts'`,
      resolveDir: ROOT,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  })
  return import(pathToFileURL(outfile).href)
}

/** @param {Operation} operation */
const inputOf = ({ input }) =>
  /** @type {InputSchema} */ (
    z.toJSONSchema(input, { io: 'input', unrepresentable: 'any', metadata: z.registry() })
  )

/** @param {Operation} operation @param {boolean} answersNull @returns {OperationTableRow} */
function rowOf(operation, answersNull) {
  const { route, method, positional, answers, answeredOnce } = operation
  const { properties = {} } = inputOf(operation)
  const [field] = positional ?? []
  if (field !== undefined && properties[field] === undefined)
    throw new Error(`${operation.name}: there is no field ${field} to be its first argument`)
  return {
    route,
    ...(operation.access === 'read' && { reads: true }),
    ...(answersNull && { answersNull }),
    ...(answeredOnce && { answeredOnce }),
    ...(method && { method }),
    ...(positional && { positional }),
    ...(field !== undefined && properties[field]?.type === 'array' && { many: true }),
    ...(answers && { answers }),
  }
}

/** @typedef {{ operation: Operation, row: OperationTableRow }[]} Rows */

/** @param {Rows} rows */
const renderTable = rows => `${NOTICE}
import type { OperationTableRow } from '../operation-table-row.js'
import type { OperationName } from '../operations.js'

/** Every operation, as far as it is known without its schemas. */
export const OPERATION_TABLE: Readonly<Record<OperationName, OperationTableRow>> = {
${rows.map(({ operation, row }) => `  '${operation.name}': ${literal(row)},`).join('\n')}
}
`

/** @param {object} row */
const literal = row =>
  `{ ${Object.entries(row)
    .map(([field, value]) => `${field}: ${JSON.stringify(value)}`)
    .join(', ')} }`

/** @typedef {ReturnType<typeof generateTypes>} Types */

/** @param {Rows} rows @param {Declared['methodOf']} methodOf @param {Types} types */
function renderHandle(rows, methodOf, types) {
  /** @type {Map<string, string[]>} */
  const groups = new Map([['', []]])
  for (const { operation, row } of rows) {
    const path = methodOf(operation.name, row).split('.')
    const group = path.length === 1 ? '' : (path[0] ?? '')
    groups.set(group, [...(groups.get(group) ?? []), renderMethod(operation, row, path.at(-1) ?? '', types)])
  }
  const members = [...groups].map(([group, methods]) =>
    group === '' ? methods.join('\n') : `readonly ${group}: {\n${methods.join('\n')}\n}`,
  )
  return `${NOTICE}
import type { Invoke } from '../handle.js'
import type { RequestOptions } from '../runtime/runtime.js'
import type { ${types.names.filter(name => new RegExp(`\\b${name}\\b`).test(members.join())).join(', ')} } from './types.js'

/** Everything one caller can ask for, as plain methods. */
export interface Handle {
  /** Runs any operation by its name, for who has only that. */
  readonly invoke: Invoke
${members.join('\n')}
}
`
}

/** @param {Operation} operation @param {OperationTableRow} row @param {string} method @param {Types} types */
function renderMethod(operation, { positional, many, answers, ...row }, method, types) {
  const { name, summary } = operation
  const [input = '', output = ''] = [types.inputs.get(name), types.outputs.get(name)]
  const { properties = {}, required = [] } = inputOf(operation)
  const doc = [
    `${summary}.`,
    ...(row.answersNull ? ['Null where there is nothing to be seen.'] : []),
    ...(row.answeredOnce ? ['The secret is in this answer and nowhere else.'] : []),
  ].join(' ')
  /** @param {string[]} taken */
  const signature = (taken, answered = output) =>
    `${method}(${[...taken, 'options?: RequestOptions'].join(', ')}): Promise<${answered}>`
  const signatures = () => {
    if (positional === undefined) {
      const isOptional = operation.input.safeParse({}).success
      return [signature([`input${isOptional ? '?' : ''}: ${input}`])]
    }
    const [field, others] = positional
    if (field === undefined) return [signature([])]
    const { type, items } = properties[field] ?? {}
    const one = (many ? items?.type : type) === 'string' ? 'string' : `${input}['${field}'][number]`
    if (answers)
      return [
        signature([`${field.replace(/s$/, '')}: ${one}`], `${output}['${answers}'][number]`),
        signature([`${field}: readonly ${one}[]`], `${output}['${answers}']`),
      ]
    const isRequired = required.some(other => other !== field)
    return [
      signature([
        `${field}: ${many ? `${one} | readonly ${one}[]` : one}`,
        ...(others ? [`input${isRequired ? '' : '?'}: Omit<${input}, '${field}'>`] : []),
      ]),
    ]
  }
  return signatures()
    .map(text => `/** ${doc} */\n${text}`)
    .join('\n')
}

/** @param {readonly string[]} command @param {string} path @param {string} text */
const format = ([node = '', biome = ''], path, text) =>
  execFileSync(node, [biome, 'check', '--write', `--stdin-file-path=${path}`], {
    cwd: ROOT,
    input: text,
    encoding: 'utf8',
  })

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  for (const [path, text] of await generate()) {
    const isCurrent = existsSync(`${ROOT}/${path}`) && readFileSync(`${ROOT}/${path}`, 'utf8') === text
    if (!isCurrent) writeFileSync(`${ROOT}/${path}`, text)
    console.log(`${path} ${isCurrent ? 'is current' : 'written'}`)
  }
