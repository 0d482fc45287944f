import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Need } from '../../schemas/platform/resources.ts';
import type { Settings } from '../settings.ts';
import { statementsOf } from './grants.ts';
import type { Targets } from './targets.ts';
import { acknowledgeTracing, acknowledgeWildcards } from './wildcards.ts';

export interface FunctionRoleProps {
  readonly settings: Settings;
  readonly targets: Targets;
  readonly needs: readonly Need[];
  /** Permissions besides those of the needs, such as reading an event source. */
  readonly statements?: readonly PolicyStatement[] | undefined;
  readonly logGroupArn: string;
  /** Only for a role that others name. */
  readonly roleName?: string;
}

const traceStatement = (): PolicyStatement =>
  new PolicyStatement({
    actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
    resources: ['*'],
  });

/** The role of one function. It allows what the needs of the function declare, and to write its own log. */
export const functionRole = (scope: Construct, id: string, props: FunctionRoleProps): Role => {
  const { settings, targets, needs, statements = [], logGroupArn, roleName } = props;
  const role = new Role(scope, id, {
    ...(roleName !== undefined && { roleName }),
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: {
      Needs: new PolicyDocument({
        statements: [
          new PolicyStatement({
            actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
            resources: [logGroupArn],
          }),
          ...statementsOf(needs, targets),
          ...statements,
          ...(settings.tracing ? [traceStatement()] : []),
        ],
      }),
    },
  });
  acknowledgeWildcards(role, [
    logGroupArn,
    ...needs.flatMap((need) => targets.of(need).flatMap(([, { arns }]) => arns)),
  ]);
  if (settings.tracing) acknowledgeTracing(role);
  return role;
};
