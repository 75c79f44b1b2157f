import { createHash } from 'node:crypto'
import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { PrivityError } from '../errors.js'
import type { Handle } from '../handle.js'
import { type ExportQuery, exportPages } from './export-records.js'

export interface ExportFileOptions {
  readonly query?: ExportQuery
  /** Starts again, even if an earlier export is unfinished. */
  readonly restart?: boolean
  /** Stops the export after the current page. */
  readonly signal?: AbortSignal
  onProgress?(progress: ExportProgress): void
}

export interface ExportProgress {
  /** How many lines the file has. */
  readonly exported: number
  readonly bytes: number
  readonly stopped: boolean
}

/** The progress of an export. It is stored beside the lines, and never ahead of them. */
interface State {
  readonly query: string
  readonly cursor: string
  readonly bytes: number
  readonly lines: number
}

/**
 * Writes an export to a file. Until it is complete, the lines are in `FILE.partial` and the progress is in
 * `FILE.partial.state`, so that calling it again continues. Only the owner of the file can read it.
 */
export async function exportFile(
  handle: Handle,
  file: string,
  { query = {}, restart = false, signal, onProgress }: ExportFileOptions = {},
): Promise<ExportProgress> {
  const partial = `${file}.partial`
  const stateFile = `${partial}.state`
  const digest = createHash('sha256').update(JSON.stringify(query)).digest('base64url')
  const begun = restart ? null : await readState(stateFile, digest)
  const out = await open(partial, begun === null ? 'w' : 'r+', 0o600)
  let { bytes, lines: exported } = begun ?? { bytes: 0, lines: 0 }
  let stopped = false
  try {
    if (begun !== null) await goOn(out, partial, begun)
    for await (const { lines, cursor } of exportPages(handle, query, begun?.cursor ?? null)) {
      const text = lines.map(line => `${line}\n`).join('')
      await out.write(text, bytes)
      bytes += Buffer.byteLength(text)
      exported += lines.length
      await out.datasync()
      if (cursor !== null) await writeState(stateFile, { query: digest, cursor, bytes, lines: exported })
      onProgress?.({ exported, bytes, stopped: false })
      if (cursor !== null && signal?.aborted) {
        stopped = true
        break
      }
    }
  } finally {
    await out.close()
  }
  if (!stopped) {
    await rename(partial, file)
    await rm(stateFile, { force: true })
  }
  return { exported, bytes, stopped }
}

/** Truncates lines that are newer than the last saved state, because they will be written again. */
async function goOn(out: FileHandle, partial: string, { bytes }: State): Promise<void> {
  if ((await stat(partial)).size < bytes)
    throw new PrivityError('conflict', `${partial} is shorter than it was; start over with --restart`)
  await out.truncate(bytes)
}

async function readState(file: string, query: string): Promise<State | null> {
  let state: State
  try {
    state = JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new PrivityError('conflict', `${file} cannot be read; start over with --restart`)
  }
  if (state.query !== query)
    throw new PrivityError('conflict', `${file} belongs to another export; start over with --restart`)
  return state
}

/** Replaces the state file atomically. */
async function writeState(file: string, state: State): Promise<void> {
  const draft = `${file}.new`
  const out = await open(draft, 'w', 0o600)
  try {
    await out.writeFile(JSON.stringify(state))
    await out.datasync()
  } finally {
    await out.close()
  }
  await rename(draft, file)
}
