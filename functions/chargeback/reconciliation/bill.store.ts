import pMap from 'p-map';
import * as z from 'zod';
import { DAY_SECONDS } from '../../../schemas/durations.ts';
import {
  listDocuments,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  type WriteOptions,
  writeDocument,
} from '../../platform/shared/aws/document.store.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { BilledDay } from './bill.ts';
import type { BilledModel } from './normalizeModel.ts';

/** Same retention as the records that bills are compared with: 25 months of 31 days. */
export const BILL_RETENTION_SECONDS = 25 * 31 * DAY_SECONDS;
/** Days read in parallel. */
const CONCURRENCY = 16;
/** Most billed models read for a day. A tenant has some dozens. */
const LINES_MAXIMUM = 1_000;

/** End of the newest charge on a tenant's bills, and arrival time of the newest rows. Epoch milliseconds. */
export const BillWatermark = z.object({ until: z.int(), at: z.int() });
export type BillWatermark = z.infer<typeof BillWatermark>;

const watermarkKey = (tenantId: string) => ({ pk: `${tenantId}#head`, sk: 'head' });
const dayOf = (tenantId: string, day: string): string => `${tenantId}#${day}`;
/** Provider and model names may be longer than a DynamoDB key, so the key has their digest. */
const dayKey = (tenantId: string, day: string, { provider, model }: BilledModel) => ({
  pk: dayOf(tenantId, day),
  sk: sha256Of('billed line', JSON.stringify([provider, model])).toString('base64url'),
});

export interface BillReader {
  /** The billed models of these UTC days. */
  readonly days: (tenantId: string, days: readonly string[]) => Promise<BilledDay[]>;
  readonly watermark: (tenantId: string) => Promise<BillWatermark | null>;
}

export const billReader = (table: string): BillReader => ({
  days: async (tenantId, days) => {
    const range = { descending: false, limit: LINES_MAXIMUM };
    const billedDays = await pMap(
      days,
      (day) => listDocuments(table, dayOf(tenantId, day), range, BilledDay),
      {
        concurrency: CONCURRENCY,
      },
    );
    return billedDays.flat();
  },
  watermark: (tenantId) => readDocument(table, watermarkKey(tenantId), BillWatermark),
});

export interface BillWriter {
  readonly day: (tenantId: string, day: string, line: BilledModel) => Promise<Versioned<BilledDay> | null>;
  readonly putDay: (tenantId: string, billed: BilledDay, options: WriteOptions) => Write;
  readonly watermark: (tenantId: string) => Promise<Versioned<BillWatermark> | null>;
  readonly putWatermark: (tenantId: string, head: BillWatermark, options: WriteOptions) => Write;
}

export const billWriter = (table: string): BillWriter => ({
  day: (tenantId, day, line) => readVersioned(table, dayKey(tenantId, day, line), BilledDay),
  putDay: (tenantId, billed, options) =>
    writeDocument(table, dayKey(tenantId, billed.day, billed), billed, {
      ...options,
      ttl: Date.parse(billed.day) / 1_000 + BILL_RETENTION_SECONDS,
    }),
  watermark: (tenantId) => readVersioned(table, watermarkKey(tenantId), BillWatermark),
  putWatermark: (tenantId, head, options) => writeDocument(table, watermarkKey(tenantId), head, options),
});
