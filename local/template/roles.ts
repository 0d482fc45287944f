import * as z from 'zod';
import type { Statement } from '../permissions/policy.ts';
import { ignored, type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';

const oneOrMany = z.union([z.array(z.string()), z.string().transform((one) => [one])]);

// Strict: a condition or an exclusion that the runtime ignored would change who may do what.
const PolicyStatement = z
  .strictObject({
    Sid: z.string().optional(),
    Effect: z.enum(['Allow', 'Deny']),
    Action: oneOrMany,
    Resource: oneOrMany,
  })
  .transform(
    ({ Effect, Action, Resource }): Statement => ({ effect: Effect, actions: Action, resources: Resource }),
  );
const Policy = z.strictObject({
  PolicyName: z.string(),
  PolicyDocument: z.strictObject({ Version: z.string(), Statement: z.array(PolicyStatement) }),
});
const AttachedPolicy = Policy.extend({ Roles: z.array(z.string()) });
const Role = z.strictObject({
  AssumeRolePolicyDocument: ignored,
  Description: ignored,
  // It allows to write logs. The runtime writes them without calls of the function.
  ManagedPolicyArns: z
    .array(
      z
        .string()
        .endsWith('service-role/AWSLambdaBasicExecutionRole', 'is a managed policy that is not known'),
    )
    .optional(),
  MaxSessionDuration: ignored,
  Policies: z.array(Policy).default([]),
  RoleName: ignored,
  Tags: ignored,
});

/** The identity-based policies of a role. */
export interface RoleDeclaration {
  readonly logicalId: string;
  readonly arn: string;
  readonly statements: readonly Statement[];
}

/** Every role of the template. Throws a TemplateError for a statement that the runtime cannot evaluate. */
export const readRoles = (template: ResolvedTemplate): RoleDeclaration[] => {
  const attached = resourcesOfType(template, 'AWS::IAM::Policy', AttachedPolicy);
  return resourcesOfType(template, 'AWS::IAM::Role', Role).map(({ logicalId, identity, properties }) => ({
    logicalId,
    arn: identity.attributes['Arn'] ?? logicalId,
    statements: [
      ...properties.Policies,
      ...attached.flatMap((policy) =>
        policy.properties.Roles.includes(identity.ref) ? [policy.properties] : [],
      ),
    ].flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
  }));
};
