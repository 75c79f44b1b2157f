import type { Mutation } from '../../support/mutants.js'
import type { Leaks } from '../../support/planted-leaks.js'

const IN_ONE_PLACE: Readonly<Record<string, Mutation & { seenIn: number }>> = {
  'an absence that can be told from a refusal': {
    seenIn: 20,
    file: 'src/runtime/request.ts',
    find: `if (decided?.level !== 'full') throw absent()`,
    replace: `if (decided === undefined) throw absent()
      if (decided.level !== 'full') throw new PrivityError('not_allowed', 'not allowed')`,
  },
  'a foreign key as an oracle': {
    seenIn: 5,
    file: 'src/runtime/operations/relate.ts',
    find: `await lockRecords(request.tx, request.tenant, named, derives || raises ? 'exclusive' : 'shared')`,
    replace: 'await insertRelations(request.tx, request.tenant, [{ from, to, type, sources }], request.now)',
  },
  'a unique key as an oracle': {
    seenIn: 15,
    file: 'sql/001-baseline.sql',
    find: 'primary key (tenant_id, group_id),\n  unique (tenant_id, owner, name)',
    replace:
      'primary key (tenant_id, group_id),\n  unique (tenant_id, owner, name),\n  unique (tenant_id, name)',
  },
  // Both locks at once: under row-level security alone the gates would still leave it out, and the other way round.
  'a hidden id in relations': {
    seenIn: 37,
    file: 'src/runtime/request.ts',
    find: `    const edgeRows = this.#edges.get(rows) ?? (await fetchEdges(this.tx, this.tenant, ids))
    const faces = await this.faces([
      ...rows.map(row => ({ tuple: row.tuple, times: timesOf(row) })),
      ...edgeRows,
    ])
    const edges = new Map<string, KnownEdge[]>(rows.map(row => [row.id, []]))
    for (const edge of knownEdges(edgeRows, faces.slice(rows.length))) edges`,
    replace: `    await this.tx.query("select set_config('role', 'privity_index', true)")
    const edgeRows = await fetchEdges(this.tx, this.tenant, ids)
    await this.tx.query("select set_config('role', 'privity_app', true)")
    const faces = await this.faces([
      ...rows.map(row => ({ tuple: row.tuple, times: timesOf(row) })),
      ...edgeRows,
    ])
    const edges = new Map<string, KnownEdge[]>(rows.map(row => [row.id, []]))
    for (const edge of knownEdges(edgeRows, edgeRows.map(() => 0b1111))) edges`,
  },
  'an edge that a lesser face does not show': {
    seenIn: 50,
    file: 'src/runtime/known-edges.ts',
    find: `if (direction === 'out' ? end.level === 'none' : end.level !== 'full') continue`,
    replace: `if (end.level === 'none') continue`,
  },
  'a hidden id in the audit': {
    seenIn: 153,
    file: 'src/runtime/operations/audit.ts',
    find: 'records: row.refs.filter(ref => visible.has(ref)),',
    replace: 'records: [...row.refs],',
  },
  'a hidden id in the list of overlays': {
    seenIn: 4,
    file: 'src/runtime/operations/targets.ts',
    find: 'ref: RECORD_ID.test(targetRef) && !visible.has(targetRef) ? null : targetRef,',
    replace: 'ref: targetRef,',
  },
  "another's audit": {
    seenIn: 7,
    file: 'src/runtime/operations/audit.ts',
    find: `const of = caller.audience === 'host' ? null : forId`,
    replace: 'const of = null',
  },
  'serial ids': {
    seenIn: 1,
    file: 'src/runtime/write-records.ts',
    find: "const named = planned.map(plan => ({ ...plan, id: request.parts.clock.newId('record') }))",
    replace: `const [{ n }] = await request.tx.query('select count(*)::int as n from privity.records')
  const serial = '00000000-0000-4000-8000-' + String(n).padStart(12, '0')
  const named = planned.map(plan => ({ ...plan, id: serial }))`,
  },
  'a person known by a name in a hidden record': {
    seenIn: 3,
    file: 'src/runtime/known-people.ts',
    find: 'return meantBy(ref, await peopleKnownInPart(request, [owner], [ref]))[0]',
    replace: 'return findPerson(request.tx, request.tenant, owner, ref)',
  },
  'the name of a person in a record that has another name of theirs': {
    seenIn: 3,
    file: 'src/runtime/request.ts',
    find: 'const isTold = this.knowsEverybodyOf(tuple.owner)',
    replace: 'const isTold = true',
  },
  'a facet that tells whose name it counts': {
    seenIn: 3,
    file: 'src/runtime/search/facets.ts',
    find: 'const isTold = (key: string) => request.knowsEverybodyOf(ownerOfKey(key))',
    replace: 'const isTold = (key: string) => ownerOfKey(key) !== ""',
  },
  'an alias that a filter knows': {
    seenIn: 3,
    file: 'src/runtime/search/predicates.ts',
    find: 'if (request.seesEverything) {\n    for (const { owner, at, personId }',
    replace: 'if (request.tenant) {\n    for (const { owner, at, personId }',
  },
  'a replay after a revocation': {
    seenIn: 1,
    file: 'src/runtime/operations/stored.ts',
    find: `if (decided === undefined || decided.level === 'none') throw absent()
      const { sensitivity, scope, visibilityClass } = decided.row.tuple`,
    replace: `const { sensitivity, scope, visibilityClass } = decided?.row.tuple ?? { sensitivity: 'public', scope: null, visibilityClass: '' }`,
  },
  'a cursor with content': {
    seenIn: 3,
    file: 'src/runtime/page-of-records.ts',
    find: 'secrets.seal(writeKey(last.place), boundTo)',
    replace: `Buffer.from(JSON.stringify(last)).toString('base64url')`,
  },
  'a lesser face that shows more': {
    seenIn: 3,
    file: 'src/runtime/record-view.ts',
    find: `    case 'metadata':
      return null`,
    replace: `    case 'metadata':
      return { title: row.title, text: '', contested }`,
  },
  'the length of what a face does not show': {
    seenIn: 3,
    file: 'src/runtime/record-view.ts',
    find: 'confidence: row.confidence,',
    replace: 'confidence: row.text.length,',
  },
  'a preview longer than allowed': {
    seenIn: 12,
    file: 'src/runtime/preview.ts',
    find: 'export const PREVIEW_CHARACTERS = 200',
    replace: 'export const PREVIEW_CHARACTERS = 2000',
  },
  'a time that hidden changes move': {
    seenIn: 43,
    file: 'src/runtime/record-view.ts',
    find: 'return row.metadataUpdatedAt',
    replace: 'return row.updatedAt',
  },
  'a page that fetches what is no evidence': {
    seenIn: 3,
    file: 'src/storage/queries/seen-rows.ts',
    find: 'literal(EVIDENCE)',
    replace: 'literal(KINDS)',
  },
  'a label lowered by an agent': {
    seenIn: 10,
    file: 'src/runtime/labels-of-writes.ts',
    find: 'label: joinLabels(...counted),',
    replace: 'label: LEAST_LABEL,',
  },
  'a decision kept across a revocation': {
    seenIn: 106,
    file: 'src/runtime/facts.ts',
    find: 'isFresh && kept.generation === generations.get(owner)',
    replace: 'isFresh',
  },
  'an overlay that misses records': {
    seenIn: 12,
    file: 'src/runtime/operations/overlays.ts',
    find: 'await nameInTuples(request, row.target)',
    replace: '',
  },
  'statements that depend on what is hidden': {
    seenIn: 4,
    file: 'src/runtime/operations/get.ts',
    find: 'const [view = null] = await',
    replace: `await request.tx.query("select set_config('role', 'privity_index', true)")
    const there = await request.tx.query('select 1 from privity.records where record_id = $1', [record])
    await request.tx.query("select set_config('role', 'privity_app', true)")
    if (there.length > 0) await request.tx.query('select 1')
    const [view = null] = await`,
  },
}

