import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { AttributionDetail } from '../../../../sdk/typescript/src/types.ts';
import { formatAmount, formatCount, formatUsd } from '../../format/amount.ts';
import { wordFor } from '../../format/words.ts';

const tokens = (count: number | null): ReactNode =>
  count === null ? <span className="quiet">not reported</span> : formatCount(count);

const factsOf = (record: AttributionDetail): readonly (readonly [string, ReactNode])[] => [
  [
    'Cost',
    <span key="cost" className={record.cost_usd === null ? 'unknown' : ''}>
      {formatUsd(record.cost_usd)}
    </span>,
  ],
  ['Energy', formatAmount(record.energy_wh, 'energy')],
  ['Carbon', formatAmount(record.carbon_gco2e, 'carbon')],
  ['Requested', record.requested_model],
  ['Served', record.served_model],
  ['Status', wordFor(record.status)],
  ['Input tokens', tokens(record.input_tokens)],
  ['Cached input', tokens(record.cached_input_tokens)],
  ['Output tokens', tokens(record.output_tokens)],
  ['Reasoning', tokens(record.reasoning_tokens)],
  ['Latency', record.latency_ms === null ? 'not reported' : `${formatCount(record.latency_ms)}\u202fms`],
  ['End user', record.end_user ?? 'not reported'],
  ['Captured by', `${record.ingestion_layer}, ${wordFor(record.pathway_category)}`],
  ['Region', record.region ?? 'not reported'],
  ['Tags', record.tags.length === 0 ? 'none' : record.tags.join(', ')],
  [
    'Trace',
    record.trace_id === null ? (
      'none'
    ) : (
      <Link key="trace" className="mono" href={`/records?trace=${encodeURIComponent(record.trace_id)}`}>
        {record.trace_id}
      </Link>
    ),
  ],
  [
    'Event',
    <span key="event" className="mono">
      {record.event_id}
    </span>,
  ],
  [
    'Record',
    <span key="record" className="mono">
      {record.id}
    </span>,
  ],
];

export const CallFacts = ({ record }: { record: AttributionDetail }) => (
  <dl className="facts">
    {factsOf(record).map(([name, value]) => (
      <div key={name} className="fact">
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
