import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import { type Draws, digestOf, pickWeighted, seededDraws } from './seededRandom.ts';
import type { Service } from './service.ts';
import { services } from './services.ts';
import { personOf } from './teams.ts';
import { instantSampler } from './trafficPattern.ts';
import { usageOf } from './usage.ts';

export interface SampleOptions {
  /** The same seed gives the same calls, whatever the window. */
  readonly seed: number;
  readonly events: number;
  /** Every call lies before this instant … */
  readonly end: Date;
  /** … and at most this many days before it. */
  readonly days: number;
}

/** Part of the calls that arrive without anything to tell where they come from. */
const UNIDENTIFIED = 0.07;
const TRACED = 0.6;
const STAGING = 0.08;
/** An agent makes several calls in one run: those among so many consecutive events belong together. */
const RUN_EVENTS = 40;
const RUN_MS = 4 * 60_000;
/** A capture layer sees a call when it ends, and a little later. */
const CAPTURE_DELAY_MS = 250;

interface Planned {
  readonly index: number;
  readonly service: Service;
  readonly at: number;
  /** The name all draws of the call follow from. */
  readonly name: string;
  /** The name of the trace the call is part of. */
  readonly trace: string | undefined;
}

/** UUID-shaped, as a UUID version 8 of RFC 9562: the digest of whatever the producer chose. */
const uuidOf = (digest: Buffer): string => {
  const hex = digest.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

const identityOf = ({ team, identity }: Service, draws: Draws): Partial<InvocationEvent> => ({
  ...(team !== undefined && { attributed_identity: personOf(team, draws.uniform()) }),
  ...identity,
});

const eventOf = ({ service, at, name, trace }: Planned, end: number): InvocationEvent => {
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

const planCalls = ({ seed, events, end, days }: SampleOptions): Planned[] => {
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

/**
 * Traffic of an invented company, in order of time. Pure: everything but the times follows from seed and index, so the
 * same seed at another `end` is the same events, and loading it twice adds nothing. Holds a small plan of all events
 * in memory, since their order is that of the times.
 */
export function* sampleTraffic(options: SampleOptions): Generator<InvocationEvent> {
  const plan = planCalls(options).sort((one, other) => one.at - other.at || one.index - other.index);
  for (const planned of plan) yield eventOf(planned, options.end.getTime());
}
