import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { MeasuredService } from './service.ts';
import {
  BATCH,
  benchBody,
  benchEvent,
  request,
  SINGLE,
  type TimedResponse,
  type Tracing,
} from './traffic.ts';

/** A way to hand events over. `http` sends `batch` events a request, `queue` one a message as an AWS producer does. */
export interface IngestMode extends Tracing {
  readonly name: string;
  readonly kind: 'http' | 'queue';
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
/** The same way, for events that name a trace. */
export const traced = (way: IngestMode): IngestMode => ({
  ...way,
  name: `${way.name}, traced`,
  traced: true,
});

/** Hands one batch over, new events each time. */
export type Send = () => Promise<TimedResponse>;

export const senderOf = ({ runtime, sender }: MeasuredService, way: IngestMode): Send => {
  const { kind, batch } = way;
  if (kind === 'http') {
    const url = runtime.baseUrl + (batch === 1 ? SINGLE : BATCH);
    return () => request(url, sender.api_keys.ingest, benchBody(batch, way));
  }
  const sqs = new SQSClient({
    endpoint: runtime.endpoints.sqs,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  return async () => {
    const began = performance.now();
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: runtime.outputs['IngestionQueueUrl'],
        MessageBody: JSON.stringify(benchEvent(way)),
      }),
    );
    return { text: '', milliseconds: performance.now() - began };
  };
};
