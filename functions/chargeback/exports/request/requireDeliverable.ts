import type { ExportRequest, ExportTerms } from '../../../../schemas/chargeback/focus.ts';
import { parseId } from '../../../platform/shared/ids.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { monthOf, startOfMonth, startOfNextMonth } from '../../../platform/shared/time/month.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import type { DestinationReader } from '../destinations/destination.store.ts';
import { exportPeriodOf } from './exportLimits.ts';

const rejection = (pointer: string, detail: string) =>
  new ProblemError('VALIDATION_FAILED', 'The export cannot be delivered.', { errors: [{ pointer, detail }] });

/** Throws VALIDATION_FAILED when a destination is named that the tenant does not have. `within` is the pointer of the terms. */
export const requireDestinationOf = async (
  { delivery }: Pick<ExportTerms, 'delivery'>,
  { tenant_id, tag }: Pick<Tenant, 'tenant_id' | 'tag'>,
  destinations: Pick<DestinationReader, 'read'>,
  within = '',
): Promise<void> => {
  if (delivery === undefined) return;
  const id = parseId(delivery.destination_id, 'dst', tag);
  const found = id.kind === 'own' ? await destinations.read(tenant_id, id.ulid) : null;
  if (found !== null) return;
  throw rejection(`${within}/delivery/destination_id`, 'must be the id of an export destination');
};

/**
 * Throws VALIDATION_FAILED when an export is to be delivered that is not of one whole month: its files replace those of the
 * month in the bucket, so a part of a month would remove the rest.
 */
export const requireMonth = (request: Pick<ExportRequest, 'delivery' | 'period'>): void => {
  if (request.delivery === undefined) return;
  const { from, to } = exportPeriodOf(request);
  const month = monthOf(from);
  if (startOfMonth(month) === from && startOfNextMonth(month) === to) return;
  throw rejection('/period', 'must be one UTC month to be delivered, such as 2026-10-01 to 2026-11-01');
};
