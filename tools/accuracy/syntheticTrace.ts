import { mulberry32 } from '../../functions/platform/shared/mulberry32.ts';
import type { Call } from '../evaluation/calls.ts';

/** How the traffic of a synthetic tenant behaves. */
export interface TrafficKind {
  readonly name: 'calm' | 'changing' | 'dominant';
  readonly title: string;
}

export const TRAFFIC_KINDS: readonly TrafficKind[] = [
  { name: 'calm', title: 'Calm: every service calls at a steady rate' },
  { name: 'changing', title: 'Changing: services start, stop and burst within the day' },
  { name: 'dominant', title: 'Dominant: one service makes most of the calls' },
];

const HOUR_MS = 60 * 60 * 1_000;
const HOURS = 24;
const SERVICES = 40;
const MODELS = 3;

const normal = (draw: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());

interface Service {
  readonly name: string;
  readonly model: string;
  /** Relative rate by hour. */
  readonly rates: readonly number[];
  /** Means of the natural logarithms of the sizes. */
  readonly input: number;
  readonly output: number;
}

const ratesOf = ({ name }: TrafficKind, at: number, draw: () => number): number[] => {
  const level = name === 'dominant' && at === 0 ? 60 : Math.exp(normal(draw));
  if (name === 'calm') return Array.from({ length: HOURS }, () => level);
  let isActive = draw() < 0.4;
  return Array.from({ length: HOURS }, () => {
    if (draw() < 0.25) isActive = !isActive;
    const burst = draw() < 0.1 ? 6 : 1;
    return name === 'dominant' && at === 0 ? level : isActive ? level * burst : 0;
  });
};

/** Calls of a synthetic tenant in time order, determined by the seed. The services differ only in model and sizes. */
export const syntheticTrace = (kind: TrafficKind, count: number, seed: number): Call[] => {
  const draw = mulberry32(seed);
  const services = Array.from(
    { length: SERVICES },
    (_, at): Service => ({
      name: `service-${at}`,
      model: `model-${at % MODELS}`,
      rates: ratesOf(kind, at, draw),
      input: 4 + 5 * draw(),
      output: 3 + 3 * draw(),
    }),
  );
  const size = (mean: number, spread: number): number =>
    Math.max(1, Math.round(Math.exp(mean + spread * normal(draw))));
  return Array.from({ length: count }, (_, index): Call => {
    const at = ((index + draw()) / count) * HOURS;
    const rates = services.map((service) => service.rates[Math.floor(at)] ?? 0);
    let left = draw() * rates.reduce((sum, rate) => sum + rate, 0);
    const found = services.findIndex((_service, number) => {
      left -= rates[number] ?? 0;
      return left < 0;
    });
    const { name, model, input, output } = services[Math.max(0, found)] ?? {
      name: '',
      model: '',
      input: 0,
      output: 0,
    };
    return {
      truth: name,
      observation: {
        occurredAt: Math.round(at * HOUR_MS),
        provider: 'synthetic',
        requested_model: model,
        ingestion_layer: 'replay',
        input_tokens: size(input, 0.08),
        output_tokens: size(output, 0.6),
      },
    };
  });
};
