/**
 * The deep run in parts. A test file is in the slice that names it, or else the nearest folder above it.
 * @type {Record<string, readonly string[]>}
 */
export const SLICES = {
  policy: ['test/properties/policy-mutants.test.ts'],
  search: ['test/properties/search-mutants.test.ts'],
  vectors: ['test/properties/vector-mutants.test.ts'],
  rls: ['test/properties/rls-mutants.test.ts', 'test/properties/rls.test.ts'],
  'leaks-records': [
    'test/non-interference/leaks/records.test.ts',
    'test/non-interference/leaks/owners.test.ts',
    'test/non-interference/leaks/pages.test.ts',
    'test/non-interference/leaks/graph.test.ts',
  ],
  'leaks-search': [
    'test/non-interference/leaks/search.test.ts',
    'test/non-interference/leaks/meaning.test.ts',
  ],
  'leaks-mediation': ['test/non-interference/leaks/mediation.test.ts'],
  'leaks-sharing': ['test/non-interference/leaks/sharing.test.ts'],
  'leaks-documents': ['test/non-interference/leaks/documents.test.ts'],
  'worlds-records': [
    'test/non-interference/busy-server.test.ts',
    'test/non-interference/graph.test.ts',
    'test/non-interference/harness.test.ts',
  ],
  'worlds-search': ['test/non-interference/search.test.ts', 'test/non-interference/meaning.test.ts'],
  'worlds-mediation': ['test/non-interference/mediation.test.ts'],
  'worlds-sharing': ['test/non-interference/sharing.test.ts'],
  'worlds-documents': ['test/non-interference/documents.test.ts'],
  'worlds-doors': ['test/non-interference/doors.test.ts'],
  properties: ['test/properties'],
  races: [
    'test/hazards/crash.test.ts',
    'test/hazards/link-races.test.ts',
    'test/hazards/mediation-races.test.ts',
    'test/hazards/revocation-race.test.ts',
  ],
  fuzz: [
    'test/hazards/hostile-files.test.ts',
    'test/hazards/passcode-guessing.test.ts',
    'test/hazards/share-tokens.test.ts',
    'test/hazards/spawn-chains.test.ts',
  ],
  hazards: ['test/hazards'],
  conformance: ['test/conformance'],
  storage: ['test/storage', 'test/embedding'],
  mediation: ['test/mediation'],
  sharing: ['test/sharing'],
  documents: ['test/documents'],
  doors: ['test/client', 'test/console', 'test/http', 'test/mail', 'test/mcp', 'test/notifications'],
  cli: ['test/cli'],
  units: [
    'src',
    'test/deep',
    'test/docs.test.ts',
    'test/dependencies.test.ts',
    'test/generated.test.ts',
    'test/guides.test.ts',
    'test/readme.test.ts',
    'test/deploy.test.ts',
    'test/rules-script.test.ts',
    'test/support',
    'test/types.test.ts',
  ],
}

/**
 * The slice of a test file, or null where it would be forgotten.
 * @param {string} file
 * @param {Record<string, readonly string[]>} slices
 */
export function sliceOf(file, slices = SLICES) {
  let nearest = { slice: /** @type {string | null} */ (null), path: '' }
  for (const [slice, paths] of Object.entries(slices))
    for (const path of paths)
      if ((file === path || file.startsWith(`${path}/`)) && path.length > nearest.path.length)
        nearest = { slice, path }
  return nearest.slice
}
