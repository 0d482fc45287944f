import { Link } from 'wouter';
import { getSavingsReport } from '../../../../sdk/typescript/src/operations.ts';
import type { SavingsReport } from '../../../../sdk/typescript/src/types.ts';
import { useRead } from '../../api/useRead.ts';
import { PAGE_ROWS, wholeReport } from '../../api/wholeReport.ts';
import { Card } from '../../components/Card.tsx';
import { Empty } from '../../components/Empty.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { NotPermitted } from '../../components/NotPermitted.tsx';
import { Page } from '../../components/Page.tsx';
import { plural } from '../../format/amount.ts';
import { formatDayOfYear, formatMoment, lastDayOf, rangeOfDays } from '../../format/time.ts';
import { useCan } from '../../session/session.ts';
import { useSettled } from '../../url/useSettled.ts';
import { useUrlState } from '../../url/useUrlState.ts';
import { FilterChips } from '../explore/FilterChips.tsx';
import { Remarks } from '../explore/Remarks.tsx';
import { SavingControls, SavingPeriods } from './SavingControls.tsx';
import { SavingTable } from './SavingTable.tsx';
import { filtersOf, type SavingsState, savingsCodec } from './savingsState.ts';
import './savings.css';

/** What could cost less, the largest first, with the figures of each suggestion. */
export const Savings = () => {
  const [state, change] = useUrlState(savingsCodec);
  const settled = useSettled(state);
  const { from, to } = rangeOfDays(settled, Date.now());
  const filters = filtersOf(settled);
  const report = useRead(['savings', from, to, ...[...filters].flat()], (client, options) =>
    wholeReport(
      getSavingsReport(
        client,
        {
          from: new Date(from).toISOString(),
          to: new Date(to).toISOString(),
          limit: PAGE_ROWS,
          ...Object.fromEntries(filters),
        },
        options,
      ),
    ),
  );
  const seesNodes = useCan('read:attribution');
  return (
    <Page
      title="Savings"
      lead="What could cost less, as ranges for 30 days. Suggestions about the same calls overlap, so they have no total."
      actions={<SavingPeriods state={state} change={change} />}
    >
      <SavingControls state={state} change={change} />
      <FilterChips filters={filtersOf(state)} remove={(name) => change({ [name]: '' })} />
      <Loaded of={report} height={420}>
        {(data) => <Suggestions report={data} state={settled} change={change} />}
      </Loaded>
      {!seesNodes && <NotPermitted scope="read:attribution" to="see savings of idle nodes" />}
    </Page>
  );
};

interface SuggestionsProps {
  readonly report: SavingsReport;
  readonly state: SavingsState;
  readonly change: (members: Partial<SavingsState>) => void;
}

const Suggestions = ({ report, state, change }: SuggestionsProps) => {
  const { data, period } = report;
  const rows = data.filter(({ saving }) => state.kind === 'all' || saving === state.kind);
  const isFiltered = state.kind !== 'all' || filtersOf(state).size > 0;
  return (
    <Card
      title={rows.length === 0 ? 'Suggestions' : plural(rows.length, 'suggestion')}
      aside={
        <p>
          from the calls of {formatDayOfYear(period.from)} – {formatDayOfYear(lastDayOf(period.to))}, complete
          up to {formatMoment(report.as_of)}
        </p>
      }
    >
      <Remarks report={report} />
      {rows.length > 0 ? (
        <SavingTable rows={rows} period={period} choose={(name, value) => change({ [name]: value })} />
      ) : isFiltered ? (
        <Empty title="No suggestion matches">Remove a filter, or choose a longer period.</Empty>
      ) : (
        <Empty
          title="Nothing to suggest in this period"
          action={<Link href="/explore?days=30&group=service,served_model">Explore services and models</Link>}
        >
          A suggestion needs at least 100 calls of a service to one model with a list price. Choose a longer
          period, and send the cached input tokens and the pathway of each call: caching and batches are
          judged by them.
        </Empty>
      )}
    </Card>
  );
};
