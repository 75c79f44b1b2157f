import { install, load } from '../../scripts/on-demand.js'

/**
 * Installs what we compare with. Not a part of the project's own dependencies: they are large, and one of them may be
 * compiled. Without them, the rest is measured.
 *
 * @param {(line: string) => void} log
 */
export async function installPeers(log) {
  try {
    await install('peers', log)
  } catch (e) {
    log(`${e instanceof Error ? e.message : e}\nWhat is missing is left out.`)
  }
}

/** @param {string} name */
export const loadPeer = name => load('peers', name)

/** Why a peer cannot be used, or null. @param {string} name */
export async function missingPeer(name) {
  try {
    loadPeer(name)
    return null
  } catch (e) {
    const [reason] = (e instanceof Error ? e.message : String(e)).split('\n')
    return `${name} is not installed: ${reason}`
  }
}
