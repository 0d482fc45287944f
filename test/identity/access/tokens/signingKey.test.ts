import { createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  issueAccessToken,
  verifyAccessToken,
} from '../../../../functions/identity/access/tokens/accessToken.ts';
import {
  type KeyService,
  SigningJwk,
  tokenSigner,
} from '../../../../functions/identity/access/tokens/signingKey.aws.ts';
import type { KeySchedule } from '../../../../schemas/platform/keySchedule.ts';

const HOUR = 3_600_000;
const schedule: KeySchedule = [
  { from: 0, keyId: 'one' },
  { from: 10 * HOUR, keyId: 'two' },
  { from: 20 * HOUR, keyId: 'three' },
];

const privateKeys = new Map<string, KeyObject>(
  schedule.map(({ keyId }) => [keyId, generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey]),
);
const privateKey = (keyId: string): KeyObject => {
  const key = privateKeys.get(keyId);
  if (key === undefined) throw new Error(`there is no key ${keyId}`);
  return key;
};

let now: number;
let kmsCalls: string[];
/** Keys that are unavailable. */
let silent: Set<string>;

/** A fake of KMS that returns DER and keeps private keys to itself. */
const service: KeyService = {
  publicKey: async (keyId) => {
    kmsCalls.push(`public half of ${keyId}`);
    if (silent.has(keyId)) throw new Error('the key service is down');
    return createPublicKey(privateKey(keyId)).export({ type: 'spki', format: 'der' });
  },
  sign: async (keyId, message) => {
    kmsCalls.push(`signature by ${keyId}`);
    return sign('sha256', message, privateKey(keyId));
  },
};
const make = () => tokenSigner(schedule, () => now, service);

const ISSUER = 'https://api.example.com';
const issue = (signer = make()): Promise<string> =>
  issueAccessToken(
    { tenantId: 'acme', clientId: 'cli_1', scopes: ['ingest:write'] },
    { issuer: ISSUER, now, jti: 'id', signer },
  );
const isGood = async (token: string, keys = make()): Promise<boolean> =>
  (await verifyAccessToken(token, { issuer: ISSUER, now, keys })) !== null;

beforeEach(() => {
  now = HOUR;
  kmsCalls = [];
  silent = new Set();
});

describe('tokenSigner', () => {
  it('signs with the current key and its kid', async () => {
    const signer = make();

    for (const { from, keyId } of schedule) {
      now = from;
      const { kid, sign } = await signer.signingKey();
      const signature = await sign('input');

      const published = (await signer.publicKeys()).find((key) => key.kid === kid);
      const key = createPublicKey({ key: { ...published }, format: 'jwk' });
      expect(key.equals(createPublicKey(privateKey(keyId)))).toBe(true);
      expect(verify('sha256', Buffer.from('input'), { key, dsaEncoding: 'ieee-p1363' }, signature)).toBe(
        true,
      );
    }
  });

  it('uses one key for a token that is signed during a key change', async () => {
    const signer = make();
    now = 10 * HOUR - 1;

    const { sign } = await signer.signingKey();
    now = 10 * HOUR;
    kmsCalls = [];
    await sign('input');

    expect(kmsCalls).toEqual(['signature by one']);
  });

  it('issues tokens that stay valid until they expire, also after key changes', async () => {
    const signedAt = fc.integer({ min: 0, max: 30 * 3_600 }).map((seconds) => seconds * 1_000);
    const age = fc.integer({ min: 0, max: 900_000 });
    const [signer, verifier] = [make(), make()];

    await fc.assert(
      fc.asyncProperty(signedAt, age, async (signedAt, age) => {
        now = signedAt;
        const token = await issue(signer);
        now = signedAt + age;
        expect(await isGood(token, verifier)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('publishes only public members', async () => {
    const keys = await make().publicKeys();

    expect(keys).toHaveLength(3);
    for (const key of keys) expect(Object.keys(key).sort()).toEqual(Object.keys(SigningJwk.shape).sort());
  });

  it('fetches each published key once, and retired keys never', async () => {
    now = 15 * HOUR;
    const signer = make();

    await Promise.all([signer.publicKeys(), signer.publicKeys()]);
    await issue(signer);
    await signer.publicKeys();

    expect(kmsCalls).toEqual(['public half of two', 'public half of three', 'signature by two']);
  });

  it('fetches only failed keys again', async () => {
    const signer = make();
    silent = new Set(['two']);

    await expect(signer.publicKeys()).rejects.toThrow('down');
    silent = new Set();
    kmsCalls = [];

    expect(await signer.publicKeys()).toHaveLength(3);
    expect(kmsCalls).toEqual(['public half of two']);
  });

  it('signs while another key is unavailable', async () => {
    silent = new Set(['two', 'three']);

    await expect(issue()).resolves.toMatch(/^e/);
  });

  it('does not fetch keys for an unknown kid', async () => {
    const verifier = make();
    const token = await issue();
    await verifier.publicKeys();
    const [header = '', ...rest] = token.split('.');
    const { kid, ...others } = JSON.parse(Buffer.from(header, 'base64url').toString());
    // A kid can start with '-' itself.
    const unknownKid = kid.replace(/^./, (first: string) => (first === '-' ? '_' : '-'));
    const unknown = Buffer.from(JSON.stringify({ ...others, kid: unknownKid })).toString('base64url');
    kmsCalls = [];

    expect(await isGood(token, verifier)).toBe(true);
    expect(await isGood([unknown, ...rest].join('.'), verifier)).toBe(false);
    expect(kmsCalls).toEqual([]);
  });
});
