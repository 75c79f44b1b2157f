import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadWorld } from '../../src/example-world/load.js'
import { WORLDS } from '../../src/example-world/world.js'
import { axeProblems, openTestConsole, type TestConsole } from '../support/console.js'
import { findGround, openMediation } from '../support/mediation.js'

/**
 * Pictures of every page, to be looked at: `PRIVITY_PICTURES=folder npx vitest run test/console/screenshots`.
 * `PRIVITY_PICTURE=ask,why` takes only some.
 */
const FOLDER = process.env.PRIVITY_PICTURES ?? 'node_modules/.cache/pictures'
const ONLY = process.env.PRIVITY_PICTURE?.split(',')

interface Picture {
  readonly name: string
  /** Who looks: a person by name, the host, a recipient who came by a link, or nobody. */
  readonly who: string
  readonly path: string | ((console: TestConsole) => string | Promise<string>)
  /** What is done before the picture is taken. */
  readonly act?: (page: Page) => Promise<unknown>
}

const tenant = 'default'
const tab = (name: string) => (page: Page) => page.getByRole('tab', { name }).click()
const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()
const of = (console: TestConsole, actor: string) => console.privity.as({ tenant, actor })
const recordOf = async (console: TestConsole, actor: string, query: string) =>
  (await of(console, actor).search(query)).results[0]?.record.id ?? ''
const sessionOf = async (console: TestConsole) =>
  `/sessions/${(await of(console, 'mara').sessions.list()).sessions[0]?.id ?? ''}`
const linkOf = async (console: TestConsole) =>
  `/shares/${(await of(console, 'hollis').links.list()).links[0]?.link ?? ''}`

/** What the examples have nothing of: what agents ask for, earlier versions, saved questions, later stages. */
async function addWhatWaits(console: TestConsole) {
  const nora = of(console, 'nora')
  const agent = console.privity.as({
    tenant,
    actor: 'assistant',
    audience: 'agent',
    for: 'nora',
    trust: { maxSensitivity: 'medium' },
  })
  const job = await recordOf(console, 'nora', 'Ben wants to leave his job')
  const text = 'Ben told everybody that he opens his workshop for old boats in May.'
  await agent.changes.request({ how: 'supersede', record: job, text, reason: 'He said so on the phone.' })
  await agent.changes.request({ how: 'forget', record: await recordOf(console, 'nora', 'Rosa Elias ferry') })
  await agent.consents.request({ person: 'Dr. Klein', reason: 'for the appointment' })
  await nora.remember({ kind: 'note', text: 'The PIN of the bank card is 4821.', sensitivity: 'low' })
  const bread = await recordOf(console, 'nora', 'bread honey')
  await nora.revise({
    how: 'supersede',
    record: bread,
    by: { title: 'Rosa’s bread', text: 'Rosa’s bread: a kilo of flour, warm water, two spoons of honey.' },
  })
  await nora.searches.save({ name: 'News of Ben', query: 'Ben' })
  const watched = {
    name: 'inbox',
    kind: 'folder',
    location: '/srv/inbox',
    corpus: 'Securities briefs',
  } as const
  await of(console, 'hollis').bindings.create(watched)
  const hollis = of(console, 'hollis')
  const target = { kind: 'corpus', ref: 'Securities briefs' } as const
  await hollis.overlays.add({ target, restriction: 'not_shareable' })
  await hollis.grants.add({ grantee: 'dana', target })
  await hollis.profiles.setPolicy({
    kind: 'learning_capture_policy',
    policy: 'reviewed',
    settings: { capture: 'host_reviewed' },
  })
  const { profile } = await hollis.profiles.create({
    learningCapturePolicyRef: 'reviewed',
    maxQueriesPerHour: 20,
  })
  await hollis.profiles.activate(profile)
  const record = await recordOf(console, 'hollis', 'scienter')
  await hollis.signals.record({ kind: 'explicit_helpful', record })
  await hollis.signals.record({ kind: 'explicit_helpful', record }, { profile })
  const needs = await openMediation(console.privity, { tenant, stage: 3 })
  later.needs = needs.session
  await needs.alice.vessel.write({
    session: needs.session,
    items: [{ type: 'need', category: 'CONNECTION', text: 'Time with you in the evening' }],
  })
  await findGround(needs, 'RECOGNITION')
  const { session, alice, bob } = await openMediation(console.privity, { tenant, stage: 4 })
  later.repair = session
  const first = await alice.strategies.submit({ session, content: 'We cook together on Sundays.' })
  const second = await bob.strategies.submit({ session, content: 'Tea at four, without phones.' })
  const order = { session, proposals: [first.id, second.id] }
  await alice.strategies.rank(order)
  await bob.strategies.rank(order)
  const proposals = [first.id]
  const { id } = await bob.agreements.propose({ session, text: 'We cook together on Sundays.', proposals })
  await alice.agreements.agree({ session, agreement: id })
  await bob.agreements.propose({ session, text: 'We have tea at four.', proposals: [second.id] })
  await bob.experiments.add({ session, text: 'For a week, we have tea at four.' })
}

