import { mulberry32 } from '../../functions/platform/shared/mulberry32.ts';
import type { Call } from './calls.ts';

/** Which calls of a company name their owner, and what else is known about the others. */
export interface Protocol {
  readonly name: string;
  readonly title: string;
  /** The share of its calls in which a service names the owner. `draw` is uniform in [0, 1), one for each service. */
  readonly labelledShare: (draw: number) => number;
  /** Services that share an API key. Absent: the key is not known. */
  readonly servicesPerKey?: number;
  /** Whether the calls pass through one of three gateways, whose metadata name the owner. */
  readonly gateways?: true;
  /** Half of the calls lie in traces of up to four calls of a service. The share of these calls that another service makes. */
  readonly traces?: number;
  /** Whether each service starts and ends: it lives for half of the time. */
  readonly lifetimes?: true;
  /** Whether all sizes differ by up to 3 % and three tokens from those of the trace. */
  readonly jitter?: true;
}

const half = (): number => 0.5;
/** Whole services without labels. Their calls look like those of the others, and nobody can name them. */
const silent =
  (share: number, labelled: number) =>
  (draw: number): number =>
    draw < share ? 0 : labelled;
const oneOf =
  (...shares: readonly number[]) =>
  (draw: number): number =>
    shares[Math.floor(draw * shares.length)] ?? 0;

const keys = (servicesPerKey: number): Protocol => ({
  name: `key-${servicesPerKey}`,
  title: `Half of the calls, a key for ${servicesPerKey === 1 ? 'each service' : `${servicesPerKey} services`}`,
  labelledShare: half,
  servicesPerKey,
});

export const PROTOCOLS: readonly Protocol[] = [
  keys(1),
  keys(2),
  keys(4),
  keys(8),
  { ...keys(4), name: 'key-4-jitter', title: 'A key for 4 services, sizes jittered', jitter: true },
  {
    name: 'gateways',
    title: 'Three gateways, metadata on .2, .5 or .9 of the calls by service',
    labelledShare: oneOf(0.2, 0.5, 0.9),
    gateways: true,
  },
  {
    name: 'traces',
    title: 'A fifth of the calls labelled, half of the calls in traces',
    labelledShare: () => 0.2,
    traces: 0,
  },
  {
    name: 'traces-mixed',
    title: 'The same, some calls in traces of another service',
    labelledShare: () => 0.2,
    traces: 0.03,
  },
  { name: 'half', title: 'Half of the calls, nothing else known', labelledShare: half },
  { name: 'jitter', title: 'The same, sizes jittered', labelledShare: half, jitter: true },
  { name: 'lifetimes', title: 'The same, services start and end', labelledShare: half, lifetimes: true },
  { name: 'tenth', title: 'A tenth of the calls', labelledShare: () => 0.1 },
  { name: 'uneven', title: '.02, .2 or .8 of the calls by service', labelledShare: oneOf(0.02, 0.2, 0.8) },
  {
    name: 'whole',
    title: 'Two fifths of the services never label, the others always',
    labelledShare: silent(0.4, 1),
  },
  {
    name: 'whole-mostly',
    title: 'Three tenths of the services never label, the others .95 of their calls',
    labelledShare: silent(0.3, 0.95),
  },
  {
    name: 'whole-half',
    title: 'Three tenths of the services never label, the others half of their calls',
    labelledShare: silent(0.3, 0.5),
  },
  {
    name: 'whole-key-4',
    title: 'The same, a key for 4 services',
    labelledShare: silent(0.3, 0.5),
    servicesPerKey: 4,
  },
];

/** A call under a protocol. */
export interface ProtocolCall extends Call {
  /** Whether the call names its owner. */
  readonly isLabelled: boolean;
  /** The owner that all others of its trace name that name any. Null without one. */
  readonly tracedOwner: string | null;
  /** The one that they would name if none named the owner of the call. Null without one, and for an open call. */
  readonly tracedStranger: string | null;
  /** Whether it belongs to a trace. */
  readonly isTraced: boolean;
  /** Whether its service never names its owner. */
  readonly isSilent: boolean;
}

interface Service {
  readonly labelledShare: number;
  readonly group: number;
  readonly gateway: string;
  /** The part of the time in which it lives. */
  readonly from: number;
}

const LIFETIME = 0.5;
const GATEWAYS = 3;

interface OpenTrace {
  readonly id: number | null;
  left: number;
}

/**
 * Groups consecutive calls of a service into traces of one to four calls. Half of the traces have an id. A call moves with the
 * probability `mixed` into the newest trace, which another service may have started.
 */
