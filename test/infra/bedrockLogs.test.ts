import { type App, Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, it, vi } from 'vitest';
import { createApp } from '../../lib/app.ts';
import type { BedrockLogsSettings } from '../../lib/bedrockLogs/bedrockLogsSettings.ts';
import { BedrockLogsStack } from '../../lib/bedrockLogs/bedrockLogsStack.ts';
import { forwarderSource } from '../../lib/bedrockLogs/forwarderFunction.ts';

/** Of inline code. Source: "AWS::Lambda::Function Code". */
const INLINE_CODE_BYTES_MAXIMUM = 4_096;

process.env['CDK_VALIDATION'] = 'false';

const settings: BedrockLogsSettings = { logGroup: '/aws/bedrock/invocations' };
const template = (given = settings, app: App = createApp()) =>
  Template.fromStack(new BedrockLogsStack(app, 'bedrock-logs', given));

it('lets only Bedrock of the same account and region write to the bucket, and only its records', () => {
  template().hasResourceProperties('AWS::S3::BucketPolicy', {
    PolicyDocument: {
      Statement: Match.arrayWith([
        Match.objectLike({
          Effect: 'Allow',
          Principal: { Service: 'bedrock.amazonaws.com' },
          Action: 's3:PutObject',
          Resource: {
            'Fn::Join': [
              '',
              [Match.anyValue(), '/AWSLogs/', { Ref: 'AWS::AccountId' }, '/BedrockModelInvocationLogs/*'],
            ],
          },
          Condition: {
            StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
            ArnLike: Match.anyValue(),
          },
        }),
      ]),
    },
  });
});

it('sends each new object of the log to the function by a queue with a dead-letter queue', () => {
  const stack = template();

  stack.hasResourceProperties('AWS::S3::Bucket', {
    NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } },
  });
  stack.hasResourceProperties('AWS::Events::Rule', {
    EventPattern: { source: ['aws.s3'], detail: { object: { key: [{ suffix: '.json.gz' }] } } },
  });
  stack.hasResourceProperties('AWS::SQS::Queue', {
    VisibilityTimeout: 720,
    RedrivePolicy: { maxReceiveCount: 30 },
  });
  stack.hasResourceProperties('AWS::Lambda::EventSourceMapping', { BatchSize: 1 });
});

it('sends the log of a log group to the function', () => {
  template().hasResourceProperties('AWS::Logs::SubscriptionFilter', {
    LogGroupName: '/aws/bedrock/invocations',
    FilterPattern: '',
  });
});

it('reads an existing bucket with its key, and creates none', () => {
  const stack = template({
    bucketName: 'bedrock-logs',
    kmsKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/0d1e',
  });

  stack.resourceCountIs('AWS::S3::Bucket', 0);
  stack.hasResourceProperties('AWS::IAM::Role', {
    Policies: [
      {
        PolicyDocument: {
          Statement: Match.arrayWith([
            { Effect: 'Allow', Action: 'kms:Decrypt', Resource: Match.stringLikeRegexp('key/0d1e') },
          ]),
        },
      },
    ],
  });
});

it('hides the key of the service, and deploys the function as inline code', () => {
  const stack = template();

  stack.hasParameter('ApiKey', { NoEcho: true });
  expect(Buffer.byteLength(forwarderSource())).toBeLessThan(INLINE_CODE_BYTES_MAXIMUM);
});

// About 2 s.
it('has no findings of cdk-nag', () => {
  vi.stubEnv('CDK_VALIDATION', 'true');
  const app = createApp();
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));

  expect(() => {
    new BedrockLogsStack(app, 'bedrock-logs', settings);
    app.synth();
  }).not.toThrow();
  vi.unstubAllEnvs();
});
