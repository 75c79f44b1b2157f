import type { Handle } from '../../handle.js'
import { SURFACES, type TEMPORAL_MODES, VISIBILITY_CLASSES } from '../../policy/vocabulary.js'
import { askSecret, canAsk, confirm } from '../ask-secret.js'
import type { Command, Context, Values } from '../command.js'
import { omitUndefined } from '../omit-undefined.js'
import { formatCount, formatMoment, toOneLine } from '../output/text.js'
import { UsageError } from '../usage-error.js'

type NewView = Parameters<Handle['views']['create']>[0]
type View = Awaited<ReturnType<Handle['views']['create']>>
type NewLink = Parameters<Handle['links']['grant']>[0]
type GrantAnswer = Awaited<ReturnType<Handle['links']['grant']>>
type Link = GrantAnswer['link']
type EffectiveView = Awaited<ReturnType<Handle['views']['effective']>>['corpora'][number]
type ViewContents = EffectiveView['shows']

/** The visibility class of records that were given none. */
const DEFAULT_CLASS = 'party_confidential' satisfies (typeof VISIBILITY_CLASSES)[number]

const LIVE = 'live_view' satisfies (typeof TEMPORAL_MODES)[number]

export const shareCommand: Command = {
  name: 'share',
  summary: 'Share a corpus with somebody outside by a link; the link is shown once',
  arguments: [{ name: 'corpus' }],
  options: {
    name: { type: 'text', value: 'NAME', describe: 'the name of the link (the name of the corpus)' },
    email: { type: 'text', value: 'ADDRESS', describe: 'only for whoever receives mail at this address' },
    passcode: {
      type: 'flag',
      describe: 'only for whoever knows a passcode: PRIVITY_PASSCODE, or asked for at the terminal',
    },
    approve: { type: 'flag', describe: 'only for people whom you approve by name' },
    collaborative: { type: 'flag', describe: 'for working together: records added later are shown as well' },
    live: { type: 'flag', describe: 'also show records that are added later, instead of a snapshot of now' },
    surface: {
      type: 'texts',
      values: [...SURFACES, 'rulings_and_outcomes'],
      describe:
        'a surface of the corpus to share (documents and filings, without your notes); may be repeated',
    },
    document: { type: 'texts', value: 'REF', describe: 'only this document, by name or id; may be repeated' },
    ceiling: {
      type: 'text',
      values: VISIBILITY_CLASSES,
      describe: 'the highest visibility class that it shows (public_open)',
    },
    'expires-at': { type: 'moment', describe: 'when the link expires' },
  },
  examples: [
    { line: 'share briefs', does: 'whoever has the link reads what is public of a corpus, as it is now' },
    {
      line: 'share briefs --email dana@counsel.example --ceiling party_confidential --expires-at 2030-01-31',
      does: 'outside counsel reads more, with a code by mail, until the end of January',
    },
    { line: 'share briefs --approve --document brief-7', does: 'one document, for whom you let in' },
  ],
  needs: 'access',
  async run(context) {
    const { options, terminal, open } = context
    const [corpus = ''] = context.args
    const identity = await readIdentity(context)
    const { handle } = await open()
    const view = await createView(context, handle, corpus)
    const grant = async () => {
      const [shown] = (await handle.views.effective([view.view])).corpora
      const { shows } = shown as EffectiveView
      if (shows.records === 0 && view.viewTemporalMode !== LIVE)
        throw new UsageError(whyNothing(view, shows), 'share')
      const made = await handle.links.grant({
        views: [view.view],
        ...identity,
        ...omitUndefined({ name: options.text('name'), expiresAt: options.text('expires-at') }),
      } as NewLink)
      return { ...made, shows }
    }
    const made = await grant().catch(async error => {
      // A view that was never shown to anybody is useless, so it is deleted.
      await handle.views.delete(view.view).catch(() => {})
      throw error
    })
    const address = openAddressOf(context, made.token)
    if (terminal.json) terminal.document({ ...made, view, address })
    else say(context, view, made, address ?? made.token)
  },
}

/**
 * Creates the view. What was just added to a corpus is labelled `party_confidential`, and a link shows only what is
 * `public_open` by default: if that is nothing, whoever sits at the terminal is asked.
 */
async function createView({ options, terminal }: Context, handle: Handle, corpus: string): Promise<View> {
  const view = await handle.views.create(viewOf(corpus, options))
  if (options.text('ceiling') !== undefined || view.viewTemporalMode === LIVE || !canAsk(terminal))
    return view
  const showsOf = async (made: View) => (await handle.views.effective([made.view])).corpora[0]?.shows
  const shows = await showsOf(view)
  if (shows === undefined || shows.records > 0 || shows.ofRecords === 0) return view
  const wider = await handle.views.create({
    ...viewOf(corpus, options),
    visibilityClassCeiling: DEFAULT_CLASS,
  })
  const found = await showsOf(wider)
  const isWanted =
    found !== undefined &&
    found.records > 0 &&
    (await confirm(
      terminal,
      `Nothing in “${toOneLine(corpus)}” is public. Show ${formatCount(found.records, 'record')} labelled ${DEFAULT_CLASS} as well?`,
    ))
  await handle.views.delete((isWanted ? view : wider).view)
  return isWanted ? wider : view
}

