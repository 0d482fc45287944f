import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that wait most come first. The many short ones of `rules` fill the workers until the end of the run. */
const ORDER = ['process', 'service', 'machine', 'rules'];

/** Runs the projects in this order instead of by name. The order of the files within a project stays. */
export class ProjectOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification): number => ORDER.indexOf(project.name);
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
