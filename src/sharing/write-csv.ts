/**
 * Lines of a table as CSV (RFC 4180). What others wrote must not become a formula in a spreadsheet, so a cell that
 * begins like one gets an apostrophe before it.
 */
export const writeCsv = (lines: readonly (readonly (string | null)[])[]): string =>
  lines.map(cells => `${cells.map(writeCell).join(',')}\r\n`).join('')

function writeCell(value: string | null): string {
  const text = /^[=+\-@\t\r]/.test(value ?? '') ? `'${value}` : (value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
