import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { requestEvent } from '../../local/http/requestEvent.ts';
import type { FunctionDeclaration } from '../../local/template/functions.ts';
import { localClient } from '../../test/support/localAws.ts';
import { bundleHandler, type MeteredFunction, meteredFunction } from '../support/meteredFunction.ts';
import type { MeasuredService } from '../support/service.ts';
import { median } from '../support/statistics.ts';
import { goal, type Row, type Table, table } from '../support/table.ts';
import { BATCH, benchBody, SINGLE } from '../support/traffic.ts';

const ROUNDS = 7;
const GOAL_RATIO = 3;

/** A queue without a consumer, so that the worker does not use CPU during the measurement. */
const unconsumedQueue = async (endpoint: string): Promise<string> => {
  const sqs = new SQSClient(localClient(endpoint));
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'bench-unconsumed' }));
  sqs.destroy();
  return QueueUrl;
};

/** The API Gateway event of an ingestion request with `batch` new events. */
const gatewayEvent = (batch: number, key: string): string => {
  const path = batch === 1 ? SINGLE : BATCH;
  const headers = ['host', '127.0.0.1', 'content-type', 'application/json', 'x-api-key', key];
  return JSON.stringify(
    requestEvent(
      {
        method: 'POST',
        rawPath: path,
        rawQuery: '',
        rawHeaders: [...headers, 'idempotency-key', randomUUID()],
        body: Buffer.from(JSON.stringify(benchBody(batch))),
        sourceIp: '127.0.0.1',
        httpVersion: '1.1',
        host: '127.0.0.1',
      },
      {
        apiId: 'bench',
        routeKey: `POST ${path}`,
        parameters: {},
        requestId: randomUUID(),
        epochMs: Date.now(),
      },
    ),
  );
};

/** The ingestion function with its local environment, but with the unconsumed queue. */
const ingestionFunction = async (service: MeasuredService, batch: number): Promise<FunctionDeclaration> => {
  const declaration = service.standaloneOf(batch === 1 ? 'UnitsIngest' : 'UnitsIngestBatches');
  const variables = {
    ...declaration.variables,
    QUEUE_ACCEPTED: await unconsumedQueue(service.runtime.endpoints.sqs),
    // Consecutive batches of 1,000 exceed the limits of every plan.
    RATE_LIMIT_SCALE: '100',
  };
  return { ...declaration, variables };
};

/** Three functions in identical sandboxes: ingestion, validation only, and validation with one queue send. */
const startFunctions = async (service: MeasuredService, batch: number): Promise<MeteredFunction[]> => {
  const ingestion = await ingestionFunction(service, batch);
  const baseline = async (name: string) => {
    const file = await bundleHandler(join(import.meta.dirname, `${name}.ts`), service.folder);
    return meteredFunction({ ...ingestion, logicalId: name, file });
  };
  return [
    meteredFunction(ingestion),
    await baseline('validatingHandler'),
    await baseline('enqueuingHandler'),
  ];
};

/**
 * CPU time of ingestion, compared with a baseline handler that only parses and validates the same bodies. A second
 * baseline also sends the body to a queue. All run in turn on the same events, so that machine noise affects them equally.
 */
export const benchIngestionCpu = async (service: MeasuredService, times: number): Promise<Table> => {
  const rows: Row[] = [];
  for (const [batch, invocations] of [
    [1, times],
    [100, Math.ceil(times / 5)],
    [1_000, Math.ceil(times / 25)],
  ] as const) {
    const functions = await startFunctions(service, batch);
    const rounds: number[][] = [];
    // The first two rounds are warm-up.
    for (let round = -2; round < ROUNDS; round += 1) {
      const key = service.sender.api_keys.ingest;
      const events = Array.from({ length: invocations }, () => gatewayEvent(batch, key));
      const micros: number[] = [];
      for (const one of functions) micros.push((await one.cpu(events)) / batch);
      if (round >= 0) rounds.push(micros);
    }
    await Promise.all(functions.map((one) => one.stop()));
    const medianOf = (index: number): number => median(rounds.map((micros) => micros[index] ?? Number.NaN));
    const ratioTo = (index: number): number =>
      median(rounds.map((micros) => (micros[0] ?? Number.NaN) / (micros[index] ?? Number.NaN)));
    rows.push({
      events: batch,
      'ingestion µs': medianOf(0),
      'baseline µs': medianOf(1),
      ratio: ratioTo(1),
      goal: goal(ratioTo(1), GOAL_RATIO),
      'baseline + one send µs': medianOf(2),
      'ratio to that': ratioTo(2),
    });
  }
  return table(
    'Ingestion: CPU time per event, compared with a handler that only parses and validates',
    rows,
    `Medians of ${ROUNDS} interleaved rounds. One AWS call takes more CPU time than parsing and validating 100 events, most`,
    'of it in the kernel and the SDK. An accepted request makes three or four calls: credential, limit, idempotency, queue.',
  );
};
