import type { Handle } from '../../handle.js'
import type { Command } from '../command.js'
import { omitUndefined } from '../omit-undefined.js'
import { printTable } from '../output/table.js'
import { formatCount, formatMoment, toOneLine } from '../output/text.js'
import { PAGE, printMore, printPage, readPageOptions } from '../page.js'
import { UsageError } from '../usage-error.js'
import { describeRecipient } from './share.js'

type Links = Awaited<ReturnType<Handle['links']['list']>>['links']

const linksList: Command = {
  name: 'links',
  summary: 'List your share links, whom they are for and who has used them',
  arguments: [],
  options: { ...PAGE },
  examples: [{ line: 'links', does: 'what is shared, and whether it still is' }],
  needs: 'access',
  async run({ options, open, terminal }) {
    const { handle } = await open()
    const page = await handle.links.list(readPageOptions(options))
    if (terminal.json) {
      terminal.document(page)
      return
    }
    const corpora = await corporaOf(handle, page.links)
    const sessions = new Map<string, number>()
    for (const { link } of page.links)
      sessions.set(link, (await handle.links.accessLog({ link, limit: 1 })).totals.sessions)
    const now = new Date().toISOString()
    printTable(
      terminal,
      page.links,
      [
        { title: 'id', whole: true, text: ({ link }) => link },
        { title: 'name', text: ({ name }) => name },
        {
          title: 'corpus',
          text: ({ views, fileRequest }) =>
            fileRequest === null
              ? views.map(view => corpora.get(view) ?? '').join(', ')
              : `files for ${fileRequest.corpus}`,
        },
        { title: 'for', text: describeRecipient },
        { title: 'sessions', text: ({ link }) => sessions.get(link) },
        { title: 'expires', text: ({ expiresAt }) => formatMoment(expiresAt) || 'never' },
        {
          title: 'state',
          text: ({ revokedAt, expiresAt }) =>
            revokedAt !== null ? 'revoked' : expiresAt !== null && expiresAt <= now ? 'expired' : 'open',
        },
      ],
      'nothing is shared',
    )
    printMore(terminal, page)
  },
}

/** The name of each view's corpus. */
async function corporaOf(handle: Handle, links: Links): Promise<ReadonlyMap<string, string>> {
  const corpora = new Map<string, string>()
  for (const view of new Set(links.flatMap(({ views }) => views)))
    corpora.set(view, (await handle.views.get(view))?.corpus ?? '')
  return corpora
}

type Entry = Awaited<ReturnType<Handle['links']['accessLog']>>['entries'][number]

/** What a recipient did, in plain words. */
const DID: Readonly<Record<string, string>> = {
  'links.redeem': 'came by the link',
  'document_view.list': 'listed documents',
  'document_view.open': 'read',
  'document_download.fetch': 'downloaded',
  'search.execute': 'searched',
  'search.bundle': 'gathered passages',
  'search.plan': 'looked at a plan',
  'search.expand': 'looked at expansions',
  'views.changes': 'looked at changes',
  'document_view.file': 'saw the pages of',
  'upload.send': 'sent a file',
  'profiles.leave': 'left',
}

/** The titles of what was shown, the numbers on copies, and what was searched for, where that is kept. */
function documentsOf({ documents, others, watermarks, query }: Entry): string {
  return [
    ...(query === null ? [] : [`“${query}”`]),
    ...documents.map(({ title, document }) => title ?? document),
    ...(others > 0 ? [`${others} more`] : []),
    ...watermarks,
  ].join(', ')
}

const linksLog: Command = {
  name: 'links log',
  summary: 'Show who searched, read and downloaded what through a link, newest first',
  arguments: [{ name: 'link' }],
  options: { ...PAGE, csv: { type: 'flag', describe: 'print all of it as CSV, for a spreadsheet' } },
  examples: [
    { line: 'links log 3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61', does: 'who used a link, and for what' },
    { line: 'links log 3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61 --csv', does: 'the same as CSV' },
  ],
  needs: 'access',
  async run({ args, options, open, terminal }) {
    const { handle } = await open()
    if (options.flag('csv')) {
      const { csv } = await handle.links.exportLog(args[0] ?? '')
      return await terminal.stream(csv)
    }
    const page = await handle.links.accessLog({ link: args[0] ?? '', ...readPageOptions(options) })
    const { sessions, searches, views, downloads, refused } = page.totals
    printPage(
      terminal,
      page,
      page.entries,
      [
        { title: 'at', text: ({ at }) => at.slice(0, 19).replace('T', ' ') },
        { title: 'session', whole: true, text: ({ session }) => session ?? '' },
        { title: 'who', text: ({ recipient }) => recipient ?? '' },
        { title: 'did', text: ({ operation }) => DID[operation] ?? operation.replaceAll(/[._]/g, ' ') },
        { title: 'outcome', text: ({ outcome, reason }) => reason?.replaceAll('_', ' ') ?? outcome },
        { title: 'documents', text: documentsOf },
      ],
      page.auditVisibility === 'session_local'
        ? 'what was read is not for you to see'
        : 'nobody has come yet',
    )
    if (!terminal.json)
      terminal.note(
        [
          formatCount(sessions, 'session'),
          formatCount(searches, 'search', 'searches'),
          `${formatCount(views, 'document')} read`,
          formatCount(downloads, 'download'),
          `${refused} refused`,
        ].join(', '),
      )
  },
}

