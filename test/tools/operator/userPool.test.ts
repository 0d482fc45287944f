import { createServer, type Server } from 'node:http';
import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { afterEach, beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { portOf } from '../../../local/engines/freePort.ts';
import { inviteUser, type UserPool } from '../../../tools/operator/userPool.ts';

const Call = z.object({
  Username: z.string(),
  MessageAction: z.string().optional(),
  Password: z.string().optional(),
  TemporaryPassword: z.string().optional(),
  UserAttributes: z.array(z.object({ Name: z.string(), Value: z.string() })).optional(),
});

const users = new Map<string, { status: string; verified: boolean }>();
let calls: { operation: string; call: z.infer<typeof Call> }[];
let server: Server;
let pool: UserPool;

/** The five operations of Cognito that operators use, over its JSON protocol. */
const answer = (operation: string, call: z.infer<typeof Call>): [status: number, body: unknown] => {
  const found = users.get(call.Username);
  const verified = call.UserAttributes?.some(
    ({ Name, Value }) => Name === 'email_verified' && Value === 'true',
  );
  if (operation === 'AdminCreateUser') {
    if (found !== undefined && call.MessageAction !== 'RESEND')
      return [400, { __type: 'UsernameExistsException' }];
    users.set(call.Username, { status: 'FORCE_CHANGE_PASSWORD', verified: verified ?? false });
    return [200, {}];
  }
  if (found === undefined) return [400, { __type: 'UserNotFoundException' }];
  if (operation === 'AdminUpdateUserAttributes')
    users.set(call.Username, { ...found, verified: verified ?? false });
  return [200, { UserStatus: found.status }];
};

beforeEach(async () => {
  users.clear();
  calls = [];
  server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
    let text = '';
    for await (const chunk of request) text += chunk;
    const call = Call.parse(JSON.parse(text));
    calls.push({ operation, call });
    const [status, body] = answer(operation, call);
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const client = new CognitoIdentityProviderClient({
    endpoint: `http://127.0.0.1:${portOf(server)}`,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  pool = { client, poolId: 'eu-central-1_pool' };
});
afterEach(() => {
  server.close();
});

it('creates a user with a verified address, in the spelling that roles use', async () => {
  const invitation = await inviteUser(pool, 'Ann@Example.org', { byMail: true });

  expect(invitation).toEqual({ sign_in: 'invited by mail' });
  expect(users.get('ann@example.org')).toEqual({ status: 'FORCE_CHANGE_PASSWORD', verified: true });
});

it('prints a temporary password that meets the policy instead of sending mail', async () => {
  const invitation = await inviteUser(pool, 'ann@example.org', { byMail: false });

  expect(calls.at(-1)?.call.MessageAction).toBe('SUPPRESS');
  expect(invitation.temporary_password).toBe(calls.at(-1)?.call.TemporaryPassword);
  expect(invitation.temporary_password).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[^\w]).{12,}$/);
});

it('invites again a user who never signed in, by mail or with a new password', async () => {
  await inviteUser(pool, 'ann@example.org', { byMail: true });
  await inviteUser(pool, 'ann@example.org', { byMail: true });
  expect(calls.at(-1)?.call.MessageAction).toBe('RESEND');

  const { temporary_password: password } = await inviteUser(pool, 'ann@example.org', { byMail: false });
  expect(calls.at(-1)).toMatchObject({ operation: 'AdminSetUserPassword', call: { Password: password } });
});

it('keeps the password of a user who has signed in, and only verifies the address', async () => {
  users.set('ann@example.org', { status: 'CONFIRMED', verified: false });

  expect(await inviteUser(pool, 'ann@example.org', { byMail: true })).toEqual({ sign_in: 'already a user' });
  expect(users.get('ann@example.org')).toEqual({ status: 'CONFIRMED', verified: true });
});
