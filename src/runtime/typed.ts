import { z } from 'zod'
import { jsonObject, name, text } from './input.js'

const short = text(2_000)
const many = <Item extends z.ZodType>(item: Item, most = 200) => z.array(item).max(most)

const kindOf = <Kind extends string>(kind: Kind) =>
  z.literal(kind).meta({ description: 'The kind of the record, once more.', example: kind })

/** What an entity is called and where else it is known (after Membrane). */
const entity = z.strictObject({
  kind: kindOf('entity'),
  canonicalName: name.meta({ description: 'The name it goes by.', example: 'Aya Sofya' }),
  primaryType: name.optional().meta({ description: 'What it is.', example: 'place' }),
  aliases: many(name)
    .optional()
    .meta({ description: 'Other names it is known by.', example: ['Hagia Sophia'] }),
  identifiers: many(
    z.strictObject({
      namespace: name.meta({ description: 'Where the identifier holds.', example: 'wikidata' }),
      value: short.meta({ description: 'The identifier.', example: 'Q12506' }),
    }),
  )
    .optional()
    .meta({ description: 'What other systems call it.' }),
})

/** How something is done: when, by which steps, and how it can fail. */
const competence = z.strictObject({
  kind: kindOf('competence'),
  skillName: name.meta({ description: 'What it is called.', example: 'restart the mail server' }),
  triggers: many(
    z.strictObject({
      signal: short.meta({ description: 'What is noticed.', example: 'mail is late' }),
      conditions: jsonObject(16_384)
        .optional()
        .meta({ description: 'Under which conditions, as JSON.', example: { host: 'mx1' } }),
    }),
  ).meta({ description: 'When to do it.' }),
  recipe: many(
    z.strictObject({
      step: short.meta({ description: 'What to do.', example: 'stop the queue' }),
      tool: name.optional().meta({ description: 'The tool that does it.', example: 'ssh' }),
      argsSchema: jsonObject(16_384)
        .optional()
        .meta({ description: 'What the tool is given, as JSON.', example: { host: 'string' } }),
      validation: short
        .optional()
        .meta({ description: 'How to see that it worked.', example: 'queue is empty' }),
    }),
  )
    .min(1)
    .meta({ description: 'The steps, in order.' }),
  requiredTools: many(name)
    .optional()
    .meta({ description: 'The tools it needs.', example: ['ssh'] }),
  failureModes: many(short)
    .optional()
    .meta({ description: 'How it can fail.', example: ['no rights'] }),
  fallbacks: many(short)
    .optional()
    .meta({ description: 'What to do then.', example: ['call Ben'] }),
})

/** A plan as a graph of steps. */
const planGraph = z
  .strictObject({
    kind: kindOf('plan_graph'),
    planId: name.meta({ description: 'What it is called.', example: 'move house' }),
    intent: short.optional().meta({ description: 'What it is for.', example: 'to live in Graz by May' }),
    constraints: jsonObject(16_384)
      .optional()
      .meta({ description: 'What it must keep to, as JSON.', example: { budget: 2000 } }),
    nodes: many(
      z.strictObject({
        id: name.meta({ description: 'The step, within this plan.', example: 'pack' }),
        op: short.meta({ description: 'What is done.', example: 'pack the books' }),
        params: jsonObject(16_384)
          .optional()
          .meta({ description: 'With what, as JSON.', example: { boxes: 12 } }),
        guards: jsonObject(16_384)
          .optional()
          .meta({ description: 'Only if, as JSON.', example: { dry: true } }),
      }),
    )
      .min(1)
      .meta({ description: 'The steps.' }),
    edges: many(
      z.strictObject({
        from: name.meta({ description: 'The step that comes first.', example: 'pack' }),
        to: name.meta({ description: 'The step that needs it.', example: 'load' }),
        kind: z.enum(['data', 'control']).default('control').meta({
          description: 'Whether the second needs what the first made, or only that it is done.',
        }),
      }),
      1_000,
    )
      .default([])
      .meta({ description: 'What follows from what.' }),
  })
  .superRefine(({ nodes, edges }, context) => {
    const ids = new Set(nodes.map(({ id }) => id))
    if (ids.size < nodes.length)
      context.addIssue({ code: 'custom', path: ['nodes'], message: 'must have different ids' })
    for (const [at, { from, to }] of edges.entries())
      if (!ids.has(from) || !ids.has(to))
        context.addIssue({ code: 'custom', path: ['edges', at], message: 'must lead from a node to a node' })
    if (hasCycle(ids, edges))
      context.addIssue({ code: 'custom', path: ['edges'], message: 'must not lead back to where they begin' })
  })

