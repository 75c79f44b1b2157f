import { z } from 'zod'

/** A prompt that people choose in their client. What it gathers stands between data markers, after what it asks. */
export interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly argument: {
    readonly name: string
    readonly schema: z.ZodType<string | undefined>
    /** The input of `memory.context` that it stands for. */
    readonly asks: (said: string) => object
  }
  /** What the model is asked to do with what was gathered. None of what is remembered is in it. */
  readonly asks: string
}

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'recall',
    title: 'Recall what is known',
    description: 'Tell what is remembered about a topic, with its sources.',
    argument: {
      name: 'about',
      schema: z.string().describe('The topic, or a question.'),
      asks: about => ({ about }),
    },
    asks: 'Tell me what is remembered about the topic below. Use only what is there, cite the numbers, and say what is missing.',
  },
  {
    name: 'prepare_meeting',
    title: 'Prepare for somebody',
    description: 'Gather what to know before you talk to somebody.',
    argument: {
      name: 'person',
      schema: z.string().describe('The name of the person.'),
      asks: person => ({ people: [person] }),
    },
    asks: 'I am about to talk to the person below. Tell me in a few lines what I should remember: what is open between us, what changed, and what matters to them. Cite the numbers.',
  },
  {
    name: 'go_on',
    title: 'Go on where we stopped',
    description: 'Tell what is open and what happened lately.',
    argument: {
      name: 'about',
      schema: z.string().optional().describe('A piece of work, if it is about one.'),
      asks: about => ({ about }),
    },
    asks: 'Tell me where we stopped: what is open, what I promised, and what happened lately. Cite the numbers.',
  },
]
