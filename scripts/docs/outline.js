/**
 * The pages of the documentation, in the order in which they are read.
 *
 * @type {readonly { title: string, pages: readonly { path: string, file: string }[] }[]}
 */
export const OUTLINE = [
  {
    title: 'Start here',
    pages: [
      { path: '', file: 'docs/start.md' },
      { path: 'concepts', file: 'docs/concepts.md' },
      { path: 'console', file: 'docs/console.md' },
      { path: 'compared', file: 'docs/compared.md' },
    ],
  },
  {
    title: 'Guides',
    pages: [
      { path: 'guides/private-assistant', file: 'docs/guides/private-assistant.md' },
      { path: 'guides/team-agents', file: 'docs/guides/team-agents.md' },
      { path: 'guides/brief-bank', file: 'docs/guides/brief-bank.md' },
      { path: 'guides/mediator', file: 'docs/guides/mediator.md' },
    ],
  },
  {
    title: 'Features',
    pages: [
      { path: 'search', file: 'docs/search.md' },
      { path: 'documents', file: 'docs/documents.md' },
      { path: 'sharing', file: 'docs/sharing.md' },
      { path: 'mediation', file: 'docs/mediation.md' },
      { path: 'lifecycle', file: 'docs/lifecycle.md' },
      { path: 'notifications', file: 'docs/notifications.md' },
      { path: 'embedding', file: 'docs/embedding.md' },
      { path: 'meaning', file: 'docs/meaning.md' },
    ],
  },
  {
    title: 'Ways in',
    pages: [
      { path: 'http', file: 'docs/http.md' },
      { path: 'client', file: 'docs/client.md' },
      { path: 'mcp', file: 'docs/mcp.md' },
      { path: 'cli', file: 'docs/cli.md' },
    ],
  },
  {
    title: 'Operating',
    pages: [
      { path: 'operating', file: 'docs/operating.md' },
      { path: 'backup', file: 'docs/backup.md' },
      { path: 'security', file: 'SECURITY.md' },
      { path: 'dependencies', file: 'docs/dependencies.md' },
    ],
  },
  {
    title: 'Project',
    pages: [
      { path: 'architecture', file: 'ARCHITECTURE.md' },
      { path: 'spec', file: 'SPEC.md' },
      { path: 'benchmarks', file: 'bench/README.md' },
      { path: 'contributing', file: 'CONTRIBUTING.md' },
      { path: 'changelog', file: 'CHANGELOG.md' },
    ],
  },
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
