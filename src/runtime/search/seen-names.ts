import { FULL_LEVEL } from '../../search/mask.js'
import { unitName } from '../index/document.js'
import type { VisibleSegment } from '../index/visible-set.js'

/**
 * Collects names from records visible in full. A mask is cached while nothing changes, so its names are cached with
 * it.
 */
function gathering<Name>(
  namesIn: (part: VisibleSegment) => ReadonlySet<Name>,
): (segments: readonly VisibleSegment[]) => Set<Name> {
  const known = new WeakMap<VisibleSegment['mask'], ReadonlySet<Name>>()
  return segments =>
    new Set(
      segments.flatMap(part => {
        const names = known.get(part.mask) ?? namesIn(part)
        known.set(part.mask, names)
        return [...names]
      }),
    )
}

/** The versions of filing units. */
export const filingsOf = gathering(({ segment, mask }) => {
  const { filings, filing } = segment.data
  const seen = new Set<number>()
  if (filings.length > 0)
    for (const document of mask.documents)
      if (mask.levels[document] === FULL_LEVEL) seen.add((filing[document] as number) - 1)
  return new Set([...seen].flatMap(at => filings[at] ?? []))
})

/** The names of filing units. */
export const unitsOf = (segments: readonly VisibleSegment[]): Set<string> =>
  new Set([...filingsOf(segments)].map(({ unit }) => unitName(unit)))

/** The people whom records name, by their keys. */
export const peopleOf = gathering(
  ({ segment, mask, table }) =>
    new Set([...compartmentsInFull({ segment, mask })].flatMap(at => [...table.value('participants', at)])),
)

function compartmentsInFull({ segment, mask }: Pick<VisibleSegment, 'segment' | 'mask'>): Set<number> {
  const compartments = new Set<number>()
  for (const document of mask.documents)
    if (mask.levels[document] === FULL_LEVEL) compartments.add(segment.data.compartments[document] as number)
  return compartments
}

/** The names of corpora with their surfaces, as `corpus/surface`. */
export const surfacesOf = gathering(({ segment, mask, table }) => {
  return new Set(
    [...compartmentsInFull({ segment, mask })].flatMap(at => {
      const [corpus, surface] = [table.value('corpus', at), table.value('surface', at)]
      return corpus === null || surface === null ? [] : [`${corpus}/${surface}`]
    }),
  )
})
