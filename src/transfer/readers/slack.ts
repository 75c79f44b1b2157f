import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { cleanExtractedText } from '../../documents/extract/clean-text.js'
import type { Item } from '../item.js'
import { cleanName, cleanNames, omitEmpty } from '../names.js'
import { ChatTurns } from '../turns.js'

interface User {
  readonly id?: unknown
  readonly name?: unknown
  readonly real_name?: unknown
  readonly profile?: { readonly real_name?: unknown; readonly display_name?: unknown }
}
interface Message {
  readonly type?: unknown
  readonly subtype?: unknown
  readonly user?: unknown
  readonly username?: unknown
  readonly user_profile?: User['profile']
  readonly text?: unknown
  readonly ts?: unknown
  readonly thread_ts?: unknown
}
interface World {
  readonly people: ReadonlyMap<string, string>
  readonly turns: ChatTurns
}

/** Subtypes of messages that somebody wrote; all others are notices. */
const SAID = new Set([undefined, 'thread_broadcast', 'me_message', 'file_share', 'bot_message'])

export const isDay = (name: string): boolean => /^\d{4}-\d{2}-\d{2}\.json$/.test(name)

/**
 * Reads the unpacked export of a Slack workspace, which has a folder per channel and a file per day; one record per
 * message.
 */
export async function* readSlack(
  path: string,
  { onBytes }: { onBytes?: ((bytes: number) => void) | undefined } = {},
): AsyncGenerator<Item> {
  const root = resolve(path)
  const people = await readPeople(root)
  const turns = new ChatTurns()
  const channels = (await readdir(root, { withFileTypes: true })).filter(entry => entry.isDirectory())
  for (const channel of channels.map(({ name }) => name).sort()) {
    const days = (await readdir(join(root, channel))).filter(isDay).sort()
    for (const day of days) yield* readDay(join(root, channel, day), `${channel}/${day}`, channel)
  }

  async function* readDay(file: string, where: string, channel: string): AsyncGenerator<Item> {
    const messages = await readList(file, onBytes)
    if (messages === null) {
      yield { kind: 'problem', where, problem: 'is not a JSON list' }
      return
    }
    for (const [at, message] of messages.entries())
      yield readMessage(message, `${where}, message ${at + 1}`, channel, { people, turns })
  }
}

async function readList(file: string, onBytes?: (bytes: number) => void): Promise<unknown[] | null> {
  try {
    const bytes = await readFile(file)
    onBytes?.(bytes.length)
    const value: unknown = JSON.parse(bytes.toString().replace(/^\ufeff/, ''))
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** Maps user ids to names. Without a list of users, names come from the messages. */
async function readPeople(root: string): Promise<ReadonlyMap<string, string>> {
  const users = ((await readList(join(root, 'users.json'))) ?? []) as (User | null)[]
  return new Map(
    users.flatMap((user): [string, string][] => {
      const name = nameOf(user?.profile) ?? cleanName(user?.real_name) ?? cleanName(user?.name)
      return typeof user?.id === 'string' && name !== undefined ? [[user.id, name]] : []
    }),
  )
}

const nameOf = (profile: User['profile']) => cleanName(profile?.real_name) ?? cleanName(profile?.display_name)

function readMessage(value: unknown, where: string, channel: string, { people, turns }: World): Item {
  if (typeof value !== 'object' || value === null)
    return { kind: 'problem', where, problem: 'is not an object' }
  const message: Message = value
  const { subtype } = message
  if (message.type !== 'message' || (subtype !== undefined && !SAID.has(String(subtype))))
    return { kind: 'skipped', where, why: 'is a notice of the app' }
  const text = cleanExtractedText(
    plainText(typeof message.text === 'string' ? message.text : '', people),
  ).trim()
  if (text === '') return { kind: 'skipped', where, why: 'holds no text' }
  const seconds = Number(message.ts)
  if (!(seconds > 0)) return { kind: 'problem', where, problem: 'has no date' }
  const from =
    people.get(String(message.user)) ??
    nameOf(message.user_profile) ??
    cleanName(message.username) ??
    cleanName(message.user)
  const at = new Date(seconds * 1_000).toISOString()
  // Answers in a thread follow each other, whatever else is said in the channel meanwhile.
  const thread = typeof message.thread_ts === 'string' ? `${channel} ${message.thread_ts}` : channel
  return {
    kind: 'record',
    where,
    draft: omitEmpty({
      kind: 'episodic',
      text,
      occurredAt: at,
      ...turns.next(cleanName(thread) ?? 'Slack', at),
      speaker: from,
      participants: cleanNames([from]),
      tags: ['chat'],
      fields: omitEmpty({ from, chat: cleanName(channel) }),
      provenance: { source: 'Slack' },
    }),
  }
}

/** Replaces Slack markup: `<@U1>` is a person, `<#C1|name>` a channel, `<address|label>` a link. */
function plainText(text: string, people: ReadonlyMap<string, string>): string {
  return text
    .replace(/<([^<>]*)>/g, (_, inner: string) => {
      const [to = '', label] = inner.split('|')
      if (to.startsWith('@')) return `@${label ?? people.get(to.slice(1)) ?? to.slice(1)}`
      if (to.startsWith('#')) return `#${label ?? to.slice(1)}`
      if (to.startsWith('!')) return `@${label ?? to.slice(1)}`
      return label === undefined || label === to ? to : `${label} (${to})`
    })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