/** Opens a table to every credential of the same actor in row-level security, the second lock. */
const unlocked = (table: string): Mutation => ({
  file: 'sql/rls.sql',
  find: `create policy label on privity.${table} as restrictive for select to privity_app using (privity.sees(label));`,
  replace: '',
})

/** What is stored beside records, told by the name of its author instead of by the credential that asks (NI-10). */
const OF_NAMESAKES: Leaks = {
  'a saved search of a stronger key': {
    seenIn: 3,
    mutations: [
      unlocked('saved_searches'),
      {
        file: 'src/runtime/operations/searches.ts',
        find: '(await request.seen(saved)).map',
        replace: 'saved.map',
      },
    ],
  },
  'a name that a stronger key gave to a saved search': {
    seenIn: 3,
    mutations: [
      {
        file: 'src/runtime/operations/searches.ts',
        find: 'const saver = { ...saverOf(request), credential: request.credential }',
        replace: "const saver = { ...saverOf(request), credential: '' }",
      },
    ],
  },
  'a request for consent of a stronger key': {
    seenIn: 3,
    mutations: [
      unlocked('consent_requests'),
      {
        file: 'src/runtime/operations/consents.ts',
        find: 'rows: await request.seen(page.rows)',
        replace: 'rows: page.rows',
      },
    ],
  },
  'a receipt of a stronger key': {
    seenIn: 3,
    mutations: [
      unlocked('search_runs'),
      {
        file: 'src/runtime/operations/receipts.ts',
        find: '(await request.seen(page))\n',
        replace: 'page\n',
      },
    ],
  },
  'an idempotency key of a stronger key': {
    seenIn: 2,
    mutations: [
      {
        file: 'src/runtime/request.ts',
        find: 'return clearanceDigest(this.clearance)',
        replace: "return ''",
      },
    ],
  },
  'counts of a stronger key in the audit': {
    seenIn: 3,
    mutations: [
      unlocked('audit_entries'),
      {
        file: 'src/runtime/operations/audit.ts',
        find: 'const listed = await request.seen(rows.slice(0, input.limit))',
        replace: 'const listed = rows.slice(0, input.limit)',
      },
    ],
  },
  'people of hidden records': {
    seenIn: 3,
    mutations: [
      {
        file: 'src/runtime/known-people.ts',
        find: '  const people = await peopleKnownInPart(request, [owner])',
        replace:
          '  if (request.tenant) return listPeople(request.tx, request.tenant, owner, after, limit)\n  const people = await peopleKnownInPart(request, [owner])',
      },
    ],
  },
  'an overlay of a stronger key': {
    seenIn: 3,
    mutations: [
      {
        file: 'src/runtime/operations/overlays.ts',
        find: 'const rows = await request.seen(all)',
        replace: 'const rows = all',
      },
    ],
  },
  'an overlay lifted without sight': {
    seenIn: 3,
    mutations: [
      { file: 'src/runtime/operations/overlays.ts', find: "  needsWholeSight: 'absent',\n", replace: '' },
    ],
  },
  'a grant of a stronger key': {
    seenIn: 3,
    mutations: [
      {
        file: 'src/runtime/operations/grants.ts',
        find: 'const rows = await request.seen(all)',
        replace: 'const rows = all',
      },
    ],
  },
  'a group of a stronger key': {
    seenIn: 3,
    mutations: [
      {
        file: 'src/runtime/operations/groups.ts',
        find: '(await request.seen(rows)).map(view)',
        replace: 'rows.map(view)',
      },
    ],
  },
  'a key of a stronger key': {
    seenIn: 3,
    mutations: [
      {
        file: 'src/storage/queries/api-keys.ts',
        find: 'and (privity.sees(label) or key_id = $6::uuid)',
        replace: 'and (true or key_id = $6::uuid)',
      },
      {
        file: 'src/runtime/operations/keys.ts',
        find: '.filter(row => seen.has(row) || row.keyId === presented)',
        replace: '.filter(row => seen.has(row) || row.keyId !== presented)',
      },
    ],
  },
  'a record forgotten without sight': {
    seenIn: 3,
    mutations: [
      {
        file: 'src/runtime/operations/forget.ts',
        find: 'const mine = seesEverything',
        replace: 'const mine = seesEverything || true',
      },
    ],
  },
  'what a stronger key was shown, in a label': {
    seenIn: 2,
    mutations: [
      {
        file: 'src/runtime/labels-of-writes.ts',
        find: 'clearance === null || covers(held, clearance)',
        replace: 'clearance === null || covers(held, clearance) || true',
      },
    ],
  },
  'a completed word that labels nothing': {
    seenIn: 3,
    mutations: [
      {
        file: 'src/runtime/search/expose-words.ts',
        find: 'for (const part of visible) exposeDocuments(request, part, documentsWithAny(part, told))',
        replace: 'for (const part of visible) documentsWithAny(part, told)',
      },
    ],
  },
}

