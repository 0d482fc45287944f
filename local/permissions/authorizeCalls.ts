import type { AwsRequest } from '../limits/awsRequest.ts';
import { permissionsOf, type ResourceArns } from './callPermissions.ts';
import { isAllowed, type Permission, type Statement } from './policy.ts';

/** The permissions of a function, as plain data for its threads. */
export interface Role {
  /** The name in error messages, as in CloudTrail: the role and the function that assumed it. */
  readonly session: string;
  readonly statements: readonly Statement[];
  readonly queues: ResourceArns['queues'];
  readonly keys: ResourceArns['keys'];
  readonly region: string;
  readonly account: string;
}

/** A permission that a function used, or tried to use. */
export interface UsedPermission extends Permission {
  readonly isAllowed: boolean;
}

/** The error that AWS returns for a call that no statement allows. It names the action and the resource. */
export class AccessDenied extends Error {
  override readonly name = 'AccessDeniedException';
  readonly $fault = 'client';
  readonly $metadata = { httpStatusCode: 400 };

  constructor({ session, account }: Role, { action, resource }: Permission) {
    super(
      `User: arn:aws:sts::${account}:assumed-role/${session} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
    );
  }
}

/**
 * Refuses calls that the role does not allow. Calls `report` once for each permission that is used: for an object or an
 * execution, once for its bucket or state machine.
 */
export const authorizeCalls = (
  role: Role,
  report: (used: UsedPermission) => void,
): ((request: AwsRequest) => void) => {
  const arns: ResourceArns = {
    queues: role.queues,
    keys: role.keys,
    prefix: (service) => `arn:aws:${service}:${role.region}:${role.account}:`,
  };
  const decisions = new Map<string, boolean>();
  const decide = ({ action, resource }: Permission): boolean => {
    const generic = resource.replace(/^(arn:aws:s3:::[^/]+\/).*|(.*:execution:[^:]+:).*$/, '$1$2*');
    const name = `${action} ${generic}`;
    const known = decisions.get(name);
    if (known !== undefined) return known;
    const allowed = isAllowed(role.statements, { action, resource });
    decisions.set(name, allowed);
    report({ action, resource: generic, isAllowed: allowed });
    return allowed;
  };
  return (request) => {
    const denied = permissionsOf(request.service, request, arns).find((permission) => !decide(permission));
    if (denied !== undefined) request.refusal = new AccessDenied(role, denied);
  };
};
