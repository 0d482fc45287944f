import type { Explanation } from '../../../../sdk/typescript/src/types.ts';
import { RangeBar } from '../../charts/RangeBar.tsx';
import { Card } from '../../components/Card.tsx';
import { formatCount, formatRange, formatUsd } from '../../format/amount.ts';
import { wordFor } from '../../format/words.ts';
import { waterfallOf } from './waterfall.ts';

type Cost = NonNullable<Explanation['cost']>;

const sources: Readonly<Record<Cost['source'], string>> = {
  producer: 'stated by the producer of the event',
  contract: 'your contract price',
  override: 'a price set for your tenant',
  catalogue: 'the public price list',
  structure: 'a span without usage of its own',
  unmetered: 'not paid by use, but by a subscription or in advance',
  node_hours: 'its part of what your own nodes cost in that hour',
};

const matches: Readonly<Record<NonNullable<Cost['price_match']>, string>> = {
  exact: 'exact model',
  alias: 'alias of the model',
  family: 'model of the same family',
};

/** The price of the call: its parts, each beginning where the one before ends, and where the prices come from. */
export const CostCard = ({ cost, unknown }: { cost: Explanation['cost']; unknown: string | undefined }) => (
  <Card title="Cost" aside={cost !== null && <strong className="num">{formatUsd(cost.central)}</strong>}>
    {cost === null ? (
      <p className="unknown">Unknown. {unknown ?? 'No price is known for this model.'}</p>
    ) : (
      <div className="stack">
        <Components cost={cost} />
        <div>
          <RangeBar
            low={cost.low}
            central={cost.central}
            high={cost.high}
            label={`Range ${formatRange(cost.low, cost.high, 'cost')}`}
          />
          <span className="sub num">Range {formatRange(cost.low, cost.high, 'cost')}</span>
        </div>
        <dl className="facts">
          <dt>Price</dt>
          <dd>
            {sources[cost.source]}
            {cost.price_match !== null && `, ${matches[cost.price_match]}`}
          </dd>
          {cost.priced_model !== null && (
            <>
              <dt>Priced as</dt>
              <dd>{cost.priced_model}</dd>
            </>
          )}
          {cost.service_tier_multiplier !== null && (
            <>
              <dt>Service tier</dt>
              <dd>× {cost.service_tier_multiplier}</dd>
            </>
          )}
          <dt>Price list</dt>
          <dd className="mono">{cost.catalogue}</dd>
          {cost.differing_sources !== undefined && (
            <>
              <dt>Other prices by</dt>
              <dd>{cost.differing_sources.join('; ')}</dd>
            </>
          )}
        </dl>
      </div>
    )}
  </Card>
);

const Components = ({ cost }: { cost: Cost }) => {
  const bars = waterfallOf(cost.components);
  return (
    <ul className="waterfall">
      {cost.components.map(
        (
          {
            kind,
            quantity,
            unit_price_usd_per_million: price,
            list_unit_price_usd_per_million: list,
            cost_usd: amount,
          },
          index,
        ) => (
          <li key={kind}>
            <span>
              {wordFor(kind)}
              <span className="sub num">
                {quantity === null ? 'quantity unknown' : formatCount(quantity)}
                {price !== null && ` × $${price} per million`}
                {list !== undefined && `, list price $${list}`}
              </span>
            </span>
            <svg height="14" width="100%" aria-hidden="true">
              <rect
                x={`${(bars[index]?.start ?? 0) * 100}%`}
                width={`${Math.max((bars[index]?.width ?? 0) * 100, 0.5)}%`}
                height="14"
                rx="2"
                fill="var(--accent)"
              />
            </svg>
            <span className="right num">{formatUsd(amount)}</span>
          </li>
        ),
      )}
    </ul>
  );
};
