import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest first. */
const PROJECTS = ['store', 'doors', 'unit']

/** Files that take long for their size, by which a first run orders files: they walk worlds, open pages or start processes. */
const LONG =
  /^test\/(properties|non-interference|console|storage\/(backup|frozen-schema|pglite)|generated|guides|readme)/

/**
 * Runs the files of a project one after another, because a worker keeps what it has imported only within one, and those
 * that take long first, so that no core waits for the other at the end.
 */
export class ProjectByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      2 * PROJECTS.indexOf(project.name) - (LONG.test(relative(project.config.root, moduleId)) ? 1 : 0)
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
