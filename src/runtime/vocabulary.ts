import { z } from 'zod'
import {
  AUDIENCES,
  CONTENT_TYPES,
  DERIVED_MEMORY_SHARE_POLICIES,
  HOST_ANNOTATION_POLICIES,
  IDENTITY_MODES,
  KINDS,
  PROFILE_KINDS,
  SENSITIVITIES,
  SURFACES,
  UI_COMPLEXITY_TIERS,
  VERSION_KINDS,
  VISIBILITY_CLASSES,
} from '../policy/vocabulary.js'

/*
 * The closed lists of the policy as schemas. Each has a name, so that types and the API reference show the name instead
 * of the whole list. A field that takes one says in its own description what the value means there.
 */

export const recordKind = z.enum(KINDS).meta({
  id: 'RecordKind',
  description: 'What sort of record it is: a memory, a document, a note, and so on.',
})

/** The levels of a face that can be shown. */
export const face = z.enum(['full', 'preview', 'metadata']).meta({
  id: 'FaceLevel',
  description: 'How much of a record is shown: all of it, a preview, or its metadata alone.',
})

export const sensitivity = z
  .enum(SENSITIVITIES)
  .meta({ id: 'Sensitivity', description: 'How sensitive a record is, from least to most.' })

export const visibilityClass = z.enum(VISIBILITY_CLASSES).meta({
  id: 'VisibilityClass',
  description: 'Who may see a record at all, from least to most restricted.',
})

export const surface = z
  .enum(SURFACES)
  .meta({ id: 'Surface', description: 'The part of a corpus that a record belongs to. Views show surfaces.' })

export const versionKind = z
  .enum(VERSION_KINDS)
  .meta({ id: 'VersionKind', description: 'What sort of version of a filing it is, strongest first.' })

export const audience = z.enum(AUDIENCES).meta({ id: 'Audience', description: 'What sort of caller it is.' })

/** A profile and its binding are of the same kind. */
export const profileKind = z
  .enum(PROFILE_KINDS)
  .meta({ id: 'SessionKind', description: 'What sort of session a profile or its binding is for.' })

export const derivedMemorySharePolicy = z.enum(DERIVED_MEMORY_SHARE_POLICIES).meta({
  id: 'DerivedMemorySharePolicy',
  description: 'How much is shown of what was derived from documents, from most to least.',
})

export const hostAnnotationPolicy = z.enum(HOST_ANNOTATION_POLICIES).meta({
  id: 'HostAnnotationPolicy',
  description: "How much is shown of the host's notes on documents, from most to least.",
})

export const identityMode = z.enum(IDENTITY_MODES).meta({
  id: 'IdentityMode',
  description: 'How whoever uses a session proves who they are.',
})

export const uiComplexityTier = z.enum(UI_COMPLEXITY_TIERS).meta({
  id: 'UiComplexityTier',
  description: 'How complex an interface is, from the fewest controls to all of them.',
})

export const contentType = z
  .enum(CONTENT_TYPES)
  .meta({ id: 'SharedContentType', description: 'What something is shared as in a mediation session.' })
