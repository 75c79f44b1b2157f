import type { Mutation } from '../../support/mutants.js'
import type { Leaks } from '../../support/planted-leaks.js'

const change =
  (file: string) =>
  (find: string, replace: string): Mutation => ({ file, find, replace })
const inCapture = change('src/runtime/operations/capture.ts')
const inFacts = change('src/runtime/capture/keep-facts.ts')
const inCaptured = change('src/storage/queries/find-captured.ts')
const inContext = change('src/runtime/operations/context.ts')
const inForgetting = change('src/runtime/operations/forget-preview.ts')
const inIdentity = change('src/runtime/operations/people-identity.ts')
const inLinks = change('src/sharing/operations/links.ts')

/** What the owner sees, whichever of their keys asks. */
const EVERYTHING = `(await VisibleSet.of(request)).seenAs({
    audience: 'owner',
    respectConsent: false,
    trust: { maxSensitivity: 'hyper', scopes: 'all', authenticated: true },
    visibility: { ceiling: 'firewalled', floor: null },
  })`

/** The keys of what was captured, whoever may see it. */
const FIND_EVERYTHING = inCaptured(
  `    and \${IS_SEEN}
    and \${IS_SEEN_IN_FULL}
  order by`,
  '  order by',
)

/**
 * What people do with their own memory and its links, told to a key of theirs that holds less. Each is put into a copy
 * of the sources. The harness has to see every one.
 */
export const OWNER_LEAKS: Leaks = {
  'a message that a stronger key captured': {
    seenIn: 3,
    mutations: [
      FIND_EVERYTHING,
      inCapture(`  await setRole(tx, 'privity_app')\n  const keys`, '  const keys'),
      inCapture(
        `visible.get(id)?.level === 'full' ? [[key, id] as const] : []`,
        `visible.size >= 0 ? [[key, id] as const] : []`,
      ),
    ],
  },
  'how many turns of a conversation are hidden, by the place of the next one': {
    seenIn: 3,
    mutations: [
      inCaptured(
        `    and r.conversation = $3
    and \${IS_SEEN}
    and \${IS_SEEN_IN_FULL}`,
        '    and r.conversation = $3',
      ),
      inCapture(
        `  const last = await loadLastTurn(tx, tenant, owner, conversation)
  await setRole(tx, 'privity_writer')`,
        `  await setRole(tx, 'privity_writer')
  const last = await loadLastTurn(tx, tenant, owner, conversation)`,
      ),
    ],
  },
  'a fact that a stronger key captured, by what becomes of another': {
    seenIn: 3,
    mutations: [
      FIND_EVERYTHING,
      inFacts(`  await setRole(tx, 'privity_app')\n  const rows`, '  const rows'),
      inFacts(
        'const visible = await request.fetchVisible(ids)',
        `const held = await request.tx.query(
    'select record_id as id, fields, provenance, created_at as "createdAt", occurred_at as "occurredAt" from privity.records where record_id = any ($1)',
    [ids],
  )
  const visible = new Map(held.map(row => [row.id, { level: 'full', row: { ...row, validTo: null, tuple: LEAST_LABEL } }]))`,
      ),
      inFacts(
        `import { joinLabels, type Label, lowers }`,
        `import { joinLabels, LEAST_LABEL, type Label, lowers }`,
      ),
    ],
  },
  'how much else a context could have told': {
    seenIn: 3,
    mutations: [
      inContext('const { segments } = await VisibleSet.of(request)', `const segments = ${EVERYTHING}`),
      inContext(
        'if (view === undefined) continue',
        'if (view === undefined) left++\n    if (view === undefined) continue',
      ),
    ],
  },
  'records to forget that a stronger key sees': {
    seenIn: 3,
    mutations: [
      inForgetting('const { segments } = await VisibleSet.of(request)', `const segments = ${EVERYTHING}`),
    ],
  },
  'how many hidden records name somebody': {
    seenIn: 3,
    mutations: [inIdentity(`  needsWholeSight: 'absent',\n  input: mergeInput,`, '  input: mergeInput,')],
  },
  'people merged without sight': {
    seenIn: 3,
    mutations: [
      inIdentity(
        `  needsWholeSight: 'absent',\n  effects: ['people_merged'],`,
        `  effects: ['people_merged'],`,
      ),
    ],
  },
  'people of a stronger key who may be the same': {
    seenIn: 3,
    mutations: [inIdentity('  needsWholeSight: { otherwise: { matches: [] } },\n', '')],
  },
  'people of hidden records, by the label that a text calls for': {
    seenIn: 3,
    mutations: [
      change('src/runtime/propose-labels.ts')(
        'const rows = await listKnownPeople(request, owner, null, MOST_PEOPLE)',
        'const rows = await listPeople(request.tx, request.tenant, owner, null, MOST_PEOPLE)',
      ),
      change('src/runtime/propose-labels.ts')(
        `import type { PersonRow } from`,
        `import { listPeople, type PersonRow } from`,
      ),
    ],
  },
  'a link of a stronger key': {
    seenIn: 3,
    mutations: [inLinks('  needsWholeSight: { otherwise: { links: [], cursor: null } },\n', '')],
  },
  'that there is a link, by what its recipients read': {
    seenIn: 3,
    mutations: [change('src/sharing/operations/reading.ts')(`  needsWholeSight: 'absent',\n`, '')],
  },
  'a link changed without sight': {
    seenIn: 3,
    mutations: [
      change('src/sharing/operations/change-link.ts')(
        '    requireWholeCredential(request)\n    const { tx, tenant, now } = request\n',
        '    const { tx, tenant, now } = request\n',
      ),
    ],
  },
  'a link copied without sight': {
    seenIn: 3,
    mutations: [
      change('src/sharing/operations/copy-link.ts')(
        '    requireWholeCredential(request)\n    const link = await',
        '    const link = await',
      ),
    ],
  },
}
