import { type FileHandle, open, rm } from 'node:fs/promises'
import { PrivityError } from '../../errors.js'
import type { Database } from '../../storage/database.js'
import type { DeletionCertificate } from '../../storage/delete-tenant.js'
import { errorCode } from '../../storage/storage-error.js'
import type { StorePlace } from '../access.js'
import type { Command } from '../command.js'
import { printTable } from '../output/table.js'
import type { Terminal } from '../output/terminal.js'
import { formatCount, formatMoment, toOneLine } from '../output/text.js'
import { showSecret, storeOf } from './hosts.js'

const tenantsList: Command = {
  name: 'tenants list',
  summary: 'List the tenants of a store',
  arguments: [],
  options: {},
  examples: [{ line: 'tenants list', does: 'all tenants' }],
  needs: 'store',
  async run({ place, terminal }) {
    const tenants = await readTenants(storeOf(place(), tenantsList))
    if (terminal.json) terminal.document({ tenants })
    else
      printTable(
        terminal,
        tenants,
        [
          { title: 'tenant', text: ({ tenant }) => tenant },
          { title: 'since', text: ({ createdAt }) => formatMoment(createdAt) },
        ],
        'no tenants yet',
      )
  },
}

async function readTenants(place: StorePlace): Promise<{ tenant: string; createdAt: string }[]> {
  const { listTenants } = await import('../../storage/queries/list-tenants.js')
  const rows = await withStore(place, listTenants)
  return rows.map(({ tenant, createdAt }) => ({ tenant, createdAt: createdAt.toISOString() }))
}

async function withStore<T>(place: StorePlace, run: (db: Database) => Promise<T>): Promise<T> {
  const { openStore } = await import('../../open.js')
  const db = await openStore(place)
  try {
    return await run(db)
  } finally {
    await db.close()
  }
}

const tenantsCreate: Command = {
  name: 'tenants create',
  summary: 'Create a tenant with a first key for its host; the secret is shown once',
  arguments: [{ name: 'name' }],
  options: {},
  examples: [{ line: 'tenants create acme --as admin', does: 'make a tenant whose host is admin' }],
  needs: 'store',
  makesStore: true,
  audience: 'host',
  async run({ args, options, place, terminal }) {
    const [tenant = ''] = args
    const store = storeOf(place(), tenantsCreate)
    if ((await readTenants(store)).some(known => known.tenant === tenant))
      throw new PrivityError('conflict', 'a tenant with this name exists already; choose another name')
    const { open: openPrivity } = await import('../../open.js')
    const privity = await openPrivity({ ...store, embedding: [] })
    try {
      const actor = options.text('as') ?? 'owner'
      const host = privity.as({ tenant, actor, audience: 'host' })
      const made = await host.keys.create({ name: 'host', actor, audience: 'host' })
      if (terminal.json) terminal.document({ tenant, ...made })
      else showSecret(terminal, made.secret)
    } finally {
      await privity.close()
    }
  },
}

const tenantsDelete: Command = {
  name: 'tenants delete',
  summary: 'Delete a tenant with everything that is stored of it, for good',
  arguments: [{ name: 'name' }],
  options: {
    yes: { type: 'flag', describe: 'delete it; without it, only show what would be deleted' },
    certificate: {
      type: 'text',
      value: 'FILE',
      describe: 'write there what was deleted, as JSON: numbers and hashes, no content',
    },
  },
  examples: [
    { line: 'tenants delete acme', does: 'show how much there is of it' },
    { line: 'tenants delete acme --yes --certificate acme.json', does: 'delete it and keep a certificate' },
  ],
  needs: 'store',
  completesFiles: true,
  async run({ args, options, place, terminal }) {
    const [tenant = ''] = args
    const file = options.text('certificate')
    const { deleteTenant, requireTenant } = await import('../../storage/delete-tenant.js')
    const { countTenantRows } = await import('../../storage/queries/delete-tenant.js')
    await withStore(storeOf(place(), tenantsDelete), async db => {
      if (!options.flag('yes')) {
        await requireTenant(db, tenant)
        const tables = await countTenantRows(db, tenant)
        if (terminal.json) return terminal.document({ tenant, deleted: false, tables })
        printTable(
          terminal,
          tables,
          [
            { title: 'table', text: ({ table }) => table },
            { title: 'rows', text: ({ rows }) => rows },
          ],
          'nothing is stored of it but its name',
        )
        terminal.note(
          `all of it would be deleted, its keys and its audit included; keep a copy with \`privity backup FILE --only-tenant ${toOneLine(tenant)}\`, then add --yes`,
        )
        return
      }
      await requireTenant(db, tenant)
      // Made before anything is deleted, so that a file that cannot be written keeps the tenant.
      const kept = file === undefined ? null : await createFile(file)
      try {
        const certificate = await deleteTenant(db, tenant, new Date())
        await kept?.writeFile(`${JSON.stringify(certificate, null, 2)}\n`)
        await kept?.sync()
        tell(terminal, certificate)
      } catch (e) {
        if (file !== undefined) await rm(file, { force: true })
        throw e
      } finally {
        await kept?.close()
      }
    })
  },
}

function tell(terminal: Terminal, certificate: DeletionCertificate): void {
  if (terminal.json) {
    terminal.document({ deleted: true, ...certificate })
    return
  }
  const { tenant, rows, tables } = certificate
  terminal.line(
    `deleted ${toOneLine(tenant)}: ${formatCount(rows, 'row')} of ${formatCount(tables.length, 'table')}`,
  )
  terminal.note('backups that were made before still hold it; delete those you no longer need')
}

/** A new file, which only its owner may read. */
async function createFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx', 0o600)
  } catch (e) {
    if (errorCode(e) === 'EEXIST')
      throw new PrivityError('conflict', `${path} exists already; choose another file`)
    throw new PrivityError('invalid_input', `${path} cannot be written; nothing was deleted`)
  }
}

export const TENANT_COMMANDS = [tenantsList, tenantsCreate, tenantsDelete]
