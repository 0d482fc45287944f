import { Duration, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { bucketNames, buckets } from '../../schemas/platform/resources.ts';
import type { Targets } from '../compute/targets.ts';
import { pascalCase } from '../pascalCase.ts';
import type { Settings } from '../settings.ts';

/** Every bucket of the contract: private, encrypted, over TLS only, and emptied by age. */
export class Buckets extends Construct {
  constructor(scope: Construct, id: string, settings: Settings, targets: Targets) {
    super(scope, id);
    for (const name of bucketNames) {
      const bucket = new Bucket(this, pascalCase(name), {
        blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
        encryption: BucketEncryption.S3_MANAGED,
        enforceSSL: true,
        lifecycleRules: [
          {
            expiration: Duration.days(buckets[name].expiresAfterDays),
            // Parts of an upload that never ended are invisible, and paid for.
            abortIncompleteMultipartUploadAfter: Duration.days(1),
          },
        ],
        removalPolicy: settings.removalPolicy,
      });
      Validations.of(bucket).acknowledge({
        id: 'AwsSolutions-S1',
        reason: 'Only functions of this stack reach the bucket; what they do is in their own logs.',
      });
      targets.add({
        kind: 'bucket',
        name,
        arns: [bucket.arnForObjects('*')],
        reference: bucket.bucketName,
      });
    }
  }
}
