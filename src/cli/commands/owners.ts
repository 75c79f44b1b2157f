import type { PrivityError } from '../../errors.js'
import { CONSENT_STATUSES } from '../../policy/vocabulary.js'
import type { Command } from '../command.js'
import { omitUndefined } from '../omit-undefined.js'
import { printTable } from '../output/table.js'
import type { Terminal } from '../output/terminal.js'
import { formatMoment } from '../output/text.js'
import { PAGE, printPage, readPageOptions } from '../page.js'

/** Prints what is asked for: JSON, or in words. */
function answer<T>(terminal: Terminal, value: T, say: (value: T) => string): void {
  if (terminal.json) terminal.document(value)
  else terminal.line(say(value))
}

const peopleList: Command = {
  name: 'people list',
  summary: 'List your people and their consent',
  arguments: [],
  options: PAGE,
  examples: [{ line: 'people list', does: 'who has consented' }],
  needs: 'access',
  async run({ options, open, terminal }) {
    const { handle } = await open()
    const page = await handle.people.list(readPageOptions(options))
    printPage(
      terminal,
      page,
      page.people,
      [
        { title: 'name', text: ({ name }) => name },
        { title: 'also', text: ({ aliases, emails }) => [...aliases, ...emails].join(', ') },
        { title: 'consent', text: ({ consent }) => consent },
        { title: 'since', text: ({ updatedAt }) => formatMoment(updatedAt) },
      ],
      'no people yet',
    )
  },
}

function noSuchPerson({ code }: PrivityError): string | undefined {
  return code === 'not_found'
    ? 'nobody of this name is among your people: see privity people list'
    : undefined
}

type Person = { readonly name: string; readonly consent: string }
const personText = ({ name, consent }: Person) => `${name}: ${consent}`

const peopleAdd: Command = {
  name: 'people add',
  summary: 'Add a person, whose consent is pending until you grant it',
  arguments: [{ name: 'person' }],
  options: {},
  examples: [{ line: 'people add ben', does: 'add someone' }],
  needs: 'access',
  makesStore: true,
  async run({ args, open, terminal }) {
    const { handle } = await open()
    const person = await handle.people.add({ person: args[0] ?? '' })
    answer(terminal, person, personText)
  },
}

const peopleConsent: Command = {
  name: 'people consent',
  summary: 'Set the consent of a person, from the next request on',
  arguments: [{ name: 'person' }, { name: 'status', values: CONSENT_STATUSES }],
  options: {},
  examples: [
    { line: 'people consent ben granted', does: 'let agents see memories with someone' },
    { line: 'people consent ben revoked', does: 'no longer' },
  ],
  needs: 'access',
  hint: noSuchPerson,
  async run({ args, open, terminal }) {
    const { handle } = await open()
    const person = await handle.people.consent({
      person: args[0] ?? '',
      status: args[1] as (typeof CONSENT_STATUSES)[number],
    })
    answer(terminal, person, personText)
  },
}

const peopleRemove: Command = {
  name: 'people remove',
  summary: 'Remove a person; memories with them stay hidden from agents',
  arguments: [{ name: 'person' }],
  options: {},
  examples: [{ line: 'people remove ben', does: 'remove someone' }],
  needs: 'access',
  hint: noSuchPerson,
  async run({ args, open, terminal }) {
    const { handle } = await open()
    const removed = await handle.people.remove({ person: args[0] ?? '' })
    answer(terminal, removed, () => `removed ${args[0]}`)
  },
}

const peopleAlias: Command = {
  name: 'people alias',
  summary: 'Add a name or an e-mail address that a person is known by too',
  arguments: [{ name: 'person' }, { name: 'alias' }],
  options: { remove: { type: 'flag', describe: 'take the name off the person instead' } },
  examples: [
    { line: 'people alias ben ben@example.org', does: 'this address is his' },
    { line: 'people alias ben Benji --remove', does: 'this name is not' },
  ],
  needs: 'access',
  hint: noSuchPerson,
  async run({ args, options, open, terminal }) {
    const { handle } = await open()
    const names = [args[1] ?? '']
    const person = await handle.people.update({
      person: args[0] ?? '',
      ...(options.flag('remove') ? { removeAliases: names } : { addAliases: names }),
    })
    answer(terminal, person, ({ name, aliases, emails }) =>
      [`${name}: ${person.consent}`, ...[...aliases, ...emails].map(alias => `  also ${alias}`)].join('\n'),
    )
  },
}

