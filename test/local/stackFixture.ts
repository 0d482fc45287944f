import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, CfnOutput, Duration, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnApi, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { OAuthScope, UserPool, UserPoolClientIdentityProvider } from 'aws-cdk-lib/aws-cognito';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms';
import { Code, Function as LambdaFn, Runtime } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Template } from '../../local/template/template.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

export interface Fixture {
  template: Template;
  assemblyDir: string;
  /** A temporary directory. `remove` deletes it. */
  directory: string;
  remove(): void;
}

/** Calls an engine without the AWS SDK, because the handlers are outside this package and cannot import it. */
const CALL = `
// Node loads fetch at its first use. Here it does so in the initialisation, which the timeout of a second does not count.
await fetch('data:,');
const call = async (endpoint, target, version, body) => {
  const response = await fetch(process.env[endpoint], {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-' + version,
      'x-amz-target': target,
      'x-amz-date': '20260101T000000Z',
      authorization: 'AWS4-HMAC-SHA256 Credential=' + process.env.AWS_ACCESS_KEY_ID +
        '/20260101/us-east-1/x/aws4_request, SignedHeaders=host, Signature=0',
    },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(answer));
  return answer;
};
`;

const HTTP_HANDLER = `${CALL}
import { channel } from 'node:diagnostics_channel';
let invocations = 0;
export const handler = async (event, context) => {
  invocations += 1;
  const action = event.pathParameters?.action;
  if (action === 'slow') await new Promise((resolve) => setTimeout(resolve, 5000));
  if (action === 'crash') process.exit(3);
  if (action === 'throw') throw new Error('secret detail');
  if (action === 'plain') return { hello: 'world' };
  if (action === 'badheader') return { statusCode: 200, headers: { 'x-bad': 'a\\nb' } };
  if (action === 'cookies') return { statusCode: 201, cookies: ['a=1', 'b=2'], headers: { 'X-Count': 7 }, body: 'made' };
  if (action === 'binary') {
    return { statusCode: 200, isBase64Encoded: true, headers: { 'content-type': 'image/png' }, body: 'AAEC/w==' };
  }
  if (action === 'context') {
    console.log('printed by the handler');
    const body = JSON.stringify({ context, remaining: context.getRemainingTimeInMillis(), invocations, variables: process.env });
    return { statusCode: 200, body };
  }
  if (action === 'put') {
    channel('aws.call').publish({ service: 'dynamodb', operation: 'PutItem', capacity: 2 });
    await call('AWS_ENDPOINT_URL_DYNAMODB', 'DynamoDB_20120810.PutItem', '1.0', {
      TableName: process.env.TABLE,
      Item: { pk: { S: event.body } },
    });
    return { statusCode: 204 };
  }
  if (action === 'send') {
    await call('AWS_ENDPOINT_URL_SQS', 'AmazonSQS.SendMessage', '1.0', {
      QueueUrl: process.env.QUEUE,
      MessageBody: event.body,
      MessageAttributes: { kind: { DataType: 'String', StringValue: 'test' } },
    });
    return { statusCode: 202 };
  }
  return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(event) };
};
`;

/** Stores each message in the table. The bodies `throw` and `bad` select a failure. */
const WORKER_HANDLER = `${CALL}
export const handler = async (event) => {
  const batchItemFailures = [];
  for (const record of event.Records) {
    if (record.body === 'throw') throw new Error('the whole batch fails');
    if (record.body === 'bad') batchItemFailures.push({ itemIdentifier: record.messageId });
    await call('AWS_ENDPOINT_URL_DYNAMODB', 'DynamoDB_20120810.UpdateItem', '1.0', {
      TableName: process.env.TABLE,
      Key: { pk: { S: 'seen ' + record.body } },
      UpdateExpression: 'SET #event = :event ADD times :one',
      ExpressionAttributeNames: { '#event': 'event' },
      ExpressionAttributeValues: { ':one': { N: '1' }, ':event': { S: JSON.stringify(record) } },
    });
  }
  return { batchItemFailures };
};
`;

