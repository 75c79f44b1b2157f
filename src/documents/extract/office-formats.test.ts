import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { type ExtractedText, isFailure, READ_LIMITS } from './extracted.js'
import { readAnyFormat } from './read-any-format.js'

async function read(bytes: Uint8Array, limits = READ_LIMITS): Promise<ExtractedText> {
  const answer = await readAnyFormat(bytes, 'unnamed', limits)
  if (isFailure(answer)) throw new Error(`${answer.problem}: ${answer.message}`)
  return answer
}
const problem = async (bytes: Uint8Array, limits = READ_LIMITS) => {
  const answer = await readAnyFormat(bytes, 'unnamed', limits)
  return isFailure(answer) ? answer.problem : answer.text
}
const zip = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])))
const headings = ({ text, headings }: ExtractedText) =>
  headings.map(({ start, end, level }) => `${level} ${text.slice(start, end)}`)

const RELATIONS = (targets: Record<string, string>) =>
  `<Relationships>${Object.entries(targets)
    .map(([id, target]) => `<Relationship Id="${id}" Target="${target}"/>`)
    .join('')}</Relationships>`

describe('a workbook', () => {
  const workbook = (sheet: string, more: Record<string, string> = {}) =>
    zip({
      'xl/workbook.xml':
        '<workbook><sheets><sheet name="Invoices" sheetId="1" r:id="rId1"/><sheet name="Old" state="hidden" r:id="rId2"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': RELATIONS({
        rId1: 'worksheets/sheet1.xml',
        rId2: 'worksheets/sheet2.xml',
      }),
      'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
      'xl/worksheets/sheet2.xml': '<worksheet><sheetData><row><c><v>99</v></c></row></sheetData></worksheet>',
      'xl/sharedStrings.xml':
        '<sst><si><t>Item</t></si><si><r><t>gas</t></r><r><t>kets</t></r></si><si><t>東京</t><rPh><t>とうきょう</t></rPh></si></sst>',
      'xl/styles.xml':
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm"/><numFmt numFmtId="165" formatCode="0.0 &quot;days&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>',
      ...more,
    })

  it('is read by rows with cells, each below its column, and without hidden sheets', async () => {
    const found = await read(
      workbook(
        `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="inlineStr"><is><t>Charge</t></is></c></row>
         <row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" t="b"><v>1</v></c><c r="C2"><f>1+1</f><v>0.30000000000000004</v></c></row>
         <row r="3"><c r="A3" t="s"><v>2</v></c></row>`,
      ),
    )
    expect(found.text).toBe('Invoices\n\nItem\t\tCharge\ngaskets\tTRUE\t0.3\n東京')
    expect(headings(found)).toEqual(['1 Invoices'])
    expect(found.mediaType).toMatch(/spreadsheetml/)
  })

  it('shows dates as dates, and no other number', async () => {
    const cells = [0, 1, 2, 3].map(style => `<c s="${style}"><v>45292.5</v></c>`).join('')
    expect((await read(workbook(`<row>${cells}</row>`))).text).toBe(
      'Invoices\n\n45292.5\t2024-01-01\t2024-01-01\t45292.5',
    )
  })

  it('makes no thousands of cells of an empty row, and is refused if it is cut off', async () => {
    const wide = await read(workbook('<row><c r="XFD1"><v>7</v></c></row>'))
    expect(wide.text.length).toBeLessThan(100)
    const cut = workbook('', { 'xl/worksheets/sheet1.xml': '<worksheet><sheetData><row><c><v>1' })
    expect(await problem(cut)).toBe('damaged')
  })
})

