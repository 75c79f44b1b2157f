import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

describe.each(engines)('versions of a filing unit on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  const filed = (
    unit: string,
    version: string,
    versionKind: string | undefined,
    text = 'motion to dismiss',
  ) => ({
    kind: 'document' as const,
    text: `${text} ${version}`,
    filingUnit: unit,
    version,
    ...(versionKind === undefined ? {} : { versionKind: versionKind as 'amended' }),
    sensitivity: 'low' as const,
    tags: [version],
  })
  const versionsOf = (
    results: readonly { record: { payload: { version?: string | null | undefined } | null } }[],
  ) => results.map(({ record }) => record.payload?.version).sort()

  it('[SC-6] only the strongest that matched is found, and counts, facets and scores are of what is left', async () => {
    const tenant = store.tenant()
    const ana = store.privity.as({ tenant, actor: 'ana' })
    await ana.remember([
      filed('brief', 'v1', 'original_as_filed'),
      filed('brief', 'v2', 'corrected'),
      filed('brief', 'v3', 'amended'),
      filed('brief', 'v0', undefined),
      filed('reply', 'r1', 'original_as_filed'),
      { kind: 'note', text: 'the motion was short', sensitivity: 'low' },
    ])
    const { results, count, facets } = await ana.search('motion', { facets: ['kind', 'tag'] })
    expect(versionsOf(results)).toEqual([null, 'r1', 'v3'])
    expect(count).toBe(3)
    expect(facets).toEqual({
      kind: [
        { value: 'document', count: 2 },
        { value: 'note', count: 1 },
      ],
      tag: [
        { value: 'r1', count: 1 },
        { value: 'v3', count: 1 },
      ],
    })
    const brief = results.find(({ record }) => record.payload?.version === 'v3')
    expect(brief?.versionSelectionDisclosure).toEqual({
      selectedVersion: 'v3',
      excludedVersions: ['v0', 'v1', 'v2'],
      selectionBasis: 'legal_version_kind_precedence',
    })
    const reply = results.find(({ record }) => record.payload?.version === 'r1')
    expect(reply?.versionSelectionDisclosure).toBeNull()
  })

  it('[SC-6] several parts of one version stay together, and a version that does not match gives way to none', async () => {
    const ana = store.privity.as({ tenant: store.tenant(), actor: 'ana' })
    await ana.remember([
      { ...filed('brief', 'v2', 'amended', 'motion part one'), segment: 'one' },
      { ...filed('brief', 'v2', 'amended', 'motion part two'), segment: 'two' },
      filed('brief', 'v1', 'original_as_filed', 'motion about tomatoes'),
    ])
    expect((await ana.search('motion')).count).toBe(2)
    expect(versionsOf((await ana.search('tomatoes')).results)).toEqual(['v1'])
  })

  it('[SC-6, NI-1] a version that the caller may not see neither stays nor is named', async () => {
    const tenant = store.tenant()
    const ana = store.privity.as({ tenant, actor: 'ana' })
    const agent = store.privity.as({
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low' },
    })
    await ana.remember([
      filed('brief', 'v1', 'original_as_filed'),
      filed('brief', 'v2', 'corrected'),
      { ...filed('brief', 'v3', 'amended'), sensitivity: 'hyper' },
    ])
    const { results, count } = await agent.search('motion')
    expect(versionsOf(results)).toEqual(['v2'])
    expect(count).toBe(1)
    expect(results[0]?.versionSelectionDisclosure?.excludedVersions).toEqual(['v1'])
    expect(versionsOf((await ana.search('motion')).results)).toEqual(['v3'])
  })

  it('[NI-4, SR-10] what is seen in part does not say of which filing it is a version', async () => {
    const tenant = store.tenant()
    const ana = store.privity.as({ tenant, actor: 'ana' })
    const agent = store.privity.as({
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low' },
    })
    const [amended] = await ana.remember([
      filed('brief', 'v3', 'amended'),
      filed('brief', 'v2', 'corrected'),
      filed('brief', 'v1', 'original_as_filed'),
    ])
    await ana.overlays.add({
      target: { kind: 'document', ref: amended?.id ?? '' },
      restriction: 'preview_only',
    })
    const told = (await agent.search('motion')).results.map(({ record, versionSelectionDisclosure }) => [
      record.face,
      versionSelectionDisclosure?.selectedVersion,
    ])
    expect(told.sort()).toEqual([
      ['full', 'v2'],
      ['preview', undefined],
    ])
  })

  it('[SC-6] units of the same name of two owners do not merge', async () => {
    const tenant = store.tenant()
    const ana = store.privity.as({ tenant, actor: 'ana' })
    const group = await ana.groups.create({ name: 'team' })
    await ana.groups.addMember({ group: group.id, member: 'ana' })
    await ana.remember([
      filed('brief', 'v1', 'original_as_filed'),
      { ...filed('brief', 'v2', 'amended'), owner: group.principal },
    ])
    expect(versionsOf((await ana.search('motion')).results)).toEqual(['v1', 'v2'])
  })
})