/** Explains why a link would show nothing, and what would help. */
function whyNothing(
  { corpus, documentScope, visibilityClassCeiling }: View,
  { ofRecords }: ViewContents,
): string {
  if (ofRecords === 0)
    return `the corpus “${corpus}” is empty or does not exist; check its name, or share what will be added with --live`
  const what = documentScope.kind === 'explicit_document_list' ? 'of these documents' : `of “${corpus}”`
  return visibilityClassCeiling === 'public_open'
    ? `nothing ${what} is public_open, which is all that a link shows by default; to show what is labelled ${DEFAULT_CLASS} as well (the default label), add --ceiling ${DEFAULT_CLASS}`
    : `nothing ${what} is within ${visibilityClassCeiling}; raise --ceiling, or check the names and surfaces`
}

/** How recipients prove who they are: in one way, or not at all (ST-2). */
export async function readIdentity(
  { options, env, terminal }: Context,
  command = 'share',
): Promise<Pick<NewLink, 'recipientIdentityMode' | 'recipientEmail' | 'passcode'>> {
  const email = options.text('email')
  const ways = [
    ...(email === undefined ? [] : ['--email']),
    ...['passcode', 'approve'].filter(name => options.flag(name)).map(name => `--${name}`),
  ]
  if (ways.length > 1) throw new UsageError(`give only one of ${ways.join(' and ')}`, command)
  if (email !== undefined) return { recipientIdentityMode: 'email_bound', recipientEmail: email }
  if (options.flag('approve')) return { recipientIdentityMode: 'host_approved_named_external' }
  if (!options.flag('passcode')) return { recipientIdentityMode: 'anonymous_share_token' }
  const passcode = env.PRIVITY_PASSCODE || (await askSecret(terminal, 'passcode', 'set PRIVITY_PASSCODE'))
  return { recipientIdentityMode: 'passcode_required', passcode }
}

function viewOf(corpus: string, options: Values): NewView {
  const documentRefs = options.texts('document')
  return {
    corpus,
    sharing: options.flag('collaborative') ? 'collaborative' : 'share_link',
    ...omitUndefined({
      name: options.text('name'),
      exposedSurfaces: options.texts('surface'),
      visibilityClassCeiling: options.text('ceiling'),
      viewTemporalMode: options.flag('live') ? LIVE : undefined,
      documentScope: documentRefs && { kind: 'explicit_document_list', documentRefs },
    }),
  } as NewView
}

/** The URL of the share page. The token is in the fragment, which browsers do not send to the server. */
export function openAddressOf({ place }: Context, token: string | null): string | null {
  const at = place()
  return token === null || !('url' in at) ? null : `${at.url.replace(/\/+$/, '')}/share#${token}`
}

/** Prints the URL alone as the answer, and everything about it as notes. */
function say(
  { terminal }: Context,
  view: View,
  { link, shows }: GrantAnswer & { shows: ViewContents },
  address: string | null,
): void {
  const note = (text: string) => terminal.note(toOneLine(text))
  note(`shared “${view.corpus}”: ${view.exposedSurfaces.map(words).join(', ')}`)
  const { viewTemporalMode, visibilityClassCeiling } = view
  note(
    `  ${shows.documents} of ${formatCount(shows.ofDocuments, 'document')}, ${shows.records} of ${formatCount(shows.ofRecords, 'record')}`,
  )
  note(
    `  ${viewTemporalMode === LIVE ? 'as it is whenever it is read' : 'as it is now'}, up to ${words(visibilityClassCeiling)}`,
  )
  note(
    `  for ${describeRecipient(link)}, ${link.expiresAt === null ? 'until you revoke it' : `until ${formatMoment(link.expiresAt)}`}`,
  )
  note(`  revoke it with privity links revoke ${link.link} --reason …`)
  terminal.line(address ?? '(what opens it was shown before)')
  if (address?.startsWith('privshare_'))
    note('on a server of this store, hand on its address, then /share# and this token')
  terminal.note(terminal.style('yellow', 'this is shown once: hand it on now, and to nobody else', 'stderr'))
}

const words = (name: string) => name.replaceAll('_', ' ')

/** Describes in words whom a link is for. */
export function describeRecipient({ recipientIdentityMode, recipientEmail }: Link): string {
  switch (recipientIdentityMode) {
    case 'email_bound':
      return recipientEmail ?? 'one address'
    case 'passcode_required':
      return 'whoever knows the passcode'
    case 'host_approved_named_external':
      return 'whom you let in by name'
    default:
      return 'whoever has the link'
  }
}
