import type { RequestCaller } from './caller.js'

/** What row-level security knows of a request. Local to its transaction. */
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
    // Until its profile is known, a request that has one sees by views alone, and has none.
    'privity.bound': caller.profile === null ? 'off' : 'on',
    'privity.link': '',
  }
}
