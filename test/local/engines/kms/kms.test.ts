import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GenerateMacCommand,
  GetPublicKeyCommand,
  KMSClient,
  SignCommand,
  VerifyMacCommand,
} from '@aws-sdk/client-kms';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../../../local/engines/engine.ts';
import { signDigest } from '../../../../local/engines/kms/ecdsa.ts';
import { openKeys } from '../../../../local/engines/kms/keyStore.ts';
import { startKms } from '../../../../local/engines/kms/kms.ts';
import type { KeyDeclaration } from '../../../../local/template/keys.ts';

const SIGNING: KeyDeclaration = {
  logicalId: 'Signing',
  spec: 'ECC_NIST_P256',
  id: 'id-1',
  arn: 'arn:aws:kms:us-east-1:000000000000:key/id-1',
  aliases: ['alias/signing'],
};
const MAC: KeyDeclaration = {
  logicalId: 'Mac',
  spec: 'HMAC_256',
  id: 'id-2',
  arn: 'arn:aws:kms:us-east-1:000000000000:key/id-2',
  aliases: [],
};
const MESSAGE = Buffer.from('a message');
const DIGEST = createHash('sha256').update(MESSAGE).digest();

let directory: string;
let engine: Engine;
let client: KMSClient;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'kms-'));
  engine = await startKms(openKeys(join(directory, 'keys.json'), [SIGNING, MAC]));
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  client = new KMSClient({ endpoint: engine.url, region: 'us-east-1', credentials });
});

afterAll(async () => {
  client.destroy();
  await engine.stop();
  rmSync(directory, { recursive: true });
});

const publicKey = async () => {
  const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId: 'id-1' }));
  return createPublicKey({ key: Buffer.from(PublicKey ?? []), type: 'spki', format: 'der' });
};

describe('the KMS engine', () => {
  test.each([
    ['RAW', MESSAGE],
    ['DIGEST', DIGEST],
  ] as const)('signs a %s message so that the public key verifies it', async (MessageType, Message) => {
    const { Signature, KeyId } = await client.send(
      new SignCommand({ KeyId: SIGNING.arn, Message, MessageType, SigningAlgorithm: 'ECDSA_SHA_256' }),
    );
    expect(KeyId).toBe(SIGNING.arn);
    expect(verify('sha256', MESSAGE, await publicKey(), Buffer.from(Signature ?? []))).toBe(true);
  });

  test('finds a key by its alias', async () => {
    const { KeyId, KeySpec } = await client.send(new GetPublicKeyCommand({ KeyId: 'alias/signing' }));
    expect({ KeyId, KeySpec }).toEqual({ KeyId: SIGNING.arn, KeySpec: 'ECC_NIST_P256' });
  });

  test('makes a MAC that it verifies, and refuses a changed one', async () => {
    const request = { KeyId: 'id-2', Message: MESSAGE, MacAlgorithm: 'HMAC_SHA_256' } as const;
    const { Mac = Buffer.alloc(0) } = await client.send(new GenerateMacCommand(request));
    const { MacValid } = await client.send(new VerifyMacCommand({ ...request, Mac }));
    const changed = client.send(new VerifyMacCommand({ ...request, Mac: Buffer.from(Mac).fill(0, 0, 1) }));
    expect(Mac).toHaveLength(32);
    expect(MacValid).toBe(true);
    await expect(changed).rejects.toMatchObject({ name: 'KMSInvalidMacException' });
  });

  test.each([
    ['NotFoundException', { KeyId: 'unknown', Message: MESSAGE }],
    ['InvalidKeyUsageException', { KeyId: 'id-2', Message: MESSAGE }],
    ['ValidationException', { KeyId: 'id-1', Message: Buffer.alloc(4097) }],
    ['ValidationException', { KeyId: 'id-1', Message: MESSAGE, MessageType: 'DIGEST' }],
  ] as const)('answers %s as KMS names it', async (name, request) => {
    const answer = client.send(new SignCommand({ SigningAlgorithm: 'ECDSA_SHA_256', ...request }));
    await expect(answer).rejects.toMatchObject({ name });
  });

  test('keeps its keys in a file only the owner can read, and adds a new one beside the old', () => {
    const file = join(directory, 'more.json');
    const before = openKeys(file, [SIGNING])('id-1')?.material;
    const after = openKeys(file, [SIGNING, MAC])('id-1')?.material;
    expect(before && after?.equals(before)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('refuses to turn a kept key into one of another kind', () => {
    const file = join(directory, 'changed.json');
    openKeys(file, [SIGNING]);
    expect(() => openKeys(file, [{ ...SIGNING, spec: 'HMAC_256' }])).toThrow(/Signing .*another key spec/);
  });
});

test('a signature over a digest verifies for any message', () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  fc.assert(
    fc.property(fc.uint8Array(), (message) => {
      const digest = createHash('sha256').update(message).digest();
      expect(verify('sha256', message, pair.publicKey, signDigest(digest, pair.privateKey))).toBe(true);
    }),
    { numRuns: 25 },
  );
});
