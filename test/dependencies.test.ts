import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'

interface LockedPackage {
  readonly dev?: boolean
  readonly hasInstallScript?: boolean
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const ROOT = new URL('..', import.meta.url)
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

describe('the packages that are installed with privity', () => {
  let locked: [name: string, found: LockedPackage][]
  let direct: string[]
  let page: string
  beforeAll(async () => {
    const read = async (file: string) => readFile(new URL(file, ROOT), 'utf8')
    const { packages } = JSON.parse(await read('package-lock.json')) as {
      packages: Record<string, LockedPackage>
    }
    locked = Object.entries(packages).flatMap(([path, found]) => (path === '' ? [] : [[nameOf(path), found]]))
    direct = Object.keys((JSON.parse(await read('package.json')) as { dependencies: object }).dependencies)
    page = await read('docs/dependencies.md')
  })

  /** The rows of the table under a heading, without the names of its columns. */
  function table(heading: string): string[][] {
    const [, section = ''] = page.split(`\n## ${heading}\n`)
    const [own = ''] = section.split('\n## ')
    const rows = own.split('\n').filter(line => line.startsWith('| `'))
    return rows.map(row =>
      row
        .slice(1, -1)
        .split('|')
        .map(cell => cell.trim()),
    )
  }
  const named = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
  const installed = () => locked.filter(([, { dev }]) => dev !== true)

  it('stand each on the list with a reason, and nothing else does', () => {
    const brought = installed().flatMap(([name]) => (direct.includes(name) ? [] : [name]))
    expect(table('Chosen').map(([name]) => named(name)[0])).toEqual([...direct].sort())
    expect(table('Brought along').map(([name]) => named(name)[0])).toEqual([...new Set(brought)].sort())
    for (const row of [...table('Chosen'), ...table('Brought along')])
      expect(row.at(-1), row[0]).toMatch(/^[A-Za-z].{10,}\.$/)
  })

  it('stand on the list with the packages that bring them along', () => {
    for (const [cell, parents] of table('Brought along')) {
      const [name = ''] = named(cell)
      const needing = installed().flatMap(([parent, { dependencies, optionalDependencies }]) =>
        name in { ...dependencies, ...optionalDependencies } ? [parent] : [],
      )
      expect(named(parents), name).toEqual([...new Set(needing)].sort())
    }
  })

  it('run no script when they are installed, and those of developers are listed', () => {
    expect(installed().filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
    const listed = table('Install scripts').map(([name]) => named(name)[0] ?? '')
    const running = locked.flatMap(([name, { hasInstallScript }]) => (hasInstallScript ? [name] : []))
    const isListed = (name: string) =>
      listed.some(one => one === name || (one.endsWith('/*') && name.startsWith(one.slice(0, -1))))
    expect(running.filter(name => !isListed(name))).toEqual([])
  })

  it('are locked without the address of a registry', () => {
    expect(locked.filter(([, { resolved }]) => resolved?.startsWith('http'))).toEqual([])
  })
})
