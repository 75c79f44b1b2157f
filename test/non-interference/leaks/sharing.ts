import type { Mutation } from '../../support/mutants.js'
import type { Leaks } from '../../support/planted-leaks.js'

const change =
  (file: string) =>
  (find: string, replace: string): Mutation => ({ file, find, replace })
const inViewGate = change('src/policy/gates/view.ts')
const inFreshnessGate = change('src/policy/gates/freshness.ts')
const inOverlayGate = change('src/policy/gates/overlay.ts')
const inRowSecurity = change('sql/rls.sql')
const inDocuments = change('src/sharing/operations/documents.ts')
const inOwnSession = change('src/sharing/operations/current-profile.ts')
const inSharedDocument = change('src/runtime/document-view.ts')
const inDrift = change('src/sharing/drift.ts')

/** A statement past row-level security, in the middle of a request. */
const unseen = (sql: string, parameters: string) => `(await (async () => {
      await request.tx.query("set local role privity_writer")
      const rows = await request.tx.query(\`${sql}\`, ${parameters})
      await request.tx.query("set local role privity_app")
      return rows
    })())`

/** Ways in which somebody who came by a link could learn what was not shared, each put into a copy of the sources. The harness has to see every one. */
export const SHARING_LEAKS: Leaks = {
  // Both locks at once, here and below: each alone would leave it out.
  'what came after a snapshot': {
    seenIn: 1,
    mutations: [
      inViewGate('return view.snapshotAt === null || times.createdAt', 'return true || times.createdAt'),
      inRowSecurity('or records.created_at <= v.snapshot_at', 'or true'),
    ],
  },
  'surfaces that only one of several views exposes': {
    seenIn: 3,
    mutations: [
      change('src/policy/shared-view.ts')(
        'surfaces: new Set([...a.surfaces].filter(surface => b.surfaces.has(surface)))',
        'surfaces: new Set([...a.surfaces, ...b.surfaces])',
      ),
      inRowSecurity('records.surface = any (v.exposed_surfaces)', 'records.surface is not null'),
    ],
  },
  'documents by the tags of their host': {
    seenIn: 1,
    mutations: [
      change('src/runtime/record-view.ts')(
        'return corpus !== null && surface !== null ? [] : tags',
        'return corpus !== null && surface !== null ? tags : []',
      ),
    ],
  },
  'that there is something one rank above the link': {
    seenIn: 7,
    mutations: [
      change('src/policy/gates/trust.ts')('above === 1 && !isRecipient(audience)', 'above === 1'),
      inRowSecurity('then 1 else 0 end', 'then 1 else 1 end'),
    ],
  },
  'headings of pieces, in the log of a recipient': {
    seenIn: 1,
    mutations: [
      change('src/sharing/operations/access-log.ts')(
        'titles.set(row.id, shownTitle(row, level))',
        `titles.set(row.id, level === 'metadata' ? null : row.title)`,
      ),
    ],
  },
  'what lies above the ceiling of a view': {
    seenIn: 1,
    mutations: [
      inViewGate(`if (!within) return none('access.above_ceiling')`, ''),
      inRowSecurity('            v.visibility_class_ceiling\n', `            'firewalled'\n`),
      change('src/sharing/open-profile.ts')(
        `visibilityClassCeiling: ceiling ?? 'public_open'`,
        `visibilityClassCeiling: 'firewalled'`,
      ),
    ],
  },
  'that something was replaced since a snapshot': {
    seenIn: 1,
    mutations: [
      inFreshnessGate(
        `return stoodAtShare(subject, record) ? full('access.stood_at_share') : none('access.superseded')`,
        `return none('access.superseded')`,
      ),
    ],
  },
  'what was replaced, in a live view': {
    seenIn: 5,
    mutations: [
      inFreshnessGate(
        'return stoodAt !== null && record.endedAt !== null && Date.parse(record.endedAt) > stoodAt',
        'return record.endedAt !== null',
      ),
      inRowSecurity('and ended_at > (\n', 'and ended_at is not null or ended_at > (\n'),
    ],
  },
  'documents that are not in the scope': {
    seenIn: 2,
    mutations: [
      inViewGate(`if (!inScope) return none('access.not_in_view')`, ''),
      inRowSecurity('not v.is_scoped\n            or exists', 'true\n            or exists'),
    ],
  },
  'notes that their host did not mark': {
    seenIn: 4,
    mutations: [
      inViewGate('if (HOST_NOTES.has(record.surface)) {', `if (record.surface === 'none') {`),
      inRowSecurity(
        `records.surface not in ('host_annotations', 'host_strategy_notes', 'host_topics')`,
        'true',
      ),
    ],
  },
  'derived memories that nobody marked': {
    seenIn: 3,
    mutations: [
      inViewGate(`if (record.surface === 'derived_memories') {`, `if (record.surface === 'none') {`),
      inRowSecurity(`records.surface <> 'derived_memories'`, 'true'),
    ],
  },
  'what was taken back': {
    seenIn: 6,
    mutations: [
      inFreshnessGate(`return none('access.retracted')`, `return full('access.current')`),
      inRowSecurity(
        `    lifecycle in ('active', 'contested')\n`,
        `    lifecycle in ('active', 'contested', 'retracted')\n`,
      ),
    ],
  },
  'what is not to be shared': {
    seenIn: 7,
    mutations: [
      inOverlayGate(
        `return isRecipient(subject.audience) ? none('access.not_shareable') : full('access.no_overlay')`,
        `return full('access.no_overlay')`,
      ),
      inRowSecurity(
        `(o.restriction = 'not_shareable' and privity.setting('audience') in ('owner', 'host', 'agent'))`,
        `o.restriction = 'not_shareable'`,
      ),
    ],
  },
  'what was granted to another link': {
    seenIn: 9,
    mutations: [
      change('src/runtime/facts.ts')(
        '[...principals].some(principal => grantees.has(principal))',
        `[...grantees].some(grantee => principals.has(grantee) || grantee.startsWith('link:'))`,
      ),
      inRowSecurity(
        `g.grantee in (privity.setting('principal'), privity.setting('link'))`,
        `g.grantee in (privity.setting('principal'), privity.setting('link')) or g.grantee like 'link:%'`,
      ),
    ],
  },
  'more of a text than its preview': {
    seenIn: 5,
    mutations: [change('src/runtime/deliver.ts')('return previewOf(row).text', 'return row.text')],
  },
  'filing metadata that no view exposes': {
    seenIn: 1,
    mutations: [inSharedDocument('fields: isWhole && showsFields', 'fields: isWhole')],
  },
  'documents that a span names': {
    seenIn: 1,
    mutations: [inSharedDocument('row.spans.filter(span => nameIn(span) === row.document)', 'row.spans')],
  },
  'tags, by an etag': {
    seenIn: 1,
    mutations: [
      inSharedDocument(
        `const shown = [face, deliver(request, row, level, 'text')?.text ?? '']`,
        'const shown = [face, row.text, row.tags]',
      ),
    ],
  },
  'salience, by the order of results': {
    seenIn: 1,
    mutations: [
      change('src/runtime/search/router/router-question.ts')(
        'feedback: true })',
        'feedback: true, salience: { weight: 0.9 } })',
      ),
    ],
  },
  'a drift of what the view would not show': {
    seenIn: 4,
    mutations: [
      inDrift(
        '({ ...view, snapshotAt: null, stoodAt: null })',
        `({
  ...view,
  snapshotAt: null,
  stoodAt: null,
  visibilityClassCeiling: 'firewalled',
  hostAnnotationPolicy: 'include_all',
  scopes: [],
})`,
      ),
    ],
  },
  'a drift that the view does not disclose': {
    seenIn: 1,
    mutations: [inDrift('view.temporalMode === DISCLOSES_DRIFT', 'view.snapshotAt !== null')],
  },
  'how many records are left out by now': {
    seenIn: 3,
    mutations: [
      inOwnSession(
        ': profile.viewRows.reduce((sum, { excludedCount }) => sum + (excludedCount ?? 0), 0),',
        `: profile.viewRows.some(({ disclosesExclusions }) => disclosesExclusions)
            ? ${unseen(
              'select count(*)::int as total from privity.records where tenant_id = $1 and owner = $2',
              '[request.tenant, profile.row.owner]',
            )}[0].total
            : 0,`,
      ),
    ],
  },
  'what other recipients of the link did': {
    seenIn: 2,
    mutations: [
      change('src/storage/queries/access-log.ts')(
        'and ($3::uuid is null or p.profile_id = $3)',
        `and ($3::uuid is null or p.link_id = (
      select link_id from privity.profiles where tenant_id = $1 and profile_id = $3))`,
      ),
    ],
  },
  'the receipts of others': {
    seenIn: 12,
    mutations: [
      change('src/storage/queries/search-runs.ts')(
        `    and for_id = $3
    and ($4::uuid is null or actor_id = $4)\`
const LOCK_RUN`,
        `    and $3::uuid is not null
    and ($4::uuid is null or true)\`
const LOCK_RUN`,
      ),
    ],
  },
  'which documents there are, by how a download is refused': {
    seenIn: 1,
    mutations: [
      inDocuments(
        'if (found === undefined || document === null) throw absent()',
        `if (found === undefined || document === null) {
    const there = await request.tx.query(
      'select 1 from privity.records where tenant_id = $1 and record_id = $2',
      [request.tenant, documentId],
    )
    throw there.length === 0 ? absent() : deliveryRefused(request, 'session.document_not_in_full')
  }`,
      ),
    ],
  },
  'which documents there are, by the statements that are run': {
    seenIn: 1,
    mutations: [
      inDocuments(
        'const [found] = await showDocumentRows(request, rows)\n    if (found === undefined) return null',
        `const [found] = await showDocumentRows(request, rows)
    const there = ${unseen(
      'select 1 from privity.records where tenant_id = $1 and record_id = $2',
      '[request.tenant, documentId]',
    )}
    if (found === undefined && there.length > 0) await request.tx.query('select 1')
    if (found === undefined) return null`,
      ),
    ],
  },
  'how many documents there are, by a search': {
    seenIn: 1,
    mutations: [
      change('src/runtime/operations/router.ts')(
        'count: routed.matches,',
        `count: routed.matches + ${unseen(
          'select 1 from privity.downloads where tenant_id = $1',
          '[request.tenant]',
        )}.length,`,
      ),
    ],
  },
  'terms of another link that was changed': {
    seenIn: 1,
    mutations: [
      change('src/storage/queries/profiles.ts')(
        '    and p.link_id = $2\n    and p.state in',
        '    and $2::uuid is not null\n    and p.state in',
      ),
    ],
  },
  'what the host is told of, by whether a download fails': {
    seenIn: 1,
    mutations: [
      change('src/sharing/tell-host.ts')(
        'if (!events.includes(event) && !isAlert) return false',
        `if (!events.includes(event) && !isAlert) return false
  if (event === 'downloaded') throw new PrivityError('busy', 'the host is being told')`,
      ),
      change('src/sharing/tell-host.ts')(
        `import { beginDigest }`,
        `import { PrivityError } from '../errors.js'\nimport { beginDigest }`,
      ),
    ],
  },
  'which documents there are, by how a reading is refused': {
    seenIn: 1,
    mutations: [
      change('src/sharing/operations/reading.ts')(
        `if (found === undefined || deliver(`,
        `const there = await tx.query('select 1 from privity.records where tenant_id = $1 and record_id = $2', [tenant, document])
    if (found === undefined && there.length > 0) throw new PrivityError('not_allowed', 'not shared with you')
    if (found === undefined || deliver(`,
      ),
      change('src/sharing/operations/reading.ts')(
        `import { absent } from`,
        `import { PrivityError } from '../../errors.js'\nimport { absent } from`,
      ),
    ],
  },
  'how many copies others took, by the number on one': {
    seenIn: 1,
    mutations: [
      inDocuments(
        'const source = form ===',
        `const [taken] = await request.tx.query(
    'select count(*)::int as copies from privity.watermarks where tenant_id = $1',
    [request.tenant],
  )
  const source = form ===`,
      ),
      inDocuments(
        'number: newNumber(request.parts.clock), at: request.now',
        'number: numberFrom(Buffer.alloc(NUMBER_BYTES, taken.copies)), at: request.now',
      ),
      inDocuments(
        'import { type Mark, markText } from',
        'import { type Mark, markText, NUMBER_BYTES, numberFrom } from',
      ),
    ],
  },
}
