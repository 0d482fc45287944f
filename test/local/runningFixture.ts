import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { LOCAL_CREDENTIALS } from '../../local/engines/awsCredentials.ts';
import { type Runtime, type RuntimeOptions, startRuntime } from '../../local/runtime.ts';
import { type Fixture, logicalId, synthesise } from './stackFixture.ts';

export const CLIENT = {
  region: 'us-east-1',
  credentials: LOCAL_CREDENTIALS,
};

/** A running instance of the fixture, with clients for its engines. */
export interface RunningFixture {
  fixture: Fixture;
  runtime: Runtime;
  options: RuntimeOptions;
  sqs: SQSClient;
  dynamodb: DynamoDBClient;
  table: string;
  queueUrl(name: string): string;
  call(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body: string | Buffer, type?: string): Promise<Response>;
  stop(): Promise<void>;
}

export async function startFixture(environment: Record<string, string> = {}): Promise<RunningFixture> {
  const fixture = synthesise();
  const { template, assemblyDir, directory } = fixture;
  const options = { template, assemblyDir, dataDir: join(directory, 'data'), port: 0, log: () => {} };
  const runtime = await startRuntime({ ...options, environment });
  const sqs = new SQSClient({ ...CLIENT, endpoint: runtime.endpoints.sqs });
  const dynamodb = new DynamoDBClient({ ...CLIENT, endpoint: runtime.endpoints.dynamodb });
  const call = (path: string, init?: RequestInit) => fetch(`${runtime.baseUrl}${path}`, init);
  return {
    fixture,
    runtime,
    options,
    sqs,
    dynamodb,
    table: runtime.tables[logicalId(template, 'AWS::DynamoDB::GlobalTable', 'Table')] ?? '',
    queueUrl: (name) => runtime.queues[logicalId(template, 'AWS::SQS::Queue', name)] ?? '',
    call,
    post: (path, body, type = 'text/plain') =>
      call(path, { method: 'POST', body, headers: { 'content-type': type } }),
    async stop() {
      sqs.destroy();
      dynamodb.destroy();
      await runtime.stop();
      fixture.remove();
    },
  };
}
