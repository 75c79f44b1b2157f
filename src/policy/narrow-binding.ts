import {
  AUTH_INHERITANCE_POLICIES,
  type BindingTerms,
  CONTEXT_INHERITANCE_POLICIES,
  type NewBinding,
  type ProfileBinding,
} from './profile-binding.js'
import { rank } from './vocabulary.js'

/** The terms in which a new sub-agent is to get less than it would inherit. */
export type Narrowing = {
  readonly [Term in Exclude<keyof BindingTerms, 'watermarkPolicy'>]?: BindingTerms[Term] | undefined
}

const INHERIT = 'inherit_parent_constraint'

/**
 * The binding of a new sub-agent with less than it would inherit, or the first term that would give it more. `chain`
 * holds the bindings under which it is started, nearest first. An unknown value counts as more. (SP-6, DE-3)
 */
export function narrowBinding(
  child: NewBinding,
  asked: Narrowing,
  chain: readonly ProfileBinding[],
): { readonly binding: NewBinding } | { readonly widens: keyof Narrowing } {
  const { childSpawnConstraint = child.childSpawnConstraint } = asked
  const inheritsList = childSpawnConstraint === child.childSpawnConstraint
  const childSpawnAllowList =
    asked.childSpawnAllowList ??
    (childSpawnConstraint !== 'explicit_allow_list' ? null : inheritsList ? child.childSpawnAllowList : [])
  const narrowed: Required<{ [Term in keyof Narrowing]: BindingTerms[Term] }> = {
    forkForbidden: asked.forkForbidden ?? child.forkForbidden,
    maxSpawnDepth: asked.maxSpawnDepth ?? child.maxSpawnDepth,
    maxChildrenPerAgent: asked.maxChildrenPerAgent ?? child.maxChildrenPerAgent,
    contextInheritancePolicy: asked.contextInheritancePolicy ?? child.contextInheritancePolicy,
    authInheritancePolicy: asked.authInheritancePolicy ?? child.authInheritancePolicy,
    transcriptVisibilityPolicy: asked.transcriptVisibilityPolicy ?? child.transcriptVisibilityPolicy,
    childSpawnConstraint,
    childSpawnAllowList,
  }
  const isNarrower: { readonly [Term in keyof Required<Narrowing>]: boolean } = {
    forkForbidden: narrowed.forkForbidden === true || child.forkForbidden === false,
    maxSpawnDepth: narrowed.maxSpawnDepth >= 0 && narrowed.maxSpawnDepth <= child.maxSpawnDepth,
    maxChildrenPerAgent:
      narrowed.maxChildrenPerAgent >= 0 && narrowed.maxChildrenPerAgent <= child.maxChildrenPerAgent,
    contextInheritancePolicy: isAtOrBelow(
      CONTEXT_INHERITANCE_POLICIES,
      narrowed.contextInheritancePolicy,
      child.contextInheritancePolicy,
    ),
    authInheritancePolicy: isAtOrBelow(
      AUTH_INHERITANCE_POLICIES,
      narrowed.authInheritancePolicy,
      child.authInheritancePolicy,
    ),
    // A transcript that its host cannot read would count as more.
    transcriptVisibilityPolicy:
      narrowed.transcriptVisibilityPolicy === child.transcriptVisibilityPolicy ||
      narrowed.transcriptVisibilityPolicy === 'host_only',
    childSpawnConstraint: constrainsAtLeast(narrowed, [child, ...chain]),
    childSpawnAllowList:
      (childSpawnAllowList !== null) === (childSpawnConstraint === 'explicit_allow_list') &&
      allowsAtMost(narrowed, [child, ...chain]),
  }
  for (const term of Object.keys(isNarrower) as (keyof Narrowing)[])
    if (!isNarrower[term]) return { widens: term }
  return { binding: { ...child, ...narrowed } }
}

/** These lists are ordered from the most to the least. */
const isAtOrBelow = (list: readonly string[], asked: string, held: string) =>
  rank(list, asked) >= rank(list, held)

type Constrained = Pick<BindingTerms, 'childSpawnConstraint' | 'childSpawnAllowList'>

/** The constraint that applies without a new one: the nearest that is not inherited. */
const holding = (chain: readonly Constrained[]) =>
  chain.find(({ childSpawnConstraint }) => childSpawnConstraint !== INHERIT)

/** An allow list may name what another constraint denies, and vice versa, so the two cannot be compared. */
function constrainsAtLeast(
  { childSpawnConstraint: asked }: Constrained,
  chain: readonly Constrained[],
): boolean {
  const held = holding(chain)?.childSpawnConstraint ?? INHERIT
  if (asked === 'deny_all' || asked === held || asked === chain[0]?.childSpawnConstraint) return true
  return held === INHERIT && (asked === 'deny_external' || asked === 'explicit_allow_list')
}

function allowsAtMost({ childSpawnAllowList: asked }: Constrained, chain: readonly Constrained[]): boolean {
  const held = holding(chain)
  if (asked === null || held?.childSpawnConstraint !== 'explicit_allow_list') return true
  return asked.every(kind => held.childSpawnAllowList?.includes(kind) === true)
}