/** Ways to leak that look harmless, each put into a copy of the sources. The harness has to see every one. */
/** What the first lets in, the second leaves out again: only the statements tell. */
const IN_TWO_PLACES: Leaks = {
  'a list that fetches more where hidden values match': {
    seenIn: 3,
    mutations: [
      {
        file: 'src/runtime/search/predicates.ts',
        find: 'return full ? verdict.full : verdict.any',
        replace: 'return verdict.full',
      },
      {
        file: 'src/runtime/page-of-records.ts',
        find: 'if (contains(row.fields, wanted.fields ?? {})) found',
        replace: `const { corpus, people } = wanted.conditions
      const isFound = view.face === 'full' || (corpus === undefined && people === undefined)
      if (isFound && contains(row.fields, wanted.fields ?? {})) found`,
      },
    ],
  },
}

/** Both histories answer alike, and neither may. */
const DEFECTS: Leaks = {
  'an error that nobody expects': {
    seenIn: 3,
    isDefect: true,
    mutations: [
      {
        file: 'src/runtime/operations/reasons.ts',
        find: '...request.parts.tenantFacts.reasonCodes.values()].map(',
        replace: '...(request.parts as never as { codes: [] }).codes].map(',
      },
    ],
  },
}

export const RECORD_LEAKS: Leaks = {
  ...Object.fromEntries(
    Object.entries(IN_ONE_PLACE).map(([name, { seenIn, ...mutation }]) => [
      name,
      { seenIn, mutations: [mutation] },
    ]),
  ),
  ...IN_TWO_PLACES,
  ...OF_NAMESAKES,
  ...DEFECTS,
}
