import { z } from 'zod'
import type { Credential, RequestCaller } from '../caller.js'

/** With what a job is done later: as much as its request could see, and no more. */
export interface JobCredential {
  readonly credential: Credential
  readonly respectConsent: boolean
}

const stored = z.object({ credential: z.record(z.string(), z.unknown()), respectConsent: z.boolean() })

/**
 * The credential of a request for a job that it leaves behind. Whether its key is still valid, and what it may see, is
 * decided when the job runs. The job is a conversation of its own: nothing was shown in it, so nothing but its sources
 * labels what it writes (WR-2).
 */
export function jobCredential(caller: RequestCaller, jobId: string): JobCredential {
  const { trust } = caller
  return {
    credential: {
      tenant: caller.tenant,
      actor: caller.actor,
      audience: caller.audience,
      for: caller.actingFor,
      session: jobId,
      visibility: {
        ceiling: caller.ceiling as never,
        ...(caller.floor !== null && { floor: caller.floor as never }),
      },
      ...(trust !== null && {
        trust: {
          maxSensitivity: trust.maxSensitivity as never,
          authenticated: trust.authenticated,
          scopes: trust.scopes === 'all' ? [] : [...trust.scopes],
        },
      }),
      ...(caller.policy !== null && { policy: caller.policy }),
      ...(caller.key !== null && { key: caller.key }),
      ...(caller.expiresAt !== null && { expiresAt: caller.expiresAt.toISOString() }),
      ...(caller.profile !== null && { profile: caller.profile }),
    },
    respectConsent: caller.respectConsent,
  }
}

export const writeJobCredential = (job: JobCredential): string => JSON.stringify(job)

export function readJobCredential(text: string): JobCredential {
  const { credential, respectConsent } = stored.parse(JSON.parse(text))
  // It is parsed again wherever it is used.
  return { credential: credential as unknown as Credential, respectConsent }
}

/** What an encrypted credential of a job is bound to. */
export const jobSealContext = (tenant: string, jobId: string): string =>
  JSON.stringify(['capture', tenant, jobId])
