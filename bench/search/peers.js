import { spawn } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL('../peers/', import.meta.url)
const require = createRequire(new URL('package.json', FOLDER))

/**
 * Installs what we compare with, unless that was done after the last change of its lock file. Not a part of the
 * project's own dependencies: they are large, and one of them may be compiled.
 *
 * @param {(line: string) => void} log
 */
export async function installPeers(log) {
  const [locked, installed] = await Promise.all(
    ['package-lock.json', 'node_modules/.package-lock.json'].map(changedAt),
  )
  if (installed !== undefined && locked !== undefined && installed >= locked) return
  log('installing what to compare with into bench/peers (about 250 MB, once)')
  const { code, output } = await run('npm', ['ci'])
  if (code === 0) return
  log(`npm ci in bench/peers failed (${code}); what is missing is left out:`)
  const errors = output.split('\n').filter(line => line.startsWith('npm error'))
  for (const line of errors.slice(0, 3)) log(`  ${line}`)
}

/** @param {string} name */
export const loadPeer = name => require(name)

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

/** @param {string} file */
async function changedAt(file) {
  const found = await stat(new URL(file, FOLDER)).catch(() => undefined)
  return found?.mtimeMs
}

/** @param {string} command @param {readonly string[]} args @returns {Promise<{ code: number | string, output: string }>} */
function run(command, args) {
  return new Promise(resolve => {
    let output = ''
    const child = spawn(command, args, { cwd: fileURLToPath(FOLDER), shell: process.platform === 'win32' })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (/** @type {Buffer} */ data) => {
        output += data
      })
    child.on('error', e => resolve({ code: e.message, output }))
    child.on('close', (code, signal) => resolve({ code: code ?? signal ?? 'killed', output }))
  })
}
