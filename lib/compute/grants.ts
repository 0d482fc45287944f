import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type Need, needs } from '../../schemas/platform/resources.ts';
import type { Targets } from './targets.ts';

/** One IAM statement for each resource, with exactly the actions of the needs. */
export const statementsOf = (granted: readonly Need[], targets: Targets): PolicyStatement[] => {
  const grants = granted.flatMap((need) => targets.of(need).map(([, { arns }]) => ({ need, arns })));
  return [
    ...Map.groupBy(
      grants.filter(({ arns }) => arns.length > 0),
      ({ arns }) => arns.join(),
    ).values(),
  ].map(
    (needed) =>
      new PolicyStatement({
        actions: [...new Set(needed.flatMap(({ need }) => needs[need].actions))].sort(),
        resources: [...new Set(needed.flatMap(({ arns }) => arns))],
      }),
  );
};

/** The reference of each resource, by the environment variable that functions read. */
export const environmentOf = (granted: readonly Need[], targets: Targets): Record<string, string> =>
  Object.fromEntries(
    granted.flatMap((need) => targets.of(need).map(([variable, { reference }]) => [variable, reference])),
  );
