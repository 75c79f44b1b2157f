import { PrivityError } from '../errors.js'

/** A family of capabilities, such as `calendar`, or `email.outbox` under `email`. (002 §8.2) */
export interface CapabilityNamespace {
  readonly namespace: string
  readonly description: string
  readonly parentNamespace?: string
  readonly registrationBasis:
    | 'v1_5_1_carry_forward'
    | 'v1_6_introduced'
    | 'doc25_tool_intelligence'
    | 'user_registered'
}

export interface CapabilityMetadata {
  readonly schemaKind: 'json_schema' | 'structured_grammar' | 'free_form_query' | 'no_schema'
  readonly schemaRef?: string
  readonly outputKind: 'structured_data' | 'side_effect_only' | 'search_results' | 'synthesis'
  readonly sideEffects: readonly ('external_api_call' | 'graph_write' | 'file_emit' | 'notification')[]
  /** Set if execution requires a capacity lease of that class. */
  readonly capacityLeaseClass?: string
}

/** One thing that a profile may be able to do. Its id is `<namespace>.<name>`. (002 §8.2) */
export interface Capability {
  readonly capabilityId: string
  readonly namespace: string
  readonly name: string
  readonly description: string
  readonly lifecycleState: 'active' | 'deprecated' | 'retired' | 'experimental'
  readonly registrationBasis:
    | 'v1_5_1_native_capability'
    | 'v1_6_native_capability'
    | 'doc25_tool_intelligence_registration'
    | 'user_registered_external'
    | 'system_synthesized'
  readonly metadata: CapabilityMetadata
  /** When and by whom it was registered; not set for built-in capabilities. */
  readonly registeredAt?: string | null
  readonly registeredByActorRef?: string | null
}

/** All registered namespaces and capabilities. The registry is immutable: registering returns a new one. (CP-1) */
export interface CapabilityRegistry {
  readonly namespaces: ReadonlyMap<string, CapabilityNamespace>
  readonly capabilities: ReadonlyMap<string, Capability>
}

export const EMPTY_REGISTRY: CapabilityRegistry = { namespaces: new Map(), capabilities: new Map() }

const ID = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/
const NAME = /^[a-z][a-z0-9_]*$/

/**
 * The namespace of an id: everything before its last dot, or '' without one. Names contain no dot (see `register`),
 * so this also works for capabilities that are not registered yet.
 */
export const namespaceOf = (capabilityId: string): string =>
  capabilityId.slice(0, Math.max(0, capabilityId.lastIndexOf('.')))

/**
 * Returns the registry with this capability and its namespace; either both are added or neither. An existing namespace
 * must be given unchanged: its parent decides how far a denial reaches, so registering never redefines it. (CP-1)
 *
 * @example
 * const registry = register(EMPTY_REGISTRY, { namespace: calendar, capability: createEvent })
 */
export function register(
  registry: CapabilityRegistry,
  { namespace, capability }: { namespace: CapabilityNamespace; capability: Capability },
): CapabilityRegistry {
  requireWellFormed(registry, namespace, capability)

  const existing = registry.namespaces.get(namespace.namespace)
  if (existing !== undefined && !sameNamespace(existing, namespace)) {
    throw new PrivityError('conflict', 'the namespace is already registered with other settings')
  }
  if (registry.capabilities.has(capability.capabilityId)) {
    throw new PrivityError('conflict', 'the capability is already registered')
  }
  return {
    namespaces: new Map(registry.namespaces).set(namespace.namespace, namespace),
    capabilities: new Map(registry.capabilities).set(capability.capabilityId, capability),
  }
}

function requireWellFormed(
  registry: CapabilityRegistry,
  { namespace, parentNamespace }: CapabilityNamespace,
  capability: Capability,
): void {
  const refuse = (message: string): never => {
    throw new PrivityError('invalid_input', message)
  }
  if (!ID.test(namespace)) refuse('the namespace is malformed')
  if (!NAME.test(capability.name)) refuse('the capability name is malformed')
  if (capability.namespace !== namespace) refuse('the capability names another namespace')
  if (capability.capabilityId !== `${namespace}.${capability.name}`) {
    refuse('the capability id is not its namespace and name')
  }
  if (parentNamespace === undefined) return
  if (!namespace.startsWith(`${parentNamespace}.`)) refuse('the namespace does not lie under its parent')
  if (!registry.namespaces.has(parentNamespace)) refuse('the parent namespace is not registered')
}

const sameNamespace = (a: CapabilityNamespace, b: CapabilityNamespace): boolean =>
  a.namespace === b.namespace &&
  a.description === b.description &&
  a.parentNamespace === b.parentNamespace &&
  a.registrationBasis === b.registrationBasis
