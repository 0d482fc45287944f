import { RETENTION_MS } from '../../../functions/platform/idempotency/requestIdentity.ts';
import type { ResponseStore } from '../../../functions/platform/idempotency/response.store.ts';
import type { Write } from '../../../functions/platform/shared/aws/document.store.ts';
import { outage } from '../../support/outage.ts';

interface Row {
  readonly fingerprint: string;
  readonly receivedAt: number;
  readonly attempt: number;
  /** Null once the call has completed. */
  readonly lease: number | null;
  readonly sealed: string | null;
}

/** The model has no transactions: a write that always succeeds in one. */
const NOTHING: Write = {
  ConditionCheck: {
    TableName: 'idempotency',
    Key: { pk: { S: 'nothing' } },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
};

/** An in-memory model of the response store: each call is atomic. */
export const inMemoryResponseStore = () => {
  const rows = new Map<string, Row>();
  const change = (key: string, attempt: number, members: Partial<Row>): void => {
    const row = rows.get(key);
    if (row?.attempt !== attempt || row.lease === null) throw outage('The conditional request failed');
    rows.set(key, { ...row, ...members });
  };

  const store: ResponseStore = {
    begin: async (key, fingerprint, now, leaseUntil) => {
      const row = rows.get(key);
      if (row === undefined || row.receivedAt + RETENTION_MS <= now) {
        rows.set(key, { fingerprint, receivedAt: now, attempt: 1, lease: leaseUntil, sealed: null });
        return { kind: 'held', claim: { key, attempt: 1, receivedAt: now, effect: null } };
      }
      const { receivedAt, sealed, lease } = row;
      if (row.fingerprint !== fingerprint) return { kind: 'conflict' };
      if (sealed !== null) return { kind: 'ended', sealed, receivedAt };
      if (lease !== null && lease > now) return { kind: 'running' };
      const attempt = row.attempt + 1;
      rows.set(key, { ...row, attempt, lease: leaseUntil });
      return { kind: 'held', claim: { key, attempt, receivedAt, effect: null } };
    },
    record: () => NOTHING,
    guard: () => NOTHING,
    end: async ({ key, attempt }, sealed) => change(key, attempt, { sealed, lease: null }),
    abandon: async ({ key, attempt }) => change(key, attempt, { lease: 0 }),
  };
  return { store, rows };
};
