import { expect, it } from 'vitest'
import { writeCsv } from './write-csv.js'

it('[ST-11] writes what a spreadsheet reads back, and no formula', () => {
  const lines = writeCsv([
    ['a', null, 'x,y'],
    ['say "no"', 'two\nlines', '=HYPERLINK("http://evil.example")'],
    ['+1', '-1', '@sum'],
  ])
  expect(lines).toBe(
    'a,,"x,y"\r\n"say ""no""","two\nlines","\'=HYPERLINK(""http://evil.example"")"\r\n\'+1,\'-1,\'@sum\r\n',
  )
})
