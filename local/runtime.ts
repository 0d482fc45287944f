import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { AwsCredentials } from './engines/awsCredentials.ts';
import { lockDataDirectory } from './engines/dataDirectory.ts';
import { type Endpoints, embeddedLocations, startEngines } from './engines/engines.ts';
import { startEventSources } from './events/eventSources.ts';
import type { IdleOptions } from './events/idle.ts';
import { runScheduled } from './events/runScheduled.ts';
import { openGateway } from './http/gateway.ts';
import { concurrency } from './lambda/concurrency.ts';
import { startFleet } from './lambda/fleet.ts';
import { type FunctionUsage, Meter } from './lambda/meter.ts';
import { readersOf } from './lambda/priority.ts';
import type { AwsCallCounts, KeyUnits } from './lambda/protocol.ts';
import { watchThrottleFile } from './limits/throttleFile.ts';
import type { PermissionLog } from './permissions/permissionLog.ts';
import { provision } from './provision/provision.ts';
import { setRedrive } from './provision/queues.ts';
import { rulesOf } from './rules.ts';
import { readStack, type Stack } from './template/stack.ts';
import type { Template } from './template/template.ts';

export interface RuntimeOptions {
  template: Template;
  /** The directory the template's asset paths are relative to. */
  assemblyDir: string;
  dataDir: string;
  /** 0 selects any free port. */
  port: number;
  /**
   * Variables of every function, besides its own. `AWS_ENDPOINT_URL_…` replaces an embedded engine. `LOCAL_CONCURRENCY`
   * limits the execution environments of a function (default: the cores, from 2 to 4; more if invocations hang). `LOCAL_METER=1` counts AWS
   * calls and CPU time, and `LOCAL_METER=keys` also capacity units by partition key. `LOCAL_LIMITS_SCALE` multiplies the throughput of tables (default: 1, as on
   * AWS; 0: no limits).
   */
  environment?: Record<string, string>;
  log: (line: string) => void;
}

export interface Runtime {
  baseUrl: string;
  endpoints: Endpoints;
  /** The credentials that the embedded engines accept. */
  credentials: AwsCredentials;
  resources: { physicalId(logicalId: string): string };
  /** Table names by logical id. */
  tables: Record<string, string>;
  /** Queue URLs by logical id. */
  queues: Record<string, string>;
  outputs: Record<string, string>;
  /**
   * Resolves when no function runs and no consumed queue has a visible or in-flight message. With `delayed`, also waits
   * for delayed messages, of all queues or of those with these URLs.
   */
  idle(options?: IdleOptions): Promise<void>;
  /**
   * Runs the schedule of a construct now, such as `WorkersJobs`, and waits until no function runs. Throws if it does not exist, or
   * if it invokes a function that fails.
   */
  runSchedule(construct: string): Promise<void>;
  /** Waits for running work, up to a limit, then stops everything. Can be called twice. */
  stop(): Promise<void>;
  /** The permissions that functions used, by logical id, and a sentence for each one that their roles lack. */
  permissions: Pick<PermissionLog, 'used' | 'denied'>;
  /**
   * Throttles a share of the reads or writes of a table, from 0 to 1, by its name. Throws without limits and for an unknown
   * table.
   */
  throttle(table: string, access: 'write' | 'read', share: number): void;
  /** Ends all functions that process an event, as crashes of their processes do. Returns their number. */
  killFunctions(): number;
  /** AWS calls of all functions by "service operation". Undefined without metering. */
  meter?: () => AwsCallCounts;
  /** Usage by function, with invocations and CPU microseconds. Undefined without metering. */
  usage?: () => Record<string, FunctionUsage>;
  /** Capacity units by "write" or "read", table and partition key, separated by spaces. Empty unless keys are metered. */
  keyUnits?: () => KeyUnits;
}

/** Values of `LOCAL_METER`. */
const METERS = ['1', 'keys'];

/** A stop interrupts work that takes longer. Its messages are received again after the next start. */
const DRAIN_LIMIT_MS = 10_000;

/**
 * Starts the resources of a CloudFormation template, on 127.0.0.1 only. Throws a TemplateError if the template contains
 * something unsupported, and an Error if the port or the data directory is in use or an engine does not start. Nothing
 * keeps running after an error.
 */
