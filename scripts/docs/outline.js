/** @typedef {{ path: string, file: string }} Page */

/** What is addressed by another name than that of its file. @type {Readonly<Record<string, string>>} */
const PATHS = { 'docs/start.md': '', 'bench/README.md': 'benchmarks' }

/**
 * @param {string} title
 * @param {readonly string[]} files
 * @returns {{ title: string, pages: readonly Page[] }}
 */
const group = (title, files) => ({
  title,
  pages: files.map(file => ({
    file,
    path:
      PATHS[file] ??
      file
        .replace(/^docs\//, '')
        .replace(/\.md$/, '')
        .toLowerCase(),
  })),
})

/** The pages of the documentation, in the order in which they are read. */
export const OUTLINE = [
  group('Start here', ['docs/start.md', 'docs/concepts.md', 'docs/console.md', 'docs/compared.md']),
  group('Guides', [
    'docs/guides/private-assistant.md',
    'docs/guides/team-agents.md',
    'docs/guides/brief-bank.md',
    'docs/guides/mediator.md',
  ]),
  group('Features', [
    'docs/search.md',
    'docs/documents.md',
    'docs/sharing.md',
    'docs/mediation.md',
    'docs/people.md',
    'docs/labels.md',
    'docs/lifecycle.md',
    'docs/notifications.md',
    'docs/embedding.md',
    'docs/meaning.md',
  ]),
  group('Ways in', ['docs/http.md', 'docs/client.md', 'docs/mcp.md', 'docs/cli.md']),
  group('Operating', ['docs/operating.md', 'docs/backup.md', 'SECURITY.md', 'docs/dependencies.md']),
  group('Project', ['ARCHITECTURE.md', 'SPEC.md', 'bench/README.md', 'CONTRIBUTING.md', 'CHANGELOG.md']),
]

/** Operations to begin with: enough for memory, consent, agents, documents and a share. */
export const FIRST_OPERATIONS = [
  'memory.remember',
  'memory.search',
  'memory.get',
  'memory.forget',
  'people.consent',
  'memory.explain',
  'keys.create',
  'documents.ingest',
  'views.create',
  'links.grant',
]
