import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAICompatibleChat } from '../../src/chat/openai-compatible-chat.js'
import { builtIn } from '../../src/embedding/built-in.js'
import { type ChatServer, chatServer } from '../support/chat-server.js'
import { axeProblems, openTestConsole, type TestConsole } from '../support/console.js'
import { openMediation, shareAttempt, shareNeed } from '../support/mediation.js'
import { base64 } from '../support/router.js'

/** One server and one browser for the main job of each page. */
describe('the console, for the daily work', () => {
  let console: TestConsole
  let chat: ChatServer
  beforeAll(async () => {
    chat = await chatServer()
    const model = openAICompatibleChat({ url: chat.url, model: 'small' })
    console = await openTestConsole({}, { embedding: [builtIn()], answers: { model } })
  })
  afterAll(async () => {
    await console.dispose()
    await chat.close()
  })

  it('[CB-4, CB-5, CB-6] lets somebody word, share and revoke something, and shows the partner the rest', async () => {
    const { tenant, session, alice } = await openMediation(console.privity, { stage: 2 })
    const original = 'I was sad that nobody came to the party that I planned for weeks'
    await alice.vessel.write({ session, items: [{ type: 'user_event', text: original }] })
    const mine = await console.signedIn({ tenant, actor: 'alice' })
    const theirs = await console.signedIn({ tenant, actor: 'bob' })
    const shared = async () => {
      await theirs.page.goto(`${console.url}/sessions/${session}`)
      await theirs.page.getByRole('tab', { name: 'Shared' }).click()
      await theirs.page.getByRole('tabpanel').locator('h2, li').first().waitFor()
      return theirs.page.getByRole('tabpanel').innerText()
    }

    await mine.page.goto(`${console.url}/inbox`)
    await mine.page.getByLabel('Your private original').getByText(original).waitFor()
    const wording = mine.page.getByLabel('What the other would read').last()
    await wording.fill('You never listen to me.')
    await mine.page.getByRole('alert').waitFor()
    expect(await mine.page.getByRole('button', { name: 'Share my wording' }).isDisabled()).toBe(true)
    expect(await axeProblems(mine.page)).toEqual([])
    await wording.fill('I felt alone, and I need company.')
    await mine.page.getByText('Your wording can be shared.').waitFor()
    expect(await shared()).not.toContain('I felt alone')
    await mine.page.getByRole('button', { name: 'Share my wording' }).click()
    await mine.page.getByText('Nothing to decide').waitFor()
    expect(await shared()).toContain('I felt alone, and I need company.')
    expect(await shared()).not.toContain('party')
    expect(await axeProblems(theirs.page)).toEqual([])

    await mine.page.getByRole('tab', { name: 'Decided' }).click()
    await mine.page.getByRole('button', { name: 'Revoke …' }).click()
    await mine.page.getByText('1 shared text disappears').waitFor()
    await mine.page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await mine.page.getByText('Revoked', { exact: true }).waitFor()
    expect(await shared()).toContain('Nothing is shared yet')
    expect([...mine.problems, ...theirs.problems]).toEqual([])
    await Promise.all([mine.context.close(), theirs.context.close()])
  })

  it('[RC-9] shows each their own stage, and what the model was given in a turn', async () => {
    const { tenant, session, alice, agentFor } = await openMediation(console.privity, { stage: 1 })
    await alice.vessel.write({ session, items: [{ type: 'user_event', text: 'I am sad about the kids' }] })
    await agentFor('alice').turns.context({ session, turn: 'one', message: 'Why am I so tired?' })
    await alice.stages.confirmHeard(session)
    await alice.stages.advance(session)
    for (const [actor, stage] of [
      ['alice', 'stage 2'],
      ['bob', 'stage 1'],
    ] as const) {
      const { page, context, problems } = await console.signedIn({ tenant, actor })
      await page.goto(`${console.url}/sessions`)
      await page.getByRole('main').getByRole('link').first().click()
      await page.getByText(`You are in ${stage}`).waitFor()
      expect(await axeProblems(page)).toEqual([])
      await page.getByRole('tab', { name: 'What the model was given' }).click()
      if (actor === 'bob') await page.getByText('The model was asked nothing yet').waitFor()
      else {
        await page.getByRole('button', { name: 'Details' }).click()
        await page.getByRole('cell', { name: 'User event' }).first().waitFor()
      }
      expect(problems).toEqual([])
      await context.close()
    }
  })

  it('[RC-20] leads two people from empathy over needs and ideas to an agreement', async () => {
    const { tenant, session, bob } = await openMediation(console.privity, { stage: 2 })
    const { page, context, problems } = await console.signedIn({ tenant, actor: 'alice' })
    await page.goto(`${console.url}/sessions/${session}`)
    await page.getByText('Nothing to read yet.').waitFor()
    const words = 'I imagine that evenings feel long to you.'
    await page.getByLabel('In your words, as if they said it').fill(words)
    await page.getByRole('button', { name: 'Share …' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Share', exact: true }).click()
    await page.getByText('Shown once the other has shared theirs').waitFor()
    const theirs = await shareAttempt(bob, session, 'I imagine that mornings feel hectic to you.')
    const { items } = await bob.shared.list({ session, types: ['empathy_attempt'] })
    const mine = items.find(({ text }) => text === words)
    await bob.empathy.validate({ session, attempt: mine?.id ?? '', validated: true })
    await page.reload()
    await page.getByText('I imagine that mornings feel hectic to you.').waitFor()
    await page.getByRole('button', { name: 'I feel understood' }).click()
    await page.getByText('You feel understood').waitFor()
    expect(theirs.revealed).toBe(true)
    await page.getByRole('button', { name: 'Go to stage 3' }).click()
    await bob.stages.advance(session)

    await page.getByRole('tab', { name: 'Private notes' }).click()
    await page.getByLabel('What it is', { exact: true }).selectOption('need')
    await page.getByLabel('What it is about').selectOption('RECOGNITION')
    await page.getByLabel('In your words').fill('Somebody should see what I do every day')
    await page.getByRole('button', { name: 'Keep it' }).click()
    await page.getByRole('list', { name: 'Private notes' }).getByText('Somebody should see').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.getByRole('tab', { name: 'Stages' }).click()
    await page.getByRole('button', { name: 'This is mine' }).click()
    await page.getByRole('button', { name: 'Not mine after all' }).waitFor()
    await shareNeed(bob, session, 'RECOGNITION', 'My work is taken as a matter of course')
    await page.goto(`${console.url}/inbox`)
    await page.getByRole('button', { name: 'Share this' }).click()
    await page.getByText('Nothing to decide').waitFor()
    await page.goto(`${console.url}/sessions/${session}`)
    await page.getByRole('button', { name: 'Name what we have in common' }).click()
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByText('You confirmed it').waitFor()
    const [ground] = (await bob.shared.list({ session, types: ['common_ground'] })).items
    await bob.commonGround.confirm({ session, commonGround: ground?.id ?? '' })
    await page.reload()
    await page.getByRole('button', { name: 'Go to stage 4' }).click()
    await bob.stages.advance(session)

    const other = await bob.strategies.submit({ session, content: 'Tea at four, without phones.' })
    await page.getByLabel('Your idea').fill('We cook together on Sundays.')
    await page.getByRole('button', { name: 'Propose it' }).first().click()
    const ideas = page.getByRole('list', { name: 'Ideas, the best first' })
    await ideas.getByText('We cook together on Sundays.').waitFor()
    await page.getByRole('button', { name: 'Save my ranking' }).click()
    await page.getByRole('button', { name: 'Change my ranking' }).waitFor()
    await bob.strategies.rank({ session, proposals: [other.id] })
    await page.reload()
    await ideas.getByText('You both like it').waitFor()
    await page.getByLabel('Propose an agreement').fill('We have tea at four.')
    await page.getByRole('button', { name: 'Propose it' }).last().click()
    await page.getByText('Waits for the other').waitFor()
    expect(await axeProblems(page)).toEqual([])
    const [proposed] = (await bob.agreements.list({ session, proposed: true })).agreements
    await bob.agreements.agree({ session, agreement: proposed?.id ?? '' })
    await page.reload()
    await page.getByText('Both of you agreed').waitFor()
    await page.getByLabel('Something small to try').fill('For a week, we have tea at four.')
    await page.getByRole('button', { name: 'Plan it' }).click()
    await page.getByLabel('How does it go?').fill('We did it twice.')
    await page.getByRole('button', { name: 'Still trying' }).click()
    await page.getByText('Trying', { exact: true }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  it('[SV-4, ST-1, ST-5] shares a corpus after a preview, shows who came, and revokes in numbers', async () => {
    const tenant = console.tenant()
    const hollis = console.privity.as({ tenant, actor: 'hollis' })
    const filed = { kind: 'document', corpus: 'briefs', visibilityClass: 'public_open' } as const
    await hollis.remember([
      { ...filed, surface: 'source_documents', title: 'Motion', text: 'No fact pleads scienter.' },
      { ...filed, surface: 'host_strategy_notes', title: 'Doubts', text: 'Our scienter argument is thin.' },
    ])
    const { page, context, problems } = await console.signedIn({ tenant, actor: 'hollis' })
    await page.goto(`${console.url}/shares`)
    await page.getByRole('button', { name: 'Share something' }).first().click()
    await page.getByRole('button', { name: 'Create a view' }).click()
    await page.getByLabel('Corpus').fill('briefs')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('1 of 2 documents').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.getByLabel('Name of the link').fill('For Dana')
    await page.getByLabel('For whom').selectOption('anonymous_share_token')
    await page.getByRole('button', { name: 'Create the link' }).click()
    const address = await page.locator('pre').innerText()
    await page.getByRole('button', { name: 'Done' }).click()

    const recipient = await console.open()
    await recipient.page.goto(address)
    await recipient.page.getByText('Motion').first().click()
    await recipient.page.getByText('No fact pleads scienter.').waitFor()
    expect(await recipient.page.locator('body').innerText()).not.toMatch(/Doubts|thin/)
    expect(await axeProblems(recipient.page)).toEqual([])

    await page.getByRole('link', { name: 'For Dana' }).click()
    await page.getByRole('list', { name: 'Totals' }).getByText('1').first().waitFor()
    await page.getByText('Read').first().waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Revoke …' }).click()
    await page.getByText('1 session is active now. Nothing was downloaded.').waitFor()
    await page.getByLabel('Reason').fill('The matter is closed')
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('Revoked', { exact: true }).waitFor()
    await recipient.page.reload()
    await expect.poll(() => recipient.page.locator('body').innerText()).not.toContain('Motion')
    expect(problems).toEqual([])
    await Promise.all([context.close(), recipient.context.close()])
  })

  it('[ST-4, ST-7, ST-10, ST-11] changes a link, shows time on pages, files what was sent in, and tells where a copy came from', async () => {
    const tenant = console.tenant()
    const hollis = console.privity.as({ tenant, actor: 'hollis' })
    const { id } = await hollis.remember({
      kind: 'document',
      corpus: 'briefs',
      surface: 'source_documents',
      visibilityClass: 'public_open',
      title: 'Motion',
      text: 'No fact pleads scienter.',
    })
    const { view } = await hollis.views.create({ corpus: 'briefs' })
    const { link, token } = await hollis.links.grant({
      name: 'For Dana',
      views: [view],
      recipientIdentityMode: 'anonymous_share_token',
      allowedActions: ['search', 'document_view', 'document_download', 'upload'].map(namespace => ({
        kind: 'namespace_all' as const,
        namespace,
      })),
      agreement: 'Keep it confidential.',
    })
    const asked = await console.privity.redeem({ token: token ?? '' })
    if (asked.status !== 'agreement_needed') throw new Error(asked.status)
    const opened = await console.privity.redeem({ token: token ?? '', agreement: asked.sha256 })
    if (opened.status !== 'open') throw new Error(opened.status)
    const dana = console.privity.as((await console.privity.authenticate(opened.key)).credential)
    await dana.documents.noteReading({ document: id, pages: [{ page: 2, seconds: 1 }] })
    const { watermark } = await dana.documents.download(id)
    await dana.upload.send({ document: 'notes.txt', content: Buffer.from('My notes.').toString('base64') })

    const { page, context, problems } = await console.signedIn({ tenant, actor: 'hollis' })
    await page.goto(`${console.url}/shares/${link.link}`)
    await page.getByText(watermark ?? '').waitFor()
    await page.getByRole('tab', { name: 'Time on pages' }).click()
    await page.getByText('Page 2').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByText('Keep it confidential.').waitFor()
    await page.getByRole('button', { name: 'Change …' }).click()
    await page.getByLabel('Searches an hour').fill('7')
    await page.getByLabel('Somebody downloads').uncheck()
    expect(await axeProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('7 searches and').waitFor()
    expect((await hollis.links.get(link.link))?.notices.events).not.toContain('downloaded')
    await page.getByRole('link', { name: 'All shares' }).click()
    await page.getByRole('button', { name: 'Request files' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Payslips of Berg')
    await page.getByLabel('Message to the sender').fill('Please send your payslips.')
    await page.getByLabel('Folder (optional)').fill('Berg')
    await page.getByLabel('For whom').selectOption('Anybody who has the link')
    expect(await axeProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Create the link' }).click()
    await page.getByText('/share#privshare_').waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('takes files in for Received files / Berg').waitFor()
    await page.getByRole('tab', { name: 'Received files' }).click()
    await page.getByRole('button', { name: 'File …' }).click()
    await page.getByRole('button', { name: 'File', exact: true }).click()
    await page.getByText('Filed', { exact: true }).waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.getByRole('tab', { name: 'Check a copy' }).click()
    await page.getByLabel('Or the number printed on it').fill(watermark ?? '')
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('Valid', { exact: true }).waitFor()
    expect(await page.getByRole('list', { name: 'Copies' }).innerText()).toContain(
      'downloaded Motion by For Dana',
    )
    expect(await axeProblems(page)).toEqual([])
    expect(problems).toEqual([])
    await context.close()
  })

  it('[AU-1] shows a host the stream and verifies the chain, and finds an entry by a word', async () => {
    const tenant = console.tenant()
    await console.privity.as({ tenant, actor: 'ana' }).remember({ kind: 'note', text: 'tea' })
    const { page, context, problems } = await console.signedIn({ tenant, actor: 'ops', audience: 'host' })
    await page.goto(`${console.url}/audit`)
    await page.getByRole('button', { name: 'Verify now' }).click()
    await page.getByText('The chain is whole.').waitFor()
    const stream = page.getByRole('main').locator('code')
    await stream.first().waitFor()
    await page.getByLabel('Containing').fill('audit.verify')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect.poll(() => stream.allInnerTexts()).toContain('audit.verify')
    expect(new Set(await stream.allInnerTexts())).toEqual(new Set(['audit.verify']))
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export a checkpoint' }).click(),
    ])
    await page.getByLabel('Checkpoint file').setInputFiles((await file.path()) ?? '')
    await page.getByText('The chain is whole.').waitFor()
    expect(await axeProblems(page)).toEqual([])
    expect(problems).toEqual([])
    await context.close()
  })

  it('[DE-3] connects an agent with a key and a snippet, tests providers, and ends the key', async () => {
    const tenant = console.tenant()
    const { page, context, problems } = await console.signedIn({ tenant, actor: 'ops', audience: 'host' })
    await page.goto(`${console.url}/settings/agents`)
    await page.getByRole('button', { name: 'Connect an agent' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('My assistant')
    await page.getByRole('button', { name: 'Create the key' }).click()
    const key = await page.locator('pre').first().innerText()
    expect(await page.locator('pre').last().innerText()).toContain(`${console.url}/mcp`)
    expect(await axeProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Done' }).click()
    const search = () =>
      console.ask('POST', '/api/v1/search', {
        body: { query: 'tea' },
        headers: { authorization: `Bearer ${key}` },
      })
    expect((await search()).status).toBe(200)
    await page.getByRole('tab', { name: 'Providers' }).click()
    await page.getByRole('button', { name: 'Test' }).click()
    await page.getByText('The search took').waitFor()
    await page.getByRole('tab', { name: 'Health' }).click()
    await page.getByText('Everything works').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.getByRole('tab', { name: 'Labels' }).click()
    await page.getByLabel('Raise the sensitivity of new memories').check()
    await page.getByRole('combobox', { name: 'Health' }).selectOption({ label: 'At least hyper' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('It applies to what is written from now on.').waitFor()
    expect(await axeProblems(page)).toEqual([])
    const host = console.privity.as({ tenant, actor: 'ops', audience: 'host' })
    expect(await host.labels.policy()).toMatchObject({ mode: 'raise', classes: { health: 'hyper' } })
    await page.getByRole('tab', { name: 'Webhooks' }).click()
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    await page.getByLabel('Address').fill('https://hooks.example/privity')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Keep this secret').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('0 waiting calls are dropped').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No webhooks').waitFor()
    for (const part of ['Library', 'Backup']) {
      await page.getByRole('tab', { name: part }).click()
      expect(await axeProblems(page)).toEqual([])
    }
    await page.getByRole('tab', { name: 'Keys' }).click()
    await page.getByRole('listitem').filter({ hasText: 'My assistant' }).getByRole('button').click()
    await page.getByText('This ends 1 key at once').waitFor()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByRole('listitem').filter({ hasText: 'My assistant' }).getByText('Revoked').waitFor()
    expect((await search()).status).toBe(401)
    expect(problems).toEqual([])
    await context.close()
  })

  it('[SR-19] answers from documents, and opens what a sentence rests on where it stands', async () => {
    const tenant = console.tenant()
    const order = 'ORDER. The motion to dismiss is denied. Discovery closes on June 3, 2026.'
    await console.privity
      .as({ tenant, actor: 'hana' })
      .documents.ingest({ document: 'order.txt', corpus: 'court', content: base64(order) })
    const { page, context, problems } = await console.signedIn({ tenant, actor: 'hana' })
    // The model goes on only once its first sentence can be read.
    let goOn = () => {}
    const isRead = new Promise<void>(resolve => {
      goOn = resolve
    })
    chat.answer = async response => {
      const piece = (content: string) =>
        response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`)
      response.setHeader('content-type', 'text/event-stream')
      piece('The motion to dismiss is denied [1]. Discovery')
      await isRead
      piece(' closes on June 4, 2026 [1].')
      const end = JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })
      response.end(`data: ${end}\n\ndata: [DONE]\n\n`)
    }
    await page.goto(`${console.url}/ask?q=motion%20to%20dismiss%20denied`)
    await page.getByRole('button', { name: 'Answer from documents' }).click()
    await page.getByText('The model is writing …').waitFor()
    expect(await page.locator('.card', { hasText: 'Answer from documents' }).innerText()).toContain(
      'The motion to dismiss is denied.[1]',
    )
    goOn()
    await page.getByText('1 sentence was left out').waitFor()
    const answer = page.locator('.card', { hasText: 'Answer from documents' })
    expect(await answer.innerText()).toContain('The motion to dismiss is denied.')
    expect(await answer.innerText()).not.toContain('June 4')
    expect(await axeProblems(page)).toEqual([])
    await answer.getByRole('link', { name: 'Source 1' }).click()
    await page.getByRole('link', { name: 'Open it in the document' }).click()
    await page.locator('mark', { hasText: 'motion to dismiss' }).first().waitFor()
    expect(problems).toEqual([])
    await context.close()
  })

  it('[OV-1, OV-2] restricts a document, lets somebody in by a grant, and lifts it', async () => {
    const tenant = console.tenant()
    const hollis = console.privity.as({ tenant, actor: 'hollis' })
    const { id } = await hollis.remember({ kind: 'note', title: 'Salaries', text: 'Dana earns more.' })
    const { page, context, problems } = await console.signedIn({ tenant, actor: 'hollis' })
    await page.goto(`${console.url}/access?record=${id}`)
    await page.getByText('It is about 1 memory: “Salaries”.').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Restrict', exact: true }).click()
    const restrictions = page.getByRole('list', { name: 'Restrictions' })
    await restrictions.getByText('Only with a grant').waitFor()
    expect(await hollis.get(id)).toBeNull()
    await page.getByRole('tab', { name: 'Grants' }).click()
    await page.getByRole('button', { name: 'Grant access' }).click()
    await page.getByLabel('Who').fill('hollis')
    await page.getByLabel('What').selectOption('document')
    await page.getByLabel('Id').fill(id)
    await page.getByRole('button', { name: 'Grant', exact: true }).click()
    await page.getByRole('link', { name: 'Salaries' }).waitFor()
    expect((await hollis.get(id))?.face).toBe('full')
    expect(await axeProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Revoke …' }).click()
    await page.getByText('1 grant ends').waitFor()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('No grants yet').waitFor()
    expect(await hollis.get(id)).toBeNull()
    await page.getByRole('tab', { name: 'Restrictions' }).click()
    await restrictions.getByText('Something that you cannot see now').waitFor()
    await page.getByRole('button', { name: 'Lift …' }).click()
    await page.getByText('1 restriction is lifted').waitFor()
    await page.getByRole('button', { name: 'Lift', exact: true }).click()
    await page.getByText('Nothing is restricted').waitFor()
    expect((await hollis.get(id))?.face).toBe('full')
    expect(problems).toEqual([])
    await context.close()
  })

  it('[SP-2, SP-8, CV-7] limits a session and ends it, keeps a receipt, and reviews feedback', async () => {
    const tenant = console.tenant()
    const hollis = console.privity.as({ tenant, actor: 'hollis' })
    const filed = { kind: 'document', corpus: 'briefs', surface: 'source_documents' } as const
    const { id } = await hollis.remember({
      ...filed,
      visibilityClass: 'public_open',
      title: 'Motion',
      text: 'No fact pleads scienter.',
    })
    const reviewed = { kind: 'learning_capture_policy', settings: { capture: 'host_reviewed' } } as const
    await hollis.profiles.setPolicy({ ...reviewed, policy: 'reviewed' })
    const learning = await hollis.profiles.create({ learningCapturePolicyRef: 'reviewed' })
    await hollis.profiles.activate(learning.profile)
    await hollis.signals.record({ kind: 'explicit_helpful', record: id }, { profile: learning.profile })
    const { page, context, problems } = await console.signedIn({ tenant, actor: 'hollis' })

    await page.goto(`${console.url}/access?view=policies`)
    await page.getByText('Feedback of readers: Waits for your review').waitFor()
    await page.getByRole('button', { name: 'Write a session policy' }).click()
    await page.getByLabel('Name').fill('read only')
    await page.getByLabel('About').selectOption('Copies of documents')
    await page.getByRole('button', { name: 'Save' }).click()
    const policies = page.getByRole('list', { name: 'Session policies' })
    await policies.getByText('None: documents are only read').waitFor()
    await page.getByRole('tab', { name: 'Reading sessions' }).click()
    await page.getByRole('button', { name: 'Limit a session' }).click()
    await page.getByLabel('Searches an hour').fill('1')
    await page.getByLabel('Copies of documents').selectOption('read only')
    expect(await axeProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Save the draft' }).click()
    const sessions = page.getByRole('list', { name: 'Sessions' })
    const mine = sessions.getByRole('listitem').filter({ hasText: '1 search an hour' })
    await mine.getByRole('button', { name: 'Activate' }).click()
    await mine.getByText('Active', { exact: true }).waitFor()
    await mine.getByText('Rules').click()
    await mine.getByText('As the policy “read only” says').waitFor()
    expect(await axeProblems(page)).toEqual([])
    const { profiles } = await hollis.profiles.list()
    const { profile = '' } = profiles.find(({ maxQueriesPerHour }) => maxQueriesPerHour === 1) ?? {}
    await hollis.search('scienter', {}, { profile })
    const again = () => hollis.search('scienter', {}, { profile })
    await expect(again()).rejects.toMatchObject({ code: 'rate_limit_exceeded' })
    await mine.getByRole('button', { name: 'Revoke …' }).click()
    await page.getByText('1 session ends for good').waitFor()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    await mine.getByText('Revoked', { exact: true }).waitFor()
    await expect(again()).rejects.toMatchObject({ code: 'session_profile_invalid' })

    await page.goto(`${console.url}/audit/searches`)
    expect(await axeProblems(page)).toEqual([])
    await page.getByRole('link', { name: 'A search of 1 record' }).first().click()
    await page.getByRole('button', { name: 'Keep it for a year' }).click()
    await page.getByText('because somebody marked it').waitFor()
    expect(await axeProblems(page)).toEqual([])
    const { receipts } = await hollis.receipts.list()
    expect(receipts.map(({ retention }) => retention.retentionClass)).toContain('durable_audit_1y')

    await page.goto(`${console.url}/shares?view=feedback`)
    await page.getByRole('list', { name: 'Waiting for your review' }).getByText('1 said helpful').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByRole('list', { name: 'Feedback by corpus' }).getByText('1 said helpful').waitFor()
    expect((await hollis.signals.pending()).pending).toEqual([])
    expect(problems).toEqual([])
    await context.close()
  })

  it('says that the server is gone, and tries again', async () => {
    const { page, context } = await console.signedIn({ tenant: console.tenant(), actor: 'ana' })
    await page.route('**/api/v1/**', route => route.abort())
    await page.goto(`${console.url}/shares`)
    await page.getByText('The server cannot be reached.').waitFor()
    await page.unroute('**/api/v1/**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Nothing is shared').waitFor()
    await context.close()
  })
})
