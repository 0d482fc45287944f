import * as z from 'zod';
import { type Decimal, decimal, toDecimalString } from '../../functions/platform/shared/decimal.ts';
import { AuditEntry } from '../../schemas/identity/audit.ts';
import { BudgetRecord } from '../../schemas/insight/budgets.ts';
import { REPAIRED } from '../../schemas/ledger/rollup.ts';
import { readViews } from '../../test/support/views.ts';
import { readAnswer, type Target } from './client.ts';
import { CONFIRMATION, type ExpectedCall, type Journal } from './journal.ts';
import { resources } from './resources.ts';

type Row = Readonly<Record<string, unknown>>;

/** What a run has left behind. */
export interface Outcome {
  readonly target: Target;
  readonly journal: Journal;
  /** All records of the tenant. */
  readonly records: readonly Row[];
  /** The days that contain all calls: `from` is included, `to` excluded. */
  readonly days: { readonly from: string; readonly to: string };
  /** The sequence numbers and event ids that the receiver got. Null for a service that cannot reach it. */
  readonly deliveries:
    | readonly { readonly sequence: number; readonly id: string; readonly record?: string }[]
    | null;
  /** The lines that functions have logged. Empty for a service whose logs cannot be read. */
  readonly logs: readonly string[];
}

/** A rule that holds for every run. Resolves to what breaks it. */
export type Invariant = (outcome: Outcome) => Promise<string[]> | string[];

const UNITS = decimal('10000000');

/** The costs that the record of a call may have: none while it waits for its confirmation. */
const costsOf = ({ cost, isSetAside }: ExpectedCall, record: Row, { changes, unsure }: Journal) => {
  if (!isSetAside) return [cost];
  const id = String(record['id']);
  if (unsure.has(id)) return [cost, null];
  return [changes.some((change) => change.action === CONFIRMATION && change.id === id) ? cost : null];
};

const eachAcceptedEventOnce: Invariant = ({ journal, records }) => {
  const found = Map.groupBy(records, ({ event_id }) => String(event_id));
  const faults = [...journal.accepted.values()].flatMap((call) => {
    const { eventId, inputTokens, outputTokens } = call;
    const [record, ...others] = found.get(eventId) ?? [];
    if (record === undefined) return [`event ${eventId} has no record`];
    if (others.length > 0) return [`event ${eventId} has ${others.length + 1} records`];
    const recorded = record['cost_usd'];
    const isCostRight = costsOf(call, record, journal).some((cost) =>
      cost === null || recorded === null
        ? cost === recorded
        : decimal(String(recorded))
            .times(UNITS)
            .eq(decimal(String(cost))),
    );
    const isUsageRight = record['input_tokens'] === inputTokens && record['output_tokens'] === outputTokens;
    return isCostRight && isUsageRight ? [] : [`event ${eventId} has the cost ${recorded}`];
  });
  const unknown = [...found.keys()].filter((id) => !journal.accepted.has(id) && !journal.uncertain.has(id));
  return [...faults, ...unknown.map((id) => `event ${id} was never sent`)];
};

/** Spans of agents that repeat the usage of their calls: lists and exports show them, and reports count no call for them. */
const repeatsIn = ({ accepted }: Journal): number =>
  [...accepted.values()].filter(({ cost }) => cost === 0n).length;

const allViewsAgree: Invariant = async ({ target, journal, days }) => {
  const views = await readViews({ baseUrl: target.baseUrl(), key: target.key(), ...days });
  const repeats = repeatsIn(journal);
  const [[first, expected] = ['', undefined], ...others] = Object.entries(views).map(([name, view]) => [
    name,
    JSON.stringify(name.includes('report') ? { ...view, records: view.records + repeats } : view),
  ]);
  return others.flatMap(([name, view]) =>
    view === expected ? [] : [`${name}: ${view}; ${first}: ${expected}`],
  );
};

