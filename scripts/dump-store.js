// Makes a small store with something of every kind in it, through the API, and writes it as SQL: the schema as the files
// of sql/ say it now, then all rows. A release runs it once, and the result is checked in for good: later code must open it.
//
//   npm run build && node scripts/dump-store.js test/storage/dumps/001-baseline.sql.gz
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { builtIn } from '../dist/embedding/built-in.js'
import { loadExample } from '../dist/example-world/load.js'
import { assemble } from '../dist/open.js'
import { SYSTEM_CLOCK } from '../dist/runtime/clock.js'
import { migrate } from '../dist/storage/migrate.js'
import { openPglite } from '../dist/storage/pglite.js'

/** @typedef {import('../dist/open.js').Privity} Privity */
/** @typedef {import('../dist/storage/database.js').Database} Database */

const [target] = process.argv.slice(2)
if (target === undefined) throw new Error('usage: node scripts/dump-store.js FILE.sql.gz')

const db = await openPglite({ dataDir: null })
await migrate(db)
// What is left of it is read after it is closed.
/** @type {Database} */
const kept = {
  engine: db.engine,
  transaction: (options, fn) => db.transaction(options, fn),
  statement: (options, sql, params) => db.statement(options, sql, params),
  script: sql => db.script(sql),
  close: async () => {},
}
const privity = await assemble(kept, SYSTEM_CLOCK, {
  embedding: [builtIn()],
  capacity: { search: 4 },
  webhooks: { allowPrivate: true },
  mail: { mailer: { send: async () => {} } },
})
await fill(privity)
await privity.caughtUp()
await privity.close()
const sql = await dump(db)
await db.close()
await writeFile(target, gzipSync(sql, { level: 9 }))

/**
 * The example worlds, and what they leave out.
 * @param {Privity} privity
 */
async function fill(privity) {
  await loadExample(privity)
  await fillFirm(privity)
  await fillFamily(privity)
  await fillCouple(privity)
}

/**
 * Documents, a watched folder, views, links, sessions, downloads, signals and sub-agents.
 * @param {Privity} privity
 */
async function fillFirm(privity) {
  const hollis = privity.as({ tenant: 'firm', actor: 'hollis' })
  const corpus = 'Securities briefs'
  const brief = (/** @type {string} */ words) =>
    Buffer.from(
      `UNITED STATES DISTRICT COURT\nNORTHERN DISTRICT OF CALIFORNIA\n\nBERG v. NORTH LINE INC.\n` +
        `Case No. 3:24-cv-01180\n\nOPPOSITION TO MOTION TO DISMISS\n\nARGUMENT\n\n${words} ` +
        `See Tellabs, Inc. v. Makor Issues & Rights, Ltd., 551 U.S. 308, 324 (2007).\n`,
    ).toString('base64')
  const file = /** @type {const} */ ({
    document: 'opposition.txt',
    corpus,
    visibilityClass: 'public_open',
    sensitivity: 'low',
  })
  await hollis.documents.ingest({ ...file, content: brief('The complaint pleads scienter.') })
  const read = await hollis.documents.ingest({ ...file, content: brief('It pleads strong scienter.') })
  const { searchRun } = await hollis.documents.bundle({ query: 'is scienter pleaded?', tokenBudget: 1_000 })
  await hollis.receipts.cite({ searchRun: made(searchRun) })

  const { id: binding } = await hollis.bindings.create({
    name: 'inbox',
    kind: 'folder',
    location: '/srv/inbox',
    corpus,
  })
  const found = await hollis.documents.ingest({
    document: 'inbox/note.txt',
    corpus,
    content: Buffer.from('A note from the inbox.').toString('base64'),
    binding,
  })
  await hollis.bindings.fire({
    binding,
    sourceEventId: 'first',
    entries: [
      { document: 'inbox/note.txt', outcome: 'created', source: found.source },
      { document: 'inbox/too-large.pdf', outcome: 'failed', problem: 'too_large' },
    ],
  })
  const { contributions } = await hollis.bindings.contributions({ binding })
  for (const { contribution, document } of contributions)
    if (document === 'inbox/note.txt') await hollis.bindings.judge({ contribution, verdict: 'reject' })

  await hollis.profiles.setPolicy({
    kind: 'document_delivery_policy',
    policy: 'view only',
    settings: { delivery: 'view_only' },
  })
  const { view } = await hollis.views.create({
    corpus,
    name: 'The opposition alone',
    documentScope: { kind: 'explicit_document_list', documentRefs: ['opposition.txt', 'kestrel-mtd'] },
  })
  const { token } = await hollis.links.grant({
    name: 'counsel',
    views: [view],
    recipientIdentityMode: 'anonymous_share_token',
  })
  const opened = await privity.redeem({ token: made(token) })
  if (opened.status !== 'open') throw new Error('the link did not open')
  const counsel = privity.as((await privity.authenticate(opened.key)).credential)
  const { results } = await counsel.documents.search({ query: 'scienter' })
  const shown = made(results[0]).document.document
  await counsel.documents.download(shown)
  await counsel.signals.record({ kind: 'explicit_helpful', record: shown })
  const { token: named } = await hollis.links.grant({
    name: 'named',
    views: [view],
    recipientIdentityMode: 'host_approved_named_external',
  })
  await privity.redeem({ token: made(named), name: 'Berg' })
  const { token: mailed } = await hollis.links.grant({
    name: 'by mail',
    views: [view],
    recipientIdentityMode: 'email_bound',
    recipientEmail: 'berg@example.org',
  })
  await privity.redeem({ token: made(mailed), email: 'berg@example.org' })
  await hollis.signals.record({ kind: 'explicit_helpful', record: made(read.card).id })
  await hollis.agents.spawn({ agent: 'reader', maxSensitivity: 'low' })
}

