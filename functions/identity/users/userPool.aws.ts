/** The invitations of people to sign in. */
export interface UserInvitations {
  /**
   * Creates an account for an address and mails a temporary password, valid for three days. With `repeat`, mails it again to
   * somebody who has not signed in yet. Changes nothing for others: the account may belong to another tenant too. Rejects
   * if the pool cannot be reached or refuses to send mail.
   */
  invite(email: string, options: { readonly repeat: boolean }): Promise<void>;
}

/** An external identity provider has its own users. */
const none: UserInvitations = { invite: async () => undefined };

/** Invitations to a Cognito user pool. Without an id, nobody is invited. */
export const userInvitations = (poolId: string): UserInvitations => {
  if (poolId === '') return none;
  return {
    invite: async (email, { repeat }) => {
      // Imported late: the client is large, and only this operation needs it.
      const {
        cognito,
        AdminCreateUserCommand,
        AdminGetUserCommand,
        UserNotFoundException,
        UsernameExistsException,
      } = await import('../../platform/shared/aws/cognito.client.ts');
      const identity = { UserPoolId: poolId, Username: email };
      const byMail = { ...identity, DesiredDeliveryMediums: ['EMAIL' as const] };
      const status = async (): Promise<string | undefined> => {
        try {
          return (await cognito.send(new AdminGetUserCommand(identity))).UserStatus;
        } catch (error) {
          if (error instanceof UserNotFoundException) return undefined;
          throw error;
        }
      };
      try {
        // The service refuses addresses that are not verified, because roles are assigned by address.
        const verified = { Name: 'email_verified', Value: 'true' };
        const UserAttributes = [{ Name: 'email', Value: email }, verified];
        await cognito.send(new AdminCreateUserCommand({ ...byMail, UserAttributes }));
      } catch (error) {
        if (!(error instanceof UsernameExistsException)) throw error;
        if (!repeat || (await status()) !== 'FORCE_CHANGE_PASSWORD') return;
        await cognito.send(new AdminCreateUserCommand({ ...byMail, MessageAction: 'RESEND' }));
      }
    },
  };
};
