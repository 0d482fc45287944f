import { DeleteItemCommand, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';
import { sqs } from '../../../platform/shared/aws/sqs.client.ts';
import type { Clock } from '../../../platform/shared/time/clock.ts';
import { expiryOf, keyIn, passKey } from './traceRow.store.ts';
import type { TraceLane } from './traceSpan.ts';

/** The pass over a trace, to start or to continue. */
export const TracePass = z.object({
  tenant_id: z.string(),
  trace_id: z.string(),
  lane: z.string().optional(),
  /** The last record that was compared; null before the first. */
  after: z.string().nullable(),
  /** Whether this round over the trace has changed a record. */
  has_changed: z.boolean(),
});
export type TracePass = z.infer<typeof TracePass>;

export interface TracePassQueue {
  /** Asks for a pass that begins after this moment. Any number of requests at one time lead to one. */
  readonly request: (trace: TraceLane) => Promise<void>;
  /**
   * Says that the message of a request was received. Call it before the pass reads: until then, others rely on the message. The note
   * of a clock that was ahead would otherwise hold back the requests of a later time.
   */
  readonly begin: (trace: TraceLane) => Promise<void>;
  readonly sendContinuation: (pass: TracePass) => Promise<void>;
}
export type RequestTracePass = TracePassQueue['request'];

/**
 * Passes over traces, in the queue of jobs. All requests of a window share the pass that starts after it. So a trace that
 * grows for hours is not read all the time.
 */
export const tracePassQueue = (
  table: string,
  queueUrl: string,
  clock: Clock,
  windowMs: number,
): TracePassQueue => {
  const send = async (pass: TracePass, delaySeconds: number): Promise<void> => {
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: JSON.stringify(pass),
        MessageGroupId: pass.tenant_id,
        DelaySeconds: delaySeconds,
      }),
    );
  };
  return {
    request: async (trace) => {
      const now = clock();
      const start = (Math.floor(now / windowMs) + 1) * windowMs;
      const Key = keyIn(trace, passKey(trace.lane));
      const { Item } = await dynamodb.send(
        new GetItemCommand({ TableName: table, Key, ConsistentRead: true }),
      );
      if (Item?.['start']?.N === String(start)) return;
      const { tenantId: tenant_id, traceId: trace_id, lane } = trace;
      const pass = {
        tenant_id,
        trace_id,
        ...(lane !== undefined && { lane }),
        after: null,
        has_changed: false,
      };
      await send(pass, Math.ceil((start - now) / 1_000));
      // Noted after it was sent: a crash in between sends a second message, which is harmless.
      await dynamodb.send(
        new PutItemCommand({
          TableName: table,
          Item: { ...Key, start: { N: String(start) }, ttl: expiryOf(now) },
        }),
      );
    },
    begin: async (trace) => {
      const Key = keyIn(trace, passKey(trace.lane));
      await dynamodb.send(new DeleteItemCommand({ TableName: table, Key }));
    },
    sendContinuation: (pass) => send(pass, 0),
  };
};
