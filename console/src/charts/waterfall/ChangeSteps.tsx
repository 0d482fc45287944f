import type { ChangeTotals } from '../../../../sdk/typescript/src/types.ts';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { formatAmount } from '../../format/amount.ts';
import { changeText } from '../comparison.ts';
import { StepBar } from './StepBar.tsx';
import { type Step, waterfall } from './waterfall.ts';

const columns: readonly Column<Step>[] = [
  {
    title: 'Step',
    cell: ({ name, note }) => (
      <>
        {name}
        {note !== null && <span className="sub">{note}</span>}
      </>
    ),
  },
  { title: 'Course', cell: (step) => <StepBar step={step} /> },
  {
    title: 'Amount',
    right: true,
    cell: ({ kind, amount }) =>
      kind === 'sum'
        ? formatAmount(amount, 'cost')
        : changeText({ difference: amount, relative: null }, 'cost'),
  },
];

/** What led from the cost of an earlier period to that of a later one. Nothing without a known change. */
export const ChangeSteps = ({ of }: { of: ChangeTotals }) =>
  of.parts !== null &&
  of.previous.cost_usd !== null &&
  of.current.cost_usd !== null && (
    <Table
      label="Steps"
      columns={columns}
      rows={waterfall(of.previous.cost_usd, of.current.cost_usd, of.parts)}
      source={[of]}
      keyOf={({ name }) => name}
    />
  );