/** Sessions in later stages than that of the example. */
const later = { needs: '', repair: '' }
async function keepConversation(page: Page) {
  await page.getByLabel('What was said').fill('Me: I live in Lisbon.\nRosa: And I was born in Beirut.')
  await page.getByRole('button', { name: 'Keep it' }).click()
  await page.getByText('2 messages kept').waitFor()
}
async function findToForget(page: Page) {
  await page.getByRole('button', { name: 'Forget …' }).click()
  await page.getByRole('dialog').getByLabel('Person').fill('Karim')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByText('found:').waitFor()
}

const PICTURES: readonly Picture[] = [
  { name: 'sign-in', who: 'nobody', path: '/ask' },
  { name: 'ask-empty', who: 'nora', path: '/ask' },
  { name: 'ask', who: 'nora', path: '/ask?q=bee%20stings' },
  {
    name: 'ask-receipt',
    who: 'nora',
    path: '/ask?q=bee%20stings',
    act: page => page.locator('.receipt summary').click(),
  },
  { name: 'ask-compare', who: 'nora', path: '/ask?q=what%20did%20Ben%20tell', act: press('Compare with') },
  { name: 'ask-answer', who: 'hollis', path: '/ask?q=scienter&answer=1' },
  { name: 'ask-save', who: 'nora', path: '/ask?q=bee%20stings', act: press('Save') },
  { name: 'ask-context', who: 'nora', path: '/ask?view=context&q=Ben&as=imagined-medium' },
  { name: 'ask-nothing', who: 'nora', path: '/ask?q=xylophone' },
  { name: 'ask-host', who: 'host', path: '/ask?q=bee%20stings' },
  { name: 'why-empty', who: 'nora', path: '/why' },
  { name: 'why', who: 'nora', path: async c => `/why?record=${await recordOf(c, 'nora', 'Ben job')}` },
  { name: 'memory', who: 'nora', path: '/memory' },
  { name: 'memory-empty', who: 'zoe', path: '/memory' },
  { name: 'timeline', who: 'nora', path: '/memory', act: tab('Timeline') },
  { name: 'graph', who: 'nora', path: '/memory', act: tab('Graph') },
  { name: 'import', who: 'nora', path: '/memory', act: tab('Import') },
  { name: 'conversation', who: 'nora', path: '/memory?view=conversation', act: keepConversation },
  { name: 'files', who: 'hollis', path: '/memory?view=files' },
  { name: 'label-review', who: 'nora', path: '/memory?view=labels' },
  { name: 'forget-about', who: 'nora', path: '/memory', act: findToForget },
  { name: 'add', who: 'nora', path: '/memory', act: press('Add') },
  { name: 'record', who: 'nora', path: async c => `/memory/${await recordOf(c, 'nora', 'bee stings')}` },
  {
    name: 'record-history',
    who: 'nora',
    path: async c => `/memory/${await recordOf(c, 'nora', 'bread honey')}`,
  },
  {
    name: 'forget',
    who: 'nora',
    path: async c => `/memory/${await recordOf(c, 'nora', 'bee stings')}`,
    act: press('Forget'),
  },
  {
    name: 'labels',
    who: 'nora',
    path: async c => `/memory/${await recordOf(c, 'nora', 'bee stings')}`,
    act: press('Labels'),
  },
  {
    name: 'document',
    who: 'hollis',
    path: async c => `/memory/${(await of(c, 'hollis').list({ kinds: ['document'] })).records[0]?.id}`,
  },
  { name: 'people', who: 'nora', path: '/people' },
  { name: 'person', who: 'nora', path: '/people', act: press('Edit Ben') },
  { name: 'inbox-changes', who: 'nora', path: '/inbox' },
  { name: 'inbox-empty', who: 'zoe', path: '/inbox' },
  { name: 'inbox-host', who: 'host', path: '/inbox' },
  { name: 'notifications', who: 'mara', path: '/inbox?view=notifications' },
  { name: 'inbox', who: 'mara', path: '/inbox' },
  { name: 'inbox-decided', who: 'mara', path: '/inbox', act: tab('Decided') },
  { name: 'inbox-partner', who: 'jonah', path: '/inbox' },
  { name: 'sessions', who: 'mara', path: '/sessions' },
  { name: 'session', who: 'mara', path: sessionOf },
  { name: 'session-notes', who: 'mara', path: sessionOf, act: tab('Private notes') },
  { name: 'session-needs', who: 'alice', path: () => `/sessions/${later.needs}` },
  { name: 'session-repair', who: 'alice', path: () => `/sessions/${later.repair}` },
  { name: 'session-partner', who: 'jonah', path: sessionOf, act: tab('Shared') },
  { name: 'session-model', who: 'mara', path: sessionOf, act: tab('What the model was given') },
  { name: 'shares-empty', who: 'nora', path: '/shares' },
  { name: 'shares', who: 'hollis', path: '/shares' },
  {
    name: 'views',
    who: 'hollis',
    path: '/shares',
    act: async page => {
      await tab('Views')(page)
      await page.getByRole('checkbox').first().check()
    },
  },
  { name: 'grant', who: 'hollis', path: '/shares', act: press('Share something') },
  { name: 'uploads', who: 'hollis', path: '/shares', act: tab('Received files') },
  { name: 'watermark', who: 'hollis', path: '/shares', act: tab('Check a copy') },
  { name: 'request-files', who: 'hollis', path: '/shares', act: press('Request files') },
  { name: 'link', who: 'hollis', path: linkOf },
  { name: 'link-settings', who: 'hollis', path: linkOf, act: tab('Settings') },
  { name: 'link-revoke', who: 'hollis', path: linkOf, act: press('Revoke') },
  { name: 'access', who: 'hollis', path: '/access' },
  { name: 'access-restrict', who: 'hollis', path: '/access', act: press('Restrict something') },
  { name: 'access-grants', who: 'hollis', path: '/access?view=grants' },
  { name: 'access-sessions', who: 'hollis', path: '/access?view=sessions' },
  { name: 'access-limit', who: 'hollis', path: '/access?view=sessions', act: press('Limit a session') },
  { name: 'access-policies', who: 'hollis', path: '/access?view=policies' },
  { name: 'feedback', who: 'hollis', path: '/shares?view=feedback' },
  { name: 'audit', who: 'host', path: '/audit' },
  { name: 'searches', who: 'nora', path: '/audit/searches' },
  {
    name: 'receipt',
    who: 'nora',
    path: async c =>
      `/audit/searches/${(await of(c, 'nora').receipts.list()).receipts[0]?.searchRunId ?? ''}`,
  },
  { name: 'audit-owner', who: 'nora', path: '/audit' },
  { name: 'keys', who: 'host', path: '/settings/keys' },
  { name: 'agents', who: 'host', path: '/settings/agents' },
  { name: 'policies', who: 'host', path: '/settings/policies' },
  { name: 'folders', who: 'hollis', path: '/settings/folders' },
  { name: 'providers', who: 'host', path: '/settings/providers' },
  { name: 'health', who: 'host', path: '/settings/health' },
  { name: 'health-owner', who: 'nora', path: '/settings/health' },
  { name: 'label-policy', who: 'host', path: '/settings/labels' },
  { name: 'webhooks', who: 'host', path: '/settings/webhooks' },
  { name: 'library', who: 'host', path: '/settings/library' },
  { name: 'backup', who: 'host', path: '/settings/backup' },
  { name: 'welcome', who: 'host', path: '/welcome' },
  { name: 'not-found', who: 'nora', path: '/memory/00000000-0000-4000-8000-000000000000' },
  { name: 'unknown-address', who: 'nobody', path: '/no-such-page' },
  { name: 'recipient', who: 'recipient', path: '' },
  {
    name: 'recipient-document',
    who: 'recipient',
    path: '',
    act: page => page.locator('button.title').first().click(),
  },
  { name: 'docs', who: 'nobody', path: '/docs' },
  { name: 'docs-concepts', who: 'nobody', path: '/docs/concepts' },
  { name: 'docs-reference', who: 'nobody', path: '/docs/reference' },
]
const LOOKS = [
  ['light', { width: 1280, height: 860 }, 'light'],
  ['dark', { width: 1280, height: 860 }, 'dark'],
  ['phone', { width: 390, height: 844 }, 'light'],
  ['phone-dark', { width: 390, height: 844 }, 'dark'],
] as const

