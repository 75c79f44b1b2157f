import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { builtSources } from './test/support/built-sources.js'
import { deep } from './test/support/depth.js'
import { ProjectByProject } from './test/support/sequencer.js'
import { temporaryFolder } from './test/support/temporary-folder.js'

process.env.TMPDIR = temporaryFolder()

/** What needs neither a store nor a server, though it stands in `test/`: it crosses modules. */
const PURE = [
  'test/cli/readers/*.test.ts',
  'test/deep/*.test.ts',
  'test/mail/configuration.test.ts',
  'test/properties/{decide,purity,search,vectors}.test.ts',
  'test/{dependencies,deploy,generated,rules-script,types}.test.ts',
]
/** What people and programs meet: HTTP, MCP, the command line, clients, mail and webhooks, and the pages that show them. */
const DOORS = [
  'test/{cli,client,console,http,mail,mcp,notifications}/**/*.test.ts',
  'test/**/docs.test.ts',
  'test/{guides,readme}.test.ts',
]
const WITH_POSTGRES = {
  globalSetup: ['test/support/build.ts', 'test/support/postgres-server.ts'],
  setupFiles: ['test/support/seed.ts', 'test/support/check-outputs.ts', 'test/support/quick-passcodes.ts'],
  server: { deps: { external: [/\/dist\//] } },
}
const exclude = [...configDefaults.exclude, ...(deep ? [] : ['**/*.deep.test.ts'])]

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Tests often wait, for a database, a process or a page: one file more than there are cores, up to four.
    maxWorkers: Number(process.env.PRIVITY_TEST_WORKERS ?? Math.min(4, availableParallelism() + 1)),
    // A worker imports the sources once, not for each file. Files that replace a module put it back.
    isolate: false,
    sequence: { sequencer: ProjectByProject },
    reporters: ['default', './test/support/slowest-files.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', ...PURE],
          exclude,
          setupFiles: ['test/support/seed.ts'],
        },
      },
      {
        extends: true,
        plugins: [builtSources],
        test: {
          name: 'store',
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...PURE, ...DOORS],
          ...WITH_POSTGRES,
        },
      },
      {
        extends: true,
        plugins: [builtSources],
        test: { name: 'doors', include: DOORS, exclude: [...exclude, ...PURE], ...WITH_POSTGRES },
      },
    ],
  },
})
