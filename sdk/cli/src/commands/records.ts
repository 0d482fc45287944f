import {
  type AttributionRecord,
  confirmCost,
  getAttribution,
  listAttribution,
  listAttributionVersions,
  type RecordVersion,
} from '../../../typescript/src/index.ts';
import type { Call, Command } from '../command.ts';
import { documentLines } from '../documentLines.ts';
import { UsageError } from '../faults.ts';
import { type Column, pairsOf } from '../table.ts';
import { writeJson, writeLine } from '../terminal.ts';
import { shown } from '../text.ts';
import { pageOptions, pageQuery, printCollection } from './lists.ts';

const columns: readonly Column<AttributionRecord>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'TIME', value: ({ occurred_at }) => occurred_at },
  { title: 'OWNER', value: ({ owner }) => owner, absent: '-' },
  { title: 'SERVICE', value: ({ service }) => service, absent: '-' },
  { title: 'PROVIDER', value: ({ provider }) => provider },
  { title: 'MODEL', value: ({ served_model }) => served_model },
  { title: 'COST USD', value: ({ cost_usd }) => cost_usd, isAmount: true },
  { title: 'STATE', value: ({ output_state }) => output_state },
  { title: 'CONFIDENCE', value: ({ coper }) => coper, isAmount: true },
  { title: 'CHARGE TO OWNER', value: ({ interpretation }) => interpretation.answers.owner.chargeback },
];

/** Options that are a filter of the service under another name. */
const FILTERS: Readonly<Record<string, string>> = {
  owner: 'owner',
  service: 'service',
  'end-user': 'end_user',
  provider: 'provider',
  model: 'served_model',
  state: 'output_state',
  'cost-unknown': 'cost_unknown',
  status: 'status',
  trace: 'trace_id',
  from: 'occurred_at[gte]',
  to: 'occurred_at[lt]',
};

/**
 * The service checks names and values, and suggests the nearest known name. Every value is sent, so the service also refuses a
 * filter that is given twice and is no list.
 */
const filtersOf = ({ option, options }: Call): Record<string, string | string[]> => {
  const filters = Object.entries(FILTERS).flatMap(([name, filter]) => {
    const value = option(name);
    return value === undefined ? [] : [{ filter, value }];
  });
  for (const text of options('filter')) {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`A filter is FIELD=VALUE or FIELD[OPERATOR]=VALUE: ${text}`);
    filters.push({ filter: text.slice(0, at), value: text.slice(at + 1) });
  }
  return Object.fromEntries(
    filters.map(({ filter }) => {
      const given = filters.flatMap((other) => (other.filter === filter ? [other.value] : []));
      const [only = '', ...others] = given;
      return [filter, others.length === 0 ? only : given];
    }),
  );
};

export const records: Command = {
  name: 'records',
  summary: 'List attribution records',
  options: {
    owner: { placeholder: 'NAME', help: 'Only records of this owner' },
    service: { placeholder: 'NAME', help: 'Only records of this service' },
    'end-user': { placeholder: 'NAME', help: 'Only calls that this person made use of' },
    provider: { placeholder: 'NAME', help: 'Only calls to this provider' },
    model: { placeholder: 'NAME', help: 'Only calls that this model served' },
    state: { placeholder: 'STATE', help: 'Only this output_state, for example unresolved' },
    'cost-unknown': {
      placeholder: 'REASON',
      help: 'Only calls whose cost is unknown for this reason. implausible_cost: it waits for a confirmation',
      values: ['implausible_cost', 'price_not_found', 'usage_missing'],
    },
    status: {
      placeholder: 'STATUS',
      help: 'Only calls that ended so',
      values: ['ok', 'error', 'incomplete'],
    },
    trace: { placeholder: 'ID', help: 'Only records of this trace' },
    from: { placeholder: 'TIME', help: 'Only calls from this time on, in ISO 8601' },
    to: { placeholder: 'TIME', help: 'Only calls before this time' },
    filter: {
      placeholder: 'F=V',
      help: "Any filter of the API, for example 'cost_usd[gte]=0.01'. Can be repeated",
      multiple: true,
    },
    sort: {
      placeholder: 'FIELD',
      help: 'Default: -occurred_at',
      values: ['occurred_at', '-occurred_at', 'cost_usd', '-cost_usd', 'confidence', '-confidence'],
    },
    ...pageOptions,
  },
  run: (call) => {
    const sort = call.option('sort');
    const query: object = { ...filtersOf(call), ...(sort !== undefined && { sort }), ...pageQuery(call) };
    const { signal } = call.terminal;
    return printCollection<AttributionRecord, Awaited<ReturnType<typeof listAttribution>>>(
      call,
      listAttribution(call.client(), query, { signal }),
      () => columns,
      'No record matches.',
    );
  },
};

