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
}

export const single = (concurrency: number): IngestMode => ({
  name: 'HTTP, single',
  kind: 'http',
  batch: 1,
  concurrency,
  traced: false,
});
export const batches = (batch: number, concurrency: number): IngestMode => ({
  name: `HTTP, batches of ${batch}`,
  kind: 'http',
  batch,
  concurrency,
  traced: false,
});
export const queued = (concurrency: number): IngestMode => ({
  name: 'SQS, single',
  kind: 'queue',
  batch: 1,
  concurrency,
  traced: false,
});
/** The same mode, with events that carry a trace id. */
export const traced = (mode: IngestMode): IngestMode => ({
  ...mode,
  name: `${mode.name}, traced`,
  traced: true,
});

/** Sends one batch of new events. */
export type Send = () => Promise<TimedResponse>;

export const senderOf = ({ runtime, sender }: MeasuredService, mode: IngestMode): Send => {
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
