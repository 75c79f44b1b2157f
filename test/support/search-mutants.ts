import type { NamedMutation } from './mutants.js'

const inFile =
  (file: string) =>
  (what: string, find: string, replace: string): NamedMutation => [
    `${file.replace(/^src\/(search|runtime\/index)\//, '')}: ${what}`,
    { file, find, replace },
  ]
const postings = inFile('src/search/postings.ts')
const mask = inFile('src/search/mask.ts')
const segment = inFile('src/search/segment.ts')
const match = inFile('src/search/match.ts')
const bm25 = inFile('src/search/bm25.ts')
const feedback = inFile('src/search/feedback.ts')
const conversations = inFile('src/search/conversations.ts')
const hits = inFile('src/search/hits.ts')
const bytes = inFile('src/search/bytes.ts')
const lexicon = inFile('src/search/lexicon.ts')
const rank = inFile('src/search/rank.ts')
const suggest = inFile('src/search/suggest.ts')
const merge = inFile('src/search/merge.ts')
const cell = inFile('src/runtime/index/cell.ts')
const codec = inFile('src/runtime/index/cell-codec.ts')

export const SEARCH_MUTANTS: readonly NamedMutation[] = [
  postings('reads past the mask', 'if (levels[document] !== level) continue', ''),
  postings(
    'reads whatever is visible on any surface',
    'if (levels[document] !== level) continue',
    'if (levels[document] === 0) continue',
  ),
  postings(
    'documents of every language are of a class',
    'if (languages !== null && languages[this.data.languages[document] as number] === 0) continue',
    '',
  ),
  postings(
    'a language is taken for the next one',
    'languages[this.data.languages[document] as number] === 0',
    'languages[(this.data.languages[document] as number) - 1] === 0',
  ),
  postings(
    'skips the last block',
    'block < endBlock; block++) {\n      const first',
    'block < endBlock - (endBlock - firstBlock > 1 ? 1 : 0); block++) {\n      const first',
  ),
  postings(
    'skips the first block',
    'for (let block = firstBlock;',
    'for (let block = firstBlock + (endBlock - firstBlock > 1 ? 1 : 0);',
  ),
  postings(
    'passes over a block that begins with a visible document',
    '(visible[next] as number) >= beyond',
    '(visible[next] as number) > first',
  ),
  postings('passes over a block for one document too many', '>= beyond) continue', '>= beyond - 1) continue'),
  postings('stops at a block without visible documents', '>= beyond) continue', '>= beyond) break'),
  postings(
    'stops one visible document too early',
    'if (next === visible.length) break',
    'if (next >= visible.length - 1) break',
  ),
  postings(
    'gallops past the place',
    'if (high > values.length) high = values.length',
    'if (high > values.length) return values.length',
  ),
  postings('gallops on from where it looked', 'low = high + 1\n', 'low = high + 2\n'),
  postings(
    'gallops to what is not above',
    'while (high < values.length && (values[high] as number) < value)',
    'while (high < values.length && (values[high] as number) <= value)',
  ),
  postings(
    'halves towards what is not above',
    'if ((values[middle] as number) < value) low = middle + 1',
    'if ((values[middle] as number) <= value) low = middle + 1',
  ),
  postings(
    'blocks are longer than the room for them',
    'hits.reserve(Math.min((endBlock - firstBlock) * BLOCK, visible.length))',
    'hits.reserve(BLOCK)',
  ),
  postings(
    'blocks count documents of the term before',
    'this.#count++\n    this.#inBlock = 0',
    'this.#count++',
  ),
  postings(
    'distances run on from block to block',
    'this.#blockPositionsAt.push(this.#positions.length)\n      this.#last = document',
    'this.#blockPositionsAt.push(this.#positions.length)',
  ),
  postings('frequencies of two bytes', 'frequency |= (byte & 127) << shift', 'frequency += (byte & 127)'),
  postings(
    'places of the block before',
    'if ((blockFirst[middle] as number) > document) beyond = middle',
    'if ((blockFirst[middle] as number) >= document) beyond = middle',
  ),
  postings(
    'places of the documents before',
    'for (let skipped = 0; skipped < before; skipped++) places.next()',
    '',
  ),
  postings('places counted by document', 'before += frequency\n', 'before += 1\n'),
  postings('places of what is hidden', 'if (mask.levels[document] !== this.#level) return []', ''),
  postings(
    'places not added up',
    'position += places.next()\n        return position',
    'position = places.next()\n        return position',
  ),
  postings('phrases run into the next part', 'const PART_GAP = 100', 'const PART_GAP = 0'),
  postings('words begin with the keys', 'data.terms.withPrefix(KEY)[1]', 'data.terms.withPrefix(KEY)[0]'),
  postings('keys are completed', '[Math.max(from, this.#firstWord), to]', '[from, to]'),
  postings(
    'keys count as words',
    'this.#lengths.push(this.#words.length - first)\n',
    'this.#lengths.push(this.#words.length - first + keys.length)\n',
  ),
  postings(
    'a class without its language',
    'String.fromCharCode(language + 1) + key',
    'String.fromCharCode(1) + key',
  ),
  postings(
    'a word of no class is in that of its stem',
    'if (key !== term && stemKey(key, language) === key) {',
    'if (key !== term) {',
  ),
  postings(
    'the stem itself is left out',
    'if (key !== term && stemKey(key, language) === key) {',
    'if (false) {',
  ),
  postings(
    'a class of one language stands for all',
    'languages[language] = 1\n      found',
    'languages.fill(1)\n      found',
  ),
  postings(
    'lengths without the last word',
    'this.#lengths.push(this.#words.length - first)\n',
    'this.#lengths.push(Math.max(0, this.#words.length - first - 1))\n',
  ),
  postings(
    'lengths by order of coming',
    'lengths[document] = ownLengths[at] as number',
    'lengths[at] = ownLengths[at] as number',
  ),
  postings(
    'gathers positions of the dead',
    'if (to !== GONE) gathered.add(to, position)',
    'gathered.add(to, position)',
  ),
  postings('gathers in the order of parts', 'if (runs.length === 1) writer', 'if (runs.length >= 1) writer'),
  postings(
    'merges the runs of parts from the end',
    '(pairs[head] as number) < (pairs[heads[least] as number] as number)',
    '(pairs[head] as number) > (pairs[heads[least] as number] as number)',
  ),
  postings(
    'sees one run where there are two',
    'if (this.#documents === 0 || this.#last > document) this.#runs',
    'if (this.#documents === 0) this.#runs',
  ),
  postings('positions run on from part to part', 'if (at > 0 && more > 0) this.#jump(from, position)', ''),
  postings(
    'a part without words moves the next document',
    'if (at > 0 && more > 0) this.#jump(from, position)',
    'if (at > 0) this.#jump(from, position)',
  ),
  postings(
    'positions run on from document to document',
    'let position = 0\n      for (let word',
    'let position = at\n      for (let word',
  ),
  postings(
    'names are looked for in the title',
    'if (at === TEXT && text.length',
    'if (at < TEXT && text.length',
  ),

  bytes('seven bits are written as eight', 'rest >>>= 7', 'rest >>>= 8'),
  bytes('128 in one byte', 'while (rest > 127)', 'while (rest > 128)'),
  bytes('growing forgets', 'grown.set(this.#bytes.subarray(0, this.#length))', ''),
  bytes('a column that grows forgets', 'grown.set(this.#values)', ''),

  lexicon(
    'a shorter word is equal',
    'return length - wanted.length',
    'return Math.min(0, length - wanted.length)',
  ),
  lexicon(
    'completions without the last',
    'return [from, this.#firstNotBelow(beyond)]',
    'return [from, this.#firstNotBelow(beyond) - 1]',
  ),
  lexicon('completions up to any ending of one byte', '.fill(0xff)', '.fill(0x7f)'),
  lexicon(
    'a class of one word',
    'while (to < this.size && this.#compare(to, wanted) === 0) to++',
    'if (to < this.size && this.#compare(to, wanted) === 0) to++',
  ),
  lexicon(
    'words in the order of UTF-16',
    'Buffer.compare(a, b)',
    `(String(Buffer.from(a)) < String(Buffer.from(b)) ? -1 : String(Buffer.from(a)) > String(Buffer.from(b)) ? 1 : 0)`,
  ),

  mask('lengths of the full text for every face', 'const own = lesser ?', 'const own = false ?'),
  mask(
    'lengths of the metadata for lesser faces',
    'lengths[levels[document] as number]?.[document]',
    'lengths[METADATA_LEVEL]?.[document]',
  ),
  mask(
    'the last visible document is left out',
    'const visible = documents.slice(0, count)',
    'const visible = documents.slice(0, Math.max(0, count - 1))',
  ),
  mask(
    'a condition leaves surfaces',
    'if (!keeps(document, level)) continue\n      levels[document] = level',
    'levels[document] = level\n      if (!keeps(document, level)) continue',
  ),
  mask('a condition leaves the words', 'sumOf(kept, this.lengths)', 'this.words'),

  segment('the dead are visible', 'level !== HIDDEN_LEVEL && dead[document] === 0', 'level !== HIDDEN_LEVEL'),
  segment(
    'times have no say',
    'levels[document] = decision.refine(compartments[document] as number, times)',
    '',
  ),
  segment(
    'times of another document',
    'createdAt: createdAt[document] as number, expiresAt: expires',
    'createdAt: createdAt[0] as number, expiresAt: expires',
  ),
  segment('expiry has no say', 'refine(document, expires)', 'refine(document, null)'),
  segment('all times are not asked for', 'if (decision.refinesAll)', 'if (false)'),
  segment('what expires comes back', 'if (levels[document] === HIDDEN_LEVEL) continue', ''),
  segment(
    'stands until the last expiry',
    'standsUntil = Math.min(standsUntil, expires)',
    'standsUntil = expires',
  ),
  segment(
    'an id is not found in the upper half',
    'if (order < 0) low = middle + 1',
    'if (order > 0) low = middle + 1',
  ),
  segment(
    'previews are searched by the full text',
    'this.#preview.add(place, preview)',
    'this.#preview.add(place, document.full)',
  ),
  segment(
    'metadata is searched by the full text',
    'this.#metadata.add(place, document.metadata)',
    'this.#metadata.add(place, document.full)',
  ),
  segment(
    'surfaces are mistaken',
    'this.postings = [this.full, this.preview, this.metadata]',
    'this.postings = [this.full, this.metadata, this.preview]',
  ),
  segment('tags of another', 'place = this.values.length\n', 'place = 0\n'),

  match('the count of everything', 'documents += mask.documents.length', 'documents += mask.levels.length'),
  match(
    'the length of everything',
    'words += mask.words',
    'words += mask.lengths.reduce((a, b) => a + b, 0)',
  ),
  match(
    'frequencies of each part by itself',
    'const weight = weightOf(documents, frequency) *',
    'const weight = weightOf(documents, hits[0]?.length ?? 0) *',
  ),
  match('every term counts alike', '* (term.share ?? 1)', ''),
  match('common words by what is visible', '* (term.share ?? 1)', '* (2 * frequency > documents ? 0.2 : 1)'),
  match(
    'the length of the full text',
    'scoreOf(weight, found.frequencies[hit] as number, lengths[document] as number, averageLength)',
    'scoreOf(weight, found.frequencies[hit] as number, (parts[at] as VisiblePart).segment.full.data.lengths[document] as number, averageLength)',
  ),
  match(
    'terms from the last to the first',
    'const terms = question.terms.map(',
    'const terms = [...question.terms].reverse().map(',
  ),
  match('sums in another order', 'score +\n', '2 * score +\n'),
  match('a document is met twice', 'if (score === 0) met', 'if (score >= 0) met'),
  match(
    'scores of the last question are left',
    'for (const document of worded[at] as Uint32Array) own[document] = 0\n    count',
    'for (const document of kept) own[document] = 0\n    count',
  ),
  match(
    'strengths of the last question are left',
    'for (const document of worded[at] as Uint32Array) own[document] = 0\n    return',
    'return',
  ),
  match(
    'the whole question is what was found of it',
    'whole += weight',
    'if (frequency > 0) whole += weight',
  ),
  match('any word finds', '(own[document] as number) >= floor)', '(own[document] as number) >= 0)'),
  match('function words find', 'if (content.length > 0) return new Set(content)', ''),
  match('what is quoted may be too common', 'exact || prefix ? 0 : frequency)', 'frequency)'),
  match('a few documents count as few', 'Math.max(documents, LEAST_DOCUMENTS)', 'documents'),
  match(
    'turns next to a match are found though they are excluded',
    'restrict(parts[at] as VisiblePart, question, turns)',
    'turns',
  ),
  conversations(
    'hidden turns stand between others',
    'if (mask.levels[document] !== FULL_LEVEL) continue',
    '',
  ),
  conversations(
    'a turn of another conversation is a neighbour',
    ' || this.#talks[other] !== this.#talks[place]',
    '',
  ),
  conversations(
    'a turn around a match is of another conversation',
    'if (this.#talks[other] === this.#talks[place] && !matched',
    'if (other >= 0 && other < this.#talks.length && !matched',
  ),
  conversations('a match is around itself', ' && !matched.has(other)', ''),
  conversations('what a neighbour has less is taken off', 'if (more <= 0) continue', ''),
  conversations('a question before counts like any turn', 'asks ? SHARE_OF_QUESTION : ', ''),
  conversations('the turns of parts one after the other', 'if (turns !== 0) return turns < 0', ''),
  match(
    'a document counts for every word that stands for a term',
    'if (sources > 1) hits.combine(scratchOf(part.segment.size))',
    '',
  ),
  match('a document counts for each of two words', 'if (sources > 1)', 'if (sources > 2)'),
  match(
    'words that nothing visible has are told',
    '// A word that only hidden documents have leaves no trace (QX-2).\n      if (hits.length === before) continue',
    '',
  ),
  match('stems without being asked', 'stemming && !term.exact ?', '!term.exact ?'),
  match(
    'classes without their languages',
    'postings.read(place, part.mask, languages, hits)',
    'postings.read(place, part.mask, null, hits)',
  ),
  match(
    'prefixes without the last',
    'for (let place = from; place < to; place++)',
    'for (let place = from; place < to - 1; place++)',
  ),
  match('other forms of what is asked for exactly', 'stemming && !term.exact ?', 'stemming ?'),
  match('no synonyms', 'of [term.term, ...term.synonyms]', 'of [term.term]'),
  match(
    'a synonym of the class counts in its languages only',
    'if (place >= 0) places.set(place, null)',
    'if (place >= 0 && !places.has(place)) places.set(place, null)',
  ),
  match(
    'a synonym is a stem',
    `return synonyms.includes(word) ? 'synonym' : 'stemming'`,
    `return 'stemming'`,
  ),
  match('a beginning is a stem', `if (prefix && word.startsWith(term)) return 'prefix'`, ''),
  match('the word itself is told', 'if (word !== term.term) used', 'used'),
  match('hits of the term before', 'hits.clear()\n', ''),
  match('one phrase is enough', 'phrases.every(phrase =>', 'phrases.some(phrase =>'),
  match(
    'phrases in the full text',
    'segment.postings[(mask.levels[document] as number) - 1]',
    'segment.postings[0]',
  ),
  match('phrases in any order', 'here.has(start + at)', 'here.has(start + at) || here.has(start - at)'),
  match('phrases without distance', 'here.has(start + at)', 'here.size > 0'),
  match(
    'a phrase without its last word',
    'of phrase.entries()) {',
    'of phrase.slice(0, Math.max(1, phrase.length - 1)).entries()) {',
  ),
  match(
    'what is excluded has no other forms',
    'synonyms: [] }, stemming, new Map())',
    'synonyms: [] }, false, new Map())',
  ),
  match('all that is excluded has to be there', 'excludedPhrases.some(', 'excludedPhrases.every('),
  match('the excluded are kept', 'kept = kept.filter(document => !out.has(document))', ''),
  match('lesser faces are versions', 'if (mask.levels[document] !== FULL_LEVEL) return undefined', ''),
  match('the weakest version stays', 'Math.min(...all.map', 'Math.max(...all.map'),
  match('every version stays', 'filing.rank === strongest.get(filing.unit)', 'true'),
  match(
    'versions without the words merge as well',
    'of candidates.entries()',
    'of parts.map(({ mask }) => mask.documents).entries()',
  ),
  match(
    'a turn beside a match takes its place as a version',
    'const matched = mergeFilings(parts, direct, new Map())',
    'const matched = mergeFilings(parts, direct.map((those, part) => joined(those, around[part])), new Map())\n  if (around.length > 0) return matched',
  ),
  match('versions count before they merge', 'count += kept.length', 'count += direct[at]?.length ?? 0'),
  match(
    'the version of the next document',
    '(segment.data.filing[document] as number) - 1',
    '(segment.data.filing[document] as number)',
  ),
  match('parts share their scores', 'start += segment.size\n', ''),

  bm25(
    'without the visible count',
    'Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))',
    'Math.log(1 + 1 / (frequency + 0.5))',
  ),
  bm25('the usual weight, which may fall below zero', 'Math.log(1 + (documents', 'Math.log((documents'),
  bm25(
    'other brackets',
    '(weight * frequency * (K1 + 1)) / (frequency + (K1 * (length + EVEN)) / (averageLength + EVEN))',
    'weight * ((frequency * (K1 + 1)) / (frequency + (K1 * (length + EVEN)) / (averageLength + EVEN)))',
  ),
  bm25('another rounding', 'const STEP = 2 ** 20', 'const STEP = 1e6'),
  bm25('no rounding', 'Math.round(score * STEP) / STEP', 'score'),
  bm25('another half', 'const HALF = 0.5', 'const HALF = 1'),

  feedback('feedback terms find more', 'if (score === 0) continue', ''),
  feedback(
    'feedback terms weigh by everything there is',
    'const { documents } = measureVisible(parts)',
    'const documents = parts.reduce((sum, { segment }) => sum + segment.size, 0)',
  ),
  feedback(
    'feedback terms weigh by parts',
    'const frequency = hits.reduce((sum, { length }) => sum + length, 0)',
    'const frequency = hits[0]?.length ?? 0',
  ),
  feedback('a feedback term of one document', 'return frequency < 2 ? []', 'return frequency < 1 ? []'),
  feedback('feedback with what was asked', '!asked.has(key) && ', ''),
  feedback('feedback with common words', ' && !isCommon(word, language)', ''),
  feedback('feedback by each form of a word', '(stemming ? stemKey(word, language) : word)', 'word'),
  feedback('all documents tell as much', '((score / highest) * count)', 'count'),
  feedback('words count as often as they stand there', ' / (count + 1)', ''),
  feedback('all feedback terms count alike', 'FEEDBACK_SHARE * (value / highest)', 'FEEDBACK_SHARE'),
  feedback('the least telling terms', 'b.value - a.value ||', 'a.value - b.value ||'),
  feedback('terms that tell as much in any order', ` || (a.word < b.word ? -1 : 1)`, ''),
  feedback('feedback adds as much as it likes', 'const MOST_ADDED = 0.3', 'const MOST_ADDED = 30'),
  feedback(
    'feedback adds less to those that have less',
    '(before[place] as number) + most)',
    '1.3 * (before[place] as number))',
  ),
  feedback(
    'the scores that feedback raised are left',
    'for (const document of documents) (scores[at] as Float64Array)[document] = 0',
    ';',
  ),

  hits(
    'frequencies are those of the last',
    '(this.frequencies[place - 1] as number) + (this.frequencies[at] as number)',
    '(this.frequencies[at] as number)',
  ),
  hits(
    'the scratch is left dirty',
    'for (let at = 0; at < kept; at++) scratch[this.documents[at] as number] = 0',
    '',
  ),

  rank('unrounded scores order', 'const score = roundScore(blender.exact(', 'const score = (blender.exact('),
  rank('lower scores first', 'return b.score - a.score', 'return a.score - b.score'),
  rank('layers do not matter', 'if (a.layer !== b.layer) return a.layer - b.layer', ''),
  rank('layers the other way round', 'return a.layer - b.layer', 'return b.layer - a.layer'),
  rank(
    'ids the other way round',
    'return a.id < b.id ? -1 : a.id > b.id ? 1 : 0',
    'return a.id < b.id ? 1 : a.id > b.id ? -1 : 0',
  ),
  rank('equal scores come too late for a page', 'score >= last.score', 'score > last.score'),
  rank('a page takes one too many', 'if (heap.length < this.#most) {', 'if (heap.length <= this.#most) {'),
  rank(
    'what came first stays',
    '} else if (compareRank(item, heap[0] as RankedDocument) < 0) {',
    '} else if (item.score > (heap[0] as RankedDocument).score) {',
  ),
  rank('the heap does not rise', 'this.#rise(heap.length - 1)', ''),
  rank('the heap does not sink', 'heap[0] = item\n      this.#sink(0)', 'heap[0] = item'),
  rank(
    'the heap sinks to one side',
    'for (const below of [at * 2 + 1, at * 2 + 2])',
    'for (const below of [at * 2 + 1])',
  ),
  rank(
    'normalised over the page',
    'const blender = blenderOf(parts, matches, blend)',
    'const blender = blenderOf(parts, most < matches.count ? { ...matches, whole: matches.whole * 0.9 } : matches, blend)',
  ),
  rank(
    'the layer of another',
    'segment.data.compartments[document] as number)',
    'segment.data.compartments[at] as number)',
  ),

  suggest('hidden words are suggested', 'if (hits.length === 0) return\n', ''),
  suggest('words of three bytes less', '<= 4 && withinOneEdit', '<= 3 && withinOneEdit'),
  suggest('all words for near ones', 'withinOneEdit(term, postings.term(place))', 'true'),
  suggest('nothing is put in at the end', 'at <= letters.length; at++', 'at < letters.length; at++'),
  suggest('nothing is left out', 'look(before + beyond)', ''),
  suggest('nothing is put in', 'for (const letter of alphabet) look(before + letter + after)', ''),
  suggest('nothing is replaced', 'for (const letter of alphabet) look(before + letter + beyond)', ''),
  suggest('nothing is swapped', 'if (at + 1 < letters.length)', 'if (false)'),
  suggest('a word is near itself', 'if (word === term) return', ''),
  suggest('any number of suggestions', '.slice(0, most)', ''),
  suggest(
    'hits of the word before',
    'hits.clear()\n  postings.read(place, part.mask',
    'postings.read(place, part.mask',
  ),
  suggest(
    'by the number of segments',
    '(counts.get(word) ?? 0) + hits.length',
    '(counts.get(word) ?? 0) + 1',
  ),
  suggest('seldom ones first', 'b.documents - a.documents', 'a.documents - b.documents'),
  suggest(
    'equal ones in the order of keeping',
    ' || compareBytes(encodeUtf8(a.word), encodeUtf8(b.word))',
    '',
  ),
  suggest(
    'completions of the full text alone',
    'const [from, to] = postings.withPrefix(prefix)',
    'if (postings !== part.segment.full) continue\n      const [from, to] = postings.withPrefix(prefix)',
  ),

  merge('the dead are merged', 'if (dead[document] !== 0) continue\n', ''),
  merge('terms of the dead stay', 'if (gathered.size > 0) {', 'if (true) {'),
  merge(
    'not in the order of compartments',
    'const next = (segment.data.compartments[document] as number) + 1',
    'const next = compartments - (segment.data.compartments[document] as number)',
  ),
  merge('expiry is lost', 'expiresAt: expiries[part]?.get(document) ?? null', 'expiresAt: null'),
  merge('salience is lost', 'salience: salient[part]?.has(document)', 'salience: false'),
  merge('salience of another part', 'salient[part]?.has(document)', 'salient[0]?.has(document)'),
  merge('expiry of another part', 'expiries[part]?.get(document)', 'expiries[0]?.get(document)'),
  merge(
    'an unknown time becomes a number',
    'occurredAt: Number.isNaN(occurredAt) ? null : occurredAt',
    'occurredAt: occurredAt || 0',
  ),
  merge(
    'versions are lost',
    'filing: data.filings[(data.filing[document] as number) - 1] ?? null',
    'filing: null',
  ),
  merge('previews are lost', 'data.previews[document] === 1', 'false'),
  merge('languages are lost', 'languages[place] = data.languages[document] as number', ''),
  merge(
    'lengths stay where they were',
    'lengths[place] = data.lengths[document] as number',
    'lengths[document] = data.lengths[document] as number',
  ),
  merge(
    'a term of several parts is taken from one',
    'if (head.bytes === null || compareBytes(head.bytes, bytes) !== 0) continue',
    'if (head.bytes === null || compareBytes(head.bytes, bytes) !== 0 || gathered.size > 0) continue',
  ),

  cell('what changed is there twice', 'this.#remove(changed)', ''),
  cell(
    'what was gone meanwhile comes back',
    'if (after[document] !== before[document]) dead[moved[part]?.[document] as number] = 1',
    ';',
  ),
  cell('gone by its place from before', 'dead[moved[part]?.[document] as number] = 1', 'dead[document] = 1'),
  cell('parts behind the merged are lost', '...this.#parts.slice(at + from.length)', ''),
  cell(
    'parts that are being merged are merged',
    'this.#parts.length - 2 < this.#merging',
    'this.#parts.length - 2 < 0',
  ),
  cell('a base is lost when the rest is merged', '...this.#parts.slice(0, at), part', 'part'),
  cell('views change while they are read', 'dead ??= part.dead.slice()', 'dead ??= part.dead'),
  cell(
    'the dead of small parts come back',
    'mergeParts([before, last])',
    'mergeParts([before, last].map(part => ({ ...part, dead: new Uint8Array(part.segment.size) })))',
  ),
  cell('a compartment gets a second place', 'if (known >= 0) return known', ''),
  cell('the first compartment is unknown', 'if (known >= 0) return known', 'if (known > 0) return known'),
  cell('kept compartments are forgotten', 'this.#count = bytes.length / ID_BYTES', 'this.#count = 0'),
  cell('compartments by half of their id', 'byte < ID_BYTES; byte++', 'byte < 0; byte++'),
  cell('what was applied is forgotten', 'for (const xid of xids) this.#applied.add(xid)', ''),
  cell('the horizon stays', 'if (snapshot.xmin > this.#horizon) this.#horizon = snapshot.xmin', ''),
  cell('never ahead', 'if (!snapshot.sees(xid)) return true', ''),

  codec('columns are not aligned', 'const ALIGNMENT = 8', 'const ALIGNMENT = 1'),
  codec('bytes that begin anywhere are taken as they are', 'bytes.byteOffset % ALIGNMENT === 0 ?', 'true ?'),
  codec('a column is read from where the buffer begins', 'whole.byteOffset + at, length', 'at, length'),
  codec('lists for their places', `flat: column(`, `flat: column('field.confirmed.starts') ?? column(`),
  codec('previews for the full text', `full: postings('full'),`, `full: postings('preview'),`),
]
