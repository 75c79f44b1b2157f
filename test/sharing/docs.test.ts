import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { mayMove, PROFILE_STATES } from '../../src/policy/profile-state.js'
import { SHARE_LINK_DEFAULTS } from '../../src/policy/shared-view.js'
import { DEFAULT_RATE_LIMITS, RECIPIENT_MODES } from '../../src/sharing/share-link.js'
import { codeBlocks, runProgram } from '../support/run-program.js'

describe('docs/sharing.md', () => {
  it('[ST-1, ST-3, SV-4, ST-5] walks through a share that runs', async () => {
    const [walk = ''] = await codeBlocks('docs/sharing.md')
    expect((await runProgram({ code: walk })).trim().split('\n')).toEqual([
      'passcode_needed',
      "[ 'Motion to dismiss' ] 1",
      'No fact pleads scienter.',
      '1 Motion to dismiss',
      expect.stringMatching(
        /^The share link “Securities briefs” is revoked.*1 active session ended\..*cannot be recalled/,
      ),
      'session.profile_revoked',
    ])
  }, 120_000)

  it('[SV-1, ST-1, ST-2, SP-2] says what the code has', async () => {
    const text = await readFile('docs/sharing.md', 'utf8')
    for (const surface of SHARE_LINK_DEFAULTS.exposedSurfaces) expect(text).toContain(`\`${surface}\``)
    for (const mode of RECIPIENT_MODES) expect(text).toContain(`| \`${mode}\` |`)
    const { maxQueriesPerHour, maxDocumentViewsPerHour } = DEFAULT_RATE_LIMITS
    expect(text).toContain(`${maxQueriesPerHour} searches and ${maxDocumentViewsPerHour} views an hour`)
    const row = (state: string) =>
      text
        .split('\n')
        .find(line => line.startsWith('| ') && line.split(' | ')[0]?.includes(`\`${state}\``)) ?? ''
    for (const from of PROFILE_STATES)
      for (const to of PROFILE_STATES) {
        const [, cell = ''] = row(from).split(' | ')
        expect([from, to, cell.includes(`\`${to}\``)]).toEqual([from, to, mayMove(from, to)])
      }
  })
})
