import { Aws, Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, CfnBucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

/** Long enough to read a log again after an outage. The records of the service outlive it. */
const EXPIRATION = Duration.days(30);

/** Where Bedrock writes the records of this account. */
export const LOG_PREFIX = `AWSLogs/${Aws.ACCOUNT_ID}/BedrockModelInvocationLogs/`;

export type LogBucket = Pick<IBucket, 'bucketName' | 'arnForObjects'>;

/**
 * A bucket for the model invocation log, with the policy that Bedrock needs
 * (https://docs.aws.amazon.com/bedrock/latest/userguide/model-invocation-logging.html). It sends its events to EventBridge.
 */
export const logBucket = (scope: Construct, id: string): LogBucket => {
  const bucket = new Bucket(scope, id, {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    lifecycleRules: [{ expiration: EXPIRATION, abortIncompleteMultipartUploadAfter: Duration.days(1) }],
  });
  // `eventBridgeEnabled` of the construct would add a function that makes this setting.
  const { defaultChild } = bucket.node;
  if (!(defaultChild instanceof CfnBucket)) throw new Error('A bucket has no resource');
  defaultChild.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } };
  bucket.addToResourcePolicy(
    new PolicyStatement({
      sid: 'BedrockWritesLogs',
      principals: [new ServicePrincipal('bedrock.amazonaws.com')],
      actions: ['s3:PutObject'],
      resources: [bucket.arnForObjects(`${LOG_PREFIX}*`)],
      conditions: {
        StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
        ArnLike: { 'aws:SourceArn': `arn:${Aws.PARTITION}:bedrock:${Aws.REGION}:${Aws.ACCOUNT_ID}:*` },
      },
    }),
  );
  Validations.of(bucket).acknowledge({
    id: 'AwsSolutions-S1',
    reason: 'The bucket holds a log. Only Bedrock writes it, and only the forwarder reads it.',
  });
  return bucket;
};
