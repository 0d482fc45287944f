import * as z from 'zod';
import { COHORT_MINIMUM, rowHeader, suppressed } from './reports.ts';

const adoptionSums = {
  persons: z.int().meta({
    id: 'PersonCount',
    description: `Distinct persons, also unknown ones behind keys and workloads, rounded down to a multiple of ${COHORT_MINIMUM}, so that the difference of two counts cannot reveal a smaller group`,
  }),
  persons_estimated: z.boolean().meta({
    id: 'PersonsEstimated',
    description:
      'False if `persons` is a count before it is rounded down. True if it is an estimate: more than 127 persons are estimated with a standard error of 9 %',
  }),
  invocations: z.int(),
  ...suppressed,
};

export const AdoptionTotals = z.object(adoptionSums).meta({ id: 'AdoptionTotals' });
export type AdoptionTotals = z.infer<typeof AdoptionTotals>;
export const AdoptionRow = z
  .object(rowHeader)
  .omit({ day: true, hour: true })
  .extend(adoptionSums)
  .meta({ id: 'AdoptionRow' });
export type AdoptionRow = z.infer<typeof AdoptionRow>;