/**
 * People and their consent, groups, overlays, grants, saved searches, policies and the audit.
 * @param {Privity} privity
 */
async function fillFamily(privity) {
  const tenant = 'dump'
  const ana = privity.as({ tenant, actor: 'ana' })
  const host = privity.as({ tenant, actor: 'ana', audience: 'host' })
  const trust = /** @type {const} */ ({ maxSensitivity: 'medium' })
  const helper = privity.as({
    tenant,
    actor: 'helper',
    audience: 'agent',
    for: 'ana',
    session: 'evening',
    trust,
  })
  await ana.people.add({ person: 'Mia' })
  await ana.people.consent({ person: 'Mia', status: 'granted' })
  const records = await ana.remember([
    { kind: 'episodic', text: 'Mia and I walked to the lighthouse in the rain.', participants: ['Mia'] },
    { kind: 'episodic', text: 'We baked a plum cake for the neighbours.', corpus: 'kitchen' },
    { kind: 'entity', title: 'Lighthouse', text: 'The lighthouse at the end of the pier.' },
  ])
  const [walk, cake, place] = [made(records[0]), made(records[1]), made(records[2])]
  await ana.relate({ from: walk.id, to: place.id, type: 'about' })
  await ana.remember({ kind: 'note', text: 'Rain makes the pier slippery.', derivedFrom: [walk.id] })
  await ana.revise({ how: 'supersede', record: cake.id, by: { text: 'We baked two plum cakes.' } })
  await ana.pin(walk.id)
  await ana.overlays.add({ target: { kind: 'corpus', ref: 'kitchen' }, restriction: 'preview_only' })
  await ana.grants.add({ grantee: 'ben', target: { kind: 'document', ref: walk.id } })
  const group = await ana.groups.create({ name: 'family' })
  await ana.groups.addMember({ group: group.id, member: 'ben' })
  await ana.search('lighthouse')
  await helper.search('lighthouse')
  await helper.consents.request({ person: 'Tom', reason: 'he is in the photo' })
  await ana.searches.save({ name: 'lighthouses', query: 'lighthouse' })
  await host.capabilities.register({
    namespace: { namespace: 'calendar', description: 'dates' },
    capability: { name: 'read', description: 'read dates' },
  })
  await host.capabilities.setCapacity({
    capability: 'calendar.read',
    leaseClass: 'slow',
    limits: { total: 1 },
  })
  await host.policies.set({ policy: 'calm', mode: 'allow_all_except' })
  await host.reasons.register({ code: 'calendar.closed', description: 'closed', visibility: 'expose' })
  const { webhook } = await host.webhooks.create({ url: 'http://127.0.0.1:9/hook' })
  await host.webhooks.test(webhook.id)
  await host.audit.checkpoint()
}

/**
 * A turn of the mediation that the example began, and what its people gave to the library.
 * @param {Privity} privity
 */
async function fillCouple(privity) {
  const mara = privity.as({ tenant: 'couple', actor: 'mara' })
  const mediator = privity.as({
    tenant: 'couple',
    actor: 'mediator',
    audience: 'agent',
    for: 'mara',
    trust: { maxSensitivity: 'high' },
  })
  const session = made((await mara.sessions.list()).sessions[0]).id
  await mediator.turns.context({ session, message: 'What should I know before we talk tonight?' })
  await mara.sessions.create({ participants: ['noor'], title: 'The garden' })
  const words = { title: 'Quiet minutes', text: 'sit together for ten minutes after dinner' }
  await mara.library.contribute({ ...words, needs: ['FAIRNESS'], optIn: true, seen: words })
}

/**
 * @template T
 * @param {T | null | undefined} value
 * @returns {T}
 */
function made(value) {
  if (value === null || value === undefined) throw new Error('the store did not answer as it should')
  return value
}

/**
 * As psql would read it back: the schema, then the rows of every table by the names of their columns.
 * @param {Database} db
 */
async function dump(db) {
  const read = (/** @type {string} */ sql) =>
    db.transaction({ access: 'read', role: null, settings: {} }, tx => tx.query(sql))
  const files = (await readdir('sql')).filter(name => name.endsWith('.sql')).sort()
  const schema = await Promise.all(files.map(name => readFile(`sql/${name}`, 'utf8')))
  const tables = await read(`
    select relname as "table", string_agg(quote_ident(attname), ', ' order by attnum) as "columns"
    from pg_class
      join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
    where relnamespace = 'privity'::regnamespace and relkind = 'r'
    group by relname
    order by relname`)
  const rows = []
  for (const { table, columns } of tables) {
    const [{ count, text }] = await read(`
      select count(*)::int as "count", coalesce(jsonb_agg(to_jsonb(t)), '[]')::text as "text"
      from (select ${columns} from privity.${table}) t`)
    console.log(String(count).padStart(5), table)
    if (count === 0) continue
    rows.push(
      `insert into privity.${table} (${columns})\n` +
        `select ${columns} from jsonb_populate_recordset(null::privity.${table}, '${text.replaceAll("'", "''")}');`,
    )
  }
  return [
    'create schema privity;',
    'create table privity.migrations (',
    '  version int primary key, name text not null, breaking bool not null,',
    '  applied_at timestamptz not null default now()',
    ');',
    'create table privity.settings (name text primary key, value text not null);',
    ...schema,
    // Rows come in the order of the names of their tables.
    "set session_replication_role = 'replica';",
    ...rows,
    "set session_replication_role = 'origin';",
    '',
  ].join('\n')
}
