/** The formats that can be imported. */
export const FORMATS = ['jsonl', 'folder', 'mbox', 'whatsapp', 'telegram', 'chatgpt', 'slack'] as const
export type Format = (typeof FORMATS)[number]

/** The order of day, month and year in the dates of a chat export. */
export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const
export type DateOrder = (typeof DATE_ORDERS)[number]
