import { Link } from 'wouter';
import { getSavingsReport } from '../../../../sdk/typescript/src/operations.ts';
import type { Saving, SavingsReport } from '../../../../sdk/typescript/src/types.ts';
import { useRead } from '../../api/useRead.ts';
import { PAGE_ROWS, wholeReport } from '../../api/wholeReport.ts';
import { Card } from '../../components/Card.tsx';
import { Page } from '../../components/Page.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { NotPermitted } from '../../components/reading/NotPermitted.tsx';
import type { RowAction } from '../../components/tables/RowActions.tsx';
import { FilterChips } from '../../filters/FilterChips.tsx';
import { plural } from '../../format/amount.ts';
import { formatDays, formatMoment, rangeOfDays } from '../../format/time.ts';
import { wordFor } from '../../format/words.ts';
import { useDialog } from '../../forms/useDialog.ts';
import { SavedViews } from '../../savedViews/SavedViews.tsx';
import { useCan } from '../../session/session.ts';
import { useSettled } from '../../url/useSettled.ts';
import { useUrlState } from '../../url/useUrlState.ts';
import { exploreLink } from '../explore/exploreState.ts';
import { Remarks } from '../explore/Remarks.tsx';
import { DismissDialog, RestoreDialog } from './DismissDialogs.tsx';
import { SavingControls, SavingPeriods } from './SavingControls.tsx';
import { SavingTable } from './SavingTable.tsx';
import { filtersOf, keyOf, type SavingsState, savingsCodec } from './savingsState.ts';
import { titleOf } from './savingText.ts';
import './savings.css';

/** What could cost less, the largest first, with the figures of each suggestion. */
export const Savings = () => {
  const [state, change] = useUrlState(savingsCodec);
  const settled = useSettled(state);
  const { from, to } = rangeOfDays(settled, Date.now());
  const filters = filtersOf(settled);
  const { dismissed } = settled;
  const report = useRead(['savings', from, to, dismissed, ...[...filters].flat()], (client, options) =>
    wholeReport(
      getSavingsReport(
        client,
        {
          from: new Date(from).toISOString(),
          to: new Date(to).toISOString(),
          limit: PAGE_ROWS,
          dismissed,
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
      lead="What could cost less in 30 days, as ranges. Suggestions overlap, so they have no total."
      actions={
        <>
          <SavingPeriods state={state} change={change} />
          <SavedViews page="savings" />
        </>
      }
    >
      <SavingControls state={state} change={change} />
      <FilterChips
        chips={[...filtersOf(state)].map(([name, text]) => ({ name, label: wordFor(name), text }))}
        remove={(name) => change({ [name]: '' })}
      />
      <Loaded of={report} height={420}>
        {(data) => <Suggestions report={data} state={settled} change={change} />}
      </Loaded>
      {!seesNodes && (
        <NotPermitted scope="read:attribution" to="see savings of failed calls and idle nodes" />
      )}
    </Page>
  );
};

interface SuggestionsProps {
  readonly report: SavingsReport;
  readonly state: SavingsState;
  readonly change: (members: Partial<SavingsState>) => void;
}

const Suggestions = ({ report, state, change }: SuggestionsProps) => {
  const { data, period, dismissed_suggestions: dismissedCount } = report;
  const dismiss = useDialog('dismiss-saving');
  const restore = useDialog('restore-saving');
  const canDismiss = useCan('finance:config');
  const actions = (row: Saving): readonly RowAction[] => {
    if (!canDismiss) return [];
    const subject = `${titleOf(row)} ${row.service ?? row.pool ?? ''}`;
    const { dismissal } = row;
    const again = { label: 'Dismiss', subject, run: () => dismiss.open(keyOf(row)) };
    if (dismissal === null) return [again];
    const back = { label: 'Restore', subject, run: () => restore.open(dismissal.id) };
    return dismissal.has_grown ? [again, back] : [back];
  };
  const rows = data.filter(({ saving }) => state.kind === 'all' || saving === state.kind);
  const isFiltered = state.kind !== 'all' || state.dismissed === 'only' || filtersOf(state).size > 0;
  return (
    <Card
      title={rows.length === 0 ? 'Suggestions' : plural(rows.length, 'suggestion')}
      aside={
        <p>
          from the calls of {formatDays(period)}, complete up to {formatMoment(report.as_of)}
        </p>
      }
    >
      <Remarks report={report} />
      {rows.length > 0 ? (
        <SavingTable
          rows={rows}
          period={period}
          choose={(name, value) => change({ [name]: value })}
          actions={actions}
        />
      ) : isFiltered ? (
        <Empty title="No suggestion matches">Remove a filter, or choose a longer period.</Empty>
      ) : (
        <Empty
          title="Nothing to suggest in this period"
          action={<Link href="/explore?days=30&group=service,served_model">Explore services and models</Link>}
        >
          A suggestion needs at least 100 calls of a service to one model with a known price. Choose a longer
          period, and send the cached input tokens and the kind of traffic of each call: caching and batches
          are judged by them.
        </Empty>
      )}
      {state.dismissed === 'exclude' && dismissedCount > 0 && (
        <p className="small quiet">
          {plural(dismissedCount, 'dismissed suggestion')} not shown.{' '}
          <button type="button" className="link" onClick={() => change({ dismissed: 'include' })}>
            Show
          </button>
        </p>
      )}
      <p className="small quiet">
        See also what{' '}
        <Link href={exploreLink({ view: 'unit', group: ['service'] })}>failed and incomplete calls</Link>{' '}
        cost, and what{' '}
        <Link href={exploreLink({ view: 'unit', units: 'cache', group: ['service'] })}>caches saved</Link>.
      </p>
      <DismissDialog of={dismiss} row={data.find((row) => keyOf(row) === dismiss.subject)} />
      <RestoreDialog of={restore} row={data.find(({ dismissal }) => dismissal?.id === restore.subject)} />
    </Card>
  );
};
