import { MINUTE_MS } from '../../../../schemas/durations.ts';
import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import { type Draws, digestOf, pickWeighted, seededDraws } from './seededRandom.ts';
import type { Service } from './service.ts';
import { services } from './services.ts';
import { personOf } from './teams.ts';
import { instantSampler } from './trafficPattern.ts';
import { usageOf } from './usage.ts';

export interface SampleOptions {
  /** The same seed gives the same calls, for any time window. */
  readonly seed: number;
  readonly events: number;
  /** The end of the time window, exclusive. */
  readonly end: Date;
  /** The length of the time window in days. */
  readonly days: number;
}

/** Share of calls without identity fields. */
const UNIDENTIFIED = 0.07;
const TRACED = 0.6;
const STAGING = 0.08;
/** The agent calls within this number of consecutive events belong to one run. */
const RUN_EVENTS = 40;
const RUN_MS = 4 * MINUTE_MS;
/** Delay between the end of a call and its capture. */
const CAPTURE_DELAY_MS = 250;

/** The keys of the tags of the sample. */
export const SAMPLE_TAG_KEYS = ['env'];

/** A call whose content follows from its name. */
export interface PlannedCall {
  readonly index: number;
  readonly service: Service;
  readonly at: number;
  /** The seed of all random draws of the call. */
  readonly name: string;
  /** The seed of the trace id of the call. */
  readonly trace: string | undefined;
}

/** A version 8 UUID (RFC 9562) from a digest. */
const uuidOf = (digest: Buffer): string => {
  const hex = digest.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const identityOf = ({ team, identity }: Service, draws: Draws): Partial<InvocationEvent> => ({
  ...(team !== undefined && { end_user: personOf(team, draws.uniform()) }),
  ...identity,
});

const eventOf = ({ service, at, name, trace }: PlannedCall, end: number): InvocationEvent => {
  const draws = seededDraws(`${name}/call`);
  const use = pickWeighted(service.models, draws.uniform());
  const usage = usageOf(service, use, draws);
  const capturedAt = Math.min(at + (usage.latency_ms ?? 0) + CAPTURE_DELAY_MS, end);
  return {
    event_id: uuidOf(digestOf(name)),
    ingestion_layer: service.layer,
    ingestion_timestamp: new Date(capturedAt).toISOString(),
    occurred_at: new Date(at).toISOString(),
    provider: use.provider,
    requested_model: use.model,
    ...(use.served !== undefined && { served_model: use.served }),
    operation: service.operation,
    ...(use.regions !== undefined && { region: draws.pick(use.regions) }),
    ...usage,
    ...(service.batch !== undefined && { batch: service.batch }),
    pathway_category: service.pathway,
    ...(draws.chance(UNIDENTIFIED) ? {} : identityOf(service, draws)),
    ...(trace !== undefined && {
      trace_id: digestOf(trace).toString('hex', 0, 16),
      span_id: digestOf(name).toString('hex', 16, 24),
    }),
    tags: [draws.chance(STAGING) ? 'env:staging' : 'env:prod'],
  };
};

/** The usual calls, in no order. */
export const planCalls = ({ seed, events, end, days }: SampleOptions): PlannedCall[] => {
  const clocks = new Map(
    services.map(({ pattern }) => [pattern, instantSampler(pattern, end.getTime(), days)] as const),
  );
  const instant = (service: Service, draws: Draws): number =>
    clocks.get(service.pattern)?.(draws.uniform(), draws.uniform()) ?? end.getTime() - 1;

  return Array.from({ length: events }, (_, index) => {
    const name = `sample/${seed}/${index}`;
    const draws = seededDraws(`${name}/plan`);
    const service = pickWeighted(services, draws.uniform());
    if (service.pathway !== 'agent_workflow') {
      const trace = draws.chance(TRACED) ? `${name}/trace` : undefined;
      return { index, service, name, trace, at: instant(service, draws) };
    }
    const run = `sample/${seed}/run/${Math.floor(index / RUN_EVENTS)}`;
    const started = instant(service, seededDraws(run));
    const at = Math.min(started + Math.floor(draws.uniform() * RUN_MS), end.getTime() - 1);
    return { index, service, name, trace: run, at };
  });
};

/** The events of planned calls in time order, none captured after `end` (epoch milliseconds). */
export function* toEvents(plan: readonly PlannedCall[], end: number): Generator<InvocationEvent> {
  const inTimeOrder = plan.toSorted((one, other) => one.at - other.at || one.index - other.index);
  for (const planned of inTimeOrder) yield eventOf(planned, end);
}

/**
 * Traffic of a fictional company, in time order. Pure: seed and index determine everything except the times. So the same
 * seed with another `end` gives the same events, and loading them twice adds nothing. Keeps a small plan of all events in
 * memory to sort them by time.
 */
export const sampleTraffic = (options: SampleOptions): Generator<InvocationEvent> =>
  toEvents(planCalls(options), options.end.getTime());
