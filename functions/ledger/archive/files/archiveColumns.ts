import type { Attribution } from '../../records/attribution.ts';
import { StoredAttribution } from '../../records/ledgerItem.ts';

export type ColumnType = 'text' | 'integer' | 'real' | 'decimal' | 'timestamp' | 'json';

/** A column of the archive. `isCopy`: the value repeats a member of another column, so that queries need no JSON. */
export interface ArchiveColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly isCopy: boolean;
  readonly valueOf: (attribution: Attribution) => unknown;
}

type Member = keyof Attribution['record'];

const member = (name: Member, type: ColumnType, nullable = false): ArchiveColumn => ({
  name,
  type,
  nullable,
  isCopy: false,
  valueOf: ({ record }) => record[name],
});

const copy = (name: keyof Attribution['record']['interpretation']): ArchiveColumn => ({
  name,
  type: 'text',
  nullable: false,
  isCopy: true,
  valueOf: ({ record }) => record.interpretation[name],
});

/** The columns in the order of the files. The tenant and the day are in the path of a file. New columns come last. */
export const archiveColumns: readonly ArchiveColumn[] = [
  member('id', 'text'),
  member('version', 'integer'),
  member('as_of', 'timestamp'),
  member('occurred_at', 'timestamp'),
  member('created_at', 'timestamp'),
  member('event_id', 'text'),
  member('invocation_id', 'text'),
  member('trace_id', 'text', true),
  member('owner', 'text', true),
  member('service', 'text', true),
  member('provider', 'text'),
  member('requested_model', 'text'),
  member('served_model', 'text'),
  member('region', 'text', true),
  member('residency', 'text', true),
  member('pathway_category', 'text'),
  member('ingestion_layer', 'text'),
  member('status', 'text'),
  member('output_state', 'text'),
  member('coper', 'real'),
  copy('confidence_band'),
  copy('stage_origin'),
  copy('evidence_basis'),
  copy('model_version'),
  copy('export_eligibility'),
  member('cost_usd', 'decimal', true),
  member('energy_wh', 'decimal', true),
  member('carbon_gco2e', 'decimal', true),
  member('input_tokens', 'integer', true),
  member('cached_input_tokens', 'integer', true),
  member('cache_write_tokens', 'integer', true),
  member('output_tokens', 'integer', true),
  member('reasoning_tokens', 'integer', true),
  member('latency_ms', 'integer', true),
  member('tags', 'json'),
  member('interpretation', 'json'),
  member('dispute', 'json', true),
  {
    name: 'explanation',
    type: 'json',
    nullable: false,
    isCopy: false,
    valueOf: ({ explanation }) => explanation,
  },
  {
    name: 'stored_event',
    type: 'json',
    nullable: false,
    isCopy: false,
    valueOf: ({ storedEvent }) => storedEvent,
  },
];

/** Columns that are absent from a record, not null, when they have no value. */
const OPTIONAL: ReadonlySet<string> = new Set(['dispute']);

/** Rebuilds a version from the values of its row, by column. Throws when they are not those of a valid record. */
export const attributionOfRow = (values: ReadonlyMap<string, unknown>, tenantId: string): Attribution => {
  const record: Record<string, unknown> = { tenant_id: tenantId };
  for (const { name, isCopy } of archiveColumns) {
    if (isCopy || name === 'explanation' || name === 'stored_event') continue;
    const value = values.get(name) ?? null;
    if (value !== null || !OPTIONAL.has(name)) record[name] = value;
  }
  return StoredAttribution.parse({
    record,
    explanation: values.get('explanation'),
    storedEvent: values.get('stored_event'),
  });
};
