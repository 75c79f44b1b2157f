/** What has a colour, in the order in which it is looked for. */
const PARTS = [
  ['comment', /\/\/[^\n]*|\/\*[\s\S]*?\*\//y],
  ['text', /`(?:[^`\\]|\\.)*`|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/y],
  [
    'word',
    /\b(?:import|from|export|const|let|async|await|return|if|else|for|of|new|throw|try|catch|function|as|type|interface|true|false|null|undefined)\b/y,
  ],
  ['number', /\b\d[\d_.]*\b/y],
]
/** A shell has other comments. */
const SHELL = [
  ['comment', /(?<=^|\s)#[^\n]*/y],
  PARTS[1],
  ['word', /(?<=^|\n|\| )(?:privity|curl|npm|npx|export|mkdir|docker|psql)\b/y],
]

/**
 * Code as markup, with a colour for what reads differently.
 *
 * @param {string} code
 * @param {string} language
 */
export function highlight(code, language) {
  const parts = /** @type {[string, RegExp][]} */ (['sh', 'bash'].includes(language) ? SHELL : PARTS)
  if (!['ts', 'js', 'json', 'sh', 'bash', 'yaml'].includes(language)) return escapeHtml(code)
  let made = ''
  let at = 0
  while (at < code.length) {
    const found = parts.flatMap(([name, pattern]) => {
      pattern.lastIndex = at
      const match = pattern.exec(code)?.[0]
      return match ? [[name, match]] : []
    })[0]
    if (found === undefined) made += escapeHtml(code[at++] ?? '')
    else {
      const [name, match = ''] = found
      made += `<span class="c-${name}">${escapeHtml(match)}</span>`
      at += match.length
    }
  }
  return made
}

/** @param {string} text */
const escapeHtml = text => text.replaceAll(/[&<>]/g, character => `&#${character.charCodeAt(0)};`)
