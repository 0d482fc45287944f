import { readFileSync } from 'node:fs';
import { it } from 'vitest';
import * as providers from '../../functions/entries/stores/index.ts';
import { providerOf } from '../../functions/entries/stores/provider.ts';
import type { Need } from '../../schemas/platform/resources.ts';
import type { WorkerShape } from '../../schemas/platform/workers/workerShape.ts';
import { type WorkerName, workerNames, workers } from '../../schemas/platform/workers.ts';
import { routesOf } from '../../schemas/routes/index.ts';
import { type UnitName, units } from '../../schemas/routes/route.ts';
import { expectNoFaults, unequal } from '../support/faults.ts';

const declared = new Set(Object.keys(providers));

/** The providers that an entry imports. */
const importedBy = (entry: string): string[] => {
  const text = readFileSync(`functions/entries/${entry}`, 'utf8');
  return [...text.matchAll(/^import \{([^}]*)\} from '\.\.\/stores\//gm)]
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
    .filter((name) => declared.has(name))
    .toSorted();
};

it('gives every unit the stores of the needs of its routes, and no others', async () => {
  await expectNoFaults(units, String, (unit: UnitName) => {
    const needs = routesOf(unit).flatMap((route): Need[] => [
      ...route.needs,
      ...(route.audit === undefined ? [] : ['audit.append' as const]),
    ]);
    const expected = [...new Set(needs.map(providerOf))].filter((name) => declared.has(name)).toSorted();
    return unequal('imports', importedBy(`api/${unit}.unit.ts`), expected);
  });
});

it('gives every worker stores of its needs only', async () => {
  await expectNoFaults(workerNames, String, (worker: WorkerName) => {
    const { needs }: WorkerShape = workers[worker];
    const allowed = new Set<string>(needs.map(providerOf));
    return importedBy(`workers/${worker}.worker.ts`)
      .filter((name) => !allowed.has(name))
      .map((name) => `imports ${name} without its need`);
  });
});
