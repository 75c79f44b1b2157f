/** Thrown for a file that a watermark cannot be put on. The message never quotes the file. */
export class CannotMark extends Error {}
