import type {
  Example,
  Observation,
} from '../../../../functions/attribution/training/prediction/observation.ts';

const START = Date.parse('2026-07-01T00:00:00Z');
const MINUTE = 60_000;

/** Uniform numbers in 0..1 that follow from a seed (a linear congruential generator, Numerical Recipes). */
export const numbers = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/** A call without identity fields. */
export const aCall = (members: Partial<Observation> = {}): Observation => ({
  occurredAt: START,
  provider: 'openai',
  requested_model: 'gpt-4o',
  ingestion_layer: 'gateway',
  input_tokens: 1_000,
  output_tokens: 200,
  ...members,
});

/** A simulated service: its share of the traffic and its calls. */
export interface Service {
  readonly label: string;
  readonly weight: number;
  call(draw: () => number): Partial<Observation>;
  /** Share of its calls that are labelled. */
  readonly labelled: number;
}

export interface SimulatedTraffic {
  readonly examples: Example[];
  /** The true label of each call. */
  readonly truths: string[];
}

/** Simulates random calls of services, one per minute. */
export const simulateTraffic = (
  services: readonly Service[],
  calls: number,
  seed: number,
): SimulatedTraffic => {
  const draw = numbers(seed);
  const total = services.reduce((sum, { weight }) => sum + weight, 0);
  const lived: SimulatedTraffic = { examples: [], truths: [] };
  for (let at = 0; at < calls; at += 1) {
    let left = draw() * total;
    const service = services.find(({ weight }) => {
      left -= weight;
      return left < 0;
    });
    if (service === undefined) continue;
    const observation = aCall({ occurredAt: START + at * MINUTE, ...service.call(draw) });
    lived.examples.push({ observation, label: draw() < service.labelled ? service.label : null });
    lived.truths.push(service.label);
  }
  return lived;
};

/** Services with distinct key names. */
export const servicesByKey = (count: number, labelled = 0.5): Service[] =>
  Array.from({ length: count }, (_, at) => ({
    label: `owner-${at}\u0000service-${at}`,
    weight: 1,
    labelled,
    call: (draw) => ({
      api_key_name: `key-${at}`,
      input_tokens: Math.floor(draw() * 4_000),
      output_tokens: Math.floor(draw() * 900),
    }),
  }));

/** Services with distinct input sizes, each with a variation of 10 %. */
export const servicesBySize = (count: number, labelled: (at: number) => number): Service[] =>
  Array.from({ length: count }, (_, at) => ({
    label: `owner-${at}\u0000service-${at}`,
    weight: 1,
    labelled: labelled(at),
    call: (draw) => ({
      input_tokens: Math.floor(60 * 1.6 ** at * (0.9 + 0.2 * draw())),
      output_tokens: Math.floor(10 + draw() * 400),
    }),
  }));

/** Services with the same distribution of calls. */
export const identicalServices = (count: number): Service[] =>
  Array.from({ length: count }, (_, at) => ({
    label: `owner-${at}\u0000`,
    weight: 1,
    labelled: 0.5,
    call: (draw) => ({
      api_key_name: `key-${Math.floor(draw() * 5)}`,
      input_tokens: Math.floor(draw() * 4_000),
      output_tokens: Math.floor(draw() * 900),
    }),
  }));