/** Synthesises a small app with one resource of each kind that the runtime supports. */
export function synthesise(): Fixture {
  process.env['CDK_VALIDATION'] = 'false';
  const directory = temporaryDirectory();
  const app = new App({ outdir: join(directory, 'cdk.out'), analyticsReporting: false });
  const stack = new Stack(app, 'Fixture');
  const code = (name: string, source: string): Code => {
    mkdirSync(join(directory, name));
    writeFileSync(join(directory, name, 'index.mjs'), source);
    return Code.fromAsset(join(directory, name));
  };

  const table = new TableV2(stack, 'Table', {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    timeToLiveAttribute: 'expires',
    globalSecondaryIndexes: [
      { indexName: 'byKind', partitionKey: { name: 'kind', type: AttributeType.STRING } },
    ],
  });
  const deadLetters = new Queue(stack, 'DeadLetters');
  const queue = new Queue(stack, 'Work', {
    visibilityTimeout: Duration.seconds(1),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: 2 },
  });
  const signing = new Key(stack, 'Signing', {
    keySpec: KeySpec.ECC_NIST_P256,
    keyUsage: KeyUsage.SIGN_VERIFY,
  });
  const mac = new Key(stack, 'Mac', {
    keySpec: KeySpec.HMAC_256,
    keyUsage: KeyUsage.GENERATE_VERIFY_MAC,
    alias: 'alias/mac',
  });
  const bucket = new Bucket(stack, 'Files', {
    autoDeleteObjects: true,
    removalPolicy: RemovalPolicy.DESTROY,
  });

  const users = new UserPool(stack, 'Users', {
    selfSignUpEnabled: false,
    signInAliases: { email: true },
    signInCaseSensitive: false,
  });
  const signIn = users.addClient('SignIn', {
    oAuth: {
      flows: { authorizationCodeGrant: true },
      scopes: [OAuthScope.OPENID, OAuthScope.EMAIL],
      callbackUrls: ['http://127.0.0.1:3000/callback'],
    },
    supportedIdentityProviders: [UserPoolClientIdentityProvider.COGNITO],
  });

  const shared = { runtime: Runtime.NODEJS_24_X, handler: 'index.handler', timeout: Duration.seconds(1) };
  const http = new LambdaFn(stack, 'Http', {
    ...shared,
    code: code('http', HTTP_HANDLER),
    environment: {
      TABLE: table.tableName,
      QUEUE: queue.queueUrl,
      KEY: signing.keyArn,
      MAC: mac.keyId,
      BUCKET: bucket.bucketName,
      OIDC_ISSUER: users.userPoolProviderUrl,
      OIDC_CLIENT_ID: signIn.userPoolClientId,
    },
  });
  const worker = new LambdaFn(stack, 'Worker', {
    ...shared,
    code: code('worker', WORKER_HANDLER),
    environment: { TABLE: table.tableName },
  });
  worker.addEventSource(new SqsEventSource(queue, { batchSize: 10, reportBatchItemFailures: true }));
  new Rule(stack, 'Hourly', {
    schedule: Schedule.rate(Duration.hours(1)),
    targets: [new LambdaFunction(worker)],
  });

  const operation = {
    responses: { default: { description: 'Any' } },
    'x-amazon-apigateway-integration': { $ref: '#/components/x-amazon-apigateway-integrations/http' },
  };
  const parameters = (name: string) => [{ name, in: 'path', required: true, schema: { type: 'string' } }];
  const api = new CfnApi(stack, 'Api', {
    failOnWarnings: true,
    body: {
      openapi: '3.0.1',
      info: { title: 'Fixture', version: '1' },
      paths: {
        '/do/{action}': { parameters: parameters('action'), 'x-amazon-apigateway-any-method': operation },
        '/do/fixed': { get: operation },
        '/files/{path+}': { parameters: parameters('path+'), get: operation },
      },
      components: {
        'x-amazon-apigateway-integrations': {
          http: {
            type: 'aws_proxy',
            httpMethod: 'POST',
            uri: Fn.sub(
              `arn:\${AWS::Partition}:apigateway:\${AWS::Region}:lambda:path/2015-03-31/functions/\${Http}/invocations`,
              { Http: http.functionArn },
            ),
            payloadFormatVersion: '2.0',
          },
        },
      },
    },
  });
  new CfnStage(stack, 'Stage', { apiId: api.ref, stageName: '$default', autoDeploy: true });
  new CfnOutput(stack, 'Url', { value: api.attrApiEndpoint });

  const assemblyDir = app.synth().directory;
  const text = readFileSync(join(assemblyDir, 'Fixture.template.json'), 'utf8');
  return {
    template: Template.parse(JSON.parse(text)),
    assemblyDir,
    directory,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** The logical id that CDK derives from a construct name: the name and eight hexadecimal digits. Throws when there is none. */
export function logicalId(template: Template, type: string, name: string): string {
  const pattern = new RegExp(`^${name}[0-9A-F]{8}$`);
  const found = Object.keys(template.Resources).find(
    (id) => pattern.test(id) && template.Resources[id]?.Type === type,
  );
  if (!found) throw new Error(`no ${type} named ${name}`);
  return found;
}
