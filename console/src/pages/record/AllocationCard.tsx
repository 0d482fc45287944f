import { magnitude } from '../../../../sdk/shared/decimal.ts';
import type { Explanation } from '../../../../sdk/typescript/src/types.ts';
import { Card } from '../../components/Card.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { formatAmount, formatShare, formatUsd } from '../../format/amount.ts';
import { formatDays } from '../../format/time.ts';

type Allocation = NonNullable<Explanation['allocation']>;
type Part = Allocation['parts'][number];

const methods: Readonly<Record<Allocation['method'], string>> = {
  proportional: 'in proportion to the attributed spend',
  even: 'evenly',
  fixed: 'by fixed shares',
};

const columns: readonly Column<Part>[] = [
  { title: 'Owner', cell: ({ owner }) => owner ?? 'not allocated' },
  { title: 'Share', right: true, cell: ({ ratio }) => formatShare(magnitude(ratio)) },
  { title: 'Cost', right: true, cell: ({ cost_usd: cost }) => formatUsd(cost) },
  { title: 'Energy', right: true, cell: ({ energy_wh: energy }) => formatAmount(energy, 'energy') },
  { title: 'Carbon', right: true, cell: ({ carbon_gco2e: carbon }) => formatAmount(carbon, 'carbon') },
];

/** The parts into which the cost of a call without an owner was divided. */
export const AllocationCard = ({ allocation }: { allocation: Allocation }) => (
  <Card
    title="Allocation"
    aside={
      <p>
        {methods[allocation.method]} of {formatDays(allocation.window)}
      </p>
    }
  >
    <Table
      label="Allocated parts"
      columns={columns}
      rows={allocation.parts}
      keyOf={({ owner }) => owner ?? ''}
    />
  </Card>
);
