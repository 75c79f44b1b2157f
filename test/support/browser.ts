import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { importOnDemand } from '../../scripts/on-demand.js'

const MODULES = fileURLToPath(new URL('../../on-demand/test/node_modules', import.meta.url))
const FOLDER = join(MODULES, '.cache/privity-browser')

/** A real browser with its protections on: the arguments that come with it would turn them off. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await unpackedBrowser(),
    args: ['--no-sandbox', '--disable-gpu', '--headless=shell'],
    headless: true,
  })
}

/** It takes 200 MB, so it is unpacked once, on the disk, and goes with the packages. */
async function unpackedBrowser(): Promise<string> {
  const { default: sparticuz } = await importOnDemand('test', '@sparticuz/chromium')
  const manifest = await readFile(join(MODULES, '@sparticuz/chromium/package.json'), 'utf8')
  const folder = join(FOLDER, JSON.parse(manifest).version)
  const path = join(folder, 'chromium')
  if (existsSync(path)) return path
  // Whatever is there is an older one. Another process may be unpacking the same: whoever is first provides it.
  await rm(FOLDER, { recursive: true, force: true })
  await mkdir(FOLDER, { recursive: true })
  const unfinished = await mkdtemp(`${FOLDER}-`)
  await unpackInto(unfinished, sparticuz)
  try {
    await rename(unfinished, folder)
  } catch {
    await rm(unfinished, { recursive: true, force: true })
  }
  return path
}

/** The package unpacks into the folder for temporary files, which it looks up before it waits for anything. */
function unpackInto(folder: string, sparticuz: { executablePath(): Promise<string> }): Promise<string> {
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    return sparticuz.executablePath()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}
