import { readUsage } from '../../api/usageReport.ts';
import { useRead } from '../../api/useRead.ts';
import { ShareBar } from '../../charts/ShareBar.tsx';
import { Swatch } from '../../charts/Textures.tsx';
import { costOfPart } from '../../charts/usage.ts';
import { Card } from '../../components/Card.tsx';
import { Empty } from '../../components/Empty.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { formatShareOf, formatUsd, plural } from '../../format/amount.ts';
import { shareOf, sum } from '../../format/decimal.ts';
import { DAY_MS, startOfDay } from '../../format/time.ts';
import { wordFor } from '../../format/words.ts';

const DAYS = 30;

const STATES = [
  { state: 'deterministically_resolved', kind: 'named', color: 'var(--sure-3)' },
  { state: 'manually_overridden', kind: 'named', color: 'var(--c5)' },
  { state: 'strongly_inferred', kind: 'named', color: 'var(--sure-2)' },
  { state: 'weakly_inferred', kind: 'named', color: 'var(--sure-1)' },
  { state: 'allocated', kind: 'other', color: 'var(--c-rest)' },
  { state: 'unresolved', kind: 'nobody', color: 'var(--c-nobody)' },
  { state: 'mixed', kind: 'folded', color: 'var(--c-folded)' },
] as const;

/** How the spend of the last 30 days was attributed. */
export const StateShares = () => {
  const to = startOfDay(Date.now()) + DAY_MS;
  const usage = useRead(['usage', 'states', to], (client, options) =>
    readUsage(client, { from: to - DAYS * DAY_MS, to, groupBy: [] }, options),
  );
  return (
    <Card title="How spend was attributed" aside={<p>last {DAYS} days</p>}>
      <Loaded of={usage} height={250}>
        {({ totals, totals: { output_states: states } }) => {
          const all = sum(Object.values(states).map(({ cost_usd: cost }) => cost));
          const parts = STATES.flatMap(({ state, kind, color }) => {
            const own = states[state];
            return own === undefined
              ? []
              : [
                  {
                    state,
                    invocations: own.invocations,
                    cost: costOfPart(own, totals),
                    label: wordFor(state),
                    share: shareOf(own.cost_usd, all),
                    fill: { kind, color },
                  },
                ];
          });
          return parts.length === 0 ? (
            <Empty title="No calls in these days">
              The share of each way of attribution appears here with the first call.
            </Empty>
          ) : (
            <>
              <ShareBar parts={parts} height={22} />
              <dl className="legend">
                {parts.map(({ state, label, fill, cost, invocations }) => (
                  <div key={state}>
                    <dt>
                      <Swatch of={fill} />
                      <span>
                        {label}
                        <span className="sub">{plural(invocations, 'call')}</span>
                      </span>
                    </dt>
                    <dd>{formatUsd(cost)}</dd>
                    <dd>{formatShareOf(cost, all)}</dd>
                  </div>
                ))}
              </dl>
            </>
          );
        }}
      </Loaded>
    </Card>
  );
};
