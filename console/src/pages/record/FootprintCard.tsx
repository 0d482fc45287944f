import { RangeBar } from '../../charts/RangeBar.tsx';
import { measureNames } from '../../charts/usage.ts';
import { Card } from '../../components/Card.tsx';
import { formatAmount, formatRange } from '../../format/amount.ts';
import type { Fact } from './footprintFacts.ts';

interface FootprintCardProps {
  readonly measure: 'energy' | 'carbon';
  readonly estimate: { readonly low: string; readonly central: string; readonly high: string } | null;
  readonly unknown: string | undefined;
  readonly facts: readonly Fact[];
}

/** An estimate with its range, and what it was made from. */
export const FootprintCard = ({ measure, estimate, unknown, facts }: FootprintCardProps) => (
  <Card
    title={measureNames[measure]}
    aside={estimate !== null && <strong className="num">{formatAmount(estimate.central, measure)}</strong>}
  >
    {estimate === null ? (
      <p className="unknown">Unknown. {unknown ?? 'No factor is known for this model.'}</p>
    ) : (
      <div className="stack">
        <div>
          <RangeBar {...estimate} label={`Range ${formatRange(estimate.low, estimate.high, measure)}`} />
          <span className="sub num">Range {formatRange(estimate.low, estimate.high, measure)}</span>
        </div>
        <dl className="facts">
          {facts.map(([name, value]) => (
            <div key={name} className="fact">
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    )}
  </Card>
);
