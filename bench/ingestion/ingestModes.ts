import { setTimeout as sleep } from 'node:timers/promises';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { localClient } from '../../test/support/localAws.ts';
import type { MeasuredService } from '../support/service.ts';
import {
  BATCH,
  benchBody,
  benchEvent,
  request,
  SINGLE,
  type TimedResponse,
  type Tracing,
} from '../support/traffic.ts';

/**
 * How events are sent. `http` sends `batch` events per request, and `otlp` as many spans. `queue` sends one per SQS message,
 * as an AWS producer does.
 */
export interface IngestMode extends Tracing {
  readonly name: string;
  readonly kind: 'http' | 'queue' | 'otlp';
  readonly batch: number;
  readonly concurrency: number;
  /** Requests a second. Absent: as many as are answered. */
  readonly rate?: number;
}

export const single = (concurrency: number): IngestMode => ({
  name: 'HTTP, single',
  kind: 'http',
  batch: 1,
  concurrency,
  traced: 0,
});
export const batches = (batch: number, concurrency: number): IngestMode => ({
  name: `HTTP, batches of ${batch}`,
  kind: 'http',
  batch,
  concurrency,
  traced: 0,
});
export const queued = (concurrency: number): IngestMode => ({
  name: 'SQS, single',
  kind: 'queue',
  batch: 1,
  concurrency,
  traced: 0,
});
/** The same mode, with a trace id in a share of the events. */
export const traced = (mode: IngestMode, share = 1): IngestMode => ({
  ...mode,
  name: `${mode.name}, ${share === 1 ? '' : `${share * 100} % `}traced`,
  traced: share,
});
/** The same mode, at a rate. */
export const paced = (mode: IngestMode, rate: number): IngestMode => ({
  ...mode,
  name: `${mode.name}, ${rate}/s`,
  rate,
});

/** Sends one batch of new events. */
export type Send = () => Promise<TimedResponse>;

const sendOf = ({ runtime, sender }: MeasuredService, mode: IngestMode): Send => {
  const { kind, batch } = mode;
  if (kind === 'http') {
    const url = runtime.baseUrl + (batch === 1 ? SINGLE : BATCH);
    return () => request(url, sender.api_keys.ingest, benchBody(batch, mode));
  }
  const sqs = new SQSClient(localClient(runtime.endpoints.sqs));
  return async () => {
    const startedAt = performance.now();
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: runtime.outputs['IngestionQueueUrl'],
        MessageBody: JSON.stringify(benchEvent(mode)),
      }),
    );
    return { text: '', milliseconds: performance.now() - startedAt };
  };
};

/** A sender that begins at most `rate` requests a second. The wait is not part of the measured time. */
const pace = (send: Send, rate: number): Send => {
  let due = 0;
  return async () => {
    due = Math.max(due + 1_000 / rate, performance.now());
    await sleep(Math.max(0, due - performance.now()));
    return send();
  };
};

export const senderOf = (service: MeasuredService, mode: IngestMode): Send => {
  const send = sendOf(service, mode);
  return mode.rate === undefined ? send : pace(send, mode.rate);
};