const linksRevoke: Command = {
  name: 'links revoke',
  summary: 'Revoke a share link, so that nobody can open it again',
  arguments: [{ name: 'link' }],
  options: {
    reason: { type: 'text', value: 'TEXT', describe: 'the reason, which is stored with the link' },
    after: {
      type: 'number',
      value: 'SECONDS',
      least: 1,
      most: 86_400,
      describe: 'let open sessions continue for this long',
    },
    'let-finish': { type: 'flag', describe: 'let open sessions continue until they end' },
    recall: { type: 'flag', describe: 'ask for the deletion of what was downloaded' },
  },
  examples: [
    {
      line: 'links revoke 3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61 --reason "the matter is settled" --recall',
      does: 'end a link and every session by it, and ask for copies to be deleted',
    },
  ],
  needs: 'access',
  async run({ args, options, open, terminal }) {
    const reason = options.text('reason')
    const seconds = options.number('after')
    const letsFinish = options.flag('let-finish')
    if (reason === undefined) throw new UsageError('links revoke needs --reason', 'links revoke')
    if (seconds !== undefined && letsFinish)
      throw new UsageError('give only one of --after and --let-finish', 'links revoke')
    const { handle } = await open()
    const summary = await handle.links.revoke({
      link: args[0] ?? '',
      reason,
      ...(letsFinish ? { activeSessionDisposition: 'allow_session_complete' as const } : {}),
      ...(seconds === undefined ? {} : { activeSessionDisposition: 'terminate_after_grace' as const }),
      ...omitUndefined({ activeSessionGracePeriodSeconds: seconds }),
      ...(options.flag('recall')
        ? { downloadedCopiesDisposition: 'best_effort_recall_request' as const }
        : {}),
    })
    if (terminal.json) terminal.document(summary)
    else terminal.line(toOneLine(summary.message))
  },
}

const linksRequests: Command = {
  name: 'links requests',
  summary: 'List who is waiting for approval',
  arguments: [],
  options: {
    ...PAGE,
    all: { type: 'flag', describe: 'include those who were approved or declined before' },
  },
  examples: [{ line: 'links requests', does: 'who is waiting for approval' }],
  needs: 'access',
  async run({ options, open, terminal }) {
    const { handle } = await open()
    const page = await handle.links.requests({
      ...readPageOptions(options),
      ...(options.flag('all') ? {} : { state: 'pending' as const }),
    })
    printPage(
      terminal,
      page,
      page.requests,
      [
        { title: 'id', whole: true, text: ({ request }) => request },
        { title: 'name', text: ({ name }) => name },
        { title: 'since', text: ({ createdAt }) => formatMoment(createdAt) },
        { title: 'state', text: ({ state }) => state },
        { title: 'link', whole: true, text: ({ link }) => link },
      ],
      'nobody waits',
    )
  },
}

const decides = (decision: 'approve' | 'decline', summary: string, done: string): Command => ({
  name: `links ${decision}`,
  summary,
  arguments: [{ name: 'request' }],
  options: {},
  examples: [{ line: `links ${decision} 3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61`, does: 'decide a request' }],
  needs: 'access',
  async run({ args, open, terminal }) {
    const { handle } = await open()
    const decided = await handle.links.decide({ request: args[0] ?? '', decision })
    if (terminal.json) terminal.document(decided)
    else terminal.line(`${done} ${toOneLine(decided.name)}`)
  },
})

export const LINK_COMMANDS = [
  linksList,
  linksLog,
  linksRevoke,
  linksRequests,
  decides('approve', 'Approve somebody who is waiting to open a link', 'let in'),
  decides('decline', 'Decline somebody who is waiting to open a link', 'declined'),
]
