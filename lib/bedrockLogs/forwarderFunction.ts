import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  EventSourceMapping,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { buildSync } from 'esbuild';
import { acknowledgeWildcards } from '../compute/wildcards.ts';
import { LOG_PREFIX, type LogBucket } from './logBucket.ts';

export const FORWARDER_TIMEOUT = Duration.minutes(2);

/** The function as a CommonJS module without types, for inline code. */
export const forwarderSource = (): string => {
  const { outputFiles } = buildSync({
    entryPoints: [join(import.meta.dirname, 'forwarder.ts')],
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    minify: true,
    write: false,
    external: ['@aws-sdk/*'],
  });
  return outputFiles[0]?.text ?? '';
};

export interface ForwarderProps {
  readonly bucket: LogBucket;
  readonly kmsKeyArn: string | undefined;
  readonly queue: Queue;
  readonly deadLetters: Queue;
  readonly environment: Readonly<Record<string, string>>;
}

/** The function that reads new log objects and sends their records to the service. */
export class ForwarderFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: ForwarderProps) {
    super(scope, id);
    const { bucket, kmsKeyArn, queue, deadLetters, environment } = props;
    const logGroup = new LogGroup(this, 'Logs', { retention: RetentionDays.ONE_MONTH });
    // An existing bucket can have a prefix before that of Bedrock.
    const objects = bucket.arnForObjects(`*${LOG_PREFIX}*`);
    const allow = (actions: string[], ...resources: string[]) => new PolicyStatement({ actions, resources });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        Forward: new PolicyDocument({
          statements: [
            allow(['logs:CreateLogStream', 'logs:PutLogEvents'], logGroup.logGroupArn),
            allow(['s3:GetObject'], objects),
            allow(['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'], queue.queueArn),
            allow(['sqs:SendMessage'], deadLetters.queueArn),
            ...(kmsKeyArn === undefined ? [] : [allow(['kms:Decrypt'], kmsKeyArn)]),
          ],
        }),
      },
    });
    acknowledgeWildcards(role, [objects]);
    this.function = new LambdaFunction(this, 'Function', {
      description: 'Forwards the model invocation log of Amazon Bedrock, without prompts and output',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromInline(forwarderSource()),
      memorySize: 512,
      timeout: FORWARDER_TIMEOUT,
      role: role.withoutPolicyUpdates(),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      environment,
      // Of events that CloudWatch Logs sends, which pass no queue.
      onFailure: new SqsDestination(deadLetters),
    });
    new EventSourceMapping(this, 'Objects', {
      target: this.function,
      eventSourceArn: queue.queueArn,
      batchSize: 1,
      maxConcurrency: 5,
    });
  }
}
