import type { ChatMessage } from '../runtime/completions.js'
import { asData } from '../runtime/data-markers.js'

/** What a model answers if a note holds nothing that is worth sharing. */
export const NOTHING_TO_SHARE = 'NOTHING'

const INSTRUCTIONS = [
  'You help two people in a conflict to hear each other. One of them wrote a private note; the other will never see it.',
  'Say what it tells of the writer, so that it can be shared: one to three short sentences in the first person, about a',
  'need or a feeling. Do not quote: use no five words of the note in a row. No blame, no insult, nobody named, nothing',
  'that happened told in detail. Keep what it is about in general words (household tasks, money, the children). Add no',
  'wish and nothing else that the note does not say. If it holds no need, feeling or boundary that the other should hear',
  `(small talk, logistics, irony you are not sure of), answer ${NOTHING_TO_SHARE}. Otherwise answer with these sentences alone.`,
].join('\n')

/** The prompt for a model that rewords what crosses the bridge. The note is marked as data (RC-15). */
export const transformationPrompt = (original: string, contentType: string): ChatMessage[] => [
  { role: 'system', content: INSTRUCTIONS },
  { role: 'user', content: asData({ note: original, sharedAs: contentType }) },
]
