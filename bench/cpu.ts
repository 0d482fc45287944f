import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { build } from 'esbuild';
import { LocalFunction } from '../local/lambda/localFunction.ts';
import { Meter } from '../local/lambda/meter.ts';
import { variablesOf } from '../local/lambda/variables.ts';
import type { MeasuredService } from './service.ts';
import { benchEvent, percentile } from './traffic.ts';

const ROUNDS = 7;
/** The system counts a thread's CPU time in coarse ticks: so short a handler needs many more runs to be seen. */
const BARE_REPEATS = 10;

/** A queue nobody consumes, so that the worker's share of the machine is not counted against ingestion. */
const idleQueue = async (endpoint: string): Promise<string> => {
  const sqs = new SQSClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'bench-unconsumed' }));
  sqs.destroy();
  return QueueUrl;
};

const bundleBare = async (folder: string): Promise<string> => {
  const file = join(folder, 'bare', 'index.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'bareHandler.ts')],
    outfile: file,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
  });
  return file;
};

const eventOf = (path: string, key: string, body: unknown): string =>
  JSON.stringify({
    version: '2.0',
    routeKey: `POST ${path}`,
    rawPath: path,
    rawQueryString: '',
    headers: { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': randomUUID() },
    requestContext: { http: { method: 'POST', path } },
    body: JSON.stringify(body),
    isBase64Encoded: false,
  });

/** A function in an environment of its own, as the runtime starts it, with a meter of its own. */
const functionOf = (name: string, file: string, variables: Record<string, string>) => {
  const meter = new Meter();
  const declaration = {
    logicalId: name,
    name,
    arn: `arn:aws:lambda:us-east-1:000000000000:function:${name}`,
    file,
    exportName: 'handler',
    timeoutMs: 10_000,
    memoryMiB: 512,
    reserved: undefined,
    variables,
  };
  const fn = new LocalFunction({
    declaration,
    variables: variablesOf(declaration, {}),
    concurrency: 1,
    print: () => undefined,
    meter,
  });
  /** CPU microseconds of an invocation, over `times` of them one after another. */
  const cpu = async (times: number, event: () => string): Promise<number> => {
    const before = meter.functions()[name]?.cpuMicros ?? 0;
    for (let index = 0; index < times; index += 1) {
      const result = await fn.invoke(event());
      if (!result.ok || !result.payload.includes('"statusCode":202')) throw new Error(JSON.stringify(result));
    }
    return ((meter.functions()[name]?.cpuMicros ?? 0) - before) / times;
  };
  return { cpu, stop: () => fn.stop() };
};

/**
 * CPU time of ingestion against a bare handler that parses and validates the same bodies: the same sandbox, the same
 * gateway events, in turn, so that the machine's moods meet both.
 */
export const benchCpu = async (service: MeasuredService, times: number) => {
  const { runtime, credentials, assets, folder } = service;
  const { outputs, endpoints, baseUrl } = runtime;
  const key = credentials.tenants[0]?.api_keys.ingest ?? '';
  const ingestion = functionOf('ingestion', join(assets, 'ingestion', 'index.mjs'), {
    BASE_URL: baseUrl,
    ENVIRONMENT: 'local',
    PUBLIC_CONTRACT: 'true',
    ...Object.fromEntries(
      ['ACCESS', 'TENANTS', 'LIMITS', 'IDEMPOTENCY'].map((name) => [
        `TABLE_${name}`,
        outputs[`Table${name.charAt(0)}${name.slice(1).toLowerCase()}`] ?? '',
      ]),
    ),
    KEY_SIGNING: outputs['KeySigning'] ?? '',
    QUEUE_ACCEPTED: await idleQueue(endpoints.sqs),
    ...Object.fromEntries(
      Object.entries(endpoints).map(([name, url]) => [`AWS_ENDPOINT_URL_${name.toUpperCase()}`, url]),
    ),
  });
  const bare = functionOf('bare', await bundleBare(folder), {});
  const results = [];
  for (const batch of [1, 100]) {
    const path = batch === 1 ? '/api/v1/invocations' : '/api/v1/invocations/batch';
    const event = () =>
      eventOf(path, key, batch === 1 ? benchEvent() : { events: Array.from({ length: batch }, benchEvent) });
    const rounds = Math.ceil(batch === 1 ? times : times / 4);
    const ours: number[] = [];
    const theirs: number[] = [];
    await ingestion.cpu(rounds, event);
    await bare.cpu(rounds, event);
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await ingestion.cpu(rounds, event));
      theirs.push(await bare.cpu(rounds * BARE_REPEATS, event));
    }
    const ratios = ours.map((cpu, round) => cpu / (theirs[round] ?? Number.NaN));
    results.push({
      events: batch,
      'ours µs/event': percentile(ours, 0.5) / batch,
      'bare µs/event': percentile(theirs, 0.5) / batch,
      ratio: percentile(ratios, 0.5),
      goal: 3,
    });
  }
  await Promise.all([ingestion.stop(), bare.stop()]);
  return results;
};
