import { Duration, Validations } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { type BucketShape, bucketNames, buckets } from '../../schemas/platform/buckets.ts';
import { pascalCase } from '../pascalCase.ts';
import type { Settings } from '../settings.ts';
import type { PublishedValues } from '../values.ts';

/** All buckets: private, encrypted, TLS only. All objects expire, except loaded prices. */
export class Buckets extends Construct {
  constructor(scope: Construct, id: string, settings: Settings, values: PublishedValues) {
    super(scope, id);
    for (const name of bucketNames) {
      const { expiresAfterDays, expiringPrefixes = [''], keepsDeletedDays }: BucketShape = buckets[name];
      const bucket = new Bucket(this, pascalCase(name), {
        blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
        encryption: BucketEncryption.S3_MANAGED,
        enforceSSL: true,
        versioned: keepsDeletedDays !== undefined,
        lifecycleRules: expiringPrefixes.map((prefix) => ({
          ...(prefix !== '' && { prefix }),
          expiration: Duration.days(expiresAfterDays),
          ...(keepsDeletedDays !== undefined && {
            noncurrentVersionExpiration: Duration.days(keepsDeletedDays),
          }),
          // The parts of an incomplete upload are invisible, but charged.
          abortIncompleteMultipartUploadAfter: Duration.days(1),
        })),
        removalPolicy: settings.removalPolicy,
        autoDeleteObjects: settings.emptiesBuckets,
      });
      Validations.of(bucket).acknowledge({
        id: 'AwsSolutions-S1',
        reason: 'Only functions of this stack can access the bucket, and they write their own logs.',
      });
      values.publish(`bucket/${name}`, bucket.bucketName);
    }
  }
}
