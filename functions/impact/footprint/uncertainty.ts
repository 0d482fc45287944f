import { type Decimal, decimal, toDecimalString } from '../../platform/shared/decimal.ts';
import { capFigure } from '../usage/largestFigure.ts';

/** A metered by the producer, B open weights, C published estimate for a closed model, D size class only. */
export type EvidenceClass = 'A' | 'B' | 'C' | 'D';
/**
 * Evidence of an estimate. `prefill`: the call mostly reads, which no published measurement of the method covers, although the size of
 * the model is known.
 */
export type EstimateClass = EvidenceClass | 'prefill';
/** Precision of the location: cloud region, country, or only an area or the provider's default. */
export type LocationClass = 'region' | 'country' | 'area';

/**
 * A log-normal uncertainty: geometric standard deviation, and the factors from the central value to the bounds of the
 * 90 % interval, gsd^±1.645. Written out, because powers of decimals are not exact and floats are not allowed.
 */
export interface Uncertainty {
  readonly gsd: number;
  readonly down: Decimal;
  readonly up: Decimal;
}

const uncertainty = (gsd: number, up: string, down: string): Uncertainty => ({
  gsd,
  up: decimal(up),
  down: decimal(down),
});

/** Estimated from residuals of EcoLogits against measured models (geometric SD 1.84 at batch 64, 2.35 over hardware). */
export const ENERGY_UNCERTAINTY: Readonly<Record<EstimateClass, Uncertainty>> = {
  A: uncertainty(1.1, '1.16974437938104318804', '0.854887629833398748151'),
  B: uncertainty(2, '3.12747857251437426010', '0.319746395319357182310'),
  C: uncertainty(2.5, '4.51451722360693266780', '0.221507627608747254222'),
  prefill: uncertainty(3, '6.09346700730654852236', '0.164110185351118003546'),
  D: uncertainty(4, '9.78112222153654813715', '0.102237757319722640624'),
};

/** What sets how well the energy of a call is known, besides the size of its model. */
interface CallShape {
  readonly inputWh: Decimal;
  readonly outputWh: Decimal;
  readonly read: Decimal;
  readonly generated: Decimal;
}

/** How many times as many tokens as it generates a call reads that mostly reads. */
const MOSTLY_READING = '8';
/** Output tokens of the longest answers in conversations, on which the deviations were measured. */
const LONGEST_IN_CONVERSATION = '2000';

/** The uncertainty class of an estimate. */
export const estimateClass = (
  evidence: EvidenceClass,
  { inputWh, outputWh, read, generated }: CallShape,
): EstimateClass => {
  if (evidence === 'A' || evidence === 'D') return evidence;
  if (inputWh.gt(outputWh) || read.gte(generated.times(MOSTLY_READING))) return 'prefill';
  if (generated.lte(LONGEST_IN_CONVERSATION)) return evidence;
  return evidence === 'B' ? 'C' : 'prefill';
};

/** The class with the deviation that an energy figure states. */
export const classOfDeviation = (gsd: number): EstimateClass =>
  (['A', 'B', 'C', 'prefill', 'D'] as const).find((one) => ENERGY_UNCERTAINTY[one].gsd === gsd) ?? 'D';

/**
 * The combined uncertainty of energy and grid: exp(√(ln² gsd + ln² gsd)), grid gsd 1.15 for a known region,
 * 1.3 for a country, 1.6 otherwise.
 */
export const CARBON_UNCERTAINTY: Readonly<
  Record<EstimateClass, Readonly<Record<LocationClass, Uncertainty>>>
> = {
  A: {
    region: uncertainty(1.1843, '1.32085533265892093435', '0.757085182059242142995'),
    country: uncertainty(1.322, '1.58278348998163230673', '0.631798351656804733496'),
    area: uncertainty(1.6154, '2.20095806073687734221', '0.454347594276831223349'),
  },
  B: {
    region: uncertainty(2.0281, '3.20007693711522574851', '0.312492486790480193791'),
    country: uncertainty(2.0983, '3.38439367456524318335', '0.295473900543931046202'),
    area: uncertainty(2.3105, '3.96552623739170613968', '0.252173340973212719681'),
  },
  C: {
    region: uncertainty(2.5266, '4.59390956136631710047', '0.217679513852375613115'),
    country: uncertainty(2.5938, '4.79642236678084004336', '0.208488728375094824228'),
    area: uncertainty(2.8005, '5.44133402587730097025', '0.183778462274932841811'),
  },
  prefill: {
    region: uncertainty(3.0267, '6.18287036970259403442', '0.161737177104701550022'),
    country: uncertainty(3.0941, '6.41114248254744607908', '0.155978439524971114947'),
    area: uncertainty(3.3033, '7.13959590953760322582', '0.140063949370597518644'),
  },
  D: {
    region: uncertainty(4.0282, '9.89484835456589366907', '0.101062690823205845271'),
    country: uncertainty(4.0997, '10.1851961798766090537', '0.0981817121967418731037'),
    area: uncertainty(4.3224, '11.1112024013255264251', '0.0899992605553386015088'),
  },
};

/** The range to publish around a central value, as decimal strings. */
export const rangeAround = (central: Decimal, { gsd, down, up }: Uncertainty) => ({
  gsd,
  low: toDecimalString(central.times(down)),
  central: toDecimalString(central),
  high: toDecimalString(capFigure(central.times(up))),
});
