import { workerNames } from '../../schemas/platform/workers.ts';
import { units } from '../../schemas/routes/route.ts';

/** The bundle of one Lambda function. */
export interface FunctionEntry {
  /** `<unit>`, or `<name>.worker`. */
  readonly name: string;
  readonly source: string;
}

/** The Lambda entry file of every unit and worker. The path follows from the name. */
export const functionEntries: readonly FunctionEntry[] = [
  ...units.map((unit) => ({ name: unit, source: `functions/entries/api/${unit}.unit.ts` })),
  ...workerNames.map((worker) => ({
    name: `${worker}.worker`,
    source: `functions/entries/workers/${worker}.worker.ts`,
  })),
];
