import { filingOf, type MergedVersions } from '../../../search/match.js'
import type { RankedDocument } from '../../../search/rank.js'
import type { Filing } from '../../../search/segment.js'
import type { VisibleSegment } from '../../index/visible-set.js'
import { filingsOf } from '../seen-names.js'

/** A result, with what else was found in its filing unit. */
export interface UnitResult {
  readonly item: RankedDocument
  /** The fused score. */
  readonly score: number
  readonly filing: Filing | null
  /** Further records of the same filing unit, best first, with their fused scores. */
  readonly others: readonly { readonly item: RankedDocument; readonly score: number }[]
  /** The visible versions that this one replaces in the results (SR-10). */
  readonly left: readonly (string | null)[]
}

/**
 * Makes one result for each filing unit, as its strongest version (SR-10). Each executor has merged only its own
 * results; another one may have found a stronger version of the same unit.
 */
export function gatherUnits(
  segments: readonly VisibleSegment[],
  fused: readonly { readonly item: RankedDocument; readonly score: number }[],
  merged: readonly ReadonlyMap<string, MergedVersions>[],
): UnitResult[] {
  const units = new Map<string, { filing: Filing; item: RankedDocument; score: number }[]>()
  const found = fused.map(one => {
    const filing = filingOf(segments[one.item.part] as VisibleSegment, one.item.document) ?? null
    if (filing === null) return { ...one, filing }
    const unit = units.get(filing.unit) ?? []
    units.set(filing.unit, unit)
    unit.push({ ...one, filing })
    return { ...one, filing }
  })
  const isText = ({ item: { part, document } }: { readonly item: RankedDocument }) => {
    const { segment, table } = segments[part] as VisibleSegment
    return table.value('kind', segment.data.compartments[document] as number) === 'segment'
  }
  for (const [unit, all] of units)
    units.set(unit, [...all.filter(isText), ...all.filter(one => !isText(one))])
  return found.flatMap(({ item, score, filing }): UnitResult[] => {
    if (filing === null) return [{ item, score, filing, others: [], left: [] }]
    const ofUnit = units.get(filing.unit) ?? []
    // The unit takes the position of its best result, whichever version that was. A card stands for a document of which
    // no text was found: it has no passage to show, and so few words that it would come before every text.
    if (ofUnit[0]?.item !== item) return []
    const strongest = Math.min(...ofUnit.map(one => one.filing.rank))
    const kept = ofUnit.filter(one => one.filing.rank === strongest)
    const [first = ofUnit[0], ...others] = kept
    const stays = new Set(kept.map(one => one.filing.version))
    const gaveWay = [
      ...merged.flatMap(one => one.get(filing.unit)?.left ?? []),
      ...ofUnit.map(one => one.filing.version),
    ]
    const left = [...new Set(gaveWay)].filter(version => !stays.has(version)).sort(byName)
    return [{ item: first.item, score, filing: first.filing, others, left }]
  })
}

/**
 * Finds the versions of a filing that are stronger than the one that a result shows, among all that the caller sees in
 * full: a question may match only what an amendment has replaced (SR-10).
 */
export function strongerVersions(
  visible: readonly VisibleSegment[],
  found: readonly UnitResult[],
): (filing: Filing | null) => (string | null)[] {
  const units = new Set(found.flatMap(({ filing }) => filing?.unit ?? []))
  const seen = new Map<string, Filing[]>()
  if (units.size > 0)
    for (const filing of filingsOf(visible))
      if (units.has(filing.unit)) seen.set(filing.unit, [...(seen.get(filing.unit) ?? []), filing])
  return filing => {
    if (filing === null) return []
    const others = (seen.get(filing.unit) ?? []).filter(({ rank }) => rank < filing.rank)
    return [...new Set(others.map(({ version }) => version))].sort(byName)
  }
}

const byName = (a: string | null, b: string | null) => (a === null ? -1 : b === null ? 1 : a < b ? -1 : 1)
