import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type Need, needs } from '../../schemas/platform/resources.ts';
import type { Targets } from './targets.ts';

/** The ARNs that a need grants. Throws if it is on indexes and its table has none. */
const arnsOf = (need: Need, targets: Targets): readonly string[] => {
  const [, { arns, indexArns = [] }] = targets.of(need);
  if (!('onIndexes' in needs[need])) return arns;
  if (indexArns.length === 0) throw new Error(`The need ${need} is on indexes, but its table has none`);
  return indexArns;
};

/** One IAM statement for each resource, with exactly the actions of the needs. Indexes are resources of their own. */
export const statementsOf = (granted: readonly Need[], targets: Targets): PolicyStatement[] =>
  [...Map.groupBy(granted, (need) => arnsOf(need, targets).join())].map(
    ([, needed]) =>
      new PolicyStatement({
        actions: [...new Set(needed.flatMap((need) => needs[need].actions))].sort(),
        resources: [...new Set(needed.flatMap((need) => arnsOf(need, targets)))],
      }),
  );

/** The reference of each resource, by the environment variable that functions read. */
export const environmentOf = (granted: readonly Need[], targets: Targets): Record<string, string> =>
  Object.fromEntries(
    granted.map((need) => {
      const [variable, target] = targets.of(need);
      return [variable, target.reference];
    }),
  );
