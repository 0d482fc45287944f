import type { Draws } from '../../functions/tenants/sandbox/sample/seededRandom.ts';
import { DAY_MS, HOUR_MS } from '../../schemas/durations.ts';
import { foreignEventIdOf, litellmLogs, otlpTraces, type SentCall } from './foreignFormats.ts';
import type { ExpectedCall } from './journal.ts';

/** Price of gpt-4o: USD 2.5 per million input tokens and USD 10 per million output tokens, in units of 10⁻⁷ USD. */
const TEN_MILLIONTHS = { input: 25n, output: 100n };
const BATCH_MAXIMUM = 20;
/** A reported cost above that of every call, so it is set aside until it is confirmed. */
export const IMPLAUSIBLE_USD = 70_000n;
const TEN_MILLIONTHS_IN_USD = 10_000_000n;
/** Late calls are at most this old. */
const LATE_MS = 40 * DAY_MS;
const OWNERS = ['team-search', 'team-ads', 'team-mail', 'team-maps', 'team-video', 'team-shop'] as const;

/** A request of events, with what it is expected to lead to. */
export interface EventRequest {
  readonly path:
    | '/api/v1/invocations'
    | '/api/v1/invocations/batch'
    | '/api/v1/otlp/v1/traces'
    | '/api/v1/call-logs';
  readonly body: unknown;
  readonly calls: readonly ExpectedCall[];
}

type Event = SentCall;

const whole = (draws: Draws, below: number): number => Math.floor(draws.uniform() * below);

const identifier = (draws: Draws): string => {
  const hex = Array.from({ length: 32 }, () => whole(draws, 16).toString(16)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

const spanId = (draws: Draws): string => identifier(draws).replaceAll('-', '').slice(0, 16);

const isCall = ({ operation }: Event): boolean => operation === undefined;

const expectedOf = (event: Event, eventId = String(event['event_id'])): ExpectedCall => {
  const [input, output] = [Number(event['input_tokens']), Number(event['output_tokens'])];
  const cost = BigInt(input) * TEN_MILLIONTHS.input + BigInt(output) * TEN_MILLIONTHS.output;
  const isSetAside = event['estimated_cost_usd'] !== undefined;
  return {
    eventId,
    ...(isSetAside
      ? { cost: IMPLAUSIBLE_USD * TEN_MILLIONTHS_IN_USD, isSetAside }
      : { cost: isCall(event) ? cost : 0n }),
    inputTokens: input,
    outputTokens: output,
  };
};

const drawEvent = (draws: Draws, now: number): Event => {
  const at = now - (draws.chance(0.05) ? whole(draws, LATE_MS - HOUR_MS) + HOUR_MS : whole(draws, 5_000));
  return {
    event_id: identifier(draws),
    ingestion_layer: 'gateway',
    ingestion_timestamp: new Date(at).toISOString(),
    provider: 'openai',
    requested_model: 'gpt-4o',
    input_tokens: whole(draws, 50_000),
    output_tokens: whole(draws, 5_000),
    ...(draws.chance(0.8) && { attributed_identity: draws.pick(OWNERS) }),
    attributed_service: `service-${whole(draws, 20)}`,
  };
};

const withImplausibleCost = (event: Event): Event => ({
  ...event,
  estimated_cost_usd: String(IMPLAUSIBLE_USD),
  cost_source: 'provider',
});

/** An agent that calls a model several times. It reports their sum again, which costs nothing. Its spans arrive in any order. */
const drawTrace = (draws: Draws, now: number): Event[] => {
  const trace_id = identifier(draws).replaceAll('-', '');
  const root = spanId(draws);
  const calls = Array.from({ length: 2 + whole(draws, 5) }, () => {
    const { attributed_identity: _owner, ...event } = drawEvent(draws, now);
    return { ...event, trace_id, span_id: spanId(draws), parent_span_id: root };
  });
  const agent = { ...drawEvent(draws, now), trace_id, span_id: root, operation: 'invoke_agent' };
  return draws.chance(0.5) ? [agent, ...calls] : [...calls, agent];
};

/**
 * Draws requests: single calls, batches, traces, exports of OpenTelemetry, logs of LiteLLM, late calls, repeated ones, and calls
 * with an implausible cost.
 */
export const requestSource = (draws: Draws) => {
  let recent: Event[] = [];
  const requestOf = (events: readonly Event[]): EventRequest => {
    recent = [...recent, ...events].slice(-500);
    const calls = events.map((event) => expectedOf(event));
    const [only] = events;
    return events.length === 1
      ? { path: '/api/v1/invocations', body: only, calls }
      : { path: '/api/v1/invocations/batch', body: { events }, calls };
  };
  let foreign: EventRequest | undefined;
  const foreignRequest = (now: number): EventRequest => {
    // Exporters send again what has no answer.
    if (foreign !== undefined && draws.chance(0.05)) return foreign;
    const isTrace = draws.chance(0.5);
    const sent = isTrace
      ? drawTrace(draws, now)
      : Array.from({ length: 1 + whole(draws, BATCH_MAXIMUM) }, () => drawEvent(draws, now));
    foreign = {
      path: isTrace ? '/api/v1/otlp/v1/traces' : '/api/v1/call-logs',
      body: isTrace ? otlpTraces(sent) : litellmLogs(sent),
      // The span of an agent has no record of its own beside its calls in one export.
      calls: sent
        .filter((event) => !isTrace || isCall(event))
        .map((event) => expectedOf(event, foreignEventIdOf(event))),
    };
    return foreign;
  };
  return (now: number): EventRequest => {
    if (draws.chance(0.3)) return foreignRequest(now);
    const again = recent[whole(draws, recent.length)];
    if (again !== undefined && draws.chance(0.05)) {
      return requestOf([{ ...again, ingestion_timestamp: new Date(now).toISOString() }]);
    }
    if (draws.chance(0.05)) return requestOf([withImplausibleCost(drawEvent(draws, now))]);
    if (draws.chance(0.3)) return requestOf([drawEvent(draws, now)]);
    if (draws.chance(0.4)) return requestOf(drawTrace(draws, now));
    return requestOf(
      Array.from({ length: 2 + whole(draws, BATCH_MAXIMUM - 1) }, () => drawEvent(draws, now)),
    );
  };
};
