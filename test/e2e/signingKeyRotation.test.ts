import { rmSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import * as z from 'zod';
import { SigningJwk } from '../../functions/identity/access/tokens/signingKey.aws.ts';
import { KeySchedule } from '../../schemas/platform/keySchedule.ts';
import { call } from '../support/client.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import { forgeToken } from './forgedTokens.ts';

const MINUTE = 60_000;
/** Fixed issuer of the tokens, independent of restarts and ports. */
const ISSUER = 'https://attribution.example.org';
const dataDir = temporaryDirectory();
const startedAt = Math.floor(Date.now() / 1_000) * 1_000;
const switchAt = startedAt + 5 * MINUTE;

let running: Instance | undefined;
const stop = async (): Promise<void> => {
  await running?.stop();
  running = undefined;
};
/** Restarts the instance on the same data with its clock at `time`. */
const startAt = async (time: number): Promise<Instance> => {
  await stop();
  running = await startInstance({
    dataDir,
    settings: { baseUrl: ISSUER, signingKeys: ['1970-01-01T00:00:00Z', new Date(switchAt).toISOString()] },
    environment: { CLOCK_OFFSET_SECONDS: String(Math.round((time - Date.now()) / 1_000)) },
  });
  return running;
};
afterAll(async () => {
  await stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const TokenReply = z.object({ access_token: z.string() });
const newToken = async ({ baseUrl, credentials }: Instance): Promise<string> => {
  const { body } = await call(baseUrl, '/v1/oauth/token', {
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      ...credentials.tenants[0]?.oauth_client,
    }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  return TokenReply.parse(body).access_token;
};

const Header = z.object({ kid: z.string() });
const kidOf = (token: string): string =>
  Header.parse(JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString())).kid;

/** Strict: rejects any member that is not public. */
const KeySet = z.object({ keys: z.array(z.strictObject(SigningJwk.shape)) });
const publishedBy = async ({ baseUrl }: Instance): Promise<string[]> => {
  const { body } = await call(baseUrl, '/.well-known/jwks.json');
  return KeySet.parse(body).keys.map(({ kid }) => kid);
};

const statusOf = async ({ baseUrl }: Instance, token: string): Promise<number> =>
  (await call(baseUrl, '/v1/attribution', { headers: { authorization: `Bearer ${token}` } })).status;

/** A token for a future time, signed with the first key. KMS signs any input. */
const tokenOfFirstKey = async ({ credentials }: Instance, time: number): Promise<string> => {
  // Imported late, because the AWS clients read their endpoints at import.
  const { tokenSigner } = await import('../../functions/identity/access/tokens/signingKey.aws.ts');
  const signer = tokenSigner(KeySchedule.parse(credentials.outputs['KeySigning']), () => startedAt);
  const [jwk] = await signer.publicKeys();
  if (jwk === undefined) throw new Error('no signing key');
  return forgeToken({
    jwk,
    issuer: ISSUER,
    tenantId: 'acme',
    clientId: credentials.tenants[0]?.oauth_client.client_id ?? '',
    genuine: (await signer.signingKey()).sign,
    now: time / 1_000,
  });
};

it('switches to the next signing key and accepts tokens of the old key until its overlap ends', async () => {
  const overlap = 66 * MINUTE;
  const before = await startAt(startedAt);
  const [first = '', second = ''] = await publishedBy(before);
  const old = await newToken(before);
  const late = await tokenOfFirstKey(before, switchAt + overlap - 2 * MINUTE);

  expect([...new Set([first, second])]).toHaveLength(2);
  expect(kidOf(old)).toBe(first);

  const during = await startAt(switchAt + MINUTE);

  expect(await publishedBy(during)).toEqual([first, second]);
  expect(kidOf(await newToken(during))).toBe(second);
  expect(await statusOf(during, await newToken(during))).toBe(200);
  expect(await statusOf(during, old)).toBe(200);

  const beforeOverlapEnd = await startAt(switchAt + overlap - 2 * MINUTE);

  expect(await publishedBy(beforeOverlapEnd)).toEqual([first, second]);
  expect(await statusOf(beforeOverlapEnd, late)).toBe(200);

  const after = await startAt(switchAt + overlap + MINUTE);

  expect(await publishedBy(after)).toEqual([second]);
  // By its claims the token is still valid. It is rejected because its key is retired.
  expect(await statusOf(after, late)).toBe(401);
  expect(await statusOf(after, await newToken(after))).toBe(200);
});
