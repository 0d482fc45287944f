import { createPublicKey, verify } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DecryptCommand,
  EncryptCommand,
  GenerateMacCommand,
  GetPublicKeyCommand,
  KMSClient,
  SignCommand,
} from '@aws-sdk/client-kms';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LOCAL_CREDENTIALS } from '../../../../local/engines/awsCredentials.ts';
import type { Engine } from '../../../../local/engines/engine.ts';
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
const CIPHER: KeyDeclaration = {
  logicalId: 'Cipher',
  spec: 'SYMMETRIC_DEFAULT',
  id: 'id-3',
  arn: 'arn:aws:kms:us-east-1:000000000000:key/id-3',
  aliases: [],
};
const MESSAGE = Buffer.from('a message');

let directory: string;
let engine: Engine;
let client: KMSClient;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'kms-'));
  engine = await startKms(openKeys(join(directory, 'keys.json'), [SIGNING, MAC, CIPHER]));
  const credentials = LOCAL_CREDENTIALS;
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
  test('returns a signature that the public key verifies', async () => {
    const { Signature, KeyId } = await client.send(
      new SignCommand({ KeyId: SIGNING.arn, Message: MESSAGE, SigningAlgorithm: 'ECDSA_SHA_256' }),
    );
    expect(KeyId).toBe(SIGNING.arn);
    expect(verify('sha256', MESSAGE, await publicKey(), Buffer.from(Signature ?? []))).toBe(true);
  });

  test('finds a key by its alias', async () => {
    const { KeyId, KeySpec } = await client.send(new GetPublicKeyCommand({ KeyId: 'alias/signing' }));
    expect({ KeyId, KeySpec }).toEqual({ KeyId: SIGNING.arn, KeySpec: 'ECC_NIST_P256' });
  });

  test('returns the same MAC for the same message only', async () => {
    const mac = async (Message: Buffer) => {
      const request = { KeyId: 'id-2', Message, MacAlgorithm: 'HMAC_SHA_256' } as const;
      const { Mac = Buffer.alloc(0) } = await client.send(new GenerateMacCommand(request));
      return Buffer.from(Mac).toString('hex');
    };
    const first = await mac(MESSAGE);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await mac(MESSAGE)).toBe(first);
    expect(await mac(Buffer.from('another message'))).not.toBe(first);
  });

  test('decrypts a ciphertext with the pairs of its encryption context in any order', async () => {
    const request = { KeyId: CIPHER.arn, Plaintext: MESSAGE, EncryptionContext: { a: '1', b: '2' } };
    const { CiphertextBlob, KeyId } = await client.send(new EncryptCommand(request));

    const { Plaintext } = await client.send(
      new DecryptCommand({ KeyId: 'id-3', CiphertextBlob, EncryptionContext: { b: '2', a: '1' } }),
    );

    expect(KeyId).toBe(CIPHER.arn);
    expect(Buffer.from(CiphertextBlob ?? [])).not.toContain(MESSAGE);
    expect(Buffer.from(Plaintext ?? [])).toEqual(MESSAGE);
  });

  test.each([
    ['another context', { a: '2' }],
    ['another name', { b: '1' }],
    ['no context', undefined],
  ])('refuses to decrypt with %s', async (_, EncryptionContext) => {
    const { CiphertextBlob } = await client.send(
      new EncryptCommand({ KeyId: 'id-3', Plaintext: MESSAGE, EncryptionContext: { a: '1' } }),
    );

    await expect(
      client.send(new DecryptCommand({ KeyId: 'id-3', CiphertextBlob, EncryptionContext })),
    ).rejects.toMatchObject({ name: 'InvalidCiphertextException' });
  });

  test('refuses to encrypt with a key of another use', async () => {
    await expect(
      client.send(new EncryptCommand({ KeyId: 'id-2', Plaintext: MESSAGE })),
    ).rejects.toMatchObject({ name: 'InvalidKeyUsageException' });
  });

  test.each([
    ['NotFoundException', { KeyId: 'unknown', Message: MESSAGE }],
    ['InvalidKeyUsageException', { KeyId: 'id-2', Message: MESSAGE }],
    ['ValidationException', { KeyId: 'id-1', Message: Buffer.alloc(4097) }],
    ['ValidationException', { KeyId: 'id-1', Message: MESSAGE, MessageType: 'DIGEST' }],
  ] as const)('returns the KMS exception %s for %o', async (name, request) => {
    const answer = client.send(new SignCommand({ SigningAlgorithm: 'ECDSA_SHA_256', ...request }));
    await expect(answer).rejects.toMatchObject({ name });
  });

  test('stores its keys in a file that only the owner can read, and keeps them when a key is added', () => {
    const file = join(directory, 'more.json');
    const before = openKeys(file, [SIGNING])('id-1')?.material;
    const after = openKeys(file, [SIGNING, MAC])('id-1')?.material;
    expect(before && after?.equals(before)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('throws when the template declares another key spec than the stored key', () => {
    const file = join(directory, 'changed.json');
    openKeys(file, [SIGNING]);
    expect(() => openKeys(file, [{ ...SIGNING, spec: 'HMAC_256' }])).toThrow(/Signing .*another key spec/);
  });
});
