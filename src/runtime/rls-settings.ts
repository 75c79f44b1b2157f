import type { RequestCaller } from './caller.js'

/** The settings that row-level security uses, local to the request's transaction. */
export function rlsSettings(caller: RequestCaller, now: Date): Record<string, string> {
  const scopes = caller.trust?.scopes
  return {
    'privity.tenant': caller.tenant,
    'privity.principal': caller.actingFor,
    'privity.audience': caller.audience,
    'privity.respect_consent': caller.respectConsent ? 'on' : 'off',
    'privity.max_sensitivity': caller.trust?.maxSensitivity ?? '',
    'privity.all_scopes': scopes === 'all' ? 'on' : 'off',
    'privity.scopes': scopes === undefined || scopes === 'all' ? '' : [...scopes].sort().join('+'),
    'privity.ceiling': caller.ceiling,
    'privity.floor': caller.floor ?? 'none',
    'privity.now': now.toISOString(),
    'privity.profile': caller.profile ?? '',
    // Until its profile is loaded, a request with a profile is bound by views but has none yet.
    'privity.bound': caller.profile === null ? 'off' : 'on',
    'privity.link': '',
  }
}
