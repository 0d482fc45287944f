import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { AwsCredentials } from '../awsCredentials.ts';
import { serveAwsJson } from '../awsJson.ts';
import { AwsError } from '../awsService.ts';
import type { DataDirectory } from '../dataDirectory.ts';
import type { Engine } from '../engine.ts';
import { storeMail } from '../mailDirectory.ts';
import { oidcFiles } from './oidcFiles.ts';
import { inviteUser, openUsers } from './oidcUsers.ts';

const Identity = z.object({ UserPoolId: z.string(), Username: z.email() });
const CreateUser = Identity.extend({
  DesiredDeliveryMediums: z.tuple([z.literal('EMAIL')]),
  MessageAction: z.literal('RESEND').optional(),
  UserAttributes: z.array(z.object({ Name: z.string(), Value: z.string() })).optional(),
});

const statuses = { invited: 'FORCE_CHANGE_PASSWORD', confirmed: 'CONFIRMED' } as const;

/** The text of the invitation, as Cognito words it by default. */
const invitationOf = (email: string, password: string): string =>
  [
    `To: ${email}`,
    'Subject: Your temporary password',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `Your username is ${email} and temporary password is ${password}`,
    '',
  ].join('\r\n');

/**
 * Serves the part of the Cognito user pool API that the service uses, over the users of the embedded provider. Invitations
 * are written to the mail directory. The provider accepts the temporary password and does not ask for another one.
 */
export const startUserPool = (data: DataDirectory, credentials?: AwsCredentials): Promise<Engine> => {
  const users = openUsers(oidcFiles(data.path).users);
  return serveAwsJson(
    {
      AdminGetUser: (body) => {
        const { Username } = Identity.parse(body);
        const state = users.state(Username);
        if (state === 'unknown') throw new AwsError('UserNotFoundException', 'User does not exist.');
        return { Username, UserStatus: statuses[state], Enabled: true };
      },
      AdminCreateUser: async (body) => {
        const { Username: email, MessageAction } = CreateUser.parse(body);
        const state = users.state(email);
        if (MessageAction === undefined && state !== 'unknown')
          throw new AwsError('UsernameExistsException', 'User account already exists');
        if (MessageAction === 'RESEND' && state !== 'invited')
          throw new AwsError('UnsupportedUserStateException', 'Resend is not possible in this state');
        const password = `Aa1!${randomBytes(12).toString('base64url')}`;
        await inviteUser(data.path, { email, password });
        storeMail(data, Buffer.from(invitationOf(email, password)));
        return { User: { Username: email, UserStatus: statuses.invited, Enabled: true } };
      },
    },
    { version: '1.1', internalErrorName: 'InternalErrorException' },
    credentials,
  );
};
