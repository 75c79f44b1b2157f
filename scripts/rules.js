#!/usr/bin/env node
/**
 * Holds SPEC.md and the tests together: each rule has a test or waits in rules-not-yet.txt, each citation in a
 * test title names a rule, and the waiting list never grows.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @typedef {{ kind: 'word' | 'string' | 'regex' | 'mark', text: string, offset: number }} Token */
/** @typedef {{ title: string, line: number, first: number, last: number, skipped: boolean }} Call */
/** @typedef {{ id: string, file: string, line: number, title: string }} Citation */
/** @typedef {{ file: string, source: string }} TestFile */
/** @typedef {'untested' | 'tested' | 'unknownCited' | 'unknownWaiting' | 'added'} Problem */
/** @typedef {{ rules: string[], waiting: string[], citations: Citation[], problems: Record<Problem, string[]> }} Report */

const HELP = `usage: npm run rules -- [--check] [--verbose]

Compares the rules of SPEC.md (list items such as "- TR-1 …") with the titles of the tests, which cite rules in
square brackets ("[TR-1] …", "[NI-5, NI-6] …"; each id is written out), and with rules-not-yet.txt, where rules
without a test wait. Skipped and todo tests do not count, nor do those of the deep run alone
(*.deep.test.ts and it.runIf(deep)).

  --check    print one line, or the problems and exit 1; the waiting list may not be longer than in git HEAD
  --verbose  list the tests of each rule
  --help     this text`

/** @type {Record<Problem, string>} */
const HEADINGS = {
  untested: 'rules with neither a test nor a line in rules-not-yet.txt',
  tested: 'rules in rules-not-yet.txt that have tests: remove them from the list',
  unknownCited: 'tests that cite a rule SPEC.md does not have',
  unknownWaiting: 'lines of rules-not-yet.txt that are no rule of SPEC.md',
  added: 'lines that rules-not-yet.txt gained: it only gets shorter',
}

/** @param {string} spec */
export function ruleIds(spec) {
  return [...new Set([...spec.matchAll(/^- ([A-Z]{2}-\d+)\b/gm)].map(match => match[1] ?? ''))]
}

