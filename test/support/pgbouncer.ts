import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { access, chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePort } from './postgres-server.js'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0

export interface Pgbouncer {
  /** The same database by way of the pooler. */
  through(url: string): string
  stop(): Promise<void>
}

/** A pooler in transaction mode before a server; or why there can be none on this machine. */
export async function startPgbouncer(
  serverUrl: string,
  { poolSize }: { poolSize: number },
): Promise<Pgbouncer | { missing: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'privity-pgbouncer-'))
  // It does not run as root, and whoever it runs as then must reach what is in here.
  await chmod(folder, 0o755)
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const program = (await installed()) ?? (await unpacked(join(folder, 'package')))
    const port = await freePort()
    const settings = join(folder, 'pgbouncer.ini')
    await writeFile(settings, settingsFor(new URL(serverUrl), port, poolSize))
    const child = spawn(program.path, [...(isRoot ? ['-u', 'nobody'] : []), settings], {
      env: { ...process.env, ...program.env },
      stdio: 'ignore',
    })
    const ended = new Promise(resolve => child.once('close', resolve))
    const kill = () => void child.kill('SIGQUIT')
    process.once('exit', kill)
    await answers(port, child)
    return {
      through(url) {
        const pooled = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) })
        // The server's own socket would lead past the pooler.
        pooled.searchParams.delete('host')
        return pooled.href
      },
      async stop() {
        process.off('exit', kill)
        kill()
        await ended
        await remove()
      },
    }
  } catch (e) {
    await remove()
    return {
      missing: `pgbouncer is not here and could not be fetched: ${e instanceof Error ? e.message : e}`,
    }
  }
}

const settingsFor = ({ hostname, port, username, password }: URL, listen: number, poolSize: number) => `
[databases]
* = host=${hostname} port=${port || 5432} user=${decodeURIComponent(username)} password='${decodeURIComponent(password)}'

[pgbouncer]
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 500
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = any
`

interface Program {
  readonly path: string
  readonly env: Readonly<Record<string, string>>
}

async function installed(): Promise<Program | null> {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']) {
    const path = join(folder, 'pgbouncer')
    if (folder !== '' && (await exists(path))) return { path, env: {} }
  }
  return null
}

/** The system's own package, with the libraries it names, without installing it: nothing of the machine is changed. */
async function unpacked(folder: string): Promise<Program> {
  const apt = (args: readonly string[], cwd = '/') => {
    const [program, ...rest] = args as [string, ...string[]]
    return run(program, rest, {
      cwd,
      timeout: 60_000,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  }
  await mkdir(folder)
  // Lists that are a little old often do.
  await apt([...(isRoot ? [] : ['sudo', '-n']), 'apt-get', 'update']).catch(() => {})
  const { stdout } = await apt(['apt-cache', 'depends', '--no-recommends', '--no-suggests', 'pgbouncer'])
  const libraries = [...stdout.matchAll(/Depends: (lib[\w.+-]+)/g)].map(([, name]) => name as string)
  const needed = libraries.filter(name => name !== 'libc6')
  await apt(['apt-get', '-o', 'APT::Sandbox::User=root', 'download', 'pgbouncer', ...needed], folder)
  const root = join(folder, 'root')
  for (const file of await readdir(folder))
    if (file.endsWith('.deb')) await apt(['dpkg', '-x', join(folder, file), root])
  const { stdout: found } = await run('find', [root, '-name', '*.so*', '-printf', '%h\n'])
  const folders = [...new Set(found.split('\n').filter(line => line !== ''))]
  return { path: join(root, 'usr/sbin/pgbouncer'), env: { LD_LIBRARY_PATH: folders.join(':') } }
}

async function answers(port: number, child: ChildProcess): Promise<void> {
  let failure: Error | null = null
  child.once('error', e => {
    failure = e
  })
  for (let waited = 0; waited < 10_000; waited += 50) {
    if (failure !== null) throw failure
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
    if (await accepts(port)) return
    await sleep(50)
  }
  child.kill()
  throw new Error('it did not answer')
}

const accepts = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
