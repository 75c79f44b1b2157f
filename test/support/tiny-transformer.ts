import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Words that the tiny model knows, with their vectors. */
export const TINY_WORDS: Readonly<Record<string, readonly number[]>> = {
  '[PAD]': [0, 0, 0, 0],
  '[UNK]': [0, 0, 0, 1],
  '[CLS]': [0, 0, 0, 0],
  '[SEP]': [0, 0, 0, 0],
  cat: [4, 1, 0, 0],
  kitten: [4, 2, 0, 0],
  tax: [0, 0, 8, 0],
  passage: [0, 1, 1, 0],
}

/**
 * Writes a transformers.js model folder: an ONNX graph that looks each token's vector up in a table and divides by
 * the largest number of all that is run with it, as a quantised model shares its scale.
 */
export function writeTinyTransformer(folder: string, words = TINY_WORDS): void {
  const names = Object.keys(words)
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  const write = (file: string, content: object | Uint8Array) =>
    writeFileSync(
      join(folder, file),
      content instanceof Uint8Array ? content : JSON.stringify(content, null, 2),
    )
  write('config.json', { model_type: 'bert', architectures: ['BertModel'], vocab_size: names.length })
  write('tokenizer_config.json', {
    tokenizer_class: 'BertTokenizer',
    do_lower_case: true,
    model_max_length: 8,
    pad_token: '[PAD]',
    unk_token: '[UNK]',
    cls_token: '[CLS]',
    sep_token: '[SEP]',
  })
  write('tokenizer.json', tokenizer(names))
  write('onnx/model.onnx', lookupGraph(Object.values(words)))
}

const tokenizer = (names: readonly string[]) => ({
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: ['[PAD]', '[UNK]', '[CLS]', '[SEP]'].map(content => ({
    id: names.indexOf(content),
    content,
    special: true,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
  })),
  normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, lowercase: true },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: null,
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(names.map((name, id) => [name, id])),
  },
})

/** `rows = Gather(table, input_ids); last_hidden_state = rows / ReduceMax(rows)`, in the bytes of ONNX's protocol buffers. */
function lookupGraph(rows: readonly (readonly number[])[]): Uint8Array {
  const [FLOAT, INT64] = [1, 7]
  const width = rows[0]?.length ?? 0
  const table = [
    number(1, rows.length),
    number(1, width),
    number(2, FLOAT),
    field(8, text('table')),
    field(9, Buffer.from(Float32Array.from(rows.flat()).buffer)),
  ]
  const node = (operator: string, inputs: readonly string[], output: string) =>
    field(
      1,
      Buffer.concat([
        ...inputs.map(input => field(1, text(input))),
        field(2, text(output)),
        field(4, text(operator)),
      ]),
    )
  const value = (name: string, type: number, dims: readonly (string | number)[]) => {
    const shape = dims.map(dim => field(1, typeof dim === 'string' ? field(2, text(dim)) : number(1, dim)))
    const tensor = [number(1, type), field(2, Buffer.concat(shape))]
    return [field(1, text(name)), field(2, field(1, Buffer.concat(tensor)))]
  }
  const graph = [
    node('Gather', ['table', 'input_ids'], 'rows'),
    node('ReduceMax', ['rows'], 'largest'),
    node('Div', ['rows', 'largest'], 'last_hidden_state'),
    field(2, text('lookup')),
    field(5, Buffer.concat(table)),
    field(11, Buffer.concat(value('input_ids', INT64, ['texts', 'tokens']))),
    field(12, Buffer.concat(value('last_hidden_state', FLOAT, ['texts', 'tokens', width]))),
  ]
  const opset = [field(1, text('')), number(2, 13)]
  return Buffer.concat([number(1, 8), field(7, Buffer.concat(graph)), field(8, Buffer.concat(opset))])
}

const text = (value: string) => Buffer.from(value, 'utf8')

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest > 127) {
    bytes.push((rest & 127) | 128)
    rest >>>= 7
  }
  return Buffer.from([...bytes, rest])
}
const number = (tag: number, value: number) => Buffer.concat([varint(tag << 3), varint(value)])
const field = (tag: number, bytes: Uint8Array) =>
  Buffer.concat([varint((tag << 3) | 2), varint(bytes.length), bytes])
