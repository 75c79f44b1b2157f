import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Folders with a lock file of their own, and what is said before each is installed. */
const FOLDERS = /** @type {const} */ ({
  check: ['on-demand/check', 'the linter and formatter (60 MB)'],
  test: ['on-demand/test', 'a Postgres server and a browser for the tests (150 MB)'],
  providers: ['on-demand/providers', 'the optional embedding providers (200 MB)'],
  ocr: ['on-demand/ocr', 'the optional text recognition (65 MB)'],
  generate: ['on-demand/generate', 'what makes the checked-in kernel, tokenizer and icons (190 MB)'],
  peers: ['bench/peers', 'what to compare with (250 MB)'],
})

/** @typedef {keyof typeof FOLDERS} Folder */

/**
 * Installs a folder unless that was done after the last change of its lock file.
 *
 * @param {Folder} folder
 * @param {(line: string) => void} [log]
 */
export async function install(folder, log = line => console.error(line)) {
  const [path, what] = FOLDERS[folder]
  const cwd = join(ROOT, path)
  const [locked = 0, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map(
    file => statSync(join(cwd, file), { throwIfNoEntry: false })?.mtimeMs,
  )
  if (installed !== undefined && installed >= locked) return
  log(`Installing ${what} into ${path}. This happens once.`)
  const { code, output } = await run('npm', ['ci'], cwd)
  if (code === 0) return
  const errors = output.split('\n').filter(line => line.startsWith('npm error'))
  throw new Error(`npm ci in ${path} failed (${code}):\n${errors.slice(0, 3).join('\n')}`)
}

/** Loads a package of an installed folder, as `require` does. @param {Folder} folder @param {string} name */
export const load = (folder, name) => requireIn(folder)(name)

/** The file that a package of an installed folder starts with. @param {Folder} folder @param {string} name */
export const resolveIn = (folder, name) => requireIn(folder).resolve(name)

/** Imports a package of a folder, after installing the folder where needed. @param {Folder} folder @param {string} name */
export async function importOnDemand(folder, name) {
  await install(folder)
  return import(pathToFileURL(requireIn(folder).resolve(name)).href)
}

/**
 * Installs a folder and links its packages into this project's own, where `import` in `dist` finds them, as it would
 * find them beside an installed Privity.
 *
 * @param {Folder} folder
 * @param {readonly string[]} names
 */
export async function link(folder, names) {
  await install(folder)
  for (const name of names) {
    const at = join(ROOT, 'node_modules', name)
    if (existsSync(at)) continue
    await rm(at, { force: true })
    await mkdir(dirname(at), { recursive: true })
    await symlink(join(ROOT, FOLDERS[folder][0], 'node_modules', name), at, 'junction')
  }
}

/** @param {Folder} folder */
const requireIn = folder => createRequire(join(ROOT, FOLDERS[folder][0], 'package.json'))

/** @param {string} command @param {readonly string[]} args @param {string} cwd */
function run(command, args, cwd) {
  /** @type {Promise<{ code: number | string, output: string }>} */
  const ended = new Promise(resolve => {
    let output = ''
    const child = spawn(command, args, { cwd, shell: process.platform === 'win32' })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (/** @type {Buffer} */ data) => {
        output += data
      })
    child.on('error', e => resolve({ code: e.message, output }))
    child.on('close', (code, signal) => resolve({ code: code ?? signal ?? 'killed', output }))
  })
  return ended
}
