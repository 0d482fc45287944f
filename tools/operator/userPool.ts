import { randomBytes } from 'node:crypto';
import {
  AdminCreateUserCommand,
  AdminGetUserCommand,
  AdminSetUserPasswordCommand,
  AdminUpdateUserAttributesCommand,
  CognitoIdentityProviderClient,
  UserNotFoundException,
} from '@aws-sdk/client-cognito-identity-provider';
import { normalizeEmail } from '../../functions/identity/access/principals/user.ts';
import type { Deployment } from './deployment.ts';

/** The part of Cognito that operators use. */
export type UserPoolClient = Pick<CognitoIdentityProviderClient, 'send'>;

export interface UserPool {
  readonly client: UserPoolClient;
  readonly poolId: string;
}

/** The user pool of a deployed stack. Null for a stack with an external provider, and for the local provider. */
export const userPoolOf = ({ userPoolId }: Deployment): UserPool | null =>
  userPoolId === undefined ? null : { client: new CognitoIdentityProviderClient({}), poolId: userPoolId };

/** What the operator learns about an invitation. */
export interface Invitation {
  readonly sign_in: 'invited by mail' | 'already a user' | 'created';
  /** Valid for three days. Only without mail. */
  readonly temporary_password?: string;
}

/** Meets the password policy of the pool: the prefix has a character of each required class. */
const temporaryPassword = (): string => `Aa1!${randomBytes(18).toString('base64url')}`;

const find = async ({ client, poolId }: UserPool, email: string) => {
  try {
    return await client.send(new AdminGetUserCommand({ UserPoolId: poolId, Username: email }));
  } catch (error) {
    if (error instanceof UserNotFoundException) return null;
    throw error;
  }
};

/**
 * Creates a user in the pool, or invites again a user who never signed in. The address is marked as verified: the service
 * refuses others, because roles are assigned by address.
 */
export const inviteUser = async (
  pool: UserPool,
  address: string,
  { byMail }: { readonly byMail: boolean },
): Promise<Invitation> => {
  const email = normalizeEmail(address);
  const { client, poolId } = pool;
  const identity = { UserPoolId: poolId, Username: email };
  const verified = { Name: 'email_verified', Value: 'true' };
  const found = await find(pool, email);
  if (found !== null && found.UserStatus !== 'FORCE_CHANGE_PASSWORD') {
    await client.send(new AdminUpdateUserAttributesCommand({ ...identity, UserAttributes: [verified] }));
    return { sign_in: 'already a user' };
  }
  const password = temporaryPassword();
  // Cognito can mail an invitation again, but cannot create a user again.
  if (found !== null && !byMail) {
    await client.send(new AdminSetUserPasswordCommand({ ...identity, Password: password, Permanent: false }));
  } else {
    const repeated = found === null ? {} : ({ MessageAction: 'RESEND' } as const);
    await client.send(
      new AdminCreateUserCommand({
        ...identity,
        TemporaryPassword: password,
        UserAttributes: [{ Name: 'email', Value: email }, verified],
        ...(byMail ? { DesiredDeliveryMediums: ['EMAIL'], ...repeated } : { MessageAction: 'SUPPRESS' }),
      }),
    );
  }
  return byMail ? { sign_in: 'invited by mail' } : { sign_in: 'created', temporary_password: password };
};