const peopleMatches: Command = {
  name: 'people matches',
  summary: 'List people who may be the same',
  arguments: [],
  options: {},
  examples: [{ line: 'people matches', does: 'whom to merge' }],
  needs: 'access',
  async run({ open, terminal }) {
    const { handle } = await open()
    const { matches } = await handle.people.matches({})
    if (terminal.json) terminal.document({ matches })
    else
      printTable(
        terminal,
        matches,
        [
          { title: 'person', text: ({ person }) => person.name },
          { title: 'may be', text: ({ into }) => into.name },
          { title: 'because of', text: ({ why }) => why.replaceAll('_', ' ') },
        ],
        'no two people seem to be the same',
      )
  },
}

const peopleMerge: Command = {
  name: 'people merge',
  summary: 'Merge two people into one; without --yes, only show what that would change',
  arguments: [{ name: 'person' }, { name: 'into' }],
  options: {
    consent: {
      type: 'text',
      values: CONSENT_STATUSES,
      describe: 'the consent of both; default: the stricter of the two',
    },
    yes: { type: 'flag', describe: 'merge them' },
  },
  examples: [
    { line: 'people merge Benji ben', does: 'what merging would change' },
    { line: 'people merge Benji ben --yes', does: 'merge them' },
  ],
  needs: 'access',
  hint: noSuchPerson,
  async run({ args, options, open, terminal }) {
    const { handle } = await open()
    const asked = {
      person: args[0] ?? '',
      into: args[1] ?? '',
      ...omitUndefined({ consent: options.text('consent') as (typeof CONSENT_STATUSES)[number] | undefined }),
    }
    if (options.flag('yes')) {
      answer(terminal, await handle.people.merge(asked), personText)
      return
    }
    answer(terminal, await handle.people.mergePreview(asked), ({ person, into, consent, ...effect }) =>
      [
        `${person.name} (${person.consent}) would be the same person as ${into.name} (${into.consent}), with consent ${consent}`,
        `${effect.records} records name them; agents would see ${effect.opened} more and ${effect.closed} fewer`,
        'add --yes to merge them',
      ].join('\n'),
    )
  },
}

const peopleSplit: Command = {
  name: 'people split',
  summary: 'Split off a merged name as a person of its own',
  arguments: [{ name: 'alias' }],
  options: { yes: { type: 'flag', describe: 'split it off; without it, only show what that would change' } },
  examples: [{ line: 'people split Benji --yes', does: 'Benji is somebody else' }],
  needs: 'access',
  hint: noSuchPerson,
  async run({ args, options, open, terminal }) {
    const { handle } = await open()
    const asked = { person: args[0] ?? '' }
    if (options.flag('yes')) {
      answer(terminal, await handle.people.split(asked), personText)
      return
    }
    answer(terminal, await handle.people.splitPreview(asked), ({ person, name, consent, records }) =>
      [
        `${name} would no longer be ${person.name}: ${records} records name ${name} alone; consent stays ${consent}`,
        'add --yes to split them',
      ].join('\n'),
    )
  },
}

const labelsReview: Command = {
  name: 'labels review',
  summary: 'List your records that may need a stricter label',
  arguments: [],
  options: PAGE,
  examples: [{ line: 'labels review', does: 'what the texts of your records call for' }],
  needs: 'access',
  async run({ options, open, terminal }) {
    const { handle } = await open()
    const page = await handle.labels.review(readPageOptions(options))
    printPage(
      terminal,
      page,
      page.proposals,
      [
        { title: 'record', whole: true, text: ({ record }) => record },
        { title: 'is', text: ({ current }) => current },
        { title: 'proposed', text: ({ sensitivity }) => sensitivity },
        {
          title: 'because of',
          text: ({ reasons, participants }) =>
            [...reasons.map(({ what }) => what), ...participants].join(', '),
        },
      ],
      'no record needs a stricter label',
    )
  },
}

type Group = { readonly id: string; readonly name: string; readonly members: readonly { member: string }[] }
const groupText = ({ id, name, members }: Group) =>
  `${name} (${id}): ${[...new Set(members.map(({ member }) => member))].join(', ')}`