/** @param {string} list */
export function waitingIds(list) {
  const lines = list.split('\n').map(line => line.replace(/#.*/, '').trim())
  return lines.filter(line => line !== '')
}

const TOKEN =
  /(?<space>\s+|\/\/.*|\/\*[\s\S]*?\*\/)|(?<quoted>'(?:\\[\s\S]|[^'\\\n])*'|"(?:\\[\s\S]|[^"\\\n])*")|(?<word>[\w$]+)|(?<tick>`)|(?<mark>\?\.|=>|[\s\S])/y
const REGEX = /\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y
const BEFORE_REGEX = /^(?:return|typeof|case|in|of|do|else|await|yield|void|delete|throw|[^\w$)\]}]+)$/
const TEMPLATE_TEXT = /(?:\\[\s\S]|\$(?!\{)|[^\\`$])+/y

/** @param {string} text */
const withoutEscapes = text => text.replace(/\\([\s\S])/g, '$1')

/**
 * Enough of TypeScript to tell code from comments, strings and regular expressions. A template literal becomes
 * one string, each of its `${…}` parts a NUL, so that a computed id never counts.
 * @param {string} source
 */
function tokenize(source) {
  let at = 0

  /** @param {RegExp} pattern */
  const take = pattern => {
    pattern.lastIndex = at
    const match = pattern.exec(source)
    at += match?.[0].length ?? 0
    return match
  }

  /** Reads on to the closing backtick. */
  const template = () => {
    let text = ''
    while (at < source.length) {
      text += withoutEscapes(take(TEMPLATE_TEXT)?.[0] ?? '')
      if (!source.startsWith('${', at)) break
      at += 2
      code()
      text += '\0'
    }
    at += 1
    return text
  }

  /** Reads on to the end, or over the brace that closes a `${`. */
  const code = () => {
    /** @type {Token[]} */
    const tokens = []
    let depth = 0
    while (at < source.length) {
      const offset = at
      if (mayPrecedeRegex(tokens.at(-1)) && take(REGEX)) {
        tokens.push({ kind: 'regex', text: '', offset })
        continue
      }
      const { quoted, word, tick, mark } = take(TOKEN)?.groups ?? {}
      if (quoted) tokens.push({ kind: 'string', text: withoutEscapes(quoted.slice(1, -1)), offset })
      if (tick) tokens.push({ kind: 'string', text: template(), offset })
      if (word) tokens.push({ kind: 'word', text: word, offset })
      if (mark) tokens.push({ kind: 'mark', text: mark, offset })
      if (mark === '{') depth += 1
      if (mark === '}' && --depth < 0) break
    }
    return tokens
  }

  return code()
}

/** @param {Token | undefined} token */
function mayPrecedeRegex(token) {
  if (token === undefined) return true
  return (token.kind === 'word' || token.kind === 'mark') && BEFORE_REGEX.test(token.text)
}

/**
 * The calls of describe, it and test, with what is chained to them: `.each(…)(…)`, `.for(…)(…)`, `.skipIf(…)(…)`.
 * @param {string} source
 */
function testCalls(source) {
  const tokens = tokenize(source)
  /** @type {(index: number, text: string) => boolean} */
  const isMark = (index, text) => tokens[index]?.kind === 'mark' && tokens[index].text === text

  /**
   * The index of the mark that closes the one at `open`, or of the end.
   * @type {(open: number, openings?: string, closings?: string) => number}
   */
  const closing = (open, openings = '([{', closings = ')]}') => {
    let depth = 0
    for (let i = open; i < tokens.length; i++) {
      const token = tokens[i]
      if (token?.kind !== 'mark') continue
      if (openings.includes(token.text)) depth += 1
      if (closings.includes(token.text) && --depth === 0) return i
    }
    return tokens.length
  }

  /**
   * `it('…')` is a todo, and `it('…', { skip: true }, …)` is skipped.
   * @type {(afterTitle: number, last: number) => boolean}
   */
  const isIdle = (afterTitle, last) => {
    if (afterTitle === last) return true
    if (!isMark(afterTitle + 1, '{')) return false
    const options = tokens.slice(afterTitle + 1, closing(afterTitle + 1))
    return /\b(?:skip|todo) : true\b/.test(options.map(token => token.text).join(' '))
  }

  /** `.runIf(deep)`, or of what only the deep and the near run break. @type {(index: number) => boolean} */
  const isOfDeepRun = index =>
    tokens[index]?.text === 'runIf' &&
    isMark(index + 1, '(') &&
    /^(?:deep|breaksAll)$/.test(tokens[index + 2]?.text ?? '') &&
    isMark(index + 3, ')')

  /** @type {(first: number, skipped: boolean) => Call | undefined} */
  const callAt = (first, skipped) => {
    let last = first
    let i = first + 1
    while (i < tokens.length) {
      if (isMark(i, '.')) {
        if (/^(?:skip|todo)$/.test(tokens[i + 1]?.text ?? '') || isOfDeepRun(i + 1)) skipped = true
        i += 2
      } else if (isMark(i, '<')) {
        i = closing(i, '<', '>') + 1
      } else if (tokens[i]?.kind === 'string') {
        i += 1 // the table of it.each`…`
      } else if (isMark(i, '(')) {
        last = closing(i)
        const literal = tokens[i + 1]
        if (literal?.kind === 'string') {
          let title = literal.text
          let after = i + 2
          for (; isMark(after, '+') && tokens[after + 1]?.kind === 'string'; after += 2)
            title += tokens[after + 1]?.text ?? ''
          const line = source.slice(0, literal.offset).split('\n').length
          return { title, line, first, last, skipped: skipped || isIdle(after, last) }
        }
        i = last + 1
      } else break
    }
    return last === first ? undefined : { title: '', line: 0, first, last, skipped }
  }

  return tokens.flatMap((token, index) => {
    const name = token.kind === 'word' ? /^(x?)(?:describe|it|test)$/.exec(token.text) : null
    if (!name || isMark(index - 1, '.') || isMark(index - 1, '?.')) return []
    return callAt(index, name[1] === 'x') ?? []
  })
}

/**
 * The rules that the running tests of one file cite. A bracket that begins like a citation and is not a list of
 * ids (a range, say) is kept whole: it is then unknown to SPEC.md and reported.
 * @param {TestFile} test
 * @returns {Citation[]}
 */
export function citationsIn({ file, source }) {
  const calls = testCalls(source)
  /** @type {(outer: Call, inner: Call) => boolean} */
  const holds = (outer, inner) => outer.first < inner.first && inner.last <= outer.last
  const runs = calls.filter(
    call => !call.skipped && !calls.some(outer => outer.skipped && holds(outer, call)),
  )
  const counted = runs.filter(call => {
    const inside = calls.filter(inner => holds(call, inner))
    return inside.length === 0 || inside.some(inner => runs.includes(inner))
  })
  return counted.flatMap(({ title, line }) =>
    [...title.matchAll(/\[([A-Z]{2}-\d+[^\]]*)\]/g)].flatMap(([, cited = '']) => {
      const ids = cited.split(',').map(id => id.trim())
      const wellFormed = ids.every(id => /^[A-Z]{2}-\d+$/.test(id))
      return (wellFormed ? ids : [cited]).map(id => ({ id, file, line, title }))
    }),
  )
}

/**
 * @param {{ spec: string, waiting: string, waitingBefore?: string | undefined, tests: TestFile[] }} input
 * @returns {Report}
 */
export function compare({ spec, waiting: list, waitingBefore, tests }) {
  const rules = ruleIds(spec)
  const waiting = waitingIds(list)
  const citations = tests.flatMap(citationsIn)
  const known = new Set(rules)
  const cited = new Set(citations.map(citation => citation.id))
  const before = waitingBefore === undefined ? undefined : waitingIds(waitingBefore)
  return {
    rules,
    waiting,
    citations,
    problems: {
      untested: rules.filter(id => !cited.has(id) && !waiting.includes(id)),
      tested: waiting.filter(id => known.has(id) && cited.has(id)),
      unknownCited: citations
        .filter(({ id }) => !known.has(id))
        .map(({ id, file, line }) => `${id}  ${file}:${line}`),
      unknownWaiting: waiting.filter(id => !known.has(id)),
      added: before === undefined ? [] : waiting.filter(id => !before.includes(id)),
    },
  }
}

/** @param {Report} report */
export function isClean({ problems }) {
  return Object.values(problems).every(items => items.length === 0)
}

/**
 * @param {Report} report
 * @param {{ check?: boolean, verbose?: boolean }} [options]
 */
export function render(report, { check = false, verbose = false } = {}) {
  const { rules, waiting, citations, problems } = report
  const tested = rules.filter(id => citations.some(citation => citation.id === id))
  const blocks = [`${rules.length} rules: ${tested.length} with tests, ${waiting.length} not yet`]
  if (verbose) {
    const lines = rules.flatMap(id => {
      const tests = citations.filter(citation => citation.id === id)
      const state = tests.length > 0 ? '' : waiting.includes(id) ? '  not yet' : '  no test'
      return [`${id}${state}`, ...tests.map(({ file, line, title }) => `  ${file}:${line}  ${title}`)]
    })
    blocks.push(lines.join('\n'))
  }
  for (const [problem, heading] of Object.entries(HEADINGS)) {
    const items = problems[/** @type {Problem} */ (problem)]
    if (items.length > 0) blocks.push([`${heading} (${items.length})`, ...items].join('\n  '))
  }
  if (!check && isClean(report)) blocks.push('no problems')
  return blocks.join('\n\n')
}

/**
 * @param {string} root
 * @returns {Report}
 */
function readProject(root) {
  const tests = ['src', 'test'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(path => path.endsWith('.test.ts') && !path.endsWith('.deep.test.ts'))
      .sort()
      .map(path => join(root, folder, path)),
  )
  return compare({
    spec: readFileSync(join(root, 'SPEC.md'), 'utf8'),
    waiting: readFileSync(join(root, 'rules-not-yet.txt'), 'utf8'),
    waitingBefore: waitingAtHead(root),
    tests: tests.map(file => ({ file: relative(root, file), source: readFileSync(file, 'utf8') })),
  })
}

/**
 * Undefined outside a git checkout, such as in a tarball, and before the list was first committed.
 * @param {string} root
 */
function waitingAtHead(root) {
  try {
    return execFileSync('git', ['show', 'HEAD:./rules-not-yet.txt'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return undefined
  }
}

/** @param {string[]} args */
function main(args) {
  const unknown = args.find(arg => !['--check', '--verbose', '--help'].includes(arg))
  if (unknown !== undefined || args.includes('--help')) {
    console.log(HELP)
    if (unknown !== undefined) process.exitCode = 2
    return
  }
  const check = args.includes('--check')
  const report = readProject(fileURLToPath(new URL('..', import.meta.url)))
  console.log(render(report, { check, verbose: args.includes('--verbose') }))
  if (check && !isClean(report)) process.exitCode = 1
}

const script = process.argv[1]
if (script !== undefined && realpathSync(script) === fileURLToPath(import.meta.url))
  main(process.argv.slice(2))
