import * as z from 'zod';
import type { PriceObject } from '../../../../schemas/attribution/loadedPrices.ts';
import {
  readVersioned,
  type Versioned,
  type Write,
  type WriteOptions,
  writeDocument,
} from '../../../platform/shared/aws/document.store.ts';

/** The version in force, and the id of the audit entries that tell tenants of it. */
const PricesInForce = z.object({ version: z.string(), loaded_at: z.iso.datetime(), ulid: z.string() });
export type PricesInForce = z.infer<typeof PricesInForce>;

/** Beside the rows of tenants: prices are those of the whole stack. */
const IN_FORCE = { pk: 'loadedPrices' };
const keyOf = (version: string): string => `prices/${version}.json`;

// Imported with the first object, so that a function without loaded prices loads neither.
const client = () => import('../../../platform/shared/aws/s3.client.ts');
const format = () => import('../../../../schemas/attribution/loadedPrices.ts');

export interface PriceObjectReader {
  /** The version in force. Null if nothing was ever loaded. */
  readonly inForce: () => Promise<Versioned<PricesInForce> | null>;
  /** Throws if the object cannot be read before the signal aborts. */
  readonly read: (version: string, signal?: AbortSignal) => Promise<PriceObject>;
}

export const priceObjectReader = (table: string, bucket: string): PriceObjectReader => ({
  inForce: () => readVersioned(table, IN_FORCE, PricesInForce),
  read: async (version, abortSignal) => {
    const { s3, GetObjectCommand } = await client();
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf(version) }), {
      ...(abortSignal !== undefined && { abortSignal }),
    });
    const { PriceObject } = await format();
    return PriceObject.parse(JSON.parse((await Body?.transformToString()) ?? ''));
  },
});

/** For the command of operators. No route loads prices. */
export const priceObjectWriter = (table: string, bucket: string) => ({
  write: async (version: string, object: PriceObject): Promise<void> => {
    const { s3, PutObjectCommand } = await client();
    await s3.send(
      new PutObjectCommand({ Bucket: bucket, Key: keyOf(version), Body: JSON.stringify(object) }),
    );
  },
  /** Switches to a version whose object is written. Fails if another load came first. */
  putInForce: (
    inForce: PricesInForce,
    by: WriteOptions['by'],
    before: Versioned<PricesInForce> | null,
  ): Write =>
    writeDocument(table, IN_FORCE, inForce, {
      expectedRevision: before?.revision ?? null,
      by,
    }),
});