/** Members for which null means that there is none. For all others it means unknown. */
const OPTIONAL: ReadonlySet<string> = new Set(['owner', 'service', 'residency', 'trace_id']);

export const recordsGet: Command = {
  name: 'records get',
  summary: 'Show one record and why it has this owner and cost',
  argument: { placeholder: 'ID' },
  options: {},
  run: async ({ terminal, client, argument, flag }) => {
    const record = await getAttribution(client(), argument, { signal: terminal.signal });
    if (flag('json')) return writeJson(terminal, record);
    const { interpretation, explanation, tenant_id: _tenant, dispute, tags, ...members } = record;
    const pairs = Object.entries(members).map(
      ([name, value]) => [name, shown(value, OPTIONAL.has(name) ? '-' : 'unknown')] as const,
    );
    const sections = { interpretation, explanation, ...(dispute !== undefined && { dispute }) };
    const lines = [
      ...pairsOf([...pairs, ['tags', shown(tags.join(', '))]]),
      ...Object.entries(sections).flatMap(([name, value]) => ['', `${name}:`, ...documentLines(value, '  ')]),
    ];
    for (const line of lines) await writeLine(terminal, line);
  },
};

export const recordsConfirm: Command = {
  name: 'records confirm',
  summary: 'Confirm the cost of a record that was set aside as implausible',
  argument: { placeholder: 'ID' },
  options: {},
  run: async ({ terminal, client, argument, flag }) => {
    const record = await confirmCost(client(), argument, { signal: terminal.signal });
    if (flag('json')) return writeJson(terminal, record);
    await writeLine(
      terminal,
      `${shown(record.id)} costs ${shown(record.cost_usd)} USD from version ${record.version} on.`,
    );
  },
};

const versionColumns: readonly Column<RecordVersion>[] = [
  { title: 'VERSION', value: ({ record }) => record.version, isAmount: true },
  { title: 'FROM', value: ({ record }) => record.as_of },
  { title: 'UNTIL', value: ({ valid_until }) => valid_until, absent: 'now' },
  { title: 'OWNER', value: ({ record }) => record.owner, absent: '-' },
  { title: 'SERVICE', value: ({ record }) => record.service, absent: '-' },
  { title: 'COST USD', value: ({ record }) => record.cost_usd, isAmount: true },
  { title: 'CAUSE', value: ({ cause }) => cause },
  { title: 'BY', value: ({ by }) => by, absent: '-' },
  { title: 'REASON', value: ({ reason }) => reason, absent: '-' },
];

export const recordsVersions: Command = {
  name: 'records versions',
  summary: 'Show who the owner of a record was until when, and what changed it',
  argument: { placeholder: 'ID' },
  options: pageOptions,
  run: (call) =>
    printCollection<RecordVersion, Awaited<ReturnType<typeof listAttributionVersions>>>(
      call,
      listAttributionVersions(call.client(), call.argument, pageQuery(call), {
        signal: call.terminal.signal,
      }),
      () => versionColumns,
      'No version is stored.',
    ),
};
