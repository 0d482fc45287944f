import { describe, expect, test } from 'vitest';
import { embeddedLocations } from '../../../local/engines/engines.ts';
import { readStack } from '../../../local/template/stack.ts';
import { Template } from '../../../local/template/template.ts';

const read = (Resources: Record<string, object>, rest: object = {}) =>
  readStack(
    Template.parse({ Resources, ...rest }),
    '/nowhere',
    embeddedLocations('http://gateway', 'http://queues'),
  );

const QUEUE = { Type: 'AWS::SQS::Queue', Properties: {} };

describe('an unsupported template', () => {
  test('throws with the logical id of every unknown resource', () => {
    const stream = { Type: 'AWS::Kinesis::Stream' };
    const cluster = { Type: 'AWS::RDS::DBCluster' };
    expect(() => read({ Stream: stream, Cluster: cluster, Queue: QUEUE })).toThrow(
      /Stream \(AWS::Kinesis::Stream\).*\n.*Cluster \(AWS::RDS::DBCluster\)/,
    );
  });

  test.each([
    [
      'an unknown property',
      { Type: 'AWS::SQS::Queue', Properties: { Fancy: 1 } },
      /It \(AWS::SQS::Queue\).*Fancy/,
    ],
    [
      'a condition',
      { ...QUEUE, Condition: 'IsProduction' },
      /It \(AWS::SQS::Queue\): .*does not support conditions/,
    ],
    ['a cron expression', rule('cron(0 0 * * ? *)'), /It \(AWS::Events::Rule\).*ScheduleExpression: cron/],
    ['an event pattern', { Type: 'AWS::Events::Rule', Properties: { EventPattern: {} } }, /EventPattern/],
    [
      'a bucket rule with a transition',
      bucket({ Status: 'Enabled', Transitions: [{ StorageClass: 'GLACIER', TransitionInDays: 1 }] }),
      /It \(AWS::S3::Bucket\).*Transitions/,
    ],
    [
      'a key with an unsupported spec',
      { Type: 'AWS::KMS::Key', Properties: { KeySpec: 'SYMMETRIC_DEFAULT' } },
      /ECC_NIST_P256/,
    ],
    [
      'an unknown reference',
      { Type: 'AWS::SQS::Queue', Properties: { KmsMasterKeyId: { Ref: 'Gone' } } },
      /It .*Gone/,
    ],
    ['missing code', lambda(), /It \(AWS::Lambda::Function\): no module for index.handler in .*asset\.abc/],
  ])('throws for %s', (_case, resource, message) => {
    expect(() => read({ It: resource })).toThrow(message);
  });

  test.each([
    ['does not throw when the role of an integration allows it to invoke its function', 'arn:do', false],
    ['throws when it allows only another function', 'arn:other', true],
  ])('%s', (_case, allowed, throws) => {
    const invocation = { Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: allowed };
    const policy = {
      PolicyName: 'invoke',
      PolicyDocument: { Version: '2012-10-17', Statement: [invocation] },
    };
    const resources = {
      Api: { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } },
      Invoker: { Type: 'AWS::IAM::Role', Properties: { Policies: [policy] } },
      Do: {
        Type: 'AWS::ApiGatewayV2::Integration',
        Properties: {
          ApiId: { Ref: 'Api' },
          IntegrationType: 'AWS_PROXY',
          IntegrationUri: 'arn:do',
          CredentialsArn: { 'Fn::GetAtt': ['Invoker', 'Arn'] },
          PayloadFormatVersion: '2.0',
        },
      },
      Route: {
        Type: 'AWS::ApiGatewayV2::Route',
        Properties: {
          ApiId: { Ref: 'Api' },
          RouteKey: 'GET /do',
          Target: { 'Fn::Join': ['/', ['integrations', { Ref: 'Do' }]] },
        },
      },
    };

    if (throws)
      expect(() => read(resources)).toThrow(/Route .*does not allow lambda:InvokeFunction on arn:do/);
    else expect(read(resources).api?.routes).toMatchObject([{ functionArn: 'arn:do' }]);
  });

  test('throws for a second HTTP API, because there is one port', () => {
    const api = { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } };
    expect(() => read({ One: api, Two: api })).toThrow(/Two .*one HTTP API/);
  });
});

