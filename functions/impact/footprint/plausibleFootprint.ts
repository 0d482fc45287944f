import type { SetAsideFootprint } from '../../../schemas/attribution/footprintExplanation.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { type Decimal, decimal, toDecimalString, wholeNumber } from '../../platform/shared/decimal.ts';
import { LONGEST_CALL_TOKENS, reportedTokens, TOLERANCE } from '../usage/plausibleUsage.ts';
import { unitsOf } from '../usage/usage.ts';

/** Wh of an output token of the largest model that a table lists, in the least efficient data centre. A test compares them. */
export const HIGHEST_WH_PER_TOKEN = '0.3';
/** No grid of the tables emits more, in gCO2e. A test compares them. */
export const HIGHEST_GRAMS_PER_KWH = '1400';
/** An amount up to this is believed, as with costs: a session or a batch that is reported as one call. */
const ALWAYS_PLAUSIBLE_WH = decimal('1000');

const mostWhOf = (tokens: number): Decimal =>
  wholeNumber(tokens).times(HIGHEST_WH_PER_TOKEN).times(TOLERANCE);
const LARGEST_CALL_WH = mostWhOf(LONGEST_CALL_TOKENS);

/** The most energy that a call with this usage can need, in Wh. What images and audio need is not published. */
const plausibleWh = (event: InvocationEvent): Decimal => {
  const tokens = unitsOf(event).some(({ count }) => count > 0) ? undefined : reportedTokens(event);
  const most = mostWhOf(tokens ?? LONGEST_CALL_TOKENS);
  if (most.gt(LARGEST_CALL_WH)) return LARGEST_CALL_WH;
  return most.lt(ALWAYS_PLAUSIBLE_WH) ? ALWAYS_PLAUSIBLE_WH : most;
};

/** A call whose reported energy and carbon its usage can explain, and what was reported beyond that. */
interface BelievedFootprint {
  readonly event: InvocationEvent;
  readonly setAside?: SetAsideFootprint;
}

/**
 * Sets aside reported energy and carbon that are far above what the usage explains, as a reported cost is. The call has an estimate
 * then, because its usage sets energy as well.
 */
export const believedFootprint = (event: InvocationEvent): BelievedFootprint => {
  const { energy_wh, carbon_gco2e, ...usage } = event;
  if ((energy_wh ?? carbon_gco2e) === undefined) return { event };
  const mostWh = plausibleWh(event);
  const mostGrams = mostWh.times('0.001').times(HIGHEST_GRAMS_PER_KWH);
  const isEnergy = energy_wh === undefined || decimal(energy_wh).lte(mostWh);
  const isCarbon = carbon_gco2e === undefined || decimal(carbon_gco2e).lte(mostGrams);
  if (isEnergy && isCarbon) return { event };
  return {
    event: {
      ...usage,
      ...(isEnergy && energy_wh !== undefined && { energy_wh }),
      ...(isCarbon && carbon_gco2e !== undefined && { carbon_gco2e }),
    },
    setAside: {
      ...(!isEnergy && { energy_wh: toDecimalString(decimal(energy_wh)) }),
      ...(!isCarbon && { carbon_gco2e: toDecimalString(decimal(carbon_gco2e)) }),
    },
  };
};
