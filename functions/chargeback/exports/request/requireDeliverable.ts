import type { DeliveryTarget } from '../../../../schemas/chargeback/deliveryTarget.ts';
import type { ExportRequest } from '../../../../schemas/chargeback/focus.ts';
import { parseId } from '../../../platform/shared/ids.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { monthOf, startOfMonth, startOfNextMonth } from '../../../platform/shared/time/month.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { DestinationReader } from '../destinations/destination.store.ts';
import { exportPeriodOf } from './exportLimits.ts';

const rejection = (pointer: string, detail: string) =>
  new ProblemError('VALIDATION_FAILED', 'The export cannot be delivered.', { errors: [{ pointer, detail }] });

/** Throws VALIDATION_FAILED when a destination is named that the tenant does not have. `within` is the pointer of the target. */
export const requireDestinationOf = async (
  target: DeliveryTarget | undefined,
  { tenant_id, tag }: Pick<Tenant, 'tenant_id' | 'tag'>,
  destinations: Pick<DestinationReader, 'read'>,
  within: string,
): Promise<void> => {
  if (target === undefined) return;
  const id = parseId(target.destination_id, 'dst', tag);
  const found = id.kind === 'own' ? await destinations.read(tenant_id, id.ulid) : null;
  if (found !== null) return;
  throw rejection(`${within}/destination_id`, 'must be the id of an export destination');
};

/** Whether the period of an export is one UTC month. */
export const isOfMonth = (request: Pick<ExportRequest, 'period'>): boolean => {
  const { from, to } = exportPeriodOf(request);
  const month = monthOf(from);
  return startOfMonth(month) === from && startOfNextMonth(month) === to;
};

/**
 * Throws VALIDATION_FAILED when an export is to be delivered that is not of one whole month: its files replace those of the
 * month in the bucket, so a part of a month would remove the rest.
 */
export const requireMonth = (request: Pick<ExportRequest, 'delivery' | 'period'>): void => {
  if (request.delivery === undefined || isOfMonth(request)) return;
  throw rejection('/period', 'must be one UTC month to be delivered, such as 2026-10-01 to 2026-11-01');
};
