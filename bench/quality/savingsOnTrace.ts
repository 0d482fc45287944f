import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { formatFixedPoint, parseFixedPoint } from '../../schemas/fixedPoint.ts';
import type { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import type { Call } from '../../tools/replay/row.ts';
import type { MeasuredService } from '../support/service.ts';
import { type Table, table } from '../support/table.ts';
import { BATCH, request } from '../support/traffic.ts';
import { PRICES, type PricedModel, type SavingByHand, savingsByHand, sumCalls } from './savingsByHand.ts';

const BATCH_SIZE = 500;
const DAY_MS = 86_400_000;
const PERSONS = 40;
/** Blocks of 512 tokens. A first question shares at most the system prompt with other conversations. */
const FIRST_QUESTION_TOKENS = 1_024;

const Report = z.object({
  data: z.array(
    z.object({
      saving: z.string(),
      service: z.string().nullish(),
      low_usd: z.string(),
      high_usd: z.string(),
      confidence: z.string(),
    }),
  ),
});

interface Service {
  readonly service: string;
  readonly model: PricedModel;
  readonly namesPersons: boolean;
  readonly calls: readonly Call[];
}

/** Conversations that grow by an answer and a question in each of ten turns, for a run without a trace. */
const conversations = (): Call[] =>
  Array.from({ length: 600 }, (_, index): Call => {
    const turn = index % 10;
    return {
      ingestion_layer: 'bench',
      provider: 'openai',
      requested_model: 'gpt-4.1',
      input_tokens: 1_500 + 700 * turn,
      cached_input_tokens: turn === 0 ? 0 : 1_024 + 512 * (turn - 1),
      output_tokens: 300,
    };
  });

const withoutCache = (call: Call): Call => ({ ...call, cached_input_tokens: 0 });

/** The calls as two services of one model, and once more as a service that caches nothing. */
const servicesOf = (calls: readonly Call[]): Service[] => {
  const isFollowUp = ({ cached_input_tokens: cached = 0 }: Call): boolean => cached >= FIRST_QUESTION_TOKENS;
  const named = { model: 'gpt-4.1', namesPersons: false } as const;
  const services: Service[] = [
    { ...named, service: 'first-questions', calls: calls.filter((call) => !isFollowUp(call)) },
    { ...named, service: 'follow-ups', calls: calls.filter(isFollowUp) },
    { service: 'nothing-cached', model: 'gpt-4o', namesPersons: true, calls: calls.map(withoutCache) },
  ];
  return services.filter((service) => service.calls.length > 0);
};

/** The events of a day, each second one. */
const eventsOf = ({ service, model, namesPersons, calls }: Service, from: number): InvocationEvent[] =>
  calls.map(({ input_tokens, cached_input_tokens = 0, output_tokens }, index) => {
    const at = new Date(from + Math.floor((index * (DAY_MS - 1)) / calls.length)).toISOString();
    return {
      event_id: randomUUID(),
      ingestion_layer: 'bench',
      ingestion_timestamp: at,
      occurred_at: at,
      provider: 'openai',
      requested_model: model,
      operation: 'chat',
      input_tokens,
      cached_input_tokens,
      output_tokens,
      attributed_service: service,
      ...(namesPersons && { end_user: `person-${index % PERSONS}` }),
    };
  });

const usd = (units: bigint): number => Number(formatFixedPoint(units));

/**
 * The suggestions of the service for the calls of a trace in one day, beside what a computation of its own gives. Where the trace
 * says which tokens a cache served, also what caching really saves the service that caches nothing.
 */
export const benchSavings = async (
  { runtime, sender }: MeasuredService,
  trace: readonly Call[],
): Promise<Table> => {
  const from = new Date(Date.now() - 2 * DAY_MS).setUTCHours(0, 0, 0, 0);
  const services = servicesOf(trace.length === 0 ? conversations() : trace);
  const { ingest, read } = sender.api_keys;
  for (const service of services) {
    const events = eventsOf(service, from);
    for (let first = 0; first < events.length; first += BATCH_SIZE)
      await request(runtime.baseUrl + BATCH, ingest, { events: events.slice(first, first + BATCH_SIZE) });
  }
  await runtime.idle({ delayed: true });
  const day = [from, from + DAY_MS].map((at) => new Date(at).toISOString());
  const path = `/v1/reports/savings?from=${day[0]}&to=${day[1]}&limit=200`;
  const { data } = Report.parse(JSON.parse((await request(runtime.baseUrl + path, read)).text));
  const names = new Set<unknown>(services.map(({ service }) => service));
  const reported = data.filter(({ service }) => names.has(service));
  const byHand = savingsByHand(
    services.map((service) => sumCalls(service.calls, service)),
    1n,
  );

  const reportedOf = (one: SavingByHand) =>
    reported.find(({ saving, service }) => saving === one.saving && service === one.service);
  const known = sumCalls(trace, { service: '', model: 'gpt-4o', namesPersons: true }).cached;
  const rows = byHand.map((one) => {
    const { low_usd: low = '0', high_usd: high = '0', confidence = 'not suggested' } = reportedOf(one) ?? {};
    const isKnown = one.saving === 'prompt_caching' && one.service === 'nothing-cached' && known > 0n;
    return {
      service: one.service,
      saving: one.saving,
      confidence,
      'service, $ a month': `${low} to ${high}`,
      'by hand, $ a month': `${usd(one.low)} to ${usd(one.high)}`,
      equal: parseFixedPoint(low) === one.low && parseFixedPoint(high) === one.high ? 'yes' : 'NO',
      'really saved': isKnown ? usd(known * (PRICES['gpt-4o'].input - PRICES['gpt-4o'].cached) * 30n) : null,
    };
  });
  return table(
    'Savings, computed twice',
    rows,
    `${trace.length === 0 ? '600 generated calls' : `${trace.length} calls of the trace`}, in one day. The service suggests ${reported.length}, ${byHand.length} are computed by hand.`,
    'Really saved: what the cached tokens of the trace cost less, if the service that caches nothing cached them.',
  );
};