const drawTraces = (calls: readonly Call[], mixed: number, draw: () => number): (number | null)[] => {
  const open = new Map<string, OpenTrace>();
  let newest: OpenTrace | undefined;
  return calls.map(({ truth }, at) => {
    if (mixed > 0 && newest !== undefined && draw() < mixed) return newest.id;
    let trace = open.get(truth);
    if (trace === undefined || trace.left === 0) {
      trace = { id: draw() < 0.5 ? at : null, left: 1 + Math.floor(draw() * 4) };
      open.set(truth, trace);
    }
    trace.left -= 1;
    newest = trace;
    return trace.id;
  });
};

const onlyName = (names: readonly string[]): string | null => {
  const [first, ...others] = new Set(names);
  return first === undefined || others.length > 0 ? null : first;
};

/**
 * For each call the owner that all other calls of its trace name that name any, and the one that they would name without those
 * that name the owner of the call. Null without one.
 */
const tracedOwners = (
  traces: readonly (number | null)[],
  names: readonly (string | null)[],
): Pick<ProtocolCall, 'tracedOwner' | 'tracedStranger'>[] => {
  const members = Map.groupBy(
    traces.map((trace, at) => ({ trace, at })),
    ({ trace }) => trace,
  );
  return traces.map((trace, at) => {
    if (trace === null) return { tracedOwner: null, tracedStranger: null };
    const own = names[at] ?? null;
    const others = (members.get(trace) ?? []).flatMap((one) => (one.at === at ? [] : (names[one.at] ?? [])));
    const foreign = others.filter((name) => name !== own);
    return { tracedOwner: onlyName(others), tracedStranger: own === null ? null : onlyName(foreign) };
  });
};

/** The calls of a trace under a protocol. `calls` are in time order. The seed determines the result. */
export const applyProtocol = (protocol: Protocol, calls: readonly Call[], seed: number): ProtocolCall[] => {
  const draw = mulberry32(seed);
  const truths = [...new Set(calls.map(({ truth }) => truth))];
  const order = truths.map(() => draw());
  // Services share keys at random, not in the order in which they appear.
  const ranks = new Map(order.toSorted((a, b) => a - b).map((value, rank) => [value, rank]));
  const services = new Map(
    truths.map((truth, at): [string, Service] => [
      truth,
      {
        labelledShare: protocol.labelledShare(draw()),
        group: Math.floor((ranks.get(order[at] ?? 0) ?? 0) / (protocol.servicesPerKey ?? 1)),
        gateway: `gateway-${Math.floor(draw() * GATEWAYS)}`,
        from: draw() * (1 - LIFETIME),
      },
    ]),
  );
  const first = calls[0]?.observation.occurredAt ?? 0;
  const length = (calls.at(-1)?.observation.occurredAt ?? 0) - first || 1;
  const living = calls.filter(({ truth, observation }) => {
    const age = (observation.occurredAt - first) / length - (services.get(truth)?.from ?? 0);
    return protocol.lifetimes !== true || (age >= 0 && age < LIFETIME);
  });
  const jittered = (tokens: number | undefined): number =>
    Math.max(0, Math.round((tokens ?? 0) * (0.97 + 0.06 * draw()) + 6 * draw() - 3));
  const traces =
    protocol.traces === undefined ? living.map(() => null) : drawTraces(living, protocol.traces, draw);
  const isLabelled = living.map(({ truth }) => draw() < (services.get(truth)?.labelledShare ?? 0));
  const traced = tracedOwners(
    traces,
    living.map(({ truth }, at) => (isLabelled[at] ? truth : null)),
  );
  return living.map(({ truth, cost, observation }, at): ProtocolCall => {
    const { labelledShare = 0, group = 0, gateway = '' } = services.get(truth) ?? {};
    return {
      truth,
      cost,
      observation: {
        ...observation,
        ...(protocol.servicesPerKey !== undefined && { api_key_name: `key-${group}` }),
        ...(protocol.gateways === true && {
          api_key_name: gateway,
          source_system: gateway,
          pathway_category: 'gateway_mediated' as const,
        }),
        ...(protocol.jitter === true && {
          input_tokens: jittered(observation.input_tokens),
          output_tokens: jittered(observation.output_tokens),
        }),
      },
      isLabelled: isLabelled[at] ?? false,
      tracedOwner: traced[at]?.tracedOwner ?? null,
      tracedStranger: traced[at]?.tracedStranger ?? null,
      isTraced: (traces[at] ?? null) !== null,
      isSilent: labelledShare === 0,
    };
  });
};
