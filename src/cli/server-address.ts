import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Place } from './access.js'

/** The file in a store's folder that says at which address a server serves it. */
const fileIn = (dataDir: string) => join(dataDir, 'server-address')

/** Writes down where a server of an embedded store listens, so that other commands can name it. */
export async function noteServerAddress(place: Place | null, url: string): Promise<() => Promise<void>> {
  if (place === null || !('dataDir' in place)) return async () => {}
  const file = fileIn(place.dataDir)
  // It is only a hint: a folder that cannot be written to fails elsewhere.
  await writeFile(file, `${url}\n`, { mode: 0o600 }).catch(() => {})
  return () => rm(file, { force: true })
}

/** Says how to ask the server that holds a store; the address is the one that it wrote down. */
export async function askTheServer(place: Place | null): Promise<string> {
  const noted =
    place !== null && 'dataDir' in place ? await readFile(fileIn(place.dataDir), 'utf8').catch(() => '') : ''
  const url = /^https?:\/\/\S{1,200}$/.exec(noted.trim())?.[0]
  return url === undefined
    ? 'if a server uses it, ask the server instead: --url with the address that it printed, and its key in PRIVITY_KEY'
    : `a server uses it: ask that one with --url ${url}, and its key in PRIVITY_KEY`
}
