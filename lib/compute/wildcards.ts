import { Stack, Validations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import * as z from 'zod';

const Part = z.union([
  z.string(),
  z.object({ Ref: z.string() }).transform(({ Ref }) => `<${Ref}>`),
  z.object({ 'Fn::GetAtt': z.array(z.string()) }).transform((value) => `<${value['Fn::GetAtt'].join('.')}>`),
]);
const Joined = z.object({ 'Fn::Join': z.tuple([z.literal(''), z.array(Part)]) });

/** An ARN as cdk-nag spells it, with logical ids for what is not known yet. */
const spellArn = (scope: Construct, arn: string): string => {
  const { data } = Joined.safeParse(Stack.of(scope).resolve(arn));
  return data === undefined ? '' : data['Fn::Join'][1].join('');
};

/** Tells cdk-nag why a role may have the wildcards among these ARNs; those without one are left alone. */
export const acknowledgeWildcards = (role: Construct, arns: readonly string[]): void => {
  const wild = arns.map((arn) => spellArn(role, arn)).filter((arn) => arn.endsWith('*'));
  for (const arn of new Set(wild)) {
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::${arn}]`,
      reason: 'No template can list the objects of a bucket or the executions of a state machine.',
    });
  }
};
