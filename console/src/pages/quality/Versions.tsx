import type { Model } from '../../../../sdk/typescript/src/types.ts';
import { Card } from '../../components/Card.tsx';
import { Moment } from '../../components/Moment.tsx';
import { Pill } from '../../components/Pill.tsx';
import type { RowAction } from '../../components/tables/RowActions.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import type { Tone } from '../../components/tone.ts';
import { formatCount } from '../../format/amount.ts';
import { formatDays } from '../../format/time.ts';

const tones: Readonly<Record<Model['state'], Tone>> = {
  active: 'good',
  validated: 'accent',
  rejected: 'warn',
  recalled: 'bad',
};

interface VersionsProps {
  readonly models: readonly Model[];
  readonly recall: ((version: string) => void) | undefined;
}

const columns: readonly Column<Model>[] = [
  { title: 'Version', cell: ({ version }) => <span className="mono">{version}</span> },
  {
    title: 'State',
    cell: ({ state, recall_reason: reason }) => (
      <>
        <Pill tone={tones[state]}>{state}</Pill>
        {reason !== null && <span className="sub">{reason}</span>}
      </>
    ),
  },
  { title: 'Trained', cell: ({ trained_at: at }) => <Moment at={at} /> },
  {
    title: 'Calls from',
    cell: ({ window }) => formatDays(window),
  },
  { title: 'Labelled', right: true, cell: ({ labelled }) => formatCount(labelled) },
];

export const Versions = ({ models, recall }: VersionsProps) => {
  const actionsOf =
    recall &&
    (({ version, state }: Model): readonly RowAction[] =>
      state === 'active'
        ? [{ label: 'Recall', subject: version, isDanger: true, run: () => recall(version) }]
        : []);
  return (
    <Card title="Versions">
      <Table
        label="Versions"
        columns={columns}
        rows={models}
        keyOf={({ version }) => version}
        actions={actionsOf}
      />
    </Card>
  );
};
