import sparticuz from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/** A real browser with its protections on: the arguments that come with it would turn them off. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await sparticuz.executablePath(),
    args: ['--no-sandbox', '--disable-gpu', '--headless=shell'],
    headless: true,
  })
}