describe('a supported template', () => {
  test('ignores roles, log groups and alarms', () => {
    const stack = read({
      Role: { Type: 'AWS::IAM::Role' },
      Logs: { Type: 'AWS::Logs::LogGroup' },
      Alarm: { Type: 'AWS::CloudWatch::Alarm' },
      Queue: QUEUE,
    });
    expect(stack.queues.map(({ logicalId }) => logicalId)).toEqual(['Queue']);
  });

  test('resolves references to AWS-like values with local addresses', () => {
    const { outputs } = read(
      { Queue: QUEUE, Role: { Type: 'AWS::IAM::Role' }, Bucket: { Type: 'AWS::S3::Bucket' } },
      {
        Parameters: { Level: { Type: 'String', Default: 'info' } },
        Outputs: {
          url: { Value: { Ref: 'Queue' } },
          arn: { Value: { 'Fn::GetAtt': ['Queue', 'Arn'] } },
          name: { Value: { 'Fn::GetAtt': ['Queue', 'QueueName'] } },
          role: { Value: { 'Fn::GetAtt': ['Role', 'Arn'] } },
          bucket: { Value: { Ref: 'Bucket' } },
          location: {
            Value: { 'Fn::Sub': `\${AWS::Partition}/\${AWS::Region}/\${AWS::AccountId}/\${Level}` },
          },
        },
      },
    );
    expect(outputs).toEqual({
      url: 'http://queues/000000000000/Queue',
      arn: 'arn:aws:sqs:us-east-1:000000000000:Queue',
      name: 'Queue',
      role: 'arn:aws:iam::000000000000:role/Role',
      bucket: 'bucket',
      location: 'aws/us-east-1/000000000000/info',
    });
  });

  test.each([
    ['rate(1 minute)', 60_000],
    ['rate(5 minutes)', 300_000],
    ['rate(2 hours)', 7_200_000],
    ['rate(1 day)', 86_400_000],
  ])('reads the schedule %s', (expression, intervalMs) => {
    expect(read({ It: rule(expression) }).schedules).toMatchObject([{ intervalMs, targetArn: FUNCTION }]);
  });

  test('reads the expiration rules of a bucket', () => {
    const rules = [
      { Status: 'Enabled', ExpirationInDays: 30 },
      { Status: 'Enabled', ExpirationInDays: 1, Prefix: 'brief/', AbortIncompleteMultipartUpload: {} },
      { Status: 'Disabled', ExpirationInDays: 2 },
    ];
    expect(read({ It: bucket(...rules) }).buckets).toEqual([
      {
        name: 'it',
        expirations: [
          { prefix: '', days: 30 },
          { prefix: 'brief/', days: 1 },
        ],
      },
    ]);
  });

  test('leaves out a disabled rule', () => {
    const { Type, Properties } = rule('rate(1 minute)');
    expect(read({ It: { Type, Properties: { ...Properties, State: 'DISABLED' } } }).schedules).toEqual([]);
  });
});

const FUNCTION = 'arn:aws:lambda:us-east-1:000000000000:function:Job';

function rule(ScheduleExpression: string) {
  return {
    Type: 'AWS::Events::Rule',
    Properties: { ScheduleExpression, Targets: [{ Id: 'a', Arn: FUNCTION }] },
  };
}

function bucket(...Rules: object[]) {
  return { Type: 'AWS::S3::Bucket', Properties: { LifecycleConfiguration: { Rules } } };
}

function lambda() {
  const Code = { S3Bucket: 'assets', S3Key: 'abc.zip' };
  return {
    Type: 'AWS::Lambda::Function',
    Properties: { Handler: 'index.handler', Runtime: 'nodejs24.x', Code, Role: 'role' },
  };
}
