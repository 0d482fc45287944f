import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  credentialOpener,
  credentialSealer,
} from '../../../../functions/chargeback/reconciliation/sources/credential.aws.ts';
import { LOCAL_CREDENTIALS } from '../../../../local/engines/awsCredentials.ts';
import type { Engine } from '../../../../local/engines/engine.ts';
import { openKeys } from '../../../../local/engines/kms/keyStore.ts';
import { startKms } from '../../../../local/engines/kms/kms.ts';
import type { KeyDeclaration } from '../../../../local/template/keys.ts';
import { pointClientsAt } from '../../../../tools/operator/deployment.ts';

const keyNamed = (id: string): KeyDeclaration => ({
  logicalId: id,
  spec: 'SYMMETRIC_DEFAULT',
  id,
  arn: `arn:aws:kms:us-east-1:000000000000:key/${id}`,
  aliases: [],
});
const SOURCE = 'bls_aaaaaaaa01ARZ3NDEKTSV4RRFFQ69G5FAV';
const OTHER_SOURCE = 'bls_aaaaaaaa01ARZ3NDEKTSV4RRFFQ69G5FAW';
const CREDENTIAL = 'an-admin-key-of-the-provider';

let directory: string;
let engine: Engine;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'kms-'));
  engine = await startKms(openKeys(join(directory, 'keys.json'), [keyNamed('one'), keyNamed('two')]));
  pointClientsAt({ kms: engine.url }, LOCAL_CREDENTIALS);
});
afterAll(async () => {
  await engine.stop();
  rmSync(directory, { recursive: true });
});

it('decrypts a credential for the source that it was encrypted for', async () => {
  const sealed = await credentialSealer('one')(CREDENTIAL, SOURCE);

  expect(sealed).not.toContain(CREDENTIAL);
  expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain(CREDENTIAL);
  expect(await credentialOpener('one')(sealed, SOURCE)).toBe(CREDENTIAL);
});

it('gives different ciphertexts of one credential', async () => {
  const seal = credentialSealer('one');

  expect(await seal(CREDENTIAL, SOURCE)).not.toBe(await seal(CREDENTIAL, SOURCE));
});

it('returns null for another source, another key and altered bytes', async () => {
  const sealed = await credentialSealer('one')(CREDENTIAL, SOURCE);
  const altered = Buffer.from(sealed, 'base64');
  altered[altered.length - 1] = (altered.at(-1) ?? 0) ^ 1;

  expect(await credentialOpener('one')(sealed, OTHER_SOURCE)).toBeNull();
  expect(await credentialOpener('two')(sealed, SOURCE)).toBeNull();
  expect(await credentialOpener('one')(altered.toString('base64'), SOURCE)).toBeNull();
  expect(await credentialOpener('one')('', SOURCE)).toBeNull();
});

it('rejects when the key does not exist, so that the import is tried again', async () => {
  const sealed = await credentialSealer('one')(CREDENTIAL, SOURCE);

  await expect(credentialOpener('three')(sealed, SOURCE)).rejects.toThrow('does not exist');
  await expect(credentialSealer('three')(CREDENTIAL, SOURCE)).rejects.toThrow('does not exist');
});