export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { template, assemblyDir, environment = {}, log } = options;
  const setting = (name: string): string | undefined => environment[name] ?? process.env[name];
  const metered = setting('LOCAL_METER') ?? '';
  const meter = METERS.includes(metered) ? new Meter(metered === 'keys') : undefined;
  // Validate the template before anything starts, so that a rejected one has no effect.
  const plan = readStack(template, assemblyDir, embeddedLocations('http://127.0.0.1', 'http://127.0.0.1'));

  const undo: (() => Promise<void> | void)[] = [];
  const undoAll = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const data = lockDataDirectory(options.dataDir);
    undo.push(data.release);
    const gateway = await openGateway(options.port);
    undo.push(gateway.stop);
    const engines = await startEngines(plan, data, environment, log);
    undo.push(engines.stop);
    const sqs = new SQSClient(engines.client('sqs'));
    undo.push(() => sqs.destroy());
    const dynamodb = new DynamoDBClient(engines.client('dynamodb'));
    undo.push(() => dynamodb.destroy());

    const stack = readStack(template, assemblyDir, await provision(plan, engines, sqs, gateway.url));
    await setRedrive(sqs, stack.queues);
    engines.identityProvider?.serve(stack.userPool?.clients ?? []);
    const commonVariables = {
      ...endpointVariables(engines.ownEndpoints),
      // The buckets of customers are in the same engine.
      ...(engines.endpoints.s3 && { EXPORTS_S3_URL: engines.endpoints.s3 }),
      AWS_ACCESS_KEY_ID: engines.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: engines.credentials.secretAccessKey,
      ...environment,
    };
    const api = stack.api ?? { id: '', routes: [] };
    const environments = concurrency(setting('LOCAL_CONCURRENCY'), stack.queueMappings);
    const rules = rulesOf(stack, engines, limitsScale(setting('LOCAL_LIMITS_SCALE')), log);
    const fleet = startFleet({
      declarations: stack.functions,
      commonVariables,
      concurrency: environments,
      data,
      meter,
      yielding: readersOf(api),
      rulesOf: rules.rulesOf,
      onPermission: ({ logicalId }, used) => rules.permissions.record(logicalId, used),
    });
    undo.push(fleet.stop);
    if (rules.throughput !== undefined) {
      const { throughput } = rules;
      undo.push(
        watchThrottleFile({ file: data.join(THROTTLE_FILE), throughput, tableNamed: tableNamed(stack), log }),
      );
    }
    gateway.serve(api, (functionArn) => {
      const target = fleet.find(functionArn);
      return (event, requestId) => target.invoke(event, requestId);
    });
    await engines.stateMachines?.serve(stack.stateMachines, (functionArn, event) =>
      fleet.find(functionArn).invoke(event),
    );
    const sources = startEventSources(
      stack,
      fleet,
      environments.usual,
      { sqs, dynamodb },
      engines,
      data,
      log,
    );
    undo.push(async () => {
      const drained = Promise.all([gateway.drain(), sources.stop(), engines.stateMachines?.drain()]);
      await Promise.race([drained, sleep(DRAIN_LIMIT_MS, undefined, { ref: false })]);
    });
    let stopping: Promise<void> | undefined;
    return {
      baseUrl: gateway.url,
      endpoints: engines.endpoints,
      credentials: engines.credentials,
      resources: { physicalId: stack.physicalId },
      tables: Object.fromEntries(stack.tables.map(({ logicalId, identity }) => [logicalId, identity.name])),
      queues: Object.fromEntries(stack.queues.map(({ logicalId, identity }) => [logicalId, identity.ref])),
      outputs: stack.outputs,
      idle: sources.idle,
      runSchedule: async (construct) => {
        await runScheduled(stack.schedules, construct, sources.passScheduled);
        await sources.idle();
      },
      permissions: rules.permissions,
      throttle(table, access, share) {
        if (rules.throughput === undefined) throw new Error('The tables of this instance have no limits');
        rules.throughput.throttle(table, access, share);
      },
      killFunctions: fleet.kill,
      stop: () => {
        stopping ??= undoAll();
        return stopping;
      },
      ...(meter && {
        meter: () => meter.calls(),
        usage: () => meter.functions(),
        keyUnits: () => meter.keyUnits(),
      }),
    };
  } catch (error) {
    await undoAll();
    throw error;
  }
}

const THROTTLE_FILE = 'throttle.json';

/** Finds a table by its name in the engine, or in the outputs of the stack: `ledger` is the output `TableLedger`. */
const tableNamed =
  ({ tables, outputs }: Stack) =>
  (name: string): string | undefined =>
    outputs[`Table${name.charAt(0).toUpperCase()}${name.slice(1)}`] ??
    tables.find(({ identity }) => identity.name === name)?.identity.name;

const limitsScale = (setting: string | undefined): number =>
  z.coerce
    .number('LOCAL_LIMITS_SCALE must be a number of at least 0')
    .min(0)
    .parse(setting ?? 1);

const endpointVariables = (endpoints: Endpoints): Record<string, string> =>
  Object.fromEntries(
    Object.entries(endpoints).map(([service, url]) => [`AWS_ENDPOINT_URL_${service.toUpperCase()}`, url]),
  );
