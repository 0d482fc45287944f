import { createBudget, deleteBudget, updateBudget } from '../../../../sdk/typescript/src/operations.ts';
import type { Budget, BudgetRequest } from '../../../../sdk/typescript/src/types.ts';
import { DeleteDialog } from '../../forms/DeleteDialog.tsx';
import type { Entries } from '../../forms/entries.ts';
import { SelectField, TextField } from '../../forms/Field.tsx';
import { FormDialog } from '../../forms/FormDialog.tsx';
import type { DialogState } from '../../forms/useDialog.ts';

const PERIODS = [
  { value: 'month', label: 'Calendar month' },
  { value: 'quarter', label: 'Calendar quarter' },
  { value: 'rolling_30d', label: 'Last 30 days' },
] as const;

/** The request keeps the tags of the budget, which the dialog does not show: a scope is replaced as a whole. */
const percentsOf = (text: string): number[] =>
  text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);

const requestOf = (entries: Entries, budget: Budget | undefined): BudgetRequest => ({
  name: entries.text('name'),
  ceiling_usd: entries.text('ceiling_usd'),
  period: PERIODS.find(({ value }) => value === entries.text('period'))?.value ?? 'month',
  scope: {
    ...entries.optional('owner'),
    ...entries.optional('service'),
    ...entries.optional('provider'),
    ...entries.optional('served_model'),
    ...entries.optional('region'),
    ...(budget?.scope.tags !== undefined && { tags: budget.scope.tags }),
  },
  thresholds: percentsOf(entries.text('thresholds')),
  forecast_thresholds: percentsOf(entries.text('forecast_thresholds')),
});

/** A new budget can begin with an owner, which is then the subject of the dialog. */
export const BudgetDialog = ({ of, budget }: { of: DialogState; budget: Budget | undefined }) => (
  <FormDialog
    of={of}
    title={budget === undefined ? 'Create a budget' : `Edit ${budget.name}`}
    submit={budget === undefined ? 'Create' : 'Save'}
    send={(client, entries, options) =>
      budget === undefined
        ? createBudget(client, requestOf(entries, budget), options)
        : updateBudget(client, budget.id, requestOf(entries, budget), options)
    }
  >
    <TextField name="name" label="Name" required maxLength={120} defaultValue={budget?.name ?? of.subject} />
    <div className="pair">
      <TextField
        name="ceiling_usd"
        label="Ceiling in USD"
        required
        inputMode="decimal"
        pattern="\d+(\.\d+)?"
        placeholder="1000.00"
        defaultValue={budget?.ceiling_usd ?? ''}
      />
      <SelectField name="period" label="Period" options={PERIODS} defaultValue={budget?.period ?? 'month'} />
    </div>
    <div className="pair">
      <TextField
        name="owner"
        label="Owner"
        hint="Empty: all"
        defaultValue={budget === undefined ? of.subject : (budget.scope.owner ?? '')}
      />
      <TextField
        name="service"
        label="Service"
        hint="Empty: all"
        defaultValue={budget?.scope.service ?? ''}
      />
      <TextField
        name="provider"
        label="Provider"
        hint="Empty: all"
        defaultValue={budget?.scope.provider ?? ''}
      />
    </div>
    <div className="pair">
      <TextField
        name="served_model"
        label="Model"
        hint="Empty: all"
        defaultValue={budget?.scope.served_model ?? ''}
      />
      <TextField name="region" label="Region" hint="Empty: all" defaultValue={budget?.scope.region ?? ''} />
    </div>
    <TextField
      name="thresholds"
      label="Alert at, in percent of the ceiling"
      required
      pattern="\s*\d+(\s*[,\s]\s*\d+)*\s*"
      defaultValue={(budget?.thresholds ?? [75, 100, 150]).join(', ')}
    />
    <TextField
      name="forecast_thresholds"
      label="Alert when the forecast reaches, in percent"
      hint="Empty: never. You are told when it is possible, and when it is likely"
      pattern="\s*(\d+(\s*[,\s]\s*\d+)*)?\s*"
      defaultValue={(budget?.forecast_thresholds ?? [100]).join(', ')}
    />
  </FormDialog>
);

export const DeleteBudgetDialog = ({ of, name }: { of: DialogState; name: string }) => (
  <DeleteDialog of={of} name={name || 'the budget'} send={deleteBudget}>
    It stops warning. Spend and records stay as they are.
  </DeleteDialog>
);
