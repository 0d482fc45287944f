import * as z from 'zod';
import { ignored, type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';

const SHARED = {
  Description: ignored,
  EnableKeyRotation: ignored,
  Enabled: ignored,
  KeyPolicy: ignored,
  MultiRegion: ignored,
  PendingWindowInDays: ignored,
  RotationPeriodInDays: ignored,
  Tags: ignored,
};

const Key = z.union(
  [
    z.strictObject({ ...SHARED, KeySpec: z.literal('ECC_NIST_P256'), KeyUsage: z.literal('SIGN_VERIFY') }),
    z.strictObject({ ...SHARED, KeySpec: z.literal('HMAC_256'), KeyUsage: z.literal('GENERATE_VERIFY_MAC') }),
    z.strictObject({
      ...SHARED,
      KeySpec: z.literal('SYMMETRIC_DEFAULT'),
      KeyUsage: z.literal('ENCRYPT_DECRYPT'),
    }),
  ],
  {
    error:
      'supports only ECC_NIST_P256 keys with SIGN_VERIFY, HMAC_256 keys with GENERATE_VERIFY_MAC and SYMMETRIC_DEFAULT keys with ENCRYPT_DECRYPT',
  },
);

const Alias = z.strictObject({ AliasName: z.string(), TargetKeyId: z.string() });

/** What KMS allows a key of each spec to do. */
export const usageOf = {
  ECC_NIST_P256: 'SIGN_VERIFY',
  HMAC_256: 'GENERATE_VERIFY_MAC',
  SYMMETRIC_DEFAULT: 'ENCRYPT_DECRYPT',
} as const satisfies Record<KeySpec, string>;

export type KeySpec = z.output<typeof Key>['KeySpec'];

/** A key of the template. Callers may also use its aliases. */
export interface KeyDeclaration {
  logicalId: string;
  spec: KeySpec;
  id: string;
  arn: string;
  aliases: string[];
}

export function readKeys(template: ResolvedTemplate): KeyDeclaration[] {
  const aliases = resourcesOfType(template, 'AWS::KMS::Alias', Alias).map(({ properties }) => properties);
  return resourcesOfType(template, 'AWS::KMS::Key', Key).map(({ logicalId, identity, properties }) => {
    const id = identity.ref;
    const arn = identity.attributes['Arn'] ?? id;
    const names = aliases.filter(({ TargetKeyId }) => TargetKeyId === id || TargetKeyId === arn);
    return { logicalId, spec: properties.KeySpec, id, arn, aliases: names.map(({ AliasName }) => AliasName) };
  });
}
