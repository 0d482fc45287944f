import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { keyNames, keys } from '../../schemas/stores.ts';
import type { Targets } from '../compute/targets.ts';
import { pascalCase } from '../pascalCase.ts';
import type { Settings } from '../settings.ts';

const specs = { ECC_NIST_P256: KeySpec.ECC_NIST_P256, HMAC_256: KeySpec.HMAC_256 };
const usages = { SIGN_VERIFY: KeyUsage.SIGN_VERIFY, GENERATE_VERIFY_MAC: KeyUsage.GENERATE_VERIFY_MAC };

/** Every key of the contract. Key material never leaves KMS. */
export class Keys extends Construct {
  constructor(scope: Construct, id: string, settings: Settings, targets: Targets) {
    super(scope, id);
    for (const name of keyNames) {
      const { spec, usage, holds } = keys[name];
      const key = new Key(this, pascalCase(name), {
        description: holds,
        keySpec: specs[spec],
        keyUsage: usages[usage],
        removalPolicy: settings.removalPolicy,
        // The shortest wait KMS knows.
        ...(settings.removalPolicy === RemovalPolicy.DESTROY && { pendingWindow: Duration.days(7) }),
      });
      targets.add({ kind: 'key', name, arn: key.keyArn, reference: key.keyArn });
    }
  }
}