const groupsList: Command = {
  name: 'groups list',
  summary: 'List the groups you own or belong to',
  arguments: [],
  options: {},
  examples: [{ line: 'groups list', does: 'groups and their members' }],
  needs: 'access',
  async run({ open, terminal }) {
    const { handle } = await open()
    const { groups } = await handle.groups.list()
    if (terminal.json) {
      terminal.document({ groups })
      return
    }
    printTable(
      terminal,
      groups,
      [
        { title: 'name', text: ({ name }) => name },
        { title: 'id', whole: true, text: ({ id }) => id },
        { title: 'owner', text: ({ owner }) => owner },
        {
          title: 'members',
          text: ({ members }) =>
            members.map(({ member, role }) => (role === null ? member : `${member} (${role})`)).join(', '),
        },
      ],
      'no groups yet',
    )
  },
}

const groupsCreate: Command = {
  name: 'groups create',
  summary: 'Create a group; every member can read and write what it owns',
  arguments: [{ name: 'name' }],
  options: {},
  examples: [{ line: 'groups create family', does: 'make a group' }],
  needs: 'access',
  makesStore: true,
  async run({ args, open, terminal }) {
    const { handle } = await open()
    answer(terminal, await handle.groups.create({ name: args[0] ?? '' }), groupText)
  },
}

const ROLE = { role: { type: 'text', value: 'ROLE', describe: 'a role in the group' } } as const

const groupsAdd: Command = {
  name: 'groups add',
  summary: 'Add a member to a group, with or without a role',
  arguments: [{ name: 'group' }, { name: 'member' }],
  options: ROLE,
  examples: [
    {
      line: 'groups add 3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61 ben',
      does: 'add a member, by the id of the group',
    },
  ],
  needs: 'access',
  async run({ args, options, open, terminal }) {
    const { handle } = await open()
    const [group = '', member = ''] = args
    answer(
      terminal,
      await handle.groups.addMember({ group, member, ...omitUndefined({ role: options.text('role') }) }),
      groupText,
    )
  },
}

const groupsRemove: Command = {
  name: 'groups remove',
  summary: 'Remove a member from a group, or one of its roles',
  arguments: [{ name: 'group' }, { name: 'member' }],
  options: ROLE,
  examples: [
    {
      line: 'groups remove 3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61 ben',
      does: 'remove a member, by the id of the group',
    },
  ],
  needs: 'access',
  async run({ args, options, open, terminal }) {
    const { handle } = await open()
    const [group = '', member = ''] = args
    answer(
      terminal,
      await handle.groups.removeMember({ group, member, ...omitUndefined({ role: options.text('role') }) }),
      groupText,
    )
  },
}

const CONSENT_STATES = ['open', 'granted', 'denied'] as const

const consentsList: Command = {
  name: 'consents list',
  summary: 'List the requests for consent that agents made to you',
  arguments: [],
  options: {
    ...PAGE,
    state: { type: 'text', values: CONSENT_STATES, describe: 'only those in this state' },
  },
  examples: [{ line: 'consents list --state open', does: 'open requests' }],
  needs: 'access',
  async run({ options, open, terminal }) {
    const { handle } = await open()
    const page = await handle.consents.list(
      omitUndefined({
        state: options.text('state') as (typeof CONSENT_STATES)[number] | undefined,
        limit: options.number('limit'),
        cursor: options.text('cursor'),
      }),
    )
    printPage(
      terminal,
      page,
      page.requests,
      [
        { title: 'id', whole: true, text: ({ id }) => id },
        { title: 'person', text: ({ person }) => person },
        { title: 'state', text: ({ state }) => state },
        { title: 'asked by', text: ({ requestedBy }) => requestedBy },
        { title: 'at', text: ({ createdAt }) => formatMoment(createdAt) },
        { title: 'reason', text: ({ reason }) => reason },
      ],
      'no requests',
    )
  },
}

const consentsDecide: Command = {
  name: 'consents decide',
  summary: 'Grant or deny a request for consent',
  arguments: [{ name: 'request' }, { name: 'decision', values: ['granted', 'denied'] }],
  options: {},
  examples: [
    {
      line: 'consents decide 3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61 granted',
      does: 'grant what an agent asked for',
    },
  ],
  needs: 'access',
  async run({ args, open, terminal }) {
    const { handle } = await open()
    const decided = await handle.consents.decide({
      request: args[0] ?? '',
      decision: args[1] as 'granted' | 'denied',
    })
    answer(terminal, decided, ({ person, state }) => `${person}: ${state}`)
  },
}

export const OWNER_COMMANDS = [
  peopleList,
  peopleAdd,
  peopleConsent,
  peopleRemove,
  peopleAlias,
  peopleMatches,
  peopleMerge,
  peopleSplit,
  labelsReview,
  groupsList,
  groupsCreate,
  groupsAdd,
  groupsRemove,
  consentsList,
  consentsDecide,
]
