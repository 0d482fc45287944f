import { randomUUID } from 'node:crypto';
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { requestEvent } from '../local/http/requestEvent.ts';
import type { FunctionDeclaration } from '../local/template/functions.ts';
import { bundleHandler, type MeteredFunction, meteredFunction } from './meteredFunction.ts';
import type { MeasuredService } from './service.ts';
import { median } from './statistics.ts';
import { goal, type Row, type Table, table } from './table.ts';
import { BATCH, benchBody, SINGLE } from './traffic.ts';

const ROUNDS = 7;
const GOAL_RATIO = 3;

/** A queue nobody consumes, so that the worker does not stir the machine meanwhile. */
const unconsumedQueue = async (endpoint: string): Promise<string> => {
  const sqs = new SQSClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'bench-unconsumed' }));
  sqs.destroy();
  return QueueUrl;
};

/** The gateway's event of a request with new events in it. */
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

/** The function that takes such requests, as it runs here, but for the queue. */
const ingestionFunction = async (service: MeasuredService, batch: number): Promise<FunctionDeclaration> => {
  const found = service.standaloneOf(batch === 1 ? 'UnitsIngestion' : 'UnitsBatchIngestion');
  const variables = {
    ...found.variables,
    QUEUE_ACCEPTED: await unconsumedQueue(service.runtime.endpoints.sqs),
    // Batches of 1,000 one after the other are more than any plan admits.
    RATE_LIMIT_SCALE: '100',
  };
  return { ...found, variables };
};

/** Ours, one that only parses and validates, and one that also puts the body on the queue; each in the same sandbox. */
const compared = async (service: MeasuredService, batch: number): Promise<MeteredFunction[]> => {
  const ingestion = await ingestionFunction(service, batch);
  const other = async (source: string) =>
    meteredFunction({ ...ingestion, logicalId: source, file: await bundleHandler(source, service.folder) });
  return [meteredFunction(ingestion), await other('bareHandler'), await other('sendingHandler')];
};

/**
 * CPU time of ingestion against a bare handler that parses and validates the same bodies: the same sandbox, the same
 * gateway events, in turn, so that the machine's moods meet both. A third one also puts the body on the queue.
 */
export const benchCpu = async (service: MeasuredService, times: number): Promise<Table> => {
  const rows: Row[] = [];
  for (const [batch, invocations] of [
    [1, times],
    [100, Math.ceil(times / 5)],
    [1_000, Math.ceil(times / 25)],
  ] as const) {
    const functions = await compared(service, batch);
    const rounds: number[][] = [];
    // The first two rounds warm the handlers up.
    for (let round = -2; round < ROUNDS; round += 1) {
      const key = service.sender.api_keys.ingest;
      const events = Array.from({ length: invocations }, () => gatewayEvent(batch, key));
      const micros: number[] = [];
      for (const one of functions) micros.push((await one.cpu(events)) / batch);
      if (round >= 0) rounds.push(micros);
    }
    await Promise.all(functions.map((one) => one.stop()));
    const of = (index: number): number => median(rounds.map((micros) => micros[index] ?? Number.NaN));
    const over = (index: number): number =>
      median(rounds.map((micros) => (micros[0] ?? Number.NaN) / (micros[index] ?? Number.NaN)));
    rows.push({
      events: batch,
      'ingestion µs': of(0),
      'bare µs': of(1),
      ratio: over(1),
      goal: goal(over(1), GOAL_RATIO),
      'bare + one send µs': of(2),
      'ratio to that': over(2),
    });
  }
  return table(
    'CPU of ingestion for one event, against a handler that only parses and validates',
    rows,
    `Medians of ${ROUNDS} rounds in turn. One AWS call takes more CPU than 100 events to parse and validate, most of it in the`,
    'kernel and the SDK; an accepted request makes three or four: credential, limit, idempotency, queue.',
  );
};
