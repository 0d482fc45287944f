import { readUsage } from '../../api/usageReport.ts';
import { useRead } from '../../api/useRead.ts';
import { ShareBar } from '../../charts/states/ShareBar.tsx';
import { StateLegend } from '../../charts/states/StateLegend.tsx';
import { HIDDEN, type ShownState, stateShares } from '../../charts/states/stateShares.ts';
import { Card } from '../../components/Card.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { DAY_MS, startOfDay } from '../../format/time.ts';

const DAYS = 30;

const STATES: readonly ShownState[] = [
  { state: 'deterministically_resolved', kind: 'named', color: 'var(--sure-3)' },
  { state: 'manually_overridden', kind: 'named', color: 'var(--c5)' },
  { state: 'strongly_inferred', kind: 'named', color: 'var(--sure-2)' },
  { state: 'weakly_inferred', kind: 'named', color: 'var(--sure-1)' },
  { state: 'allocated', kind: 'other', color: 'var(--c-rest)' },
  { state: 'unresolved', kind: 'nobody', color: 'var(--c-nobody)' },
  HIDDEN,
];

/** How the spend of the last 30 days was attributed. */
export const StateShares = () => {
  const to = startOfDay(Date.now()) + DAY_MS;
  const usage = useRead(['usage', 'states', to], (client, options) =>
    readUsage(client, { from: to - DAYS * DAY_MS, to, groupBy: [] }, options),
  );
  return (
    <Card title="How spend was attributed" aside={<p>last {DAYS} days</p>}>
      <Loaded of={usage} height={250}>
        {({ totals: { output_states: states } }) => {
          const parts = stateShares(states, STATES).filter(({ state }) => state in states);
          return parts.length === 0 ? (
            <Empty title="No calls in these days">
              The share of each way of attribution appears here with the first call.
            </Empty>
          ) : (
            <>
              <ShareBar parts={parts} height={22} />
              <StateLegend shares={parts} />
            </>
          );
        }}
      </Loaded>
    </Card>
  );
};
