import { CfnOutput, CfnParameter, Duration, Stack } from 'aws-cdk-lib';
import { ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { FilterPattern, LogGroup, SubscriptionFilter } from 'aws-cdk-lib/aws-logs';
import { LambdaDestination } from 'aws-cdk-lib/aws-logs-destinations';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { BedrockLogsSettings } from './bedrockLogsSettings.ts';
import { FORWARDER_TIMEOUT, ForwarderFunction } from './forwarderFunction.ts';
import { type LogBucket, logBucket } from './logBucket.ts';

/** Lambda recommends six times the time-out, so that another attempt never overlaps. */
const VISIBILITY_FACTOR = 6;
/** Six hours of attempts, which outlast an outage of the service. */
const ATTEMPTS_MAXIMUM = 30;
const RETENTION = Duration.days(14);

/**
 * Forwards the model invocation log of Amazon Bedrock of one account and region: bucket ► EventBridge ► queue ► function.
 */
export class BedrockLogsStack extends Stack {
  constructor(scope: Construct, id: string, settings: BedrockLogsSettings) {
    super(scope, id, {
      description: 'Forwards the model invocation log of Amazon Bedrock to inference attribution',
    });
    const serviceUrl = new CfnParameter(this, 'ServiceUrl', {
      description: 'The base URL of the service',
      allowedPattern: 'https://[^/]+',
    });
    const apiKey = new CfnParameter(this, 'ApiKey', {
      description: 'An API key with the scope ingest:write',
      noEcho: true,
    });
    const { bucketName, kmsKeyArn, logGroup } = settings;
    const bucket: LogBucket =
      bucketName === undefined ? logBucket(this, 'Logs') : Bucket.fromBucketName(this, 'Logs', bucketName);
    const common = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true, retentionPeriod: RETENTION };
    const deadLetters = new Queue(this, 'DeadLetters', common);
    const queue = new Queue(this, 'Objects', {
      ...common,
      visibilityTimeout: Duration.seconds(VISIBILITY_FACTOR * FORWARDER_TIMEOUT.toSeconds()),
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: ATTEMPTS_MAXIMUM },
    });
    new Rule(this, 'ObjectCreated', {
      description: 'New objects of the model invocation log',
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: { bucket: { name: [bucket.bucketName] }, object: { key: [{ suffix: '.json.gz' }] } },
      },
      targets: [new SqsQueue(queue)],
    });
    const forwarder = new ForwarderFunction(this, 'Forwarder', {
      bucket,
      kmsKeyArn,
      queue,
      deadLetters,
      environment: {
        ATTRIBUTION_URL: serviceUrl.valueAsString,
        ATTRIBUTION_API_KEY: apiKey.valueAsString,
      },
    });
    if (logGroup !== undefined)
      new SubscriptionFilter(this, 'Subscription', {
        logGroup: LogGroup.fromLogGroupName(this, 'BedrockLogGroup', logGroup),
        destination: new LambdaDestination(forwarder.function),
        filterPattern: FilterPattern.allEvents(),
      });
    deadLetters
      .metricApproximateNumberOfMessagesVisible({ period: Duration.minutes(5), statistic: 'Maximum' })
      .createAlarm(this, 'NotForwarded', {
        alarmDescription: 'Log objects of Bedrock were not forwarded. Redrive the queue after the repair.',
        threshold: 0,
        evaluationPeriods: 1,
        comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
        treatMissingData: TreatMissingData.NOT_BREACHING,
      });
    new CfnOutput(this, 'BucketName', { value: bucket.bucketName });
    new CfnOutput(this, 'DeadLetterQueueUrl', { value: deadLetters.queueUrl });
  }
}
