/** How many tokens a text may come to: never fewer than common tokenizers count, so that a budget holds. */
export const countTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / 3)
