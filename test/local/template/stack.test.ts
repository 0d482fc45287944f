import { describe, expect, test } from 'vitest';
import { embeddedLocations } from '../../../local/engines/engines.ts';
import { readStack } from '../../../local/template/stack.ts';
import { Template } from '../../../local/template/template.ts';
import { ANY, api, INTEGRATION, INTEGRATIONS, operation, parameters, responses } from './api.ts';

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
      Api: api({ '/do': { get: operation } }, { credentials: { 'Fn::GetAtt': ['Invoker', 'Arn'] } }),
      Invoker: { Type: 'AWS::IAM::Role', Properties: { Policies: [policy] } },
    };

    if (throws)
      expect(() => read(resources)).toThrow(/Api .*GET \/do does not allow lambda:InvokeFunction on arn:do/);
    else expect(read(resources).api?.routes).toMatchObject([{ functionArn: 'arn:do' }]);
  });

  test('throws for a second HTTP API, because there is one port', () => {
    expect(() => read({ One: api({}), Two: api({}) })).toThrow(/Two .*one HTTP API/);
  });

  const { responses: _, ...withoutResponses } = operation;
  test.each([
    ['an operation without responses', { '/do': { get: withoutResponses } }, /get.responses/],
    [
      'an operation without an integration',
      { '/do': { get: { responses } } },
      /x-amazon-apigateway-integration/,
    ],
    [
      'an integration that is not declared',
      { '/do': { get: { responses, [INTEGRATION]: { $ref: `${INTEGRATIONS}other` } } } },
      /\/do names the integration other/,
    ],
    ['a path parameter that is not declared', { '/do/{id}': { get: operation } }, /\/do\/\{id\} uses .*id/],
    [
      'a declared parameter that the path does not use',
      { '/do': { get: operation, parameters: parameters('id') } },
      /\/do uses .*declares id/,
    ],
    [
      'two routes that match the same requests',
      {
        '/do/{id}': { get: operation, parameters: parameters('id') },
        '/do/{name}': { get: operation, parameters: parameters('name') },
      },
      /GET \/do\/\{name\} matches the same requests as GET \/do\/\{id\}/,
    ],
    ['a path that does not begin with a slash', { $default: { get: operation } }, /paths.\$default/],
    [
      'a default route at another path',
      { '/do': { [ANY]: { ...operation, isDefaultRoute: true } } },
      /\$default/,
    ],
    ['a default path that is not the default route', { '/$default': { [ANY]: operation } }, /\$default/],
    ['an authorizer', { '/do': { get: { ...operation, security: [{ token: [] }] } } }, /security/],
  ])('throws for an API with %s', (_case, paths, message) => {
    expect(() => read({ Api: api(paths) })).toThrow(message);
  });

  test.each([
    ['version 1.0 of the payload', { payloadFormatVersion: '1.0' }, /payloadFormatVersion/],
    ['a time-out above 30 s', { timeoutInMillis: 30_001 }, /timeoutInMillis/],
    ['an integration with another service', { uri: 'https://example.org' }, /uri: must be the invocation/],
  ])('throws for an API with %s', (_case, integration, message) => {
    expect(() => read({ Api: api({ '/do': { get: operation } }, integration) })).toThrow(message);
  });
});

describe('a supported template', () => {
  test('reads the routes of an API as its import creates them', () => {
    const paths = {
      '/do': { get: operation, head: operation, [ANY]: operation },
      '/do/{id}': { post: operation, parameters: parameters('id') },
      '/files/{path+}': { delete: operation, parameters: parameters('path+') },
      '/$default': { [ANY]: { ...operation, isDefaultRoute: true } },
    };

    const { routes = [] } = read({ Api: api(paths, { timeoutInMillis: 11_000 }) }).api ?? {};

    expect(routes.map(({ routeKey }) => routeKey).sort()).toEqual([
      '$default',
      'ANY /do',
      'DELETE /files/{path+}',
      'GET /do',
      'HEAD /do',
      'POST /do/{id}',
    ]);
    expect(new Set(routes.map(({ timeoutMs }) => timeoutMs))).toEqual(new Set([11_000]));
  });

  test('resolves the name of the stack in the name of a function', () => {
    const role = { Type: 'AWS::IAM::Role' };
    const named = { 'Fn::Join': ['', [{ Ref: 'AWS::StackName' }, '-', { Ref: 'AWS::Region' }]] };
    const { Type, Properties } = lambda();
    const outputs = { Outputs: { name: { Value: { Ref: 'It' } } } };
    const resources = { It: { Type: 'AWS::SQS::Queue', Properties: { QueueName: named } }, role };

    expect(read(resources, outputs).outputs['name']).toMatch(/\/local-us-east-1$/);
    expect(() =>
      read({ It: { Type, Properties: { ...Properties, FunctionName: { Ref: 'role' } } }, role }),
    ).toThrow(/Ref to role/);
  });

  test('reads a value that a stack stores for the others, and a resource of another stack by its fixed name', () => {
    const here = [{ Ref: 'AWS::Region' }, ':', { Ref: 'AWS::AccountId' }];
    const queue = { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'named' } };
    const stored = (Value: unknown) => ({ Type: 'AWS::SSM::Parameter', Properties: { Name: '/url', Value } });
    const { outputs } = read(
      { Queue: queue, Stored: stored({ Ref: 'Queue' }) },
      {
        Parameters: { Read: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/url' } },
        Outputs: {
          stored: { Value: { Ref: 'Read' } },
          arn: { Value: { 'Fn::Join': ['', ['arn:aws:sqs:', ...here, ':named']] } },
          url: { Value: { 'Fn::Sub': `https://sqs.\${AWS::Region}.amazonaws.com/\${AWS::AccountId}/named` } },
          queueUrl: { Value: { Ref: 'Queue' } },
          queueArn: { Value: { 'Fn::GetAtt': ['Queue', 'Arn'] } },
        },
      },
    );

    expect(outputs).toMatchObject({
      stored: outputs['queueUrl'],
      url: outputs['queueUrl'],
      arn: outputs['queueArn'],
    });
    expect(() =>
      read(
        { Queue: queue },
        {
          Parameters: { Read: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/url' } },
          Outputs: { stored: { Value: { Ref: 'Read' } } },
        },
      ),
    ).toThrow(/Ref to Read/);
  });

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
