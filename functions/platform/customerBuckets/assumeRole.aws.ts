import { externalIdOf } from './externalId.ts';

/** The shortest session that AWS allows. */
export const SESSION_SECONDS = 900;

/** Temporary credentials of a role of a customer. */
export interface RoleSession {
  readonly kind: 'session';
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
}

/** Why a role could not be assumed. No text of AWS: it names accounts and roles. */
export interface RoleFailure {
  readonly kind: 'failed';
  readonly error: 'refused' | 'rate_limited' | 'unavailable';
}

/** A role of a customer, and what it is assumed for. */
export interface CustomerRole {
  readonly arn: string;
  /** The id of the resource of the tenant that names the role. It is also the external id. */
  readonly resourceId: string;
  /** What the session may do at most, whatever the role allows. */
  readonly statements: readonly { readonly Action: string | readonly string[]; readonly Resource: string }[];
}

export type AssumeRole = (role: CustomerRole) => Promise<RoleSession | RoleFailure>;

const failed = (error: RoleFailure['error']): RoleFailure => ({ kind: 'failed', error });

const failureOf = (error: unknown): RoleFailure => {
  const { $metadata, name } = Object(error);
  const status = Number(Object($metadata).httpStatusCode ?? 0);
  if (status === 429 || String(name).startsWith('Throttl')) return failed('rate_limited');
  return failed(status >= 400 && status < 500 ? 'refused' : 'unavailable');
};

/**
 * Assumes the role of a customer. A role that trusts the external id of another resource, also of another tenant, refuses
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/confused-deputy.html).
 */
export const assumeRole: AssumeRole = async ({ arn, resourceId, statements }) => {
  const { sts, AssumeRoleCommand } = await import('../shared/aws/sts.client.ts');
  try {
    const { Credentials } = await sts.send(
      new AssumeRoleCommand({
        RoleArn: arn,
        RoleSessionName: resourceId,
        ExternalId: externalIdOf(resourceId),
        DurationSeconds: SESSION_SECONDS,
        Policy: JSON.stringify({
          Version: '2012-10-17',
          Statement: statements.map((statement) => ({ Effect: 'Allow', ...statement })),
        }),
      }),
    );
    const { AccessKeyId, SecretAccessKey, SessionToken } = Credentials ?? {};
    if (!AccessKeyId || !SecretAccessKey || !SessionToken) return failed('unavailable');
    return {
      kind: 'session',
      accessKeyId: AccessKeyId,
      secretAccessKey: SecretAccessKey,
      sessionToken: SessionToken,
    };
  } catch (error) {
    return failureOf(error);
  }
};
