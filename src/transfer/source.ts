import { createReadStream, type Stats } from 'node:fs'
import { lstat, open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { declaredEncoding } from '../documents/extract/decode-text.js'
import { PrivityError } from '../errors.js'
import { type DateOrder, FORMATS, type Format } from './formats.js'
import type { Bytes, Item } from './item.js'
import { readChatGpt } from './readers/chatgpt.js'
import { listTextFiles, readFolder } from './readers/folder.js'
import { readJsonLines } from './readers/json-lines.js'
import { readMbox } from './readers/mbox.js'
import { isDay, readSlack } from './readers/slack.js'
import { readTelegram } from './readers/telegram.js'
import { isWhatsAppLine, readWhatsApp } from './readers/whatsapp.js'

export interface SourceOptions {
  readonly encoding?: string | undefined
  readonly dateOrder?: DateOrder | undefined
  /** Called with the number of bytes read. */
  readonly onBytes?: ((bytes: number) => void) | undefined
}

/** A file or folder to import, with its format. */
export interface ImportSource {
  readonly path: string
  readonly format: Format
}

/** Reads a file or folder. */
export function readSource({ path, format }: ImportSource, options: SourceOptions = {}): AsyncIterable<Item> {
  const { encoding, dateOrder, onBytes } = options
  const bytes = () => metered(createReadStream(path), onBytes)
  switch (format) {
    case 'jsonl':
      return readJsonLines(bytes(), { encoding })
    case 'folder':
      return readFolder(path, { encoding, onBytes })
    case 'mbox':
      return readMbox(bytes())
    case 'whatsapp':
      return readWhatsApp(bytes, { encoding, dateOrder, chat: whatsAppChat(path) })
    case 'telegram':
      return readTelegram(bytes())
    case 'chatgpt':
      return readChatGpt(bytes())
    case 'slack':
      return readSlack(path, { onBytes })
  }
}

/** Reads a pipe. It supports only formats that need a single pass. */
export function readStream(
  source: Bytes,
  format: 'jsonl' | 'mbox' = 'jsonl',
  { encoding }: Pick<SourceOptions, 'encoding'> = {},
): AsyncIterable<Item> {
  return format === 'mbox' ? readMbox(source) : readJsonLines(source, { encoding })
}

/** Finds the file to read and its format, as given or detected from the content. */
export async function findSource(path: string, format?: Format): Promise<ImportSource> {
  const isFolder = (await statOf(path)).isDirectory()
  if (!isFolder) return { path, format: format ?? (await formatOfFile(path)) }
  if (format === 'slack' || format === 'folder') return { path, format }
  const names = await readdir(path)
  const holds = (name: string) => names.includes(name)
  if (format === 'chatgpt' || (format === undefined && holds('conversations.json')))
    return { path: join(path, 'conversations.json'), format: 'chatgpt' }
  if (format === 'telegram' || (format === undefined && holds('result.json')))
    return { path: join(path, 'result.json'), format: 'telegram' }
  if (format !== undefined) throw new PrivityError('invalid_input', `${path} is a folder, not a file`)
  const isSlack = (holds('users.json') || holds('channels.json')) && (await holdsDays(path, names))
  return { path, format: isSlack ? 'slack' : 'folder' }
}

/** How many bytes there are to read. */
export async function measureSource({ path, format }: ImportSource): Promise<number> {
  const found = await statOf(path)
  if (!found.isDirectory()) return format === 'whatsapp' ? 2 * found.size : found.size
  let size = 0
  const within = { root: path, realRoot: await realpath(path) }
  for await (const file of listTextFiles(path, within)) size += (await lstat(file)).size
  return size
}

async function statOf(path: string): Promise<Stats> {
  try {
    return await stat(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') throw new PrivityError('not_found', `there is no file or folder ${path}`)
    throw new PrivityError('invalid_input', `${path} cannot be read (${String(code)})`)
  }
}

async function holdsDays(path: string, names: readonly string[]): Promise<boolean> {
  for (const name of names) {
    const inside = await readdir(join(path, name)).catch(() => [])
    if (inside.some(isDay)) return true
  }
  return false
}

async function* metered(source: Bytes, onBytes: ((bytes: number) => void) | undefined): Bytes {
  for await (const chunk of source) {
    onBytes?.(chunk.length)
    yield chunk
  }
}

/**
 * The chat name from a file such as `WhatsApp Chat with Ben.txt` or `WhatsApp Chat - Ben.zip`; `_chat.txt` has none.
 */
function whatsAppChat(path: string): string | undefined {
  return /^WhatsApp Chat (?:with|-) (.+)$/i.exec(basename(path, extname(path)))?.[1]
}

const SNIFFED_BYTES = 65_536

async function formatOfFile(path: string): Promise<Format> {
  const start = await startOf(path)
  const lines = start.split(/\r?\n/)
  const first = lines[0] ?? ''
  const trimmed = start.trimStart()
  if (first.startsWith('From ')) return 'mbox'
  if (trimmed.startsWith('[') && trimmed.includes('"mapping"')) return 'chatgpt'
  if (trimmed.startsWith('{')) return isTelegram(trimmed) ? 'telegram' : 'jsonl'
  if (lines.slice(0, 20).some(isWhatsAppLine)) return 'whatsapp'
  if (/^\.(jsonl|ndjson)$/i.test(extname(path))) return 'jsonl'
  if (/^\.mbox$/i.test(extname(path))) return 'mbox'
  if (/^\.(md|markdown|txt|text)$/i.test(extname(path))) return 'folder'
  throw new PrivityError(
    'invalid_input',
    `the format of ${path} cannot be told; name it with --format (${FORMATS.join(', ')})`,
  )
}

/** Whether a text is one JSON object over many lines or with messages, unlike JSON Lines with an object per line. */
function isTelegram(text: string): boolean {
  const [first = ''] = text.split('\n', 1)
  try {
    const value = JSON.parse(first)
    return 'messages' in value || 'chats' in value
  } catch {
    return /"(?:messages|chats)"\s*:/.test(text)
  }
}

async function startOf(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFFED_BYTES), 0, SNIFFED_BYTES, 0)
    const bytes = buffer.subarray(0, bytesRead)
    return new TextDecoder(declaredEncoding(bytes) ?? 'utf-8').decode(bytes)
  } finally {
    await file.close()
  }
}
