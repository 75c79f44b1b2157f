/** What each gate asks, in words. */
export const GATES: Readonly<Record<string, { readonly title: string; readonly asks: string }>> = {
  tenant: { title: 'Tenant', asks: 'Does the reader belong to the same tenant?' },
  vessel: { title: 'Owner', asks: 'Is it the reader’s own, their group’s, or shared with them?' },
  contract: { title: 'Stage', asks: 'Does the stage of the mediation allow it?' },
  consent: { title: 'Shared by consent', asks: 'Did its owner consent to share it?' },
  participants: { title: 'People in it', asks: 'Did everybody in it agree to be seen by agents?' },
  trust: { title: 'Trust', asks: 'Is the reader trusted with something this sensitive, and with its scope?' },
  visibility: { title: 'Visibility class', asks: 'Is its class within what the reader may see?' },
  view: { title: 'Shared view', asks: 'If the reader came by a share link, does the link include it?' },
  overlay: { title: 'Restrictions', asks: 'Is there an access restriction on it?' },
  freshness: { title: 'Freshness', asks: 'Is it current: not replaced, retracted, stale or expired?' },
  evidence: { title: 'Evidence', asks: 'If the search asks for evidence, is it evidence?' },
}

export interface Remedy {
  readonly advice: string
  readonly action: 'consent' | 'label' | 'record' | 'people' | 'restriction' | 'grant' | null
}

/** What would let more through, by the reason of the gate. */
export function remedyFor(reason: string): Remedy {
  const code = reason.split('.').at(-1) ?? ''
  return REMEDIES[code] ?? { advice: 'Nothing that you can change here would show more of it.', action: null }
}

const LABEL = (advice: string): Remedy => ({ advice, action: 'label' })
const REMEDIES: Readonly<Record<string, Remedy>> = {
  participant_not_granted: {
    advice: 'Somebody in it has not agreed to be seen by agents. Record their consent once they agree.',
    action: 'consent',
  },
  one_level_above: LABEL(
    'It is one level more sensitive than the reader is trusted with, so only its metadata is shown. Lower its sensitivity, or give the agent a key with more trust.',
  ),
  too_sensitive: LABEL(
    'It is more sensitive than the reader is trusted with. Lower its sensitivity, or give the agent a key with more trust.',
  ),
  out_of_scope: LABEL(
    'Its scope is not one that the reader is trusted with. Change its scope, or the agent’s key.',
  ),
  above_ceiling: LABEL('Its visibility class is above what the reader may see. Choose a more open class.'),
  not_marked_shareable: LABEL('It is not marked as shareable. Mark it if you want it shared.'),
  superseded: { advice: 'A newer version replaced it. Open the newer one.', action: 'record' },
  retracted: { advice: 'It was retracted, so nobody is told.', action: 'record' },
  stale: {
    advice: 'What it was made from has changed. It returns once it is derived again.',
    action: 'record',
  },
  expired: LABEL('It has expired. Give it a later end, or none.'),
  consent_missing: { advice: 'Its owner has not shared it. They can, in the mediation.', action: null },
  consent_revoked: { advice: 'Its owner took back their consent to share it.', action: null },
  blocked: { advice: 'A restriction blocks it. Its owner can lift the restriction.', action: 'restriction' },
  preview_only: {
    advice: 'A restriction shows only its beginning. Its owner can lift the restriction.',
    action: 'restriction',
  },
  redacted_only: {
    advice: 'A restriction shows only its redacted copy. Its owner can lift the restriction.',
    action: 'restriction',
  },
  not_shareable: {
    advice: 'A restriction keeps it from people who come by a link. Its owner can lift the restriction.',
    action: 'restriction',
  },
  explicit_access_required: {
    advice: 'It is restricted to people with a grant, and this reader has none.',
    action: 'grant',
  },
}
