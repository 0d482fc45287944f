import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { Instant, KeySchedule, type ScheduledKey } from '../../schemas/platform/keySchedule.ts';
import { type KeyName, keyNames, keys } from '../../schemas/platform/keys.ts';
import type { Targets } from '../compute/targets.ts';
import { pascalCase } from '../pascalCase.ts';
import type { Settings } from '../settings.ts';

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

/** `Signing` for the first key, `Signing20270201T000000Z` for a later one. */
const signingKeyId = (from: number): string =>
  from === 0 ? 'Signing' : `Signing${Instant.encode(from).replaceAll(/[-:]|\.000/g, '')}`;

/** All KMS keys. Key material never leaves KMS. */
export class Keys extends Construct {
  constructor(scope: Construct, id: string, settings: Settings, targets: Targets) {
    super(scope, id);
    for (const name of keyNames.filter((name) => name !== 'signing')) {
      const { keyArn } = this.#declare(pascalCase(name), name, settings);
      targets.add({ kind: 'key', name, arns: [keyArn], reference: keyArn });
    }
    const scheduled = (from: number): ScheduledKey => ({
      from,
      keyId: this.#declare(signingKeyId(from), 'signing', settings).keyArn,
    });
    const [first, ...others] = settings.signingKeys;
    const schedule: KeySchedule = [scheduled(first), ...others.map(scheduled)];
    targets.add({
      kind: 'key',
      name: 'signing',
      arns: schedule.map(({ keyId }) => keyId),
      reference: KeySchedule.encode(schedule),
    });
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