describe('pictures of the console', () => {
  let console: TestConsole
  let address: string
  beforeAll(async () => {
    console = await openTestConsole()
    const host = { tenant, actor: 'ops', audience: 'host' } as const
    for (const world of WORLDS) await loadWorld(console.privity, world, host)
    const hollis = of(console, 'hollis')
    const { views } = await hollis.views.list()
    const granted = await hollis.links.grant({
      name: 'For the court',
      views: views.slice(0, 1).map(({ view }) => view),
      recipientIdentityMode: 'anonymous_share_token',
    })
    address = `${console.url}/share#${granted.token}`
    await addWhatWaits(console)
    await mkdir(FOLDER, { recursive: true })
  }, 300_000)
  afterAll(() => console.dispose())

  it.each(LOOKS)(
    '%s',
    async (look, viewport, colorScheme) => {
      const problems: string[] = []
      const contexts = new Map<string, Awaited<ReturnType<TestConsole['open']>>>()
      for (const { name, who, path, act } of PICTURES) {
        if (ONLY !== undefined && !ONLY.includes(name)) continue
        let opened = contexts.get(who)
        if (opened === undefined) {
          opened =
            who === 'nobody' || who === 'recipient'
              ? await console.open({ viewport, colorScheme })
              : await console.signedIn(
                  {
                    tenant,
                    actor: who === 'host' ? 'ops' : who,
                    audience: who === 'host' ? 'host' : 'owner',
                  },
                  { viewport, colorScheme },
                )
          contexts.set(who, opened)
        }
        const { page } = opened
        try {
          const at = typeof path === 'string' ? path : await path(console)
          await page.goto(who === 'recipient' ? address : console.url + at)
          await page.getByRole('heading', { level: 1 }).first().waitFor()
          await page.waitForLoadState('networkidle')
          await act?.(page)
          await page.waitForLoadState('networkidle')
          // What is still loading would be a picture of nothing.
          await expect
            .poll(() => page.locator('.skeleton:not(.more .skeleton)').count(), { timeout: 30_000 })
            .toBe(0)
          await page.waitForTimeout(250)
          await page.screenshot({
            path: join(FOLDER, `${name}-${look}.png`),
            fullPage: !name.startsWith('docs'),
          })
          const width = await page.evaluate<number>('document.documentElement.scrollWidth')
          if (width > viewport.width) problems.push(`${name}: ${width} px wide`)
          for (const problem of await axeProblems(page)) problems.push(`${name}: ${problem}`)
        } catch (error) {
          problems.push(`${name}: ${String(error).slice(0, 300)}`)
          await page.screenshot({ path: join(FOLDER, `${name}-${look}.png`) })
        }
      }
      for (const { context, problems: found } of contexts.values()) {
        problems.push(...found)
        await context.close()
      }
      expect(problems).toEqual([])
    },
    600_000,
  )
})
