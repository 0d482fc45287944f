import type { Model } from '../../../../sdk/typescript/src/types.ts';
import { Card } from '../../components/Card.tsx';
import { Pill } from '../../components/Pill.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { formatCount } from '../../format/amount.ts';
import { wordFor } from '../../format/words.ts';

type Criterion = Model['gate']['criteria'][number];

const { format: figure } = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 });

const columns: readonly Column<Criterion>[] = [
  { title: 'Criterion', cell: ({ criterion }) => wordFor(criterion) },
  {
    title: 'Measured',
    right: true,
    cell: ({ value }) => (value === null ? <span className="unknown">no data</span> : figure(value)),
  },
  {
    title: 'Required',
    right: true,
    cell: ({ at_least: least, at_most: most }) =>
      [
        least === undefined ? '' : `at least ${figure(least)}`,
        most === undefined ? '' : `at most ${figure(most)}`,
      ]
        .filter((text) => text !== '')
        .join(', '),
  },
  {
    title: 'Result',
    right: true,
    cell: ({ passed }) => <Pill tone={passed ? 'good' : 'bad'}>{passed ? 'passed' : 'not passed'}</Pill>,
  },
];

/** What a model must show before it serves. Each call was predicted before it was used for training. */
export const Gate = ({ model }: { model: Model }) => (
  <Card
    title="Tests before a model may serve"
    aside={
      <p>
        {model.version}, tested on {formatCount(model.gate.tested)} calls
      </p>
    }
  >
    <Table
      label="Criteria"
      columns={columns}
      rows={model.gate.criteria}
      keyOf={({ criterion }) => criterion}
    />
  </Card>
);
