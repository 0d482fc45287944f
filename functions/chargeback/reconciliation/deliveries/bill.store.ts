import pMap from 'p-map';
import * as z from 'zod';
import { DAY_MS, DAY_SECONDS } from '../../../../schemas/durations.ts';
import {
  type DocumentRange,
  listDocuments,
  putDocument,
  putWithoutTransaction,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  type WriteOptions,
  writeDocument,
} from '../../../platform/shared/aws/document.store.ts';
import { type BilledDay, BillLine } from '../rows/bill.ts';
import { billInForce, hasRowsInForce, layersOf, layersOn } from './billInForce.ts';
import { type Chunk, chunksOf } from './chunks.ts';
import { OPEN_MS, StoredDelivery } from './delivery.ts';

/** Same retention as the records that bills are compared with: 25 months of 31 days. */
const BILL_RETENTION_SECONDS = 25 * 31 * DAY_SECONDS;
/** How long a delivery that has expired stays in the list. */
const EXPIRED_SECONDS = 30 * DAY_SECONDS;
/** Deliveries read, and documents of rows written, in parallel. */
const CONCURRENCY = 16;
/** More than a tenant has: one for each day of each source is 15,500. */
const DELIVERIES_MAXIMUM = 50_000;
/** More than the rows of a delivery take. */
const DOCUMENTS_MAXIMUM = 50_000;

/**
 * End of the newest charge of complete deliveries, and the arrival of the newest of them. Epoch milliseconds. Null if the
 * only ones were taken back.
 */
const Watermark = z.object({ until: z.int(), at: z.int() });
export type BillWatermark = z.infer<typeof Watermark>;
const StoredWatermark = z.object({ newest: Watermark.nullable() });
type StoredWatermark = z.infer<typeof StoredWatermark>;

const StoredLines = z.object({ lines: z.array(BillLine) });
/** The end of the delivery with an id. Together they are its key. */
const Place = z.object({ to: z.iso.date() });
type Place = z.infer<typeof Place>;

type DeliveryKey = Pick<StoredDelivery, 'id' | 'to'>;

const deliveriesOf = (tenantId: string): string => `${tenantId}#deliveries`;
/** Sort key: the last billed day, then what tells deliveries of the same day apart. */
export const deliveryKeyOf = ({ id, to }: DeliveryKey): string => `${to}#${id}`;
const deliveryKey = (tenantId: string, key: DeliveryKey) => ({
  pk: deliveriesOf(tenantId),
  sk: deliveryKeyOf(key),
});
const placeKey = (tenantId: string, id: string) => ({ pk: `${tenantId}#places`, sk: id });
const watermarkKey = (tenantId: string) => ({ pk: `${tenantId}#head`, sk: 'head' });
/** A page is named by its content, so rows that were left by a request that failed are never read. */
const pageOf = (tenantId: string, key: DeliveryKey, page: string): string =>
  `${tenantId}#rows#${deliveryKeyOf(key)}#${page}`;
const retainedUntil = (to: string): number => (Date.parse(to) - DAY_MS) / 1_000 + BILL_RETENTION_SECONDS;

export interface BillReader {
  /** The bills in force on these UTC days, by provider and model. */
  readonly days: (tenantId: string, days: readonly string[]) => Promise<BilledDay[]>;
  readonly watermark: (tenantId: string) => Promise<BillWatermark | null>;
  /** Deliveries in the order of {@link deliveryKeyOf}, also those that were taken back. */
  readonly deliveries: (tenantId: string, range: DocumentRange) => Promise<StoredDelivery[]>;
}