/** Where a piece of work stands. */
const working = z.strictObject({
  kind: kindOf('working'),
  threadId: name.meta({ description: 'The piece of work.', example: 'move house' }),
  state: z
    .enum(['planning', 'executing', 'blocked', 'waiting', 'done'])
    .meta({ description: 'How far it is.', example: 'executing' }),
  contextSummary: short
    .optional()
    .meta({ description: 'What to know to go on.', example: 'books are packed' }),
  activeConstraints: many(short)
    .optional()
    .meta({ description: 'What it must keep to.', example: ['by May'] }),
  nextActions: many(short)
    .optional()
    .meta({ description: 'What comes next.', example: ['rent a van'] }),
  openQuestions: many(short)
    .optional()
    .meta({ description: 'What is not known.', example: ['who drives?'] }),
})

/** What a fact says, in parts, and on what it rests. */
const semantic = z.strictObject({
  kind: kindOf('semantic'),
  subject: short.meta({ description: 'Whom or what it is about.', example: 'Ben' }),
  predicate: short.meta({ description: 'What of them.', example: 'lives in' }),
  object: short.meta({ description: 'The value.', example: 'Graz' }),
  requiresEvidence: z.boolean().optional().meta({
    description: 'Whether the fact, and whatever replaces it, must name `spans` or `derivedFrom`.',
    example: true,
  }),
})

/** What was done with tools, and what came of it. */
const episodic = z.strictObject({
  kind: kindOf('episodic'),
  toolGraph: many(
    z.strictObject({
      id: name.meta({ description: 'The call, within this record.', example: 'c1' }),
      tool: name.meta({ description: 'The tool.', example: 'ssh' }),
      args: jsonObject(16_384)
        .optional()
        .meta({ description: 'What it was given, as JSON.', example: { host: 'mx1' } }),
      result: short.optional().meta({ description: 'What it answered.', example: 'restarted' }),
      dependsOn: many(name)
        .optional()
        .meta({ description: 'The calls before it.', example: ['c0'] }),
    }),
  )
    .optional()
    .meta({ description: 'The calls of tools.' }),
  outcome: z
    .enum(['success', 'failure', 'partial'])
    .optional()
    .meta({ description: 'What came of it.', example: 'success' }),
})

/** The structured part of a record. */
export const typed = z
  .discriminatedUnion('kind', [entity, competence, planGraph, working, semantic, episodic])
  .meta({ id: 'TypedPayload', description: 'The structured part of a record, by its kind.' })
export type Typed = z.output<typeof typed>

/** The field of a record that holds its structured part. */
export const TYPED_FIELD = 'typed'

/** The structured part among the fields of a record; null if there is none that can be read. */
export const typedOf = (fields: Readonly<Record<string, unknown>>): Typed | null =>
  typed.safeParse(fields[TYPED_FIELD]).data ?? null

function hasCycle(
  ids: ReadonlySet<string>,
  edges: readonly { readonly from: string; readonly to: string }[],
): boolean {
  const waits = new Map([...ids].map(id => [id, 0]))
  for (const { to } of edges) waits.set(to, (waits.get(to) ?? 0) + 1)
  const ready = [...ids].filter(id => waits.get(id) === 0)
  let done = 0
  for (let id = ready.pop(); id !== undefined; id = ready.pop()) {
    done++
    for (const { from, to } of edges) {
      if (from !== id) continue
      const left = (waits.get(to) ?? 0) - 1
      waits.set(to, left)
      if (left === 0) ready.push(to)
    }
  }
  return done < waits.size
}
