import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type Need, needs } from '../../schemas/stores.ts';
import type { Targets } from './targets.ts';

/** One statement for each resource, with exactly the actions its needs list. */
export const statementsOf = (granted: readonly Need[], targets: Targets): PolicyStatement[] => {
  const actions = new Map<string, Set<string>>();
  for (const need of granted) {
    const [, { arn }] = targets.of(need);
    const known = actions.get(arn) ?? new Set();
    actions.set(arn, known);
    for (const action of needs[need].actions) known.add(action);
  }
  return [...actions].map(
    ([arn, granted]) => new PolicyStatement({ actions: [...granted].sort(), resources: [arn] }),
  );
};

/** Where each resource is, under the variable names that functions read. */
export const environmentOf = (granted: readonly Need[], targets: Targets): Record<string, string> =>
  Object.fromEntries(
    granted.map((need) => {
      const [variable, target] = targets.of(need);
      return [variable, target.reference];
    }),
  );