const rowsOf = async (target: Target, path: string): Promise<Row[]> => {
  const rows: Row[] = [];
  for (let cursor = ''; ; ) {
    const query = `${path.includes('?') ? '&' : '?'}limit=200${cursor}`;
    const answer = await readAnswer(target, `${path}${query}`);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
    const { data, page } = answer.body as { data: Row[]; page: { next_cursor: string | null } };
    rows.push(...data);
    if (page.next_cursor === null) return rows;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
};

const sumOf = (records: readonly Row[]): Decimal =>
  records.reduce<Decimal>((sum, { cost_usd }) => sum.plus(decimal(String(cost_usd ?? '0'))), decimal('0'));

const budgetsCountAllSpend: Invariant = async ({ target, records }) => {
  const budgets = (await rowsOf(target, '/api/v1/budgets')).map((row) => BudgetRecord.parse(row));
  return budgets
    .filter(({ name }) => name.startsWith('soak-'))
    .flatMap(({ id, current_period: { from, to }, period_to_date_usd: spent }) => {
      const within = records.filter(({ occurred_at: at }) => from <= String(at) && String(at) < to);
      const expected = toDecimalString(sumOf(within));
      return spent === expected ? [] : [`budget ${id} has spent ${spent}, its calls cost ${expected}`];
    });
};

const DisputeOf = z.object({ dispute: z.object({ reason: z.string() }).optional() });
const ContractPrices = z.object({ prices: z.array(z.object({ model: z.string() })) });

/** The last change of each thing. What a request without a response may have changed is left out. */
const lastChanges = ({ changes, unsure }: Journal) =>
  [...new Map(changes.map((change) => [change.id, change])).values()].filter(({ id }) => !unsure.has(id));

const eachChangeOnce: Invariant = async ({ target, journal, records }) => {
  const disputed = records.map((row) => ({ ...row, disputed: DisputeOf.parse(row).dispute?.reason }));
  const listed = new Map<string, readonly Row[]>([['record', disputed]]);
  for (const [kind, { path, exists = () => true }] of Object.entries(resources))
    listed.set(kind, (await rowsOf(target, path)).filter(exists));
  const { body } = await readAnswer(target, '/api/v1/contract-prices');
  listed.set(
    'prices',
    ContractPrices.parse(body).prices.map(({ model }) => ({ id: 'prices', model })),
  );
  return lastChanges(journal).flatMap(({ kind, id, name, members }) => {
    const rows = listed.get(kind) ?? [];
    // A second creation would have the same name and another id.
    const named = rows.filter((row) => row['id'] === id || JSON.stringify(row).includes(name));
    if (members === null) return named.length === 0 ? [] : [`the ${kind} ${id} was deleted and exists`];
    const [row] = named;
    if (row === undefined || named.length > 1) return [`the ${kind} ${id} exists ${named.length} times`];
    const others = Object.entries(members).filter(([member, value]) => row[member] !== value);
    return others.length === 0
      ? []
      : [`the ${kind} ${id} does not have what was acknowledged: ${JSON.stringify(row)}`];
  });
};

const auditIsComplete: Invariant = async ({ target, journal }) => {
  const entries = (await rowsOf(target, '/api/v1/audit-log')).map((row) => AuditEntry.parse(row));
  const succeeded = entries.filter(({ outcome }) => outcome === 'succeeded');
  const made = Map.groupBy(journal.changes, ({ action, id }) => `${action} ${id}`);
  return [...made].flatMap(([, changes]) => {
    const [{ action, id } = { action: '', id: '' }] = changes;
    if (journal.unsure.has(id)) return [];
    // The only list of prices has the id of its tenant.
    const own = succeeded.filter(
      (entry) => entry.action === action && (id === 'prices' || entry.resource === id),
    );
    return own.length === changes.length
      ? []
      : [
          `the audit log has ${own.length} entries of ${action} ${id}, which was done ${changes.length} times`,
        ];
  });
};

export const streamHasNoGaps = ({
  deliveries,
  records,
}: Pick<Outcome, 'deliveries' | 'records'>): string[] => {
  if (deliveries === null) return [];
  const bySequence = Map.groupBy(deliveries, ({ sequence }) => sequence);
  const last = Math.max(0, ...bySequence.keys());
  const gaps = Array.from({ length: last }, (_, index) => index + 1).filter(
    (number) => !bySequence.has(number),
  );
  const doubled = [...bySequence].filter(([, own]) => new Set(own.map(({ id }) => id)).size > 1);
  const delivered = new Set(deliveries.flatMap(({ record }) => record ?? []));
  const missing = records.filter(({ id }) => !delivered.has(String(id)));
  return [
    ...gaps.map((number) => `the stream lacks number ${number}`),
    ...doubled.map(([number]) => `two events have number ${number}`),
    ...missing.map(({ id }) => `the receiver did not get record ${id}`),
  ];
};

/** The comparison of totals with the ledger must find nothing to repair: what it finds was missing before. */
const nothingWasRepaired: Invariant = ({ logs }) => logs.filter((line) => line.includes(REPAIRED));

export const invariants: Readonly<Record<string, Invariant>> = {
  'each accepted event has one record, with its tokens and cost': eachAcceptedEventOnce,
  'lists, reports and export agree': allViewsAgree,
  'budgets count what their calls cost': budgetsCountAllSpend,
  'each acknowledged change exists once': eachChangeOnce,
  'each acknowledged change is in the audit log once': auditIsComplete,
  'the webhook stream has no gap, and each record': streamHasNoGaps,
  'no total had to be repaired': nothingWasRepaired,
};

/** All records of the tenant, as the list returns them. */
export const readRecords = (target: Target): Promise<Row[]> => rowsOf(target, '/v1/attribution');
