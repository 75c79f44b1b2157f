/** The URL of a file in this package, both from the sources and from the build. */
export const packageFile = (path: string): URL => new URL(`../../${path}`, import.meta.url)
