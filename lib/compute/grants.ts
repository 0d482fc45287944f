import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type Need, needs } from '../../schemas/platform/resources.ts';
import type { Targets } from './targets.ts';

const arnsOf = (need: Need, targets: Targets): readonly string[] => {
  const [, { arns }] = targets.of(need);
  return arns;
};

/** One IAM statement for each resource, with exactly the actions of the needs. */
export const statementsOf = (granted: readonly Need[], targets: Targets): PolicyStatement[] =>
  [
    ...Map.groupBy(
      granted.filter((need) => arnsOf(need, targets).length > 0),
      (need) => arnsOf(need, targets).join(),
    ),
  ].map(
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
