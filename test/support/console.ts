import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Credential } from '../../src/runtime/caller.js'
import { openBrowser } from './browser.js'
import { openTestServer, type TestServer } from './server.js'
import { anyEngine } from './stores.js'

/** A page of the console with whatever went wrong in it. */
export interface ConsolePage {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of scripts, and whatever the content security policy stopped. */
  readonly problems: string[]
}

export interface TestConsole extends TestServer {
  readonly browser: Browser
  /** Opens the console as somebody who has just signed in. */
  signedIn(credential: Credential, options?: Parameters<Browser['newContext']>[0]): Promise<ConsolePage>
  open(options?: Parameters<Browser['newContext']>[0]): Promise<ConsolePage>
}

/** A server on a fresh store, and a real browser. */
export async function openTestConsole(
  options: Parameters<typeof openTestServer>[1] = {},
  store: Parameters<typeof openTestServer>[2] = {},
): Promise<TestConsole> {
  const [server, browser] = await Promise.all([openTestServer(anyEngine, options, store), openBrowser()])
  const open: TestConsole['open'] = async contextOptions => {
    // Without a language, the browser takes one from the environment that Intl does not know.
    const context = await browser.newContext({ locale: 'en-US', ...contextOptions })
    context.setDefaultTimeout(20_000)
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', error => problems.push(String(error)))
    page.on('console', message => {
      if (message.type() === 'error' && !/status of (4\d\d|503)/.test(message.text()))
        problems.push(message.text())
    })
    return { page, context, problems }
  }
  return {
    ...server,
    browser,
    open,
    async signedIn(credential, contextOptions) {
      const opened = await open(contextOptions)
      await opened.page.goto(server.server.signInAddress(credential))
      await opened.page.getByRole('heading', { level: 1, name: 'Ask' }).waitFor()
      return opened
    },
    async dispose() {
      await browser.close()
      await server.dispose()
    },
  }
}

/** What axe finds against WCAG 2.2 AA on a page as it is now, in short. */
export async function axeProblems(page: Page): Promise<string[]> {
  // A transition in between would have colours of its own.
  await page.waitForTimeout(50)
  // In the page itself: collecting the results on a blank one takes as long again, and there are no frames.
  const { violations } = await new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary?.slice(0, 300)}`),
  )
}
