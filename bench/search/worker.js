import { fork } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const CHILD = new URL('child.js', import.meta.url)
/** Of the machine's memory, what one process may use. */
const HEAP_MB = Math.round(totalmem() / 2 ** 20 / 2)
const EXIT_MS = 15_000

/**
 * The other side of `child.js`.
 *
 * @template {{ [Name in keyof Requests]: (given: never) => Promise<unknown> }} [Requests=import('./child.js').Requests]
 */
export class Worker {
  #child
  #folder
  #stderr = ''

  /** @param {string} system @param {string} folder @param {URL} [child] that answers these requests */
  constructor(system, folder, child = CHILD) {
    this.name = system
    this.#folder = folder
    this.#child = fork(fileURLToPath(child), [system], {
      execArgv: ['--expose-gc', `--max-old-space-size=${HEAP_MB}`],
      env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child.stderr?.on('data', (/** @type {Buffer} */ data) => {
      this.#stderr = `${this.#stderr}${data}`.slice(-4_000)
    })
  }

  /** @param {string} system */
  static async start(system) {
    return new Worker(system, await makeFolder())
  }

  /**
   * @template {keyof Requests} Name
   * @param {Name} name
   * @param {number} timeoutMs
   * @param {Parameters<Requests[Name]>} given
   * @returns {Promise<Awaited<ReturnType<Requests[Name]>>>}
   */
  ask(name, timeoutMs, ...given) {
    return new Promise((resolve, reject) => {
      /** @param {unknown} error */
      const fail = error => settle(() => reject(error))
      /** @param {{ answer?: unknown, error?: string }} reply */
      const hear = ({ answer, error }) =>
        settle(() => {
          if (error === undefined) resolve(/** @type {Awaited<ReturnType<Requests[Name]>>} */ (answer))
          else reject(new Error(error))
        })
      /** @param {number | null} code @param {string | null} signal */
      const end = (code, signal) => fail(new Error(this.#whyEnded(code, signal)))
      const timer = setTimeout(
        () => fail(new Error(`no answer in ${Math.round(timeoutMs / 1000)} s`)),
        timeoutMs,
      )
      /** @param {() => void} then */
      const settle = then => {
        clearTimeout(timer)
        this.#child.off('message', hear).off('exit', end).off('error', fail)
        then()
      }
      this.#child.on('message', hear).on('exit', end).on('error', fail)
      if (this.#child.exitCode !== null || this.#child.signalCode !== null)
        end(this.#child.exitCode, this.#child.signalCode)
      else this.#child.send({ name, given: given[0] })
    })
  }

  /** Ends the process, by force if it does not end by itself, and removes its files. */
  async stop() {
    const child = this.#child
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise(resolve => child.once('exit', resolve))
      const timer = setTimeout(() => child.kill('SIGKILL'), EXIT_MS)
      if (child.connected) child.disconnect()
      await ended
      clearTimeout(timer)
    }
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** @param {number | null} code @param {string | null} signal */
  #whyEnded(code, signal) {
    if (/heap out of memory|invalid table size|Map maximum size/i.test(this.#stderr))
      return 'ran out of memory'
    const last = this.#stderr.trim().split('\n').at(-1) ?? ''
    return `ended with ${code ?? signal}${last === '' ? '' : `: ${last}`}`
  }
}

/** Where a system's files go. */
export async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'privity-bench-'))
  // A server may run as another user.
  await chmod(folder, 0o755)
  return folder
}
