import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { packMessages } from '../functions/ingestion/acceptedMessage.ts';
import type { InvocationEvent } from '../schemas/ingestion/invocationEvent.ts';
import { type BenchModel, LABELS } from './benchModel.ts';
import { meteredFunction } from './meteredFunction.ts';
import { publishModel } from './publishModel.ts';
import type { MeasuredService } from './service.ts';
import { median, percentile } from './statistics.ts';
import { goal, type Row, type Table, table } from './table.ts';
import { request } from './traffic.ts';
import { callRows, subtractUsage, sumOf, totalWork } from './usage.ts';

const MESSAGES = 10;
const WARM_UP = 20;
const GOAL_BATCH_MILLISECONDS = 100;

type TraceFields = Pick<InvocationEvent, 'trace_id' | 'span_id' | 'parent_span_id' | 'attributed_identity'>;

const hexadecimal = (digits: number): string => randomUUID().replaceAll('-', '').slice(0, digits);

/** What the ten calls of a batch have to do with each other. */
const TRACES: Readonly<Record<string, () => readonly TraceFields[]>> = {
  'no traces': () => Array.from({ length: MESSAGES }, () => ({})),
  'a trace each': () =>
    Array.from({ length: MESSAGES }, () => ({ trace_id: hexadecimal(32), span_id: hexadecimal(16) })),
  'one trace, nobody told': () => {
    const trace_id = hexadecimal(32);
    return Array.from({ length: MESSAGES }, () => ({ trace_id, span_id: hexadecimal(16) }));
  },
  'one trace, its root told': () => {
    const [trace_id, root] = [hexadecimal(32), hexadecimal(16)];
    const below = Array.from({ length: MESSAGES - 1 }, () => ({
      trace_id,
      span_id: hexadecimal(16),
      parent_span_id: root,
    }));
    // The root comes last, so that most of those below are written before it and have to be revised.
    return [...below, { trace_id, span_id: root, attributed_identity: 'team-root' }];
  },
};

/** The event of a batch, as Lambda makes it of ten messages on the accepted queue with one call each. */
const batchEvent = (calls: readonly InvocationEvent[], tenantId: string, queueArn: string): string => {
  const now = Date.now();
  return JSON.stringify({
    Records: calls.flatMap((call) => {
      const event = { ...call, event_id: randomUUID(), ingestion_timestamp: new Date(now).toISOString() };
      const arrival = { tenant_id: tenantId, received_at: now, residency: null };
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

/** Share of the newest hundred records that the model placed: none would mean that it was not asked. */
const shareByModel = async ({ runtime, sender }: MeasuredService): Promise<number> => {
  const newest = `${runtime.baseUrl}/v1/attribution?sort=-occurred_at&limit=100`;
  const { data } = Page.parse(JSON.parse((await request(newest, sender.api_keys.read)).text));
  return data.filter(({ interpretation }) => interpretation.stage_origin === 'stage_b').length / data.length;
};

/** The attribution worker over the embedded engines, a full batch at a time, each call asked of a loaded model. */
export const benchQueueBatches = async (
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
  for (const [traces, spans] of Object.entries(TRACES)) {
    for (let batch = 0; batch < WARM_UP; batch += 1) await run(spans);
    const before = worker.usage();
    const each: number[] = [];
    for (let batch = 0; batch < batches; batch += 1) each.push(await run(spans));
    const used = subtractUsage(before, worker.usage());
    const events = MESSAGES * batches;
    if (sumOf(used, /PutItem/) < 2 * events) throw new Error('calls were set aside');
    const p99 = percentile(each, 0.99);
    durations.push({
      traces,
      batches,
      'p50 ms': median(each),
      'p99 ms': p99,
      goal: goal(p99, GOAL_BATCH_MILLISECONDS),
      'by the model': await shareByModel(service),
      'CPU ms an event': (totalWork(used).cpuSeconds * 1_000) / events,
      'AWS calls an event': sumOf(used, /./) / events,
      'units an event': sumOf(used, /./, 'capacity') / events,
    });
    operations.push(
      ...callRows(used, events).map(({ operation, calls, units }) => ({ traces, operation, calls, units })),
    );
  }
  await worker.stop();
  return [
    table(
      `The attribution worker: a batch of ${MESSAGES} messages, every call asked of a model of ${LABELS} labels`,
      durations,
      'One batch at a time, from handing over to answer; the engines run on the same machine. By the model: share of records',
      'it placed; calls that learn from their trace are placed by the rules.',
    ),
    table('The attribution worker: AWS calls and capacity units for one event', operations),
  ];
};
