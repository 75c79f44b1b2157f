/** True in the deep run (`npm run test:deep`), which proves everything on everything; `npm test` keeps a witness of each. */
export const deep = process.env.PRIVITY_DEEP === '1'

/** How often to try something: a few times in `npm test`, all of them in the deep run. */
export const times = (few: number, all: number): number => (deep ? all : few)

/** Rows of a table of cases: some, spread evenly over the list, in `npm test`, and all of them in the deep run. */
export const few = <Item>(items: readonly Item[], count: number): readonly Item[] =>
  deep || items.length <= count
    ? items
    : Array.from({ length: count }, (_, at) => items[Math.floor((at * items.length) / count)] as Item)
