/** What can be imported. */
export const FORMATS = ['jsonl', 'folder', 'mbox', 'whatsapp', 'telegram', 'chatgpt', 'slack'] as const
export type Format = (typeof FORMATS)[number]

/** How a chat export writes dates. */
export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]
