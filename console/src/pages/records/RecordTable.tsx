import { Link } from 'wouter';
import type { AttributionRecord } from '../../../../sdk/typescript/src/types.ts';
import { Moment } from '../../components/Moment.tsx';
import { Pill } from '../../components/Pill.tsx';
import { type Column, Table } from '../../components/tables/Table.tsx';
import { formatCount, formatShare, formatUsd } from '../../format/amount.ts';
import { type Addend, selectionText } from '../../format/selectionText.ts';
import { wordFor } from '../../format/words.ts';
import { verdictOf } from './answerVerdict.ts';

type Answers = AttributionRecord['interpretation']['answers'];

/** What the owner or the service of a call is worth. */
export const AnswerPill = ({ answers, who }: { answers: Answers; who: keyof Answers }) => {
  const answer = answers[who];
  const { text, tone } = verdictOf(answer, who);
  return (
    <Pill tone={tone}>
      {text}
      {answer.confidence > 0 && ` · ${formatShare(answer.probability ?? answer.confidence)}`}
    </Pill>
  );
};

const tokens = (count: number | null): string => (count === null ? 'unknown' : formatCount(count));

const columns: readonly Column<AttributionRecord>[] = [
  {
    title: 'Time (UTC)',
    cell: ({ id, occurred_at: at }) => (
      <Link href={`/records/${encodeURIComponent(id)}`}>
        <Moment at={at} bare />
      </Link>
    ),
  },
  {
    title: 'Owner and service',
    cell: ({ owner, service }) => (
      <>
        {owner ?? <span className="unknown">nobody named</span>}
        <span className="sub">{service ?? 'no service'}</span>
      </>
    ),
  },
  {
    title: 'Model',
    cell: ({ served_model: model, provider }) => (
      <>
        {model}
        <span className="sub">{provider}</span>
      </>
    ),
  },
  {
    title: 'Cost',
    right: true,
    cell: ({ cost_usd: cost }) => <span className={cost === null ? 'unknown' : ''}>{formatUsd(cost)}</span>,
  },
  {
    title: 'Tokens in / out',
    right: true,
    cell: ({ input_tokens: input, output_tokens: output }) => `${tokens(input)} / ${tokens(output)}`,
  },
  {
    title: 'Attribution',
    cell: (record) => (
      <>
        <AnswerPill answers={record.interpretation.answers} who="owner" />
        <span className="sub">{wordFor(record.output_state)}</span>
      </>
    ),
  },
];

/** A list has no ranges. */
const addendOf = ({ cost_usd: cost }: AttributionRecord): Addend => ({
  central: cost,
  low: null,
  high: null,
  invocations: 1,
  unknown: cost === null ? 1 : 0,
});

export const RecordTable = ({
  records,
  hasMore,
}: {
  records: readonly AttributionRecord[];
  hasMore: boolean;
}) => (
  <Table
    label="Calls"
    hasMore={hasMore}
    columns={columns}
    rows={records}
    sumOf={(chosen) => selectionText(chosen.map(addendOf), 'cost')}
    keyOf={({ id }) => id}
  />
);
