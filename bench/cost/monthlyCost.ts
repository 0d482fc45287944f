import { localAssembly } from '../../tools/build/localAssembly.ts';
import { ingest } from '../ingestion/ingestion.ts';
import { batches } from '../ingestion/ingestModes.ts';
import type { MeasuredService } from '../support/service.ts';
import { goal, type Table, table } from '../support/table.ts';
import { consumptionOf } from './consumption.ts';
import { costRows, totalOf } from './costModel.ts';
import { idleRows, idleTotals } from './idleCost.ts';
import { storageRows, storedByTable } from './storage.ts';

const MILLION = 1e6;
/** Of items without an expiry, such as audit entries. */
const DEFAULT_MONTHS = 25.5;
const IDLE_GOAL_USD = 8;

/** Tenants by their events in a month. */
const TENANTS = { small: 100_000, medium: 10 * MILLION, large: 300 * MILLION };

/** The bill of a month: idle, for each million events, and for three sizes of a tenant. */
export const benchMonthlyCost = async (service: MeasuredService, events: number): Promise<Table[]> => {
  // The template of production: one machine has the same resources, but no alarms on a canary.
  const { template } = await localAssembly({ environment: 'production' });
  const idle = idleRows(template);
  const totals = idleTotals(idle);
  const before = await storedByTable(service, DEFAULT_MONTHS);
  const { used, traffic, memory } = await ingest(service, batches(100, 4), events);
  const processing = totalOf(costRows(consumptionOf(used, traffic, memory)));
  // The warm-up of the measurement is a tenth more.
  const stored = storageRows(before, await storedByTable(service, DEFAULT_MONTHS), events * 1.1);
  const storage = stored.reduce((sum, { usd }) => sum + usd, 0);
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
      stored.map(({ table: name, itemsPerEvent, bytesPerEvent, months, usd }) => ({
        table: name,
        'items per event': itemsPerEvent,
        'bytes per event': bytesPerEvent,
        months,
        'usd per million events': usd.toFixed(3),
      })),
      'Bytes as DynamoDB bills them, with point-in-time recovery. Without the 25 GB that AWS does not charge.',
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
