import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../support/browser.js'
import { rawHttp } from '../support/raw-http.js'
import { openTestServer, type TestServer } from '../support/server.js'
import { anyEngine } from '../support/stores.js'

/** A page of another site, such as webmail, with links to the server. */
function otherSite(server: TestServer): Promise<Server> {
  const link = (path: string) => `<p><a id="${path}" href="${server.url}${path}">${path}</a></p>`
  const paths = ['/share#token', '/', '/nowhere', '/api/v1/records', '/api/v1/nowhere', '/mcp']
  return new Promise(resolve => {
    const site = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(
        `<!doctype html><title>mail</title>${paths.map(link).join('')}
         <iframe id="frame" src="${server.url}/share"></iframe>`,
      )
    }).listen(0, 'localhost', () => resolve(site))
  })
}

describe('a browser in front of the server', () => {
  let server: TestServer
  let site: Server
  let browser: Browser
  let mail: string
  beforeAll(async () => {
    server = await openTestServer(anyEngine)
    site = await otherSite(server)
    // Another name is another site, although both are this machine.
    mail = `http://localhost:${(site.address() as AddressInfo).port}/`
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    site.close()
    await server.dispose()
  })

  async function follow(path: string) {
    const page = await browser.newPage()
    await page.goto(mail)
    const sent = page.waitForRequest(
      request => request.isNavigationRequest() && request.url().startsWith(server.url),
    )
    const [request] = await Promise.all([sent, page.click(`[id="${path}"]`)])
    const response = await request.response()
    await page.waitForLoadState()
    const headers = await request.allHeaders()
    const seen = {
      site: headers['sec-fetch-site'],
      status: response?.status(),
      type: response?.headers()['content-type'],
      title: await page.title(),
      text: await page.locator('body').innerText(),
    }
    await page.close()
    return seen
  }

  it('[ST-1] opens a share link that was clicked in webmail', async () => {
    expect(await follow('/share#token')).toMatchObject({
      site: 'cross-site',
      status: 200,
      title: 'Shared documents',
    })
    expect(await follow('/')).toMatchObject({ site: 'cross-site', status: 200 })
  })

  it('[CP-4] keeps the API closed to other sites, however they ask', async () => {
    for (const path of ['/api/v1/records', '/api/v1/nowhere', '/mcp']) {
      const seen = await follow(path)
      expect(seen).toMatchObject({ site: 'cross-site', status: 403, title: 'Not allowed' })
      expect(seen.text).toContain('Pages of other sites may not send requests to this server')
    }
    const page: Page = await browser.newPage()
    const framed = page.waitForResponse(response => response.url() === `${server.url}/share`)
    await page.goto(mail)
    expect((await framed).status()).toBe(403)
    const asked = page.waitForResponse(response => response.url() === `${server.url}/healthz`)
    await page.evaluate(url => fetch(url, { mode: 'no-cors' }).catch(() => {}), `${server.url}/healthz`)
    expect((await asked).status()).toBe(403)
    await page.close()
  })

  it('shows people a page and programs JSON, for every failure', async () => {
    const seen = await follow('/nowhere')
    expect(seen).toMatchObject({ status: 404, type: 'text/html; charset=utf-8' })
    expect(seen.text).not.toContain('{')
    const page = await browser.newPage()
    for (const [path, status, title] of [
      ['/assets/nowhere', 404, 'Page not found'],
      ['/api/v1/nowhere', 401, 'Sign-in required'],
      ['/api/v1/records', 401, 'Sign-in required'],
      ['/metrics', 401, 'Sign-in required'],
    ] as const) {
      const response = await page.goto(`${server.url}${path}`)
      expect([response?.status(), await page.title()], path).toEqual([status, title])
      expect(response?.headers()['content-security-policy']).toContain("default-src 'none'")
      for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }]) {
        const answer = await server.ask('GET', path, { headers })
        expect([answer.status, answer.body?.success], path).toEqual([status, false])
      }
    }
    await page.close()
    // What a request says is never part of the page.
    const hostile = await server.ask('GET', '/%3Cscript%3Ealert(1)%3C/script%3E', {
      headers: { accept: 'text/html' },
    })
    expect(hostile.text).not.toContain('alert(1)')
  })

  it('takes the host of a whole URL in the request line for what it is', async () => {
    const ask = (target: string, host: string) =>
      rawHttp(
        server.server.port,
        `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      ).then(answer => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]))
    const own = `127.0.0.1:${server.server.port}`
    expect(await ask('/healthz', own)).toBe(200)
    expect(await ask(`http://${own}/healthz`, own)).toBe(200)
    for (const [target, host] of [
      ['http://evil.example/healthz', own],
      [`http://evil.example:${server.server.port}/healthz`, own],
      [`http://${own}/healthz`, 'evil.example'],
      [`http://localhost/healthz`, own],
      ['https://evil.example/healthz', 'localhost'],
      [`http://user@evil.example/healthz`, own],
    ] as const)
      expect([400, 403], `${target} ${host}`).toContain(await ask(target, host))
  })
})
