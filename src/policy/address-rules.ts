/** Which e-mail addresses a link lets in. An entry is an address, or a domain with an `@` before it. */
export interface AddressRules {
  readonly allow: readonly string[]
  readonly deny: readonly string[]
}

export const NO_ADDRESS_RULES: AddressRules = { allow: [], deny: [] }

/** An address or a domain as it is compared. Case does not count, in either part. */
export const foldAddress = (address: string): string => address.trim().normalize('NFKC').toLowerCase()

/** Whether an address may open a link: deny wins, and whoever is neither meant nor allowed stays out (ST-10). */
export function admitsAddress(
  address: string,
  { allow, deny }: AddressRules,
  meant: string | null = null,
): boolean {
  if (deny.some(rule => covers(rule, address))) return false
  return address === meant || allow.some(rule => covers(rule, address))
}

/** The domain is what follows the last `@`: the part before it may be quoted and hold one of its own. */
const covers = (rule: string, address: string): boolean =>
  rule.startsWith('@') ? address.slice(address.lastIndexOf('@')) === rule : address === rule
