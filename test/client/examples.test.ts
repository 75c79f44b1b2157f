import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { type ChatCall, chatServer, says } from '../support/chat-server.js'
import { deep } from '../support/depth.js'
import { runProgram } from '../support/run-program.js'

describe('the examples', () => {
  it.runIf(deep)(
    '[TR-2] LangChain.js: who asks decides what the chain is told',
    async () => {
      expect(await runProgram({ file: 'examples/langchain/retrieval.js' })).toBe(
        [
          'Ana asks "where do the tomatoes go?"',
          '   I was told: The tomatoes go to the south wall.',
          'Ana asks "alarm code?"',
          '   I was told: The alarm code is 4711.',
          'the agent asks "where do the tomatoes go?"',
          '   I was told: The tomatoes go to the south wall.',
          'the agent asks "alarm code?"',
          '   I do not know.',
          '',
        ].join('\n'),
      )
    },
    180_000,
  )

  it.runIf(deep)(
    '[TR-2] [RC-15] AI SDK: a model searches, keeps and answers, with data between markers',
    async () => {
      const output = await runProgram({ file: 'examples/ai-sdk/agent.js' })
      expect(output).toMatch(
        /^searchMemories\(\{"query":"tomatoes","limit":3\}\)\n.*\n<privity-data>\n\{"results":\[/,
      )
      expect(output).toContain('The tomatoes go to the south wall.')
      expect(output).not.toContain('ill')
      expect(output).toMatch(/\nremember\(.*\n.*\n<privity-data>\n\{"id":/)
      expect(output.split('\n').slice(-3)).toEqual([
        'They go to the south wall, and I noted the stakes.',
        'Ana now finds: Stakes for the tomatoes were bought. (by helper)',
        '',
      ])
    },
    180_000,
  )
  it.runIf(deep)(
    '[PC-2, WR-5] AI SDK middleware: a model is told what it may know, and what is said is kept',
    async () => {
      const output = await runProgram({ file: 'examples/ai-sdk/memory.js' })
      const [told, ...known] = output.trim().split('\n')
      expect(told).toBe('I was told of: nuts')
      expect(known.sort()).toEqual([
        'known: Ana is allergic to nuts.',
        'known: The alarm code is 4711.',
        'known: ana lives in Graz',
      ])
    },
    180_000,
  )
  it('[CB-3, CB-6, RC-5, RC-15] mediator: two people talk at one terminal, and nothing crosses without a yes', async () => {
    const typed = [
      ...['Mara', 'Ben', 'On Sunday the quincemoss was mine alone, and nobody saw it.', '/next'],
      ...[
        '/as ben',
        '/next',
        '/next',
        'The brackenlamp still hurts me, and I feel useless.',
        '/next',
        'y',
        '/next',
      ],
      ...['/as mara', '/next', 'I am tired of the quincemoss in the evening.', '/next', 'y', '/next'],
      ...['/pending', '/share 2 You never help me.', '/share 2', '/as ben', 'What should I say to her?'],
      ...['/as mara', '/revoke', '/revoke 1', '/as ben', 'And what now?', '/help', '/quit'],
    ]
    const output = await runProgram({ file: 'examples/mediator/main.js' }, [], {}, typed.join('\n'))
    const [intro = '', ...turns] = output.split(/^── (?=Mara|Ben)/m)
    const [mara, ben] = ['Mara', 'Ben'].map(name => turns.filter(turn => turn.startsWith(name)))
    expect(intro).toContain('nothing crosses without a yes')
    expect(mara?.join()).toContain('stage 2, seeing the other side')
    // How far the other is, their gates tell and nothing else.
    expect(mara?.join()).not.toMatch(/Ben: stage/)
    expect(mara?.join()).toContain('You said: “On Sunday the quincemoss was mine alone')
    expect(mara?.join()).toContain('That did not work: it reads as blame.')
    const [, shared = ''] = /→ Ben can read: “(.+)” \(\/revoke takes it back\)/.exec(mara?.join() ?? '') ?? []
    expect(shared).toMatch(/^\S.*\.$/)
    // The last two turns of Ben: before it was taken back, and after.
    expect(ben?.at(-2)).toContain(`Mara lets you know: “${shared}”`)
    expect(ben?.at(-2)).toContain(`I hear you. Mara lets you know: “${shared}”`)
    expect(ben?.at(-1)).not.toContain(shared)
    expect(mara?.at(-1)).toContain('← Ben can no longer read it')
    expect(ben?.join()).toContain('Earlier you told me: “The brackenlamp still hurts me')
    expect(ben?.join()).not.toContain('quincemoss')
    expect(mara?.join()).not.toContain('brackenlamp')
    expect(output.trimEnd()).toMatch(/Take care\.$/)
  }, 180_000)

  it('[RC-15] mediator: a real model is told the bundle of whoever speaks, and may fail', async () => {
    const model = await chatServer()
    try {
      const toAnswer: string[] = []
      model.answer = (response, { body: { messages } }) => {
        const told = messages.map(({ content }) => content).join('\n')
        if (!told.startsWith('You are a warm')) return says('[]')(response, model.calls[0] as ChatCall)
        if (toAnswer.push(told) === 1) return void response.writeHead(500).end()
        return says('What would help you now?')(response, model.calls[0] as ChatCall)
      }
      const typed = [
        ...['Mara', 'Ben', 'The quincemoss was mine alone.', 'It is the quincemoss that hurts.'],
        ...['/as ben', 'I am afraid of the brackenlamp.', '/quit'],
      ]
      const env = { MODEL_URL: model.url, MODEL: 'a-model', MODEL_KEY: 'secret' }
      const output = await runProgram({ file: 'examples/mediator/main.js' }, [], env, typed.join('\n'))
      expect(output).toContain('That did not work: the model server answered with status 500.')
      expect(output.match(/Mediator: What would help you now\?/g)).toHaveLength(2)
      expect(toAnswer).toHaveLength(3)
      expect(toAnswer[1]).toContain('It is the quincemoss that hurts.')
      expect(toAnswer[2]).toContain('I am afraid of the brackenlamp.')
      expect(toAnswer[2]).not.toContain('quincemoss')
      expect(model.calls.every(({ headers }) => headers.authorization === 'Bearer secret')).toBe(true)
    } finally {
      await model.close()
    }
  }, 180_000)

  it('mediator: is under 200 lines long', async () => {
    const program = await readFile('examples/mediator/main.js', 'utf8')
    expect(program.trimEnd().split('\n').length).toBeLessThan(200)
  })
})
