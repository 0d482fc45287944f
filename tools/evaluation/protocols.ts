import { mulberry32 } from '../../functions/platform/shared/mulberry32.ts';
/** A rule for which labels are missing. */
export interface Protocol {
  readonly name: 'half' | 'tenth' | 'uneven' | 'unregistered';
  readonly title: string;
  /** The labelled share of the calls of a service. `draw` is uniform in [0, 1), one per service. */
  rateOf(draw: number): number;
}

/** Label rates that differ by service, as when only some services set labels. */
const UNEVEN_RATES = [0.02, 0.2, 0.8] as const;
const UNREGISTERED = 0.3;

export const PROTOCOLS: readonly Protocol[] = [
  { name: 'half', title: 'Half of the calls labelled', rateOf: () => 0.5 },
  { name: 'tenth', title: 'A tenth of the calls labelled', rateOf: () => 0.1 },
  {
    name: 'uneven',
    title: 'Label rates of .02, .2 or .8 by service',
    rateOf: (draw) => UNEVEN_RATES[Math.floor(draw * UNEVEN_RATES.length)] ?? 0,
  },
  {
    name: 'unregistered',
    title: '30 % of services never labelled, half of the rest',
    rateOf: (draw) => (draw < UNREGISTERED ? 0 : 0.5),
  },
];

/** Draws which calls are labelled under a protocol. `truths` are in time order. */
export const drawLabelled = (protocol: Protocol, truths: readonly string[], seed: number): boolean[] => {
  const draw = mulberry32(seed);
  const rates = new Map([...new Set(truths)].map((truth) => [truth, protocol.rateOf(draw())]));
  return truths.map((truth) => draw() < (rates.get(truth) ?? 0));
};
