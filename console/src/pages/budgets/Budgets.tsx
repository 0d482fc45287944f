import { Link } from 'wouter';
import { listBudgets } from '../../../../sdk/typescript/src/operations.ts';
import type { Budget } from '../../../../sdk/typescript/src/types.ts';
import { everyRow, useRead } from '../../api/useRead.ts';
import { Callout } from '../../components/Callout.tsx';
import { Card } from '../../components/Card.tsx';
import { Page } from '../../components/Page.tsx';
import { Pill } from '../../components/Pill.tsx';
import { Empty } from '../../components/reading/Empty.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { NotPermitted } from '../../components/reading/NotPermitted.tsx';
import { CsvButton } from '../../components/tables/CsvButton.tsx';
import { type RowAction, RowActions } from '../../components/tables/RowActions.tsx';
import { plural } from '../../format/amount.ts';
import { formatMoment } from '../../format/time.ts';
import { warningText } from '../../format/warnings.ts';
import { wordFor } from '../../format/words.ts';
import { useDialog } from '../../forms/useDialog.ts';
import { useCan } from '../../session/session.ts';
import { BudgetBar } from './BudgetBar.tsx';
import { BudgetDialog, DeleteBudgetDialog } from './BudgetDialogs.tsx';
import { daysOfPeriod, spendLink } from './budgetSpend.ts';
import { budgetStatus, byUrgency } from './budgetState.ts';
import { PeriodsDialog } from './PeriodsDialog.tsx';
import { UnbudgetedOwners } from './UnbudgetedOwners.tsx';
import './budgets.css';

/** What may be spent, what is spent, and where it is heading. */
export const Budgets = () => {
  const budgets = useRead(['budgets', 'all'], (client, options) =>
    everyRow(listBudgets(client, {}, options)),
  );
  const create = useDialog('create-budget');
  const edit = useDialog('edit-budget');
  const remove = useDialog('delete-budget');
  const periods = useDialog('budget-periods');
  const canChange = useCan('finance:config');
  const found = (id: string): Budget | undefined => budgets.data?.find((budget) => budget.id === id);
  const shown = found(periods.subject);
  const actionsOf = ({ id, name }: Budget): readonly RowAction[] => [
    { label: 'Periods', subject: `of ${name}`, run: () => periods.open(id) },
    ...(canChange
      ? [
          { label: 'Edit', subject: name, run: () => edit.open(id) },
          { label: 'Delete', subject: name, isDanger: true, run: () => remove.open(id) },
        ]
      : []),
  ];
  return (
    <Page
      title="Budgets"
      lead="A budget warns at the percentages of its ceiling that it states. It never stops a call."
      actions={
        canChange ? (
          <button type="button" className="button primary" onClick={() => create.open()}>
            Create a budget
          </button>
        ) : (
          <NotPermitted scope="finance:config" to="create and change budgets" />
        )
      }
    >
      <Card
        title="Budgets by urgency"
        aside={budgets.data !== undefined && <Counts budgets={budgets.data} />}
      >
        <Loaded of={budgets} height={420}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="No budget yet">
                Set a ceiling for the whole tenant, an owner, a service or a provider. The first step is a
                monthly budget for the team that spends most.
              </Empty>
            ) : (
              <>
                <ul className="budgets">
                  {rows.toSorted(byUrgency).map((budget) => (
                    <li key={budget.id}>
                      <BudgetBar budget={budget} />
                      <Details budget={budget} />
                      {(budget.warnings ?? []).map((warning) => (
                        <Callout key={warning.pointer}>{warningText(warning)}</Callout>
                      ))}
                      <div className="controls">
                        <RowActions actions={actionsOf(budget)} />
                        <Link className="link" href={spendLink(budget)}>
                          Explore<span className="visually-hidden"> {budget.name}</span>
                        </Link>
                      </div>
                    </li>
                  ))}
                </ul>
                <CsvButton label="Budgets" rows={rows} />
              </>
            )
          }
        </Loaded>
      </Card>
      {budgets.data !== undefined && (
        <UnbudgetedOwners budgets={budgets.data} create={canChange ? create.open : undefined} />
      )}
      <BudgetDialog of={create} budget={undefined} />
      {found(edit.subject) !== undefined && <BudgetDialog of={edit} budget={found(edit.subject)} />}
      {shown !== undefined && <PeriodsDialog budget={shown} close={periods.close} />}
      <DeleteBudgetDialog of={remove} name={found(remove.subject)?.name ?? ''} />
    </Page>
  );
};

/** How many budgets need attention. */
const Counts = ({ budgets }: { budgets: readonly Budget[] }) => {
  const tones = Map.groupBy(budgets, (budget) => budgetStatus(budget).tone);
  const [over = [], near = []] = [tones.get('bad'), tones.get('warn')];
  return (
    <span className="controls">
      {over.length > 0 && <Pill tone="bad">{over.length} over the ceiling</Pill>}
      {near.length > 0 && <Pill tone="warn">{near.length} to watch</Pill>}
      <span className="small quiet">of {plural(budgets.length, 'budget')}</span>
    </span>
  );
};

const Details = ({ budget }: { budget: Budget }) => (
  <span className="sub num">
    {wordFor(budget.period)}: {daysOfPeriod(budget.current_period, budget.time_zone)}
    {budget.time_zone !== 'UTC' && ` (${budget.time_zone})`}, warns at {budget.thresholds.join(', ')} %
    {budget.forecast_thresholds.length > 0 &&
      `, and at a forecast of ${budget.forecast_thresholds.join(', ')} %`}
    {budget.crossed !== null && budget.crossed.length > 0 && `, crossed ${budget.crossed.join(', ')} %`}
    {budget.as_of !== null && `, as of ${formatMoment(budget.as_of)}`}
  </span>
);
