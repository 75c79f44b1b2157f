/** A file of this package, from the sources as from what is built of them. */
export const packageFile = (path: string): URL => new URL(`../../${path}`, import.meta.url)
