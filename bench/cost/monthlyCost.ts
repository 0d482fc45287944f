import { goal, type Table, table } from '../support/table.ts';
import { idleRows, idleTotals, type PricedTemplate } from './idleCost.ts';
import { type StorageRow, storageUsd } from './storage.ts';

const MILLION = 1e6;
const IDLE_GOAL_USD = 8;

/** Tenants by their events in a month. */
const TENANTS = { small: 100_000, medium: 10 * MILLION, large: 300 * MILLION };

/** The bill of a month: idle, for each million events, and for three sizes of a tenant. */
export const monthlyTables = (
  template: PricedTemplate,
  { processing, stored }: { readonly processing: number; readonly stored: readonly StorageRow[] },
): Table[] => {
  const idle = idleRows(template);
  const totals = idleTotals(idle);
  const priced = stored.map((row) => ({ ...row, ...storageUsd(row) }));
  const storage = priced.reduce((sum, { table: usd, backup }) => sum + usd + backup, 0);
  return [
    table(
      'An idle month, USD',
      [
        ...idle.map(({ item, count, usd, usdAfterAllowance }) => ({
          item,
          count,
          usd: usd.toFixed(2),
          'after the allowance': usdAfterAllowance.toFixed(2),
          goal: '',
        })),
        {
          item: 'Total',
          count: null,
          usd: totals.usd.toFixed(2),
          'after the allowance': totals.usdAfterAllowance.toFixed(2),
          goal: goal(totals.usdAfterAllowance, IDLE_GOAL_USD),
        },
      ],
      'List prices of us-east-1. AWS does not charge the allowance of an account, which all its environments share.',
    ),
    table(
      'Storage of events until they expire',
      priced.map(({ kind, itemsPerEvent, bytesPerEvent, months, table: usd, backup }) => ({
        items: kind,
        'items per event': itemsPerEvent,
        'bytes per event': bytesPerEvent,
        months,
        'usd per million events': usd.toFixed(3),
        'and their backups': backup.toFixed(3),
      })),
      'Bytes as DynamoDB bills them. Without the 25 GB that AWS does not charge.',
      'A short run has few minutes: rollups of a tenant grow with its groups and minutes, not with its events.',
    ),
    table(
      'USD a month by the size of a tenant, once the oldest events expire',
      Object.entries(TENANTS).map(([tenant, perMonth]) => ({
        tenant,
        'events a month': perMonth,
        processing: ((processing * perMonth) / MILLION).toFixed(2),
        storage: ((storage * perMonth) / MILLION).toFixed(2),
        'per million events': (processing + storage).toFixed(2),
        'with an idle environment': (
          totals.usdAfterAllowance +
          ((processing + storage) * perMonth) / MILLION
        ).toFixed(2),
      })),
      'Batches of 100 events over HTTP. Without reports, webhooks and exports, which have benchmarks of their own.',
    ),
  ];
};
