// A named type, with its sentences, for what each operation takes and answers. Inferred types would say the same, but as
// thousands of inlined lines wherever one is shown.

import { z } from 'zod'

/** @typedef {import('zod').core.$ZodTypes} Schema */
/** @typedef {'input' | 'output'} Side */
/** @typedef {{ name: string, summary: string, input: import('zod').ZodType, output: import('zod').ZodType }} Declared */

const HEAD = `/** Any JSON. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }
`

/**
 * The declarations, and by operation the name of what it takes and of what it answers.
 * @param {readonly Declared[]} operations
 * @param {ReadonlyMap<string, string>} sources of types of closed lists that the sources export: where each stands
 */
export function generateTypes(operations, sources) {
  const writer = new TypeWriter(operations, sources)
  const inputs = operations.map(({ name, summary, input }) =>
    writer.ofOperation(name, summary, input, 'input'),
  )
  const outputs = operations.map(({ name, summary, output }) =>
    writer.ofOperation(name, summary, output, 'output'),
  )
  const text = [
    writer.imports,
    HEAD,
    ...writer.declarations,
    table('Inputs', 'What each operation takes, by its name.', operations, inputs),
    table('Outputs', 'What each operation answers, by its name.', operations, outputs),
  ].join('\n')
  /** @param {string[]} types */
  const byName = types => new Map(operations.map(({ name }, at) => [name, types[at] ?? '']))
  return { text, inputs: byName(inputs), outputs: byName(outputs), names: writer.names }
}

/** @param {string} name @param {string} says @param {readonly Declared[]} operations @param {string[]} types */
const table = (name, says, operations, types) =>
  `/** ${says} */\nexport interface ${name} {\n${operations.map((one, at) => `  '${one.name}': ${types[at]}\n`).join('')}}\n`

const HAS_TYPE = new Set(['object', 'union', 'enum'])

class TypeWriter {
  /** @type {Map<string, string>} */
  #written = new Map()
  #ofBothSides
  /** @type {ReadonlyMap<string, string>} */
  #sources
  /** @type {Set<string>} */
  #imported = new Set()

  /** @param {readonly Declared[]} operations @param {ReadonlyMap<string, string>} sources */
  constructor(operations, sources) {
    this.#sources = sources
    // What is taken and answered alike has one name; what differs is told apart by another for what is taken.
    const taken = namedIn(operations.map(({ input }) => input))
    const answered = namedIn(operations.map(({ output }) => output))
    this.#ofBothSides = new Set([...taken].filter(schema => answered.has(schema)))
  }