describe('a presentation', () => {
  const shape = (type: string | null, ...texts: string[]) =>
    `<p:sp><p:nvSpPr><p:nvPr>${type === null ? '' : `<p:ph type="${type}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${texts
      .map(text => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`)
      .join('')}</p:txBody></p:sp>`
  const slides = (files: Record<string, string>) =>
    zip({
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId id="257" r:id="rId2"/><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': RELATIONS({ rId1: 'slides/slide1.xml', rId2: 'slides/slide2.xml' }),
      ...files,
    })

  it('is read slide by slide in its order, with titles, tables and notes', async () => {
    const found = await read(
      slides({
        'ppt/slides/slide1.xml': `<p:sld>${shape(null, 'Second of all')}<a:tbl><a:tr><a:tc><a:p><a:t>a</a:t></a:p></a:tc><a:tc><a:p><a:t>b</a:t></a:p></a:tc></a:tr></a:tbl></p:sld>`,
        'ppt/slides/slide2.xml': `<p:sld>${shape('title', 'Our theory')}${shape('body', 'One.', 'Two.')}${shape('sldNum', '1')}</p:sld>`,
        'ppt/slides/_rels/slide2.xml.rels': RELATIONS({ rId9: '../notesSlides/notesSlide1.xml' }),
        'ppt/notesSlides/notesSlide1.xml': `<p:notes>${shape('body', 'Say it slowly.')}${shape('sldNum', '1')}</p:notes>`,
      }),
    )
    expect(found.text).toBe('Our theory\n\nOne.\n\nTwo.\n\nSay it slowly.\n\nSecond of all\na\tb')
    expect(headings(found)).toEqual(['1 Our theory'])
    expect(found.title).toBe('Our theory')
    expect(found.pages.map(({ start, end }) => found.text.slice(start, end).trim().split('\n')[0])).toEqual([
      'Our theory',
      'Second of all',
    ])
    expect(found.pages.at(-1)?.end).toBe(found.text.length)
  })

  it('says that it was read in part where a slide is cut off', async () => {
    const found = await read(
      slides({
        'ppt/slides/slide1.xml': '<p:sld><a:p><a:t>cut',
        'ppt/slides/slide2.xml': `<p:sld>${shape('body', 'Whole.')}</p:sld>`,
      }),
    )
    expect([found.state, found.pages.map(({ state }) => state)]).toEqual(['partial', ['text', 'failed']])
  })
})

describe('an OpenDocument text', () => {
  const odt = (body: string, mimetype = 'application/vnd.oasis.opendocument.text') =>
    zipSync({
      mimetype: [strToU8(mimetype), { level: 0 }],
      'content.xml': strToU8(
        `<office:document-content><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
      ),
      'meta.xml': strToU8(
        '<office:document-meta><dc:title>A memo</dc:title><dc:creator>Ana</dc:creator></office:document-meta>',
      ),
    })

  it('is read with headings, tables, notes and spaces, and without remarks and deleted text', async () => {
    const found = await read(
      odt(
        `<text:tracked-changes><text:p>Deleted.</text:p></text:tracked-changes>
         <text:h text:outline-level="2">Facts</text:h>
         <text:p>One<text:s/>two<office:annotation><text:p>Remark.</text:p></office:annotation><text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>The note.</text:p></text:note-body></text:note>.</text:p>
         <table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p><text:p>c</text:p></table:table-cell></table:table-row></table:table>
         <text:list><text:list-item><text:p>Item.</text:p></text:list-item></text:list>`,
      ),
    )
    expect(found.text).toBe('Facts\n\nOne two [1 The note.] .\n\na\tb c\n\nItem.')
    expect(headings(found)).toEqual(['2 Facts'])
    expect([found.title, found.about]).toEqual(['A memo', { author: 'Ana' }])
  })

  it('is none if it is a spreadsheet, and is refused if it is too deep', async () => {
    expect(await problem(odt('', 'application/vnd.oasis.opendocument.spreadsheet'))).toBe('unknown_type')
    expect(await problem(odt('<text:span>'.repeat(2_000)))).toBe('damaged')
  })
})

describe('a rich text file', () => {
  const rtf = (text: string) => strToU8(`{\\rtf1\\ansi\\ansicpg1252{\\fonttbl{\\f0 Arial;}}${text}}`)

  it('is read by paragraphs and rows, in any script', async () => {
    const found = await read(
      rtf(
        String.raw`{\*\generator Word;}{\header Running head\par}The caf\'e9 \u8364?5\par Don\rquote t.\par \trowd a\cell b\cell\row {\field{\*\fldinst HYPERLINK "x"}{\fldrslt link}}\par`,
      ),
    )
    expect(found.text.replace(/\t(?=\n|$)/gm, '')).toBe('The café €5\n\nDon’t.\n\na\tb\nlink')
    expect(found.mediaType).toBe('application/rtf')
  })

  it('is refused if it is cut off or nested too deeply', async () => {
    expect(await problem(strToU8('{\\rtf1 {\\b cut'))).toBe('damaged')
    expect(await problem(strToU8(`{\\rtf1 ${'{'.repeat(5_000)}`))).toBe('damaged')
    expect(await problem(rtf('x'.repeat(100)), { ...READ_LIMITS, characters: 50 })).toBe('too_large')
  })
})
