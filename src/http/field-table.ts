import { type Html, html, withCode } from './html.js'
import type { JsonSchema } from './json-schemas.js'

/** One field of an input or an answer. A row with only a title introduces the fields of a variant. */
export interface FieldRow {
  readonly path: string
  readonly type: Html
  readonly required: boolean
  readonly limits: readonly string[]
  readonly description: string
}

/** The fields of a schema, or the schema itself if it has none. Shared schemas become links. */
export function fieldRows(schema: JsonSchema): FieldRow[] {
  const rows = within(schema, '')
  return rows.length === 0 && schema.type !== 'object' ? [rowOf(schema, '', false)] : rows
}

/** The fields with their paths. */
function within(schema: JsonSchema, path: string): FieldRow[] {
  if (typeof schema.items === 'object') return within(schema.items, `${path}[]`)
  const variants = (schema.oneOf ?? schema.anyOf ?? []).filter(({ type }) => type !== 'null')
  const [only] = variants
  if (variants.length === 1 && only !== undefined) return within(only, path)
  if (variants.some(({ properties }) => properties !== undefined))
    return variants.flatMap(variant => [titleOf(variant), ...within(variant, path)])
  const { properties = {}, required = [], additionalProperties } = schema
  const named = Object.entries(properties).flatMap(([name, part]) => {
    const at = path === '' ? name : `${path}.${name}`
    return [rowOf(part, at, required.includes(name)), ...within(part, at)]
  })
  return typeof additionalProperties === 'object'
    ? [...named, ...within(additionalProperties, `${path}.*`)]
    : named
}

/** The title of a variant: the field that has only one possible value. */
function titleOf({ properties = {} }: JsonSchema): FieldRow {
  const [name = '', { const: value }] = Object.entries(properties).find(
    ([, part]) => part.const !== undefined,
  ) ?? ['', {}]
  const title = name === '' ? 'or' : `${name}: ${String(value)}`
  return { path: '', type: html`${title}`, required: false, limits: [], description: '' }
}

const rowOf = (schema: JsonSchema, path: string, required: boolean): FieldRow => ({
  path,
  type: typeOf(schema),
  required,
  limits: limitsOf(schema),
  description: schema.description ?? '',
})

function typeOf(schema: JsonSchema): Html {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
    return html`<a href="/docs/reference/schemas#${name}">${name}</a>`
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  const variants = schema.oneOf ?? schema.anyOf
  if (variants !== undefined) return joined(variants.map(typeOf))
  if (typeof schema.items === 'object') return html`list of ${typeOf(schema.items)}`
  if (schema.prefixItems !== undefined) return html`[${joined(schema.prefixItems.map(typeOf), ', ')}]`
  if (schema.format === 'date-time') return html`time${isNullable(schema) ? ' or null' : null}`
  if (schema.format === 'uuid') return html`id`
  const types = [schema.type ?? 'anything'].flat()
  return html`${types.join(' or ')}`
}

const joined = (parts: readonly Html[], by = ' or ') =>
  html`${parts.map((part, at) => (at === 0 ? part : html`${by}${part}`))}`

const isNullable = ({ type }: JsonSchema) => Array.isArray(type) && type.includes('null')

function limitsOf(schema: JsonSchema): string[] {
  const { enum: values, minimum, maximum, exclusiveMinimum, minItems, maxItems, maxLength, pattern } = schema
  const ofItems = typeof schema.items === 'object' ? (schema.items.enum ?? []) : []
  const one = [...(values ?? []), ...ofItems]
  return [
    ...(one.length > 0 ? [`One of ${one.map(value => `\`${String(value)}\``).join(', ')}`] : []),
    ...range(minimum, maximum, ''),
    ...(exclusiveMinimum === undefined ? [] : [`More than ${exclusiveMinimum}`]),
    ...range(minItems, maxItems, ' of them'),
    // The length in bytes is in the description.
    ...(maxLength === undefined && pattern !== undefined ? [`Like \`${pattern}\``] : []),
    ...(schema.default === undefined || isLong(schema.default)
      ? []
      : [`Default \`${JSON.stringify(schema.default)}\``]),
  ]
}

const isLong = (value: unknown) => JSON.stringify(value).length > 60

function range(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (least !== undefined && most !== undefined) return [`From ${least} to ${most}${unit}`]
  if (least !== undefined) return [`At least ${least}${unit}`]
  return most === undefined ? [] : [`At most ${most}${unit}`]
}

export function fieldTable(rows: readonly FieldRow[], of: 'request' | 'answer' = 'answer'): Html {
  if (rows.length === 0) return html`<p class="faint">Nothing.</p>`
  return html`<div class="scroll" tabindex="0"><table class="fields">
<thead><tr><th>Field</th><th>Type</th><th>What it is</th></tr></thead>
<tbody>${rows.map(({ path, type, required, limits, description }) =>
    path === '' && description === '' && limits.length === 0 && rows.length > 1
      ? html`<tr class="variant"><td colspan="3">${type}</td></tr>`
      : html`<tr><td><code>${path}</code>${required && of === 'request' ? html`<span class="must">required</span>` : null}</td><td>${type}</td>
<td>${withCode(description)} <small>${withCode(limits.map(limit => `${limit}.`).join(' '))}</small></td></tr>`,
  )}</tbody></table></div>`
}
