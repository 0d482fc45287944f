import { decimal } from '../../platform/shared/decimal.ts';
import { toAmount } from '../formats/values.ts';
import { nameUse } from './attributeKinds.ts';
import { names } from './attributeNames.ts';
import { amountOf, isAffirmed, textOf } from './attributes.ts';
import type { Attributes } from './telemetry.ts';

const NAME_LENGTH_MAXIMUM = 64;
const inUsd: ReadonlySet<string> = new Set(names.cost);
const isUsd = (currency: string): boolean => /^(?:usd|us\$|\$)$/i.test(currency.trim());

/** What a span reports of its cost. `unread`: the name of a cost in another unit than USD, or without one. */
interface ReportedCost {
  readonly usd?: string | undefined;
  readonly unread?: string | undefined;
}

/** Whether OpenRouter states what the call cost. */
export const statesUpstream = (attributes: Attributes): boolean =>
  attributes.has(names.byok[0]) || attributes.has(names.upstreamCost[0]);

/** Whether a cost is only the fee of a gateway, whose caller pays the provider. */
const isFee = (usd: string, attributes: Attributes): boolean =>
  isAffirmed('byok', attributes) || decimal(amountOf('upstreamCost', attributes) ?? '0').gt(usd);

/** The cost in USD, if its name, its producer or a currency beside it says that it is. */
export const reportedCost = (attributes: Attributes): ReportedCost => {
  const currency = textOf('costCurrency', attributes);
  const usd =
    (currency === undefined || isUsd(currency) ? amountOf('cost', attributes) : undefined) ??
    amountOf('costInUsd', attributes) ??
    ((currency === undefined ? statesUpstream(attributes) : isUsd(currency))
      ? amountOf('costAmount', attributes)
      : undefined);
  if (usd !== undefined) return isFee(usd, attributes) ? {} : { usd };
  const unread = [...attributes].find(
    ([name, value]) => (inUsd.has(name) || nameUse(name).isAmount) && (toAmount(value) ?? '0') !== '0',
  )?.[0];
  return { unread: unread?.slice(0, NAME_LENGTH_MAXIMUM) };
};
