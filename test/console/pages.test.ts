import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FAMILY } from '../../src/example-world/family.js'
import { loadWorld } from '../../src/example-world/load.js'
import type { Handle } from '../../src/handle.js'
import { axeProblems, type ConsolePage, openTestConsole, type TestConsole } from '../support/console.js'
import { deep } from '../support/depth.js'

const HOSTILE = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`
/** With a folder, every page leaves a picture in it. */
const PICTURES = process.env.PRIVITY_PICTURES

describe('the pages of the console', () => {
  let console: TestConsole
  let tenant: string
  let nora: Handle
  let opened: ConsolePage
  let page: Page
  beforeAll(async () => {
    console = await openTestConsole()
    tenant = console.tenant()
    await loadWorld(console.privity, FAMILY, { tenant, actor: 'root', audience: 'host' })
    nora = console.privity.as({ tenant, actor: 'nora' })
    await console.privity.caughtUp()
    opened = await console.signedIn({ tenant, actor: 'nora' })
    page = opened.page
  })
  afterAll(async () => {
    await opened.context.close()
    await console.dispose()
  })

  const go = (path: string) => page.goto(`${console.url}${path}`)
  let looks = 0
  /**
   * No rule of WCAG AA is broken, in both themes and on a phone; nothing was stopped, and nothing failed. In `npm test`
   * the rules are asked in one theme of each page, in turn: the parts of pages are the same.
   */
  async function looksRight(name: string): Promise<void> {
    const found: string[] = []
    const asked = looks++ % 2 === 0 ? 'dark' : 'light'
    for (const [theme, width] of [
      ['light', 1280],
      ['dark', 1280],
      ['light', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      if (PICTURES !== undefined) {
        mkdirSync(PICTURES, { recursive: true })
        await page.screenshot({ path: `${PICTURES}/${name}-${theme}-${width}.png` })
      }
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )
      if (overflow > 0) found.push(`${width} px: the page scrolls sideways by ${overflow}`)
      if ((theme === 'dark' || width === 390) && (deep || theme === asked))
        found.push(...(await axeProblems(page)))
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    expect(found).toEqual([])
    expect(opened.problems).toEqual([])
  }

  it('[WB-6, DE-7] Ask: finds, highlights, filters, compares with an agent, and shows the receipt', async () => {
    await go('/ask')
    await page.getByLabel('Your question').fill('What should I know about Ben?')
    await page.keyboard.press('Enter')
    const own = page.getByRole('region', { name: 'Results for You (nora)' })
    await own.getByText('Before talking to Ben').waitFor()
    expect(await own.locator('mark').count()).toBeGreaterThan(0)
    await own.getByText(/^Searched 11 records/).click()
    await own.getByText('that you may see').waitFor()
    await looksRight('ask')
    await page.getByRole('button', { name: 'Compare with somebody else' }).click()
    await page.getByLabel('Compare with').selectOption({ label: 'An agent trusted up to low' })
    const agent = page.getByRole('region', { name: 'Results for An agent trusted up to low' })
    await agent.getByText('Ben is allergic to bee stings').first().waitFor()
    expect(await agent.getByText('Before talking to Ben').count()).toBe(0)
    expect(await agent.getByText('Redacted').count()).toBeGreaterThan(0)
    await looksRight('ask-compare')
    await go('/ask?q=Ben&kind=note')
    await own.getByText('1 result').waitFor()
  })

  it('[WB-6, DE-4] Why: every gate, which decided, and the action that changes it', async () => {
    const { records } = await nora.list({ people: ['Karim'] })
    await go(`/why?record=${records[0]?.id}&as=imagined-high`)
    await page.getByText('This gate decides.').waitFor()
    expect(await page.locator('.gate').count()).toBe(11)
    await looksRight('why')
    await page.getByRole('button', { name: 'Karim agrees' }).click()
    await page.getByText('Every gate lets all of it through').waitFor()
    expect((await nora.people.get('Karim'))?.consent).toBe('granted')
    await nora.people.consent({ person: 'Karim', status: 'revoked' })
  })

  it('[WB-6] Memory: adds, revises, labels, pins, and says what falls before it forgets', async () => {
    await go('/memory')
    await page.getByRole('button', { name: 'Add a memory' }).click()
    await page.getByLabel('What to remember').fill('The boat needs paint.')
    await looksRight('memory-add')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'The boat needs paint.' }).waitFor()
    const id = page.url().split('/').at(-1) ?? ''
    await page.getByRole('button', { name: 'Pin' }).click()
    await page.getByRole('button', { name: 'Unpin' }).waitFor()
    await page.getByRole('button', { name: 'Labels' }).click()
    await page.getByLabel('Sensitivity').selectOption('high')
    await page.getByRole('button', { name: 'Save labels' }).click()
    await page.getByText('High sensitivity').waitFor()
    await nora.remember({ kind: 'semantic', title: 'Made of it', text: 'Paint the boat.', derivedFrom: [id] })
    await page.getByRole('button', { name: 'Forget' }).click()
    await page.getByText('1 other record').waitFor()
    await page.getByText('Made of it').waitFor()
    await looksRight('memory-forget')
    await page.getByRole('button', { name: 'Delete 2 records' }).click()
    await page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor()
    expect(await nora.get(id)).toBeNull()
    await page.getByText('Rosa’s bread', { exact: true }).waitFor()
    await looksRight('memory')
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await page.getByRole('heading', { name: 'June 2026' }).waitFor()
    await looksRight('memory-timeline')
    await page.getByRole('tab', { name: 'Graph' }).click()
    await page.locator('.graph canvas').first().waitFor()
    await looksRight('memory-graph')
  })

  it('[WB-6, WR-8] Inbox: shows what an agent asks to change beside what is there, and does it once accepted', async () => {
    const agent = console.privity.as({
      tenant,
      actor: 'assistant',
      audience: 'agent',
      for: 'nora',
      trust: { maxSensitivity: 'high' },
    })
    const [corrected, deleted, kept] = await Promise.all(
      ['The boat is red.', 'The boat is old.', 'The boat is ours.'].map(text =>
        nora.remember({ kind: 'note', text }),
      ),
    )
    const text = 'The boat is blue now.'
    await agent.changes.request({
      how: 'supersede',
      record: corrected?.id ?? '',
      text,
      reason: 'It was painted.',
    })
    await agent.changes.request({ how: 'forget', record: deleted?.id ?? '' })
    await agent.changes.request({ how: 'retract', record: kept?.id ?? '' })
    await go('/inbox')
    await page.getByText('3 requests to decide.').waitFor()
    const asked = (words: string) => page.locator('.card', { hasText: words })
    await asked('to correct').getByText('The boat is red.').waitFor()
    await asked('to correct').getByText(text).waitFor()
    await looksRight('inbox-changes')
    await asked('to withdraw').getByRole('button', { name: 'Decline' }).click()
    await page.getByText('2 requests to decide.').waitFor()
    await asked('to delete').getByRole('button', { name: 'Delete …' }).click()
    await page.getByText('Nothing else that you can see was made from it.').waitFor()
    expect(await nora.get(deleted?.id ?? '')).not.toBeNull()
    await page.getByRole('button', { name: 'Delete 1 record' }).click()
    await page.getByText('1 request to decide.').waitFor()
    await page.getByRole('button', { name: 'Save the correction' }).click()
    await page.getByText('Nothing to decide').waitFor()
    expect(await nora.get(deleted?.id ?? '')).toBeNull()
    expect((await nora.get(kept?.id ?? ''))?.payload?.text).toBe('The boat is ours.')
    const [newest] = (await nora.list({ limit: 1 })).records
    expect(newest?.payload?.text).toBe(text)
    await page.getByRole('tab', { name: 'Decided' }).click()
    await page.getByRole('list', { name: 'Decided changes' }).getByText('Declined').waitFor()

    await go(`/memory/${newest?.id}`)
    const versions = page.getByRole('list', { name: 'Versions' })
    await versions.getByText('The boat is red.').waitFor()
    await page.getByRole('button', { name: 'Revise' }).click()
    await page.getByLabel('What to remember').fill('The boat is green.')
    await page.getByRole('button', { name: 'Save the new version' }).click()
    await page.getByRole('heading', { level: 1, name: 'The boat is green.' }).waitFor()
    await looksRight('memory-history')
    await versions
      .getByRole('listitem')
      .filter({ hasText: text })
      .getByRole('button', { name: 'Restore' })
      .click()
    await page.getByRole('heading', { level: 1, name: text }).waitFor()
    expect((await nora.get(newest?.id ?? ''))?.payload?.text).toBe(text)
  })

  it('[WB-6, WR-5] Memory: keeps a conversation with its facts, raises labels, and forgets what is about somebody', async () => {
    await go('/memory?view=conversation')
    await page
      .getByLabel('What was said')
      .fill('Me: I live in Lisbon.\nZelda: My door code is 4711.\nIt is new.')
    await page.getByText('2 messages by you, Zelda.').waitFor()
    await page.getByLabel('People it is about').fill('Zelda')
    await page.getByRole('button', { name: 'Keep it' }).click()
    await page.getByText('2 messages kept').waitFor()
    await page.getByRole('list', { name: 'Facts' }).getByText('lives in Lisbon').waitFor()
    await looksRight('memory-conversation')
    await page.getByRole('tab', { name: 'Review labels' }).click()
    const proposals = page.getByRole('list', { name: 'Proposed labels' })
    const code = proposals.getByRole('listitem').filter({ hasText: '4711' })
    await code.locator('mark').first().waitFor()
    await looksRight('memory-labels')
    await code.getByRole('button', { name: 'Raise' }).click()
    await code.waitFor({ state: 'detached' })
    const kept = (await nora.list({ people: ['Zelda'], asOf: 'any' })).records
    const coded = kept.filter(({ payload }) => payload?.text.includes('4711'))
    expect(coded.map(({ sensitivity }) => sensitivity)).toContain('hyper')
    // What is proposed for the people in it alone must not lower anything.
    const diary = proposals.getByRole('listitem').filter({ hasText: 'I am angry with Ben' })
    await diary.getByRole('button', { name: 'Raise' }).click()
    await diary.waitFor({ state: 'detached' })
    const [angry] = (await nora.search('angry with Ben')).results
    expect(angry?.record).toMatchObject({ sensitivity: 'hyper', payload: { participants: ['Ben'] } })
    await page.getByRole('button', { name: 'Forget …' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Person').fill('Zelda')
    await dialog.getByRole('button', { name: 'Find' }).click()
    await dialog.getByText(/memor(y|ies) found:/).waitFor()
    await dialog.getByRole('button', { name: /^Delete \d+ memor/ }).click()
    await dialog.waitFor({ state: 'detached' })
    expect((await nora.list({ people: ['Zelda'], asOf: 'any' })).records).toEqual([])
  })

  it('[WB-6, SR-19] Ask: shows what an assistant is told, gathers passages for an answer, and tells what is new', async () => {
    await go('/ask?view=context&q=Ben&as=imagined-low')
    const told = page.getByRole('tabpanel')
    await told.getByText('Ben is allergic to bee stings').first().waitFor()
    expect(await told.innerText()).not.toContain('leave his job')
    await looksRight('ask-context')
    await page.getByRole('combobox', { name: 'Assistant' }).selectOption({ label: 'You (nora)' })
    await told.getByText('leave his job').first().waitFor()
    await go('/ask?q=picnic')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByRole('button', { name: 'Answer from documents' }).click()
    await page.getByText('No model is configured').waitFor()
    await go('/ask')
    await page.getByRole('button', { name: 'What is new?' }).click()
    await page.getByText('Ben wants to leave his job').waitFor()
    await page.getByRole('button', { name: 'Delete the saved question picnic' }).click()
    await page.getByText('Saved questions').waitFor({ state: 'detached' })
  })

  it('[WB-6] Memory: takes in dropped files with progress, and opens a document where the words stand', async () => {
    await go('/memory?view=import')
    await page.getByLabel('Drop files here').setInputFiles([
      {
        name: 'boats.md',
        mimeType: 'text/markdown',
        buffer: Buffer.from(
          `# Boats\n\nOld hulls rot from inside. ${'Oak is heavy. '.repeat(80)}\n\nThe zanzibar varnish lasts.`,
        ),
      },
      {
        name: 'notes.jsonl',
        mimeType: 'application/x-ndjson',
        buffer: Buffer.from('{"kind":"note","text":"From a line."}\n'),
      },
    ])
    await page.getByText(/Read as a new document/).waitFor()
    await page.getByText(/1 record imported/).waitFor()
    await looksRight('memory-import')
    await go('/ask?q=zanzibar')
    await page.getByRole('link', { name: 'Open at this place' }).first().click()
    await page.locator('mark', { hasText: 'zanzibar' }).waitFor()
  })

  it('[WB-6, PC-6] People: who agreed, what depends on it, grant and revoke; requests of agents', async () => {
    const agent = console.privity.as({
      tenant,
      actor: 'assistant',
      audience: 'agent',
      for: 'nora',
      trust: { maxSensitivity: 'medium' },
    })
    await agent.consents.request({ person: 'Dr. Klein', reason: 'for the appointment' })
    await go('/people')
    await page.getByText('1 request from agents').waitFor()
    await page.getByRole('link', { name: 'People 1 waiting' }).waitFor()
    await looksRight('people')
    await page.getByRole('button', { name: 'Add a member to the family' }).click()
    await page.getByRole('dialog').getByLabel('Member').fill('lea')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Remove lea from the family' }).click()
    await page.getByText('1 member of 3 leaves').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove lea from the family' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('1 request from agents').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Revoke the consent of Ben' }).click()
    await page.getByText(/no longer told \d+ memories with them/).waitFor()
    await page.getByRole('button', { name: 'Revoke', exact: true }).last().click()
    await page.getByRole('button', { name: 'Record that Ben agreed' }).click()
    await page.getByRole('button', { name: 'Revoke the consent of Ben' }).waitFor()
    expect((await nora.people.get('Ben'))?.consent).toBe('granted')
  })

  it('[WB-4] shows stored markup as text, wherever it stands', async () => {
    const { id } = await nora.remember({
      kind: 'note',
      title: HOSTILE,
      text: `hostile ${HOSTILE}`,
      tags: [HOSTILE.slice(0, 60)],
      participants: [HOSTILE.slice(0, 60)],
    })
    for (const path of ['/ask?q=hostile', `/memory/${id}`, '/memory', '/people', `/why?record=${id}`]) {
      await go(path)
      await page.getByText('<img src=x').first().waitFor()
    }
    await go('/memory?view=graph')
    await page.locator('.graph canvas').first().waitFor()
    expect(await page.title()).toBe('Memory · Privity')
    expect(opened.problems).toEqual([])
    await nora.forget([id])
  })

  it('[WB-6] says what is wrong when the server cannot be reached, and when there is nothing', async () => {
    await go('/memory/00000000-0000-4000-8000-000000000000')
    await page.getByText('There is nothing here').waitFor()
    await looksRight('absent')
    await go('/people')
    await page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
    await opened.context.setOffline(true)
    await page.getByText('You are offline').waitFor()
    await page.getByRole('link', { name: 'Memory', exact: true }).click()
    await page.getByText('The server cannot be reached.').waitFor()
    await opened.context.setOffline(false)
    opened.problems.length = 0
    // The browser may still be offline for the first try, and may try again by itself.
    const again = page.getByRole('button', { name: 'Try again' })
    const memories = page.getByRole('list', { name: 'Memories' }).getByRole('listitem').first()
    const tryAgain = async () => {
      if (await again.isVisible()) await again.click({ timeout: 1_000 }).catch(() => {})
      return memories.isVisible()
    }
    await expect.poll(tryAgain, { timeout: 20_000, interval: 200 }).toBe(true)
  })

  it('[WB-5, WB-6] loads an example into the tenant of a host, and leads through it in five steps', async () => {
    const host = await console.signedIn({ tenant: `${tenant}-fresh`, actor: 'root', audience: 'host' })
    await host.page.getByRole('link', { name: 'Load an example' }).click()
    const team = host.page.locator('.card', { hasText: 'A family’s memories' })
    await team.getByRole('button', { name: 'Load and take the tour' }).click()
    await host.page.getByRole('button', { name: 'Load it' }).click()
    await host.page.getByText('You are using the console as nora').waitFor()
    const tour = host.page.getByRole('region', { name: 'Tour' })
    await tour.getByText('step 1 of 5').waitFor()
    await host.page.getByText('Before talking to Ben').first().waitFor()
    await tour.getByRole('button', { name: 'Next' }).click()
    await host.page.getByRole('region', { name: 'Results for An agent trusted up to low' }).waitFor()
    expect(await axeProblems(host.page)).toEqual([])
    for (const step of ['3', '4', '5']) {
      await tour.getByRole('button', { name: 'Next' }).click()
      await tour.getByText(`step ${step} of 5`).waitFor()
    }
    await tour.getByRole('button', { name: 'Finish' }).click()
    await tour.waitFor({ state: 'detached' })
    await host.page.getByRole('link', { name: 'Examples' }).click()
    await team.getByRole('button', { name: 'See who agreed' }).waitFor()
    expect(await team.locator('.tour-step').count()).toBe(5)
    await team.getByRole('button', { name: 'See who agreed' }).click()
    await host.page.getByRole('heading', { level: 1, name: 'People' }).waitFor()
    await host.context.close()
    const owner = await console.signedIn({ tenant, actor: 'ben' })
    const status = await owner.page.evaluate<number>(
      `fetch('/console/examples/team', { method: 'POST', headers: { 'privity-console': '1', 'content-type': 'application/json' }, body: '{}' }).then(({ status }) => status)`,
    )
    expect(status).toBe(403)
    await owner.context.close()
  })

  it('[WB-7] loads less than 250 KB of compressed script before the first page, and no drawing library', async () => {
    const fresh = await console.open()
    let bytes = 0
    const names: string[] = []
    fresh.page.on('response', async response => {
      if (!response.url().endsWith('.js')) return
      names.push(response.url())
      bytes += (await response.request().sizes()).responseBodySize
    })
    await fresh.page.goto(console.server.signInAddress({ tenant, actor: 'nora' }))
    await fresh.page.getByRole('heading', { level: 1, name: 'Ask' }).waitFor()
    expect(names.length).toBeGreaterThan(1)
    expect(names.join()).not.toMatch(/graph|plot/)
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(250_000)
    await fresh.context.close()
  })
})
