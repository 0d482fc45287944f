import { DeliveryAttempt } from '../../../../schemas/delivery/webhooks.ts';
import {
  type DocumentRange,
  listReadable,
  putDocument,
  type Write,
} from '../../../platform/shared/aws/document.store.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';

const partitionOf = (tenantId: string, endpointId: string): string =>
  `log#${tenantId}#${ulidInId(endpointId)}`;

export interface DeliveryLog {
  /**
   * The write that adds an attempt. Its id is derived from the time, endpoint, sequence, attempt number and worker, so a
   * repeated write is idempotent.
   */
  readonly append: (tenantId: string, attempt: DeliveryAttempt) => Write;
}

export const deliveryLog = (table: string): DeliveryLog => ({
  append: (tenantId, attempt) =>
    putDocument(
      table,
      { pk: partitionOf(tenantId, attempt.endpoint_id), sk: ulidInId(attempt.id) },
      attempt,
      { ttl: Math.ceil(Date.parse(attempt.retained_until) / 1_000) },
    ),
});

export interface DeliveryLogReader {
  /** Attempts at deliveries to an endpoint, in ULID order. `endpointId` is its id or the ULID of that id. */
  readonly attempts: (
    tenantId: string,
    endpointId: string,
    range: DocumentRange,
  ) => Promise<DeliveryAttempt[]>;
}

export const deliveryLogReader = (table: string): DeliveryLogReader => ({
  attempts: (tenantId, endpointId, range) =>
    listReadable(table, partitionOf(tenantId, endpointId), range, DeliveryAttempt),
});
