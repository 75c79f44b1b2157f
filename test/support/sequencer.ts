import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest first. */
const PROJECTS = ['store', 'doors', 'unit']

/** Runs the files of a project one after another: a worker keeps what it has imported only within one. */
export class ProjectByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => PROJECTS.indexOf(project.name)
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}
