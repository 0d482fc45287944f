import { Stack, Validations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import * as z from 'zod';

/** The streams of the log group of a function, which Lambda names. */
const LOG_STREAMS = /:log-group:[^*]*:\*$/;
/** The roles of customers that may read their bills. Each trusts the role of the importer with an external id. */
const CUSTOMER_ROLES = /^arn:<AWS::Partition>:iam::\*:role\//;

const Part = z.union([
  z.string(),
  z.object({ Ref: z.string() }).transform(({ Ref }) => `<${Ref}>`),
  z.object({ 'Fn::GetAtt': z.array(z.string()) }).transform((value) => `<${value['Fn::GetAtt'].join('.')}>`),
]);
const Joined = z.object({ 'Fn::Join': z.tuple([z.literal(''), z.array(Part)]) });

/** An ARN in the notation of cdk-nag, with logical ids for unresolved values. */
const spellArn = (scope: Construct, arn: string): string => {
  const { data } = Joined.safeParse(Stack.of(scope).resolve(arn));
  return data === undefined ? '' : data['Fn::Join'][1].join('');
};

const reasonOf = (arn: string): string => {
  if (CUSTOMER_ROLES.test(arn))
    return 'Customers name their roles and accounts at run time. Their trust policies decide, with an external id for each source.';
  return LOG_STREAMS.test(arn)
    ? 'Lambda names the streams of the log of a function.'
    : 'The objects of a bucket and the executions of a state machine are not known at deployment.';
};

/** Acknowledges the wildcard ARNs of a role for cdk-nag. ARNs without a wildcard are ignored. */
export const acknowledgeWildcards = (role: Construct, arns: readonly string[]): void => {
  const wildcards = arns.map((arn) => spellArn(role, arn)).filter((arn) => arn.endsWith('*'));
  for (const arn of new Set(wildcards)) {
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${arn}]`,
      reason: reasonOf(arn),
    });
  }
};

/** Acknowledges the permission to write traces. X-Ray has no resources to name. */
export const acknowledgeTracing = (role: Construct): void => {
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'X-Ray accepts trace segments without a resource.',
  });
};