  get names() {
    return [...this.#written.keys(), ...this.#imported].sort()
  }

  get imports() {
    const names = [...this.#imported].sort()
    const lines = names.map(name => `import type { ${name} } from '${this.#sources.get(name)}'\n`)
    return `${lines.join('')}\nexport type { ${names.join(', ')} }\n`
  }

  get declarations() {
    return [...this.#written].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  }

  /** @param {string} operation @param {string} summary @param {import('zod').ZodType} given @param {Side} side */
  ofOperation(operation, summary, given, side) {
    const text = this.#type(/** @type {Schema} */ (/** @type {unknown} */ (given)), side, '')
    // Names, with null or in a list, say enough.
    if (!text.includes('{')) return text
    const name = `${pascal(operation)}${side === 'input' ? 'Input' : 'Output'}`
    this.#declare(name, `What \`${operation}\` ${side === 'input' ? 'takes' : 'answers'}. ${summary}.`, text)
    return name
  }

  /** @param {string} name @param {string} says @param {string} text */
  #declare(name, says, text) {
    const isOneObject = text.startsWith('{') && closing(text) === text.length - 1
    const declared = isOneObject ? `export interface ${name} ${text}` : `export type ${name} = ${text}`
    const made = `${comment(says, '')}${declared}\n`
    if ((this.#written.get(name) ?? made) !== made) throw new Error(`two types would be called ${name}`)
    this.#written.set(name, made)
  }

  /**
   * @param {Schema} schema
   * @param {Side} side
   * @param {string} indent
   * @returns {string}
   */
  #type(schema, side, indent) {
    const shared = sharedOf(schema)
    // Texts and moments go by their own types.
    if (shared === undefined || !HAS_TYPE.has(shared._zod.def.type)) return this.#body(schema, side, indent)
    const { id = '', description = '' } = z.globalRegistry.get(shared) ?? {}
    if (shared._zod.def.type === 'enum' && this.#sources.has(id)) {
      this.#imported.add(id)
      return id
    }
    const text = this.#body(shared, side, '')
    const differs =
      side === 'input' && this.#ofBothSides.has(shared) && text !== this.#body(shared, 'output', '')
    const name = differs ? `${id}Input` : id
    this.#declare(name, description, text)
    return name
  }

  /**
   * @param {Schema} schema
   * @param {Side} side
   * @param {string} indent
   * @returns {string}
   */
  #body(schema, side, indent) {
    const { def } = schema._zod
    /** @param {import('zod').core.$ZodType} part */
    const of = part => this.#type(/** @type {Schema} */ (part), side, indent)
    switch (def.type) {
      case 'string':
        return 'string'
      case 'number':
        return 'number'
      case 'boolean':
        return 'boolean'
      case 'null':
        return 'null'
      case 'date':
        return 'Date'
      case 'unknown':
        return 'unknown'
      case 'lazy':
        return 'JsonValue'
      case 'literal':
        return oneOf(def.values.map(value => quoted(value)))
      case 'enum':
        return oneOf(Object.values(def.entries).map(quoted))
      case 'nullable':
        return oneOf([of(def.innerType), 'null'])
      case 'optional':
        return oneOf([of(def.innerType), 'undefined'])
      case 'default':
      case 'prefault':
        return side === 'input' ? oneOf([of(def.innerType), 'undefined']) : of(def.innerType)
      case 'union':
        return oneOf(def.options.map(of))
      case 'array':
        return listOf(of(def.element))
      case 'tuple':
        return `[${def.items.map(of).join(', ')}]`
      case 'record':
        return recordOf(def, of(def.keyType), of(def.valueType))
      case 'pipe':
        // What a transformation makes cannot be seen. Those in answers keep the type: a test compares it with the inferred one.
        return of(isTransform(def.in) || (side === 'output' && !isTransform(def.out)) ? def.out : def.in)
      case 'object':
        return this.#object(def.shape, side, indent)
      default:
        throw new Error(`no type is known for ${def.type}`)
    }
  }

  /** @param {Readonly<Record<string, import('zod').core.$ZodType>>} shape @param {Side} side @param {string} indent */
  #object(shape, side, indent) {
    const within = `${indent}  `
    const fields = Object.entries(shape).map(([name, field]) => {
      const isOptional = (side === 'input' ? field._zod.optin : field._zod.optout) !== undefined
      const text = this.#type(/** @type {Schema} */ (field), side, within)
      return `${comment(descriptionOf(field), within)}${within}${name}${isOptional ? '?' : ''}: ${text}\n`
    })
    return fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('')}${indent}}`
  }
}

/**
 * The schema with a name that this one is, but for its description or a rule more.
 * @param {import('zod').core.$ZodType | undefined} schema
 * @returns {Schema | undefined}
 */
function sharedOf(schema) {
  if (schema === undefined) return undefined
  const isShared = z.globalRegistry.get(schema)?.id !== undefined
  return isShared ? /** @type {Schema} */ (schema) : sharedOf(schema._zod.parent)
}

/**
 * @param {import('zod').core.$ZodType} field
 * @returns {string}
 */
function descriptionOf(field) {
  const { description } = z.globalRegistry.get(field) ?? {}
  const { def } = field._zod
  return description ?? ('innerType' in def ? descriptionOf(/** @type {Schema} */ (def.innerType)) : '')
}

/**
 * All schemas with a name in these.
 * @param {readonly import('zod').core.$ZodType[]} schemas
 */
function namedIn(schemas) {
  const named = new Set()
  for (const schema of schemas)
    z.toJSONSchema(schema, {
      unrepresentable: 'any',
      override: ({ zodSchema }) => void named.add(sharedOf(zodSchema)),
    })
  return named
}

/** @param {import('zod').core.$ZodType} schema */
const isTransform = schema => schema._zod.def.type === 'transform'

/** @param {readonly string[]} types */
const oneOf = types => [...new Set(types)].join(' | ')
/** @param {string} type */
const listOf = type => (isUnion(type) ? `(${type})[]` : `${type}[]`)
/** @param {unknown} value */
const quoted = value => (typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value))

/** @param {import('zod').core.$ZodRecordDef} def @param {string} keys @param {string} values */
const recordOf = ({ partial }, keys, values) =>
  partial ? `Partial<Record<${keys}, ${values}>>` : `Record<${keys}, ${values}>`

/**
 * Whether a type is one of several, outside of any braces.
 * @param {string} type
 */
function isUnion(type) {
  let depth = 0
  for (const character of type.replaceAll(/\/\*\*.*\*\//g, '').replaceAll(/'[^']*'/g, '')) {
    if ('{[(<'.includes(character)) depth++
    else if ('}])>'.includes(character)) depth--
    else if (character === '|' && depth === 0) return true
  }
  return false
}

/**
 * Where the brace closes that a text begins with.
 * @param {string} text
 */
const closing = text => text.indexOf('\n}') + 1

/** @param {string} says @param {string} indent */
const comment = (says, indent) => (says === '' ? '' : `${indent}/** ${says.replaceAll('*/', '*\\/')} */\n`)

/** @param {string} name */
const pascal = name => name.replaceAll(/(?:^|[._])(\w)/g, (_, letter) => letter.toUpperCase())
