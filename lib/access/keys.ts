import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { Instant } from '../../schemas/platform/keySchedule.ts';
import { type KeyName, keyNames, keys } from '../../schemas/platform/keys.ts';
import { pascalCase } from '../pascalCase.ts';
import type { Settings } from '../settings.ts';
import type { PublishedValues } from '../values.ts';

const specs = {
  ECC_NIST_P256: KeySpec.ECC_NIST_P256,
  HMAC_256: KeySpec.HMAC_256,
  SYMMETRIC_DEFAULT: KeySpec.SYMMETRIC_DEFAULT,
};
const usages = {
  SIGN_VERIFY: KeyUsage.SIGN_VERIFY,
  GENERATE_VERIFY_MAC: KeyUsage.GENERATE_VERIFY_MAC,
  ENCRYPT_DECRYPT: KeyUsage.ENCRYPT_DECRYPT,
};

/** The signing keys of the settings: `signing` for the first one, `signing20270201T000000Z` for a later one. */
export const signingKeysOf = ({
  signingKeys,
}: Settings): { readonly from: number; readonly value: string }[] =>
  signingKeys.map((from) => ({
    from,
    value: `key/signing${from === 0 ? '' : Instant.encode(from).replaceAll(/[-:]|\.000/g, '')}`,
  }));

/** All KMS keys. Key material never leaves KMS. */
export class Keys extends Construct {
  constructor(scope: Construct, id: string, settings: Settings, values: PublishedValues) {
    super(scope, id);
    const declared = [
      ...keyNames.filter((name) => name !== 'signing').map((name) => ({ name, value: `key/${name}` })),
      ...signingKeysOf(settings).map(({ value }) => ({ name: 'signing' as const, value })),
    ];
    for (const { name, value } of declared)
      values.publish(value, this.#declare(pascalCase(value.slice('key/'.length)), name, settings).keyArn);
  }

  #declare(id: string, name: KeyName, settings: Settings): Key {
    const { spec, usage, holds } = keys[name];
    return new Key(this, id, {
      description: holds,
      keySpec: specs[spec],
      keyUsage: usages[usage],
      // Each of the first two rotations adds $1 a month. The key encrypts a few kilobytes, so the maximum of KMS is enough.
      ...(usage === 'ENCRYPT_DECRYPT' && { enableKeyRotation: true, rotationPeriod: Duration.days(2_560) }),
      removalPolicy: settings.removalPolicy,
      // The minimum of KMS.
      ...(settings.removalPolicy === RemovalPolicy.DESTROY && { pendingWindow: Duration.days(7) }),
    });
  }
}
