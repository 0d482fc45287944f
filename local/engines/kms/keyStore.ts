import {
  createPrivateKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import * as z from 'zod';
import { readJsonFile, writeJsonFile } from '../../jsonFile.ts';
import type { KeyDeclaration, KeySpec } from '../../template/keys.ts';

/** A key and its key material. */
export interface StoredKey {
  id: string;
  arn: string;
  spec: KeySpec;
  material: KeyObject;
}

/** Finds a key as KMS does: by id, ARN, `alias/…` or alias ARN. */
export type KeyLookup = (keyId: string) => StoredKey | undefined;

const KeyFile = z.record(z.string(), z.strictObject({ spec: z.string(), material: z.base64() }));

/**
 * Opens the key file, which only its owner can read, and generates the missing keys. Key material is kept, so a token
 * signed before a restart still verifies afterwards. Throws if a stored key has another key spec than the template.
 */
export function openKeys(file: string, declarations: KeyDeclaration[]): KeyLookup {
  const stored = readJsonFile(file, KeyFile) ?? {};
  const missing = declarations.filter(({ logicalId }) => !stored[logicalId]);
  for (const { logicalId, spec } of missing)
    stored[logicalId] = { spec, material: generateMaterial(spec).toString('base64') };
  if (missing.length > 0) writeJsonFile(file, stored);

  const byName = new Map<string, StoredKey>();
  for (const { logicalId, spec, id, arn, aliases } of declarations) {
    const entry = stored[logicalId];
    if (entry?.spec !== spec)
      throw new Error(
        `${logicalId} is stored in ${file} with another key spec than ${spec}. Start with a new data directory (--fresh).`,
      );
    const key = { id, arn, spec, material: parseMaterial(spec, Buffer.from(entry.material, 'base64')) };
    const aliasArns = aliases.map((alias) => arn.replace(/key\/.*$/, alias));
    for (const name of [id, arn, ...aliases, ...aliasArns]) byName.set(name, key);
  }
  return (keyId) => byName.get(keyId);
}

const generateMaterial = (spec: KeySpec): Buffer =>
  spec !== 'ECC_NIST_P256'
    ? randomBytes(32)
    : generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({
        type: 'pkcs8',
        format: 'der',
      });

const parseMaterial = (spec: KeySpec, bytes: Buffer): KeyObject =>
  spec !== 'ECC_NIST_P256'
    ? createSecretKey(bytes)
    : createPrivateKey({ key: bytes, type: 'pkcs8', format: 'der' });
