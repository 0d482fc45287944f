import { join } from 'node:path';
import { Duration, RemovalPolicy, Size, Stack } from 'aws-cdk-lib';
import { type PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { metricsNamespace } from '../../schemas/platform/metrics.ts';
import type { Need } from '../../schemas/platform/resources.ts';
import { logGroupNameOf } from '../names.ts';
import type { Settings } from '../settings.ts';
import { functionRole } from './functionRole.ts';
import { environmentOf } from './grants.ts';
import type { Targets } from './targets.ts';

/** Shared properties of all functions of a stack. */
export interface Platform {
  readonly settings: Settings;
  readonly targets: Targets;
  /** The folder that contains the bundle folders. */
  readonly assets: string;
  /** The public base URL. */
  readonly baseUrl: string;
}

export interface ServiceFunctionProps {
  readonly platform: Platform;
  /** The name of the unit or worker. The function is `<stack>-<name>`: other stacks, and the API, name it without a reference. */
  readonly name: string;
  readonly bundle: string;
  readonly description: string;
  readonly needs: readonly Need[];
  readonly memoryMegabytes: number;
  readonly storageMegabytes?: number | undefined;
  readonly timeoutSeconds: number;
  readonly reservedConcurrency?: number | undefined;
  /** Permissions besides those of the needs, such as reading an event source. */
  readonly statements?: readonly PolicyStatement[];
  /** The ARN of a role that another stack declares. Default: a role of its own in this stack. */
  readonly roleArn?: string | undefined;
  readonly environment?: Readonly<Record<string, string>>;
  /** Whether the function sends messages to a queue that invokes it. */
  readonly sendsToItself?: boolean;
}

const REQUEST_TIMEOUT_MINIMUM_MS = 3_000;
const REQUEST_TIMEOUT_MAXIMUM_MS = 10_000;

/**
 * Limit of one attempt of an AWS call: a third of the function's time, because the SDK makes three attempts. On AWS a call
 * without an answer after 10 s gets none. On one machine all functions share its cores, so only the function's time limits it.
 */
const requestTimeoutMs = (timeoutSeconds: number, { environment }: Settings): number =>
  environment === 'local'
    ? timeoutSeconds * 1_000
    : Math.min(
        REQUEST_TIMEOUT_MAXIMUM_MS,
        Math.max(REQUEST_TIMEOUT_MINIMUM_MS, (timeoutSeconds * 1_000) / 3),
      );

/** A Lambda function. Its role and environment contain only what its needs declare. */
export class ServiceFunction extends Construct {
  readonly function: LambdaFunction;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { settings, targets, assets, baseUrl } = props.platform;
    const functionName = `${Stack.of(this).stackName}-${props.name}`;
    const logGroup = new LogGroup(this, 'Logs', {
      logGroupName: logGroupNameOf(functionName),
      retention: settings.logRetention,
      // A group that stays after its stack would prevent the stack from being created again.
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role =
      props.roleArn === undefined
        ? functionRole(this, 'Role', { ...props, settings, targets, logGroupArn: logGroup.logGroupArn })
        : Role.fromRoleArn(this, 'Role', props.roleArn, { mutable: false });
    this.function = new LambdaFunction(this, 'Function', {
      functionName,
      description: props.description,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(join(assets, props.bundle)),
      memorySize: props.memoryMegabytes,
      ...(props.storageMegabytes !== undefined && {
        ephemeralStorageSize: Size.mebibytes(props.storageMegabytes),
      }),
      timeout: Duration.seconds(props.timeoutSeconds),
      ...(props.reservedConcurrency !== undefined && {
        reservedConcurrentExecutions: props.reservedConcurrency,
      }),
      // Otherwise the CDK adds the permission to trace as a policy of its own, a resource for each function.
      role: role instanceof Role ? role.withoutPolicyUpdates() : role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Below WARN, Lambda writes three log lines per invocation, which would cost more than the invocation.
      systemLogLevelV2: SystemLogLevel.WARN,
      // Otherwise Lambda refuses the 17th message of a chain, as it does for a loop by mistake. Ours end with the work.
      ...(props.sendsToItself === true && { recursiveLoop: RecursiveLoop.ALLOW }),
      ...(settings.tracing && { tracing: Tracing.ACTIVE }),
      environment: {
        BASE_URL: baseUrl,
        ENVIRONMENT: settings.environment,
        METRICS_NAMESPACE: metricsNamespace(settings.environment),
        PUBLIC_CONTRACT: String(settings.publicContract),
        REQUEST_TIMEOUT_MS: String(requestTimeoutMs(props.timeoutSeconds, settings)),
        ...(settings.trustedProxies > 0 && { TRUSTED_PROXIES: String(settings.trustedProxies) }),
        ...(settings.consoleUrl !== undefined && { CONSOLE_URL: settings.consoleUrl }),
        ...environmentOf(props.needs, targets),
        ...props.environment,
      },
    });
  }
}
