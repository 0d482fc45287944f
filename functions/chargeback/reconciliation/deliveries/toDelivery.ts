import type { BillDelivery } from '../../../../schemas/chargeback/billDeliveries.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { billersOf, isExpired, OPEN_MS, type StoredDelivery, totalsOf } from './delivery.ts';

/** The only value. Null when there are several, or none. */
const onlyOf = (values: readonly (string | null)[]): string | null => {
  const [value = null, ...others] = new Set(values);
  return others.length === 0 ? value : null;
};

/** The API representation at `now` (epoch milliseconds). Pass no delivery that was taken back. */
export const toDelivery = (delivery: StoredDelivery, now: number): BillDelivery => {
  const { id, mode, from, to, state, at, by, source_id } = delivery;
  const billers = billersOf(delivery);
  const { rows, rejected, usage, other, exchanged } = totalsOf(delivery);
  return {
    id,
    mode,
    state: isExpired(delivery, now) ? 'expired' : state === 'open' ? 'open' : 'complete',
    provider: onlyOf(billers.map(({ provider }) => provider)),
    account: onlyOf(billers.map(({ account }) => account)),
    from,
    to,
    rows,
    rejected_rows: rejected,
    billed_usd: usage,
    other_charges_usd: other,
    ...(exchanged !== undefined && { exchanged }),
    imported_at: toIso(at),
    imported_by: by,
    source_id,
    expires_at: state === 'open' ? toIso(at + OPEN_MS) : null,
  };
};
