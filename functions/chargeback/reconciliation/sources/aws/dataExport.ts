import * as z from 'zod';
import type { DataExport } from '../../../../../schemas/chargeback/dataExport.ts';
import { DAY_MS } from '../../../../../schemas/durations.ts';
import { startOf } from '../../../../ledger/rollups/grain.ts';
import { sha256Of } from '../../../../platform/shared/hash.ts';
import { ItemBudget } from '../../../../platform/shared/itemBudget.ts';
import { decodeText, parseContentJson } from '../../../../platform/shared/json.ts';
import { type Month, startOfMonth, startOfNextMonth } from '../../../../platform/shared/time/month.ts';

/** Where an export is: `s3://bucket/prefix/name`. */
export interface ExportLocation {
  readonly bucket: string;
  readonly region: string;
  /** The prefix of all its objects, ending with a slash. */
  readonly folder: string;
  readonly name: string;
}

export const exportLocation = ({
  location,
  region,
}: Pick<DataExport, 'location' | 'region'>): ExportLocation => {
  const [bucket = '', ...path] = location.slice('s3://'.length).split('/');
  return { bucket, region, folder: `${path.join('/')}/`, name: path.at(-1) ?? '' };
};

/** https://docs.aws.amazon.com/cur/latest/userguide/dataexports-export-delivery.html */
export const manifestKey = ({ folder, name }: ExportLocation, month: Month): string =>
  `${folder}metadata/BILLING_PERIOD=${month}/${name}-Manifest.json`;

const FILES_MAXIMUM = 1_000;
/** A manifest also lists the columns of the export, and the time of its query. */
const MANIFEST_ITEMS_MAXIMUM = 64 * 1_024;
const Manifest = z.object({ dataFiles: z.array(z.string()).max(FILES_MAXIMUM) });

/** A delivery of a month. */
export interface Delivery {
  /** Changes with each delivery. */
  readonly version: string;
  /** When its manifest was written, after all its files. Epoch milliseconds. */
  readonly deliveredAt: number;
  readonly files: readonly string[];
}

/** Reads a manifest. Throws when it does not have the documented form, or names files outside the data of its export. */
export const parseManifest = (
  { bucket, folder }: ExportLocation,
  month: Month,
  { body, lastModified }: { readonly body: Uint8Array; readonly lastModified: string },
): Delivery => {
  const content = parseContentJson(decodeText(body), new ItemBudget(MANIFEST_ITEMS_MAXIMUM));
  const { dataFiles } = Manifest.parse(content?.value);
  const deliveredAt = Date.parse(lastModified);
  if (!Number.isSafeInteger(deliveredAt)) throw new RangeError('a manifest has no time');
  const data = `${folder}data/BILLING_PERIOD=${month}/`;
  const root = `s3://${bucket}/`;
  const files = dataFiles.map((file) => (file.startsWith(root) ? file.slice(root.length) : file));
  if (files.some((file) => !file.startsWith(data) || file.includes('..') || !file.endsWith('.parquet'))) {
    throw new RangeError('a manifest names a file that is not a Parquet file of its export');
  }
  const version = sha256Of('delivery', lastModified, body).toString('base64url').slice(0, 22);
  return { version, deliveredAt, files };
};

/** How far the delivery of a month was imported. */
export interface ImportedDelivery {
  readonly version: string;
  /** All days before this instant are imported. Epoch milliseconds. */
  readonly until: number;
}

/**
 * The days of a delivery to import: all of a new delivery, because AWS restates a month as a whole. The day on which it was
 * written is left to the next one, which has all of it. `first` is the first day that the source imports.
 */
export const daysOfDelivery = (
  month: Month,
  { version, deliveredAt }: Delivery,
  imported: ImportedDelivery | undefined,
  { first, now }: { readonly first: number; readonly now: number },
): number[] => {
  const from = Math.max(first, imported?.version === version ? imported.until : startOfMonth(month));
  const end = Math.min(startOfNextMonth(month), startOf('day', deliveredAt), startOf('day', now));
  return Array.from({ length: Math.max(0, (end - from) / DAY_MS) }, (_, index) => from + index * DAY_MS);
};
