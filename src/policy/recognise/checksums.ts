/** Whether the digits are a payment card number: the check digit of Luhn, and a length and first digit that cards have. */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, '')
  if (!/^(?:3[47]\d{13}|[2456]\d{15}|3(?:0[0-5]|[68]\d)\d{11})$/.test(digits)) return false
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    sum += at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}

/** Whether the text is an IBAN: its check digits by ISO 7064 (mod 97-10). */
export function isIban(text: string): boolean {
  const iban = text.replace(/ /g, '').toUpperCase()
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false
  const moved = iban.slice(4) + iban.slice(0, 4)
  const digits = moved.replace(/[A-Z]/g, letter => String(letter.charCodeAt(0) - 55))
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97
  return rest === 1
}

const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** Whether the text is a Spanish DNI, whose letter follows from its number. */
export function isDni(text: string): boolean {
  const [, digits, letter] = text.toUpperCase().match(/^(\d{8})-?([A-Z])$/) ?? []
  return digits !== undefined && DNI_LETTERS[Number(digits) % 23] === letter
}

/** Whether the text is a French social security number: 97 minus the rest of its number by 97. */
export function isNir(text: string): boolean {
  const [, number, key] = text.replace(/ /g, '').match(/^([12]\d{12})(\d{2})$/) ?? []
  return number !== undefined && 97 - (Number(number) % 97) === Number(key)
}