export const billReader = (table: string): BillReader => {
  const deliveries = (tenantId: string, range: DocumentRange): Promise<StoredDelivery[]> =>
    listDocuments(table, deliveriesOf(tenantId), range, StoredDelivery);

  /** The rows of a delivery from a day on, by day. */
  const linesFrom = async (tenantId: string, delivery: StoredDelivery, day: string) => {
    const range = { after: day, descending: false, limit: DOCUMENTS_MAXIMUM };
    const documents = await pMap(
      Object.keys(delivery.pages),
      (page) => listDocuments(table, pageOf(tenantId, delivery, page), range, StoredLines),
      { concurrency: CONCURRENCY },
    );
    return Map.groupBy(
      documents.flat().flatMap(({ lines }) => lines),
      (line) => line.day,
    );
  };

  return {
    days: async (tenantId, days) => {
      const [first] = days.toSorted();
      if (first === undefined) return [];
      // All that end later. One document tells which rows count, so a delivery changes all its days at once.
      const range = { after: `${first}$`, descending: false, limit: DELIVERIES_MAXIMUM };
      const layers = layersOf(await deliveries(tenantId, range));
      const layersByDay = days.map((day) => layersOn(layers, day));
      const needed = new Set(
        layersByDay.flatMap((ofDay) =>
          ofDay.flatMap(({ delivery }, index) => (hasRowsInForce(ofDay, index) ? delivery : [])),
        ),
      );
      const read = await pMap(
        needed,
        async (delivery) => [delivery, await linesFrom(tenantId, delivery, first)] as const,
        { concurrency: CONCURRENCY },
      );
      const lines = new Map(read);
      return days.flatMap((day, index) =>
        billInForce(layersByDay[index] ?? [], day, (delivery) => lines.get(delivery)?.get(day) ?? []),
      );
    },
    watermark: async (tenantId) =>
      (await readDocument(table, watermarkKey(tenantId), StoredWatermark))?.newest ?? null,
    deliveries,
  };
};

export interface BillWriter {
  readonly delivery: (tenantId: string, key: DeliveryKey) => Promise<Versioned<StoredDelivery> | null>;
  readonly putDelivery: (tenantId: string, delivery: StoredDelivery, options: WriteOptions) => Write;
  readonly place: (tenantId: string, id: string) => Promise<Versioned<Place> | null>;
  readonly putPlace: (tenantId: string, key: DeliveryKey, options: WriteOptions) => Write;
  /** Stores rows of a page. They count once the delivery has the page. A repetition writes the same. */
  readonly putLines: (
    tenantId: string,
    key: DeliveryKey,
    page: string,
    lines: readonly BillLine[],
  ) => Promise<void>;
  readonly watermark: (tenantId: string) => Promise<Versioned<StoredWatermark> | null>;
  readonly putWatermark: (tenantId: string, watermark: StoredWatermark, options: WriteOptions) => Write;
}

export const billWriter = (table: string): BillWriter => ({
  delivery: (tenantId, key) => readVersioned(table, deliveryKey(tenantId, key), StoredDelivery),
  putDelivery: (tenantId, delivery, options) => {
    const openUntil = Math.ceil((delivery.at + OPEN_MS) / 1_000) + EXPIRED_SECONDS;
    const ttl = delivery.state === 'open' ? openUntil : retainedUntil(delivery.to);
    return writeDocument(table, deliveryKey(tenantId, delivery), delivery, { ...options, ttl });
  },
  place: (tenantId, id) => readVersioned(table, placeKey(tenantId, id), Place),
  putPlace: (tenantId, { id, to }, options) =>
    writeDocument(table, placeKey(tenantId, id), { to }, { ...options, ttl: retainedUntil(to) }),
  putLines: async (tenantId, key, page, lines) => {
    const writeChunk = async ({ day, index, lines: chunk }: Chunk): Promise<void> => {
      const at = { pk: pageOf(tenantId, key, page), sk: `${day}#${index}` };
      const { Put } = putDocument(table, at, { lines: chunk }, { ttl: retainedUntil(key.to) });
      if (Put !== undefined) await putWithoutTransaction(Put);
    };
    await pMap(chunksOf(lines), writeChunk, { concurrency: CONCURRENCY });
  },
  watermark: (tenantId) => readVersioned(table, watermarkKey(tenantId), StoredWatermark),
  putWatermark: (tenantId, watermark, options) =>
    writeDocument(table, watermarkKey(tenantId), watermark, options),
});
