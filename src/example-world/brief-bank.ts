import type { Handle } from '../handle.js'
import type { Privity } from '../open.js'
import { doOnce } from './do-once.js'
import type { ExampleRecord } from './memory-world.js'
import type { ExampleAnswer, ExampleCaller, ExampleCommand, ExampleWorld } from './world.js'

const CORPUS = 'Securities briefs'
const MATTERS = 'Client matters'
/** The corpora of the example that hold legal documents. */
export const LAW: readonly string[] = [CORPUS, MATTERS]
const QUESTION = 'motion to dismiss scienter'

const filed = (record: Pick<ExampleRecord, 'text'> & Partial<ExampleRecord>): ExampleRecord => ({
  kind: 'document',
  corpus: CORPUS,
  surface: 'source_documents',
  visibilityClass: 'public_open',
  sensitivity: 'low',
  ...record,
})

/** What the firm stores about two cases, including its own assessment. */
const RECORDS: readonly ExampleRecord[] = [
  filed({
    title: 'Motion to dismiss, Kestrel Therapeutics',
    document: 'kestrel-mtd',
    filingUnit: 'kestrel-motion-to-dismiss',
    version: 'kestrel-mtd-as-filed',
    versionKind: 'original_as_filed',
    fields: { caseNumber: '3:25-cv-01882', court: 'N.D. Cal.' },
    tags: ['our weak point'],
    text: 'Defendants move to dismiss the complaint. Plaintiffs plead no fact that would give rise to a strong inference of scienter: the sales of stock were made under plans that were adopted before the trial began.',
  }),
  filed({
    title: 'Opposition to the motion to dismiss, Kestrel Therapeutics',
    document: 'kestrel-opposition',
    fields: { caseNumber: '3:25-cv-01882', court: 'N.D. Cal.' },
    text: 'The motion to dismiss should be denied. Scienter follows from what the officers were told in the weekly safety meeting, which confidential witness 2 describes from her own notes.',
  }),
  filed({
    title: 'Order on the motion to dismiss, Kestrel Therapeutics',
    document: 'kestrel-order',
    surface: 'court_rulings',
    fields: { caseNumber: '3:25-cv-01882', court: 'N.D. Cal.' },
    text: 'The motion to dismiss is denied in part. The allegations of scienter suffice as to the statements of 4 March, and do not as to the others.',
  }),
  filed({
    title: 'Exhibit C, filed under seal',
    document: 'kestrel-exhibit-c',
    visibilityClass: 'sealed',
    text: 'Minutes of the safety meeting of 2 March, filed under seal with the opposition to the motion to dismiss: scienter of the chief medical officer.',
  }),
  filed({
    title: 'What we think of the scienter argument',
    surface: 'host_strategy_notes',
    visibilityClass: 'work_product_internal',
    kind: 'note',
    text: 'Our scienter argument is thin without confidential witness 2. If the motion to dismiss is renewed, settle before her deposition.',
  }),
  {
    kind: 'note',
    corpus: MATTERS,
    surface: 'host_annotations',
    visibilityClass: 'privileged',
    sensitivity: 'medium',
    title: 'Call with the client',
    text: 'The client would take eleven million and does not want the motion to dismiss to be argued at all.',
  },
]

/** Hollis and her law firm, with a link for outside counsel. */
export const BRIEF_BANK: ExampleWorld = {
  name: 'firm',
  about: 'a brief bank, shared with outside counsel',
  callers: [
    { who: 'Hollis, who keeps it', key: { name: 'hollis', actor: 'hollis' } },
    {
      who: 'her assistant, which is told nothing that is sealed',
      key: {
        name: 'research',
        actor: 'research',
        audience: 'agent',
        for: 'hollis',
        trust: { maxSensitivity: 'medium' },
      },
    },
  ],
  asked: `Everybody is asked the same: “${QUESTION}”`,
  fill,
  ask: (handle, _caller: ExampleCaller, most) => tellCaller(handle, most),
  toTry,
}

async function fill(privity: Privity, tenant: string): Promise<void> {
  const hollis = privity.as({ tenant, actor: 'hollis' })
  await hollis.remember([...RECORDS], doOnce('records'))
  await hollis.views.create({ corpus: CORPUS, name: 'For outside counsel' }, doOnce('view'))
}

async function tellCaller(handle: Handle, most: number): Promise<ExampleAnswer> {
  const { results, count } = await handle.search(QUESTION, { limit: most })
  return {
    lines: results.map(({ record }) => record.payload?.title ?? record.kind),
    more: count - results.length,
  }
}

const LINK = 'example: outside counsel'

/** The token of a link is shown only once, so each start grants a new link and revokes the old ones. */
async function toTry(hollis: Handle, { url }: { url: string }): Promise<ExampleCommand[]> {
  const { views } = await hollis.views.list({ corpus: CORPUS })
  const view = views.at(-1)
  if (view === undefined) return []
  const { links } = await hollis.links.list({ limit: 200 })
  for (const { link, name, revokedAt } of links)
    if (name === LINK && revokedAt === null)
      await hollis.links.revoke({ link, reason: 'the example was started anew' })
  const { link, token } = await hollis.links.grant({
    name: LINK,
    views: [view.view],
    recipientIdentityMode: 'anonymous_share_token',
  })
  return [
    { as: null, shows: 'what outside counsel sees, in a browser', line: `${url}/share#${token}` },
    { as: 'hollis', line: `npx privity links log ${link.link}` },
  ]
}
