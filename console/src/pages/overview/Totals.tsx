import { type Change as ChangeInSum, changeSince } from '../../../../sdk/typescript/src/comparison.ts';
import type { UsageReport, UsageTotals } from '../../../../sdk/typescript/src/types.ts';
import { changeText } from '../../charts/comparison.ts';
import { RangeBar } from '../../charts/RangeBar.tsx';
import { ShareBar } from '../../charts/states/ShareBar.tsx';
import { OWNER_STATES, shareOfState, stateShares } from '../../charts/states/stateShares.ts';
import { centralOf, estimateOf, measureNames } from '../../charts/usage.ts';
import { Loaded } from '../../components/Loaded.tsx';
import {
  formatAmount,
  formatCount,
  formatRange,
  formatUsd,
  type Measure,
  unitOfEstimate,
} from '../../format/amount.ts';

interface TotalsProps {
  readonly usage: { data: UsageReport | undefined; error: Error | null; refetch: () => unknown };
  readonly measure: Measure;
  readonly choose: (measure: Measure) => void;
}

/** The figures of the period. A figure is also the switch of what the charts show. */
export const Totals = ({ usage, measure, choose }: TotalsProps) => (
  <section className="kpis" aria-label="Totals">
    {(['cost', 'energy', 'carbon'] as const).map((each) => (
      <button
        key={each}
        type="button"
        className="card kpi"
        aria-pressed={measure === each}
        onClick={() => choose(each)}
      >
        <Loaded of={usage} height={114}>
          {(report) => <Figure report={report} measure={each} />}
        </Loaded>
      </button>
    ))}
    <div className="card kpi">
      <Loaded of={usage} height={114}>
        {({ totals }) => <ReadyToCharge totals={totals} />}
      </Loaded>
    </div>
  </section>
);

const Change = ({ change, measure }: { change: ChangeInSum | null; measure: Measure }) => {
  if (change === null) return <span className="note">no complete period before</span>;
  return (
    <span className="note">
      {changeText(change, measure)}
      <span className="visually-hidden"> to the same part of the period before</span>
    </span>
  );
};

const Figure = ({ report, measure }: { report: UsageReport; measure: Measure }) => {
  const { central, low, high, unknown } = estimateOf(report.totals, measure);
  const change = changeSince(report, central, report.previous && centralOf(report.previous.totals, measure));
  const unit = unitOfEstimate(measure, central, high);
  const [figure, symbol] = formatAmount(central, measure, unit).split('\u202f');
  return (
    <>
      <span className="label">
        {measureNames[measure]}
        <Change change={change} measure={measure} />
      </span>
      <span className={central === null ? 'value unknown' : 'value'}>
        {figure}
        {symbol !== undefined && <small>{symbol}</small>}
      </span>
      <RangeBar
        low={low}
        central={central}
        high={high}
        label={`Range ${formatRange(low, high, measure, unit)}`}
      />
      <span className="foot num">
        <span>{formatRange(low, high, measure, unit)}</span>
        {unknown > 0 && <span className="unknown">{formatCount(unknown)} unknown</span>}
      </span>
      {measure === 'cost' && report.idle_nodes !== undefined && (
        <span className="foot num">and {formatUsd(report.idle_nodes.cost_usd)} of idle nodes</span>
      )}
    </>
  );
};

/** Owners and services are two answers: the one figure says nothing about the other. */
const ReadyToCharge = ({ totals }: { totals: UsageTotals }) => {
  const shares = stateShares(totals.owner_states, OWNER_STATES);
  const owners = shareOfState(totals.owner_states, 'confirmed');
  const services = shareOfState(totals.service_states, 'confirmed');
  const isUnknown = totals.cost_usd === null;
  const [figure, symbol] = isUnknown ? ['unknown'] : (owners?.shareText ?? '').split('\u202f');
  return (
    <>
      <span className="label">
        Ready to charge to owners<span className="note">of spend</span>
      </span>
      <span className={isUnknown ? 'value unknown' : 'value'}>
        {figure}
        {symbol !== undefined && <small>{symbol}</small>}
      </span>
      <ShareBar parts={shares} height={14} />
      <span className="foot num">
        {isUnknown ? (
          'No call has a known price'
        ) : (
          <>
            <span>
              {owners?.cost} of {formatUsd(totals.cost_usd)}
            </span>
            <span>to services {services?.shareText}</span>
          </>
        )}
      </span>
    </>
  );
};
