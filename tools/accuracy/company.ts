import { mulberry32 } from '../../functions/platform/shared/mulberry32.ts';
import type { Call } from '../evaluation/calls.ts';

const HOUR_MS = 60 * 60 * 1_000;
const HOURS = 24;
const SERVICES = 40;

/** USD for a million tokens. */
const MODELS = [
  { name: 'model-small', input: 0.25, output: 2 },
  { name: 'model-medium', input: 1.25, output: 10 },
  { name: 'model-large', input: 3, output: 15 },
] as const;

const normal = (draw: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());

interface Service {
  readonly name: string;
  readonly model: (typeof MODELS)[number];
  /** Relative rate by hour. */
  readonly rates: readonly number[];
  /** Means of the natural logarithms of the sizes. */
  readonly input: number;
  readonly output: number;
  /** Standard deviation of the logarithm of the input size: prompts of a fixed template, or those of people. */
  readonly spread: number;
}

/** A third of the services call steadily, the others by the hour and in bursts. The first makes a fifth of all calls. */
const ratesOf = (at: number, draw: () => number): number[] => {
  const level = at === 0 ? 12 : Math.exp(normal(draw));
  if (at % 3 === 0) return Array.from({ length: HOURS }, () => level);
  let isActive = draw() < 0.5;
  return Array.from({ length: HOURS }, () => {
    if (draw() < 0.25) isActive = !isActive;
    return isActive ? level * (draw() < 0.1 ? 6 : 1) : 0;
  });
};

/** A day of a synthetic company in time order, determined by the seed. The services differ only in model and sizes. */
export const companyTrace = (count: number, seed: number): Call[] => {
  const draw = mulberry32(seed);
  const services = Array.from(
    { length: SERVICES },
    (_, at): Service => ({
      name: `service-${at}`,
      model: MODELS[at % MODELS.length] ?? MODELS[0],
      rates: ratesOf(at, draw),
      input: 4 + 5 * draw(),
      output: 3 + 3 * draw(),
      spread: draw() < 0.7 ? 0.08 : 0.5,
    }),
  );
  const size = (mean: number, spread: number): number =>
    Math.max(1, Math.round(Math.exp(mean + spread * normal(draw))));
  return Array.from({ length: count }, (_, index) => ((index + draw()) / count) * HOURS).flatMap(
    (at): Call[] => {
      const rates = services.map((service) => service.rates[Math.floor(at)] ?? 0);
      let left = draw() * rates.reduce((sum, rate) => sum + rate, 0);
      const service = services.find((_service, number) => {
        left -= rates[number] ?? 0;
        return left < 0;
      });
      if (service === undefined) return [];
      const { name, model } = service;
      const [input, output] = [size(service.input, service.spread), size(service.output, 0.6)];
      return [
        {
          truth: name,
          cost: (input * model.input + output * model.output) / 1e6,
          observation: {
            occurredAt: Math.round(at * HOUR_MS),
            provider: 'synthetic',
            requested_model: model.name,
            ingestion_layer: 'replay',
            input_tokens: input,
            output_tokens: output,
          },
        },
      ];
    },
  );
};
