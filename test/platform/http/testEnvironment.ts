import type { Environment } from '../../../functions/entries/stores/provider.ts';
import { type Need, needs } from '../../../schemas/platform/resources.ts';

const resourceOf = (need: Need): string => {
  const access = needs[need];
  return 'table' in access && typeof access.table === 'string' ? access.table : need;
};

/** What the stores of tests are made of: the tables of `startTables()`. What is no table has the name of its need. */
export const testEnvironment = (clock: () => number): Environment => ({ resourceOf, clock });
