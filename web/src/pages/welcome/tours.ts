import type { ContinueAs } from '../../lib/api'

export interface TourStep {
  readonly title: string
  readonly text: string
  /** Where the step happens. */
  readonly href: string
}

export interface Tour {
  readonly title: string
  readonly story: string
  /** Whom the tour is taken as. */
  readonly as: ContinueAs & { readonly actor: string }
  readonly steps: readonly [TourStep, TourStep, TourStep, TourStep, TourStep]
}

const ask = (question: string, as?: string) =>
  `/ask?${new URLSearchParams({ q: question, ...(as === undefined ? {} : { as }) })}`

/** Five steps through each example, by the name of its world. */
export const TOURS: Readonly<Record<string, Tour>> = {
  family: {
    title: 'A family’s memories',
    story: 'Nora keeps recordings and notes. Not everybody in them was asked, and not everybody agreed.',
    as: { actor: 'nora' },
    steps: [
      {
        title: 'Ask as Nora',
        text: 'Nora sees all of her notes about Ben, also the one she would tell nobody.',
        href: ask('What should I know about Ben?'),
      },
      {
        title: 'Compare with a low-trust agent',
        text: 'The same question as an agent trusted up to low: most answers are redacted or gone, and nothing says that more exists.',
        href: ask('What should I know about Ben?', 'imagined-low'),
      },
      {
        title: 'See who agreed',
        text: 'Karim took his consent back, so agents are told nothing he is in. Dr. Klein was never asked.',
        href: '/people',
      },
      {
        title: 'Ask why',
        text: 'Choose “Karim owes Ben money” and read which of the eleven gates decides.',
        href: '/why',
      },
      {
        title: 'Look along time',
        text: 'What happened when, and who was there.',
        href: '/memory?view=timeline',
      },
    ],
  },
  team: {
    title: 'A team and its agents',
    story: 'Maya’s team shares what happened in an outage; her own notes about people stay hers.',
    as: { actor: 'maya' },
    steps: [
      {
        title: 'Ask as Maya',
        text: 'Maya sees the outage, and her private notes about it.',
        href: ask('What happened in the outage?'),
      },
      {
        title: 'Compare with an agent',
        text: 'An agent trusted up to low gets the runbook, not what was said about people.',
        href: ask('What happened in the outage?', 'imagined-low'),
      },
      { title: 'Browse the memory', text: 'Everything the team keeps, with its labels.', href: '/memory' },
      { title: 'Draw it', text: 'Records and the people in them, as a graph.', href: '/memory?view=graph' },
      { title: 'Ask why', text: 'Choose a record and read what an agent would be told.', href: '/why' },
    ],
  },
  couple: {
    title: 'A couple in mediation',
    story: 'Mara and Jonah each talk with a mediator. Nothing crosses to the other before its owner agrees.',
    as: { actor: 'mara' },
    steps: [
      {
        title: 'Open the session',
        text: 'Both are at the stage where each tries to see the other’s side.',
        href: '/sessions',
      },
      {
        title: 'Read what waits',
        text: 'Requests to share wait for Mara’s decision: her original beside what Jonah would read.',
        href: '/inbox',
      },
      {
        title: 'Ask in general',
        text: 'What is said in a mediation is not found by a general search, not even by Mara.',
        href: ask('Friday evening'),
      },
      { title: 'See people', text: 'Mara’s own list of people is hers alone.', href: '/people' },
      {
        title: 'Continue as Jonah',
        text: 'Return to yourself, then continue as jonah from this page to see his side.',
        href: '/welcome',
      },
    ],
  },
  firm: {
    title: 'A brief bank, shared with outside counsel',
    story: 'Hollis keeps briefs. Some are sealed, some are what the firm thinks, some are public.',
    as: { actor: 'hollis' },
    steps: [
      {
        title: 'Ask as Hollis',
        text: 'Hollis finds the sealed exhibit and the firm’s strategy.',
        href: ask('motion to dismiss scienter'),
      },
      {
        title: 'Compare with an agent',
        text: 'An agent is told nothing that is sealed, and cannot tell that it exists.',
        href: ask('motion to dismiss scienter', 'imagined-medium'),
      },
      {
        title: 'See what is shared',
        text: 'A view says what outside counsel gets: tick it. “Share something” makes a link that lets them in.',
        href: '/shares?view=views',
      },
      {
        title: 'Ask why',
        text: 'Choose the sealed exhibit and read which gate keeps it from an agent.',
        href: '/why',
      },
      {
        title: 'Browse the documents',
        text: 'All records of the bank, with their classes.',
        href: '/memory',
      },
    ],
  },
}
