import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../src/operations.js'
import { EXECUTOR_CLASSES } from '../../src/runtime/search/router/assign.js'
import { QUERY_INTENTS } from '../../src/runtime/search/router/intent.js'
import { FILING_CONTENT_SCOPES, POSTURES } from '../../src/runtime/search/router/posture.js'
import { searchScope } from '../../src/runtime/search/router/scope.js'
import { EXPANSION_KINDS } from '../../src/runtime/search/router/validate.js'
import { codeBlocks, runProgram } from '../support/run-program.js'

describe('docs/documents.md', () => {
  it('[SR-1, SR-5, SR-9, QX-1] walks through files and questions that run', async () => {
    const [walk = ''] = await codeBlocks('docs/documents.md')
    expect((await runProgram({ code: walk })).trim().split('\n')).toEqual([
      'created versioned 2 complete',
      'caseNumber 3:24-cv-01180 extraction',
      "parties [ 'BERG', 'NORTH LINE INC.' ] extraction",
      'doc18_legal_search_direct',
      'citation_normalization: 551 U.S. 308',
      'true briefs/opposition.txt@2',
      expect.stringMatching(/^1 briefs\/opposition\.txt \d+$/),
    ])
  }, 120_000)

  it('[SR-2, SR-3, SR-4, SR-5, QX-1] names what the code has', async () => {
    const text = await readFile('docs/documents.md', 'utf8')
    const kinds = [QUERY_INTENTS, POSTURES, EXECUTOR_CLASSES, FILING_CONTENT_SCOPES, EXPANSION_KINDS]
    const states = ['extracting', 'complete', 'partial', 'needs_ocr', 'failed']
    for (const named of [...kinds.flat(), ...states, ...Object.keys(searchScope.shape)])
      expect(text, named).toContain(`\`${named}\``)
    const told = [...text.matchAll(/`((?:search|documents)\.[a-z]+)`/g)].map(([, name]) => name)
    const known = new Set<string>(OPERATIONS.map(({ name }) => name))
    const inLibrary = [
      'documents.answer',
      'documents.plan',
      'documents.search',
      'documents.expand',
      'documents.bundle',
    ]
    expect(told.filter(name => !known.has(name ?? '') && !inLibrary.includes(name ?? ''))).toEqual([])
  })
})
