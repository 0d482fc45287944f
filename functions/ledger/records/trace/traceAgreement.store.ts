import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { batchGet } from '../../../platform/shared/aws/batches/batchGet.store.ts';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';
import { singleFlightBatch } from '../../../platform/shared/caches/singleFlightBatch.ts';
import { Evidence } from './evidence.ts';
import { type AgreementSubject, agreementKey, expiryOf, keyIn, nameOf, type Row } from './traceRow.store.ts';
import type { TraceLane } from './traceSpan.ts';

/** Whose agreement it is, and about what. */
export interface AgreementOf {
  /** Undefined for the tenant. */
  readonly connector: string | undefined;
  readonly subject: AgreementSubject;
}

/** What the spans of a party that name somebody have in common. */
export const Agreement = z.discriminatedUnion('state', [
  /** All of them name what this record names. */
  z.object({ state: z.literal('agreed'), record: z.string(), evidence: Evidence }),
  z.object({ state: z.literal('conflicting') }),
  /** The rows of the trace were lost and written again from its records. Nobody knows. */
  z.object({ state: z.literal('unknown') }),
]);
export type Agreement = z.infer<typeof Agreement>;

export interface TraceAgreementStore {
  /** Null when no span of the party has named anybody. Strongly consistent. */
  readonly read: (trace: TraceLane, of: AgreementOf) => Promise<Agreement | null>;
  /** Returns false when another process has written it since `expected` was read. */
  readonly write: (
    trace: TraceLane,
    of: AgreementOf,
    change: { readonly expected: Agreement | null; readonly next: Agreement; readonly at: number },
  ) => Promise<boolean>;
}

export const toAgreementRow = (
  trace: TraceLane,
  { connector, subject }: AgreementOf,
  agreement: Agreement,
  at: number,
): Row => ({
  ...keyIn(trace, agreementKey(trace.lane, connector, subject)),
  agreement: { S: JSON.stringify(agreement) },
  ttl: expiryOf(at),
});

export const traceAgreementStore = (table: string): TraceAgreementStore => {
  const readAll = singleFlightBatch<ReturnType<typeof keyIn>, ReadonlyMap<string, Agreement>>(
    async (keys) => {
      const distinct = [...new Map(keys.map((key) => [nameOf(key), key])).values()];
      const rows = await batchGet(table, distinct, { isConsistent: true });
      return new Map(
        rows.map((row) => [nameOf(row), Agreement.parse(JSON.parse(row['agreement']?.S ?? '{}'))] as const),
      );
    },
  );
  return {
    read: async (trace, { connector, subject }) => {
      const key = keyIn(trace, agreementKey(trace.lane, connector, subject));
      return (await readAll(table, key)).get(nameOf(key)) ?? null;
    },
    write: async (trace, of, { expected, next, at }) => {
      try {
        await dynamodb.send(
          new PutItemCommand({
            TableName: table,
            Item: toAgreementRow(trace, of, next, at),
            ConditionExpression: expected === null ? 'attribute_not_exists(pk)' : 'agreement = :expected',
            ...(expected !== null && {
              ExpressionAttributeValues: { ':expected': { S: JSON.stringify(expected) } },
            }),
          }),
        );
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
    },
  };
};
