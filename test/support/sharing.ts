import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import { type Clock, SYSTEM_CLOCK } from '../../src/runtime/clock.js'

/** The real time, and as much more as a test has let pass: every moment is later than the one before. */
export interface PassingClock extends Clock {
  pass(milliseconds: number): void
}

export function passingClock(): PassingClock {
  let ahead = 0
  let last = 0
  return {
    ...SYSTEM_CLOCK,
    now: () => {
      last = Math.max(last + 1, Date.now() + ahead)
      return new Date(last)
    },
    pass(milliseconds) {
      ahead += milliseconds
      // It may have run ahead of the machine's clock, and passes that much nevertheless.
      last += milliseconds
    },
  }
}

/** Keeps a document in a corpus; its id. */
export async function keep(host: Handle, text: string, more: Record<string, unknown> = {}): Promise<string> {
  const record = await host.remember({
    kind: 'document',
    corpus: 'bank',
    surface: 'source_documents',
    visibilityClass: 'public_open',
    text,
    ...more,
  })
  return record.id
}

/** Keeps several at once. */
export async function keepAll(
  host: Handle,
  drafts: readonly ({ readonly text: string } & Record<string, unknown>)[],
): Promise<string[]> {
  const records = await host.remember(
    drafts.map(draft => ({
      kind: 'document' as const,
      corpus: 'bank',
      surface: 'source_documents' as const,
      visibilityClass: 'public_open' as const,
      ...draft,
    })),
  )
  return records.map(({ id }) => id)
}

type GrantInput = Parameters<Handle['links']['grant']>[0]

/** Grants a link on views; its id and what opens it. */
export async function grantLink(
  host: Handle,
  views: readonly string[],
  more: Partial<GrantInput> = {},
): Promise<{ link: string; token: string }> {
  const { link, token } = await host.links.grant({
    views: [...views],
    recipientIdentityMode: 'anonymous_share_token',
    ...more,
  })
  return { link: link.link, token: token ?? '' }
}

/** Somebody who opens a link that asks for nothing. */
export async function openLink(
  privity: Privity,
  token: string,
): Promise<{ guest: Handle; key: string; profile: string }> {
  const opened = await privity.redeem({ token })
  if (opened.status !== 'open') throw new Error(`the link answers ${opened.status}`)
  const { credential } = await privity.authenticate(opened.key)
  return { guest: privity.as(credential), key: opened.key, profile: opened.profile }
}

/** The text of a file that was handed over. */
export const textOf = ({ content }: { readonly content: string }): string =>
  Buffer.from(content, 'base64').toString()

/** What somebody is refused with; `null` when they are not. */
export async function refusalOf(
  answer: Promise<unknown>,
): Promise<{ code: string; reason: string | undefined; message: string; details?: unknown } | null> {
  return answer.then(
    () => null,
    ({ code, reason, message, details }) => ({
      code,
      reason,
      message,
      ...(details === undefined ? {} : { details }),
    }),
  )
}
