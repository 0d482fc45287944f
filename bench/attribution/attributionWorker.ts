import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { packMessages } from '../../functions/ingest/events/acceptedMessage.ts';
import type { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import { meteredFunction } from '../support/meteredFunction.ts';
import type { MeasuredService } from '../support/service.ts';
import { median, percentile } from '../support/statistics.ts';
import { goal, type Row, type Table, table } from '../support/table.ts';
import { request } from '../support/traffic.ts';
import { callRows, subtractUsage, sumOf, totalWork } from '../support/usage.ts';
import { type BenchModel, LABELS } from './benchModel.ts';
import { publishModel } from './publishModel.ts';

const BATCH_SIZE = 10;
const WARM_UP_BATCHES = 20;
const GOAL_BATCH_MS = 100;

type TraceFields = Pick<InvocationEvent, 'trace_id' | 'span_id' | 'parent_span_id' | 'attributed_identity'>;

const hexadecimal = (digits: number): string => randomUUID().replaceAll('-', '').slice(0, digits);

/** Trace structures of the ten calls of a batch. */
const TRACE_SHAPES: Readonly<Record<string, () => readonly TraceFields[]>> = {
  'no traces': () => Array.from({ length: BATCH_SIZE }, () => ({})),
  'one trace per event': () =>
    Array.from({ length: BATCH_SIZE }, () => ({ trace_id: hexadecimal(32), span_id: hexadecimal(16) })),
  'one trace, no identity': () => {
    const trace_id = hexadecimal(32);
    return Array.from({ length: BATCH_SIZE }, () => ({ trace_id, span_id: hexadecimal(16) }));
  },
  'one trace, identity on root span': () => {
    const [trace_id, root] = [hexadecimal(32), hexadecimal(16)];
    const children = Array.from({ length: BATCH_SIZE - 1 }, () => ({
      trace_id,
      span_id: hexadecimal(16),
      parent_span_id: root,
    }));
    // The root span comes last, so most child records are written first and must be revised.
    return [...children, { trace_id, span_id: root, attributed_identity: 'team-root' }];
  },
};

/** The Lambda event for ten messages of the accepted queue with one call each. */
const batchEvent = (calls: readonly InvocationEvent[], tenantId: string, queueArn: string): string => {
  const now = Date.now();
  return JSON.stringify({
    Records: calls.flatMap((call) => {
      const event = { ...call, event_id: randomUUID(), ingestion_timestamp: new Date(now).toISOString() };
      const arrival = {
        tenant_id: tenantId,
        stated_by: { kind: 'api_key', id: 'key' } as const,
        received_at: now,
        residency: null,
      };
      return packMessages(arrival, [JSON.stringify(event)]).map((body) => ({
        messageId: randomUUID(),
        body,
        attributes: { SentTimestamp: String(now) },
        eventSourceARN: queueArn,
      }));
    }),
  });
};

const Page = z.object({
  data: z.array(z.object({ interpretation: z.object({ stage_origin: z.string() }) })),
});

/** Share of the newest 100 records that the model attributed. Zero means that no prediction ran. */
const shareByModel = async ({ runtime, sender }: MeasuredService): Promise<number> => {
  const newest = `${runtime.baseUrl}/v1/attribution?sort=-occurred_at&limit=100`;
  const { data } = Page.parse(JSON.parse((await request(newest, sender.api_keys.read)).text));
  return data.filter(({ interpretation }) => interpretation.stage_origin === 'stage_b').length / data.length;
};

/** Measures the attribution worker on the embedded engines, one full batch at a time, with a prediction for every call. */
export const benchAttributionWorker = async (
  service: MeasuredService,
  { artefact, calls }: BenchModel,
  batches: number,
): Promise<Table[]> => {
  await publishModel(service, artefact);
  const worker = meteredFunction(service.standaloneOf('WorkersAttribution'));
  const queueArn = service.functionOf('WorkersAttribution').variables['SOURCE_ACCEPTED'] ?? '';
  let next = 0;
  const run = async (spans: () => readonly TraceFields[]): Promise<number> => {
    const ten = spans().flatMap((span) => {
      next += 1;
      const call = calls[next % calls.length];
      return call === undefined ? [] : [{ ...call.event, ...span }];
    });
    const event = batchEvent(ten, service.sender.tenant_id, queueArn);
    const { payload, milliseconds } = await worker.invoke(event);
    if (payload !== '{"batchItemFailures":[]}') throw new Error(`messages failed: ${payload}`);
    return milliseconds;
  };

  const durations: Row[] = [];
  const operations: Row[] = [];
  for (const [traces, spans] of Object.entries(TRACE_SHAPES)) {
    for (let batch = 0; batch < WARM_UP_BATCHES; batch += 1) await run(spans);
    const before = worker.usage();
    const durationsMs: number[] = [];
    for (let batch = 0; batch < batches; batch += 1) durationsMs.push(await run(spans));
    const used = subtractUsage(before, worker.usage());
    const events = BATCH_SIZE * batches;
    if (sumOf(used, /BatchExecuteStatement/, 'capacity') < 2 * events)
      throw new Error('some events were rejected instead of recorded');
    const p99 = percentile(durationsMs, 0.99);
    durations.push({
      traces,
      batches,
      'p50 ms': median(durationsMs),
      'p99 ms': p99,
      goal: goal(p99, GOAL_BATCH_MS),
      'share by model': await shareByModel(service),
      'CPU ms/event': (totalWork(used).cpuSeconds * 1_000) / events,
      'AWS calls/event': sumOf(used, /./) / events,
      'units/event': sumOf(used, /./, 'capacity') / events,
    });
    operations.push(
      ...callRows(used, events).map(({ operation, calls, units }) => ({ traces, operation, calls, units })),
    );
  }
  await worker.stop();
  return [
    table(
      `Attribution worker: duration of a batch of ${BATCH_SIZE} messages, with a model of ${LABELS} labels`,
      durations,
      'One batch at a time, from invocation to response. The engines run on the same machine. Share by model: share of records',
      'that the model attributed. Calls that get their evidence from their trace are attributed by the rules.',
    ),
    table('Attribution worker: AWS calls and capacity units per event', operations),
  ];
};
