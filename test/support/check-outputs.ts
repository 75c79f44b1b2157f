import { isDeepStrictEqual } from 'node:util'
import { checkOutputs } from '../../src/runtime/check-output.js'

// An answer has every field that its operation declares, and no other: schemas drop what they do not know.
checkOutputs(({ name, output: schema }, output) => {
  const result = schema.safeParse(output)
  const problems = result.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
  if (problems.length > 0) throw new Error(`the answer of ${name} is not as declared: ${problems.join('; ')}`)
  if (!isDeepStrictEqual(result.data, output))
    throw new Error(
      `the answer of ${name} has undeclared fields: ${undeclared(output, result.data).join(', ')}`,
    )
})

/** Where a value has more than what is declared of it. */
function undeclared(value: unknown, declared: unknown, at = ''): string[] {
  if (isDeepStrictEqual(value, declared)) return []
  if (typeof value !== 'object' || value === null || typeof declared !== 'object' || declared === null)
    return [at]
  const found = Object.entries(value).flatMap(([key, part]) =>
    key in declared
      ? undeclared(part, declared[key as keyof typeof declared], `${at}.${key}`)
      : [`${at}.${key}`],
  )
  return found.length === 0 ? [at] : found
}
