import pMap from 'p-map';
import { settleAll } from '../../../platform/shared/settleAll.ts';
import type { CheckRef, CheckStore } from '../destinations/destination.store.ts';
import type { DeliveryStore, ExportRef } from '../job/export.store.ts';
import { isDue } from './delivery.ts';

/** Deliveries at a time. Each holds one part of a file in memory. */
const CONCURRENCY = 4;

/**
 * Checks the destinations whose check is requested, and attempts all deliveries that are due, the oldest first. Another function
 * may do so at the same time: each delivery is attempted by one. One failure does not stop the others.
 */
export const dueDeliveryRunner =
  (deps: {
    readonly checks: Pick<CheckStore, 'requested'>;
    readonly deliveries: Pick<DeliveryStore, 'open'>;
    readonly check: (ref: CheckRef) => Promise<void>;
    readonly deliver: (name: ExportRef) => Promise<void>;
    readonly clock: () => number;
    /** Whether the function has time to begin an attempt. */
    readonly hasTime: () => boolean;
    /** Told of each delivery that failed through an error of the service itself. */
    readonly onFailure: (error: unknown, name: ExportRef) => void;
  }) =>
  async (): Promise<void> => {
    const { checks, deliveries, check, deliver, clock, hasTime, onFailure } = deps;
    const attemptAll = async (): Promise<void> => {
      const errors: unknown[] = [];
      let after: string | null = null;
      do {
        const { items, next } = await deliveries.open(after);
        const due = items.filter((item) => isDue(item, clock()));
        const attempt = async (item: ExportRef): Promise<void> => {
          if (!hasTime()) return;
          await deliver(item).catch((error) => {
            onFailure(error, item);
            errors.push(error);
          });
        };
        await pMap(due, attempt, { concurrency: CONCURRENCY });
        after = next;
      } while (after !== null && hasTime());
      if (errors.length > 0) throw errors[0];
    };
    await settleAll([...(await checks.requested()).map(check), attemptAll()]);
  };
