import type { ExportBasis } from '../../../../schemas/chargeback/exports.ts';
import type { ExportRequest, ExportTerms } from '../../../../schemas/chargeback/focus.ts';
import { DAY_MS, MINUTE_MS } from '../../../../schemas/durations.ts';
import type { FieldError } from '../../../../schemas/fieldError.ts';
import { RECORDS_SCOPE } from '../../../../schemas/routes/disclosure.ts';
import { type Closings, closingOf } from '../../../insight/periods/closings.ts';
import { ProblemError } from '../../../platform/shared/problem.ts';
import { monthOf } from '../../../platform/shared/time/month.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { unknownColumns } from '../focus/columns.ts';
import { exportPeriodOf, groupByLimitError, type LimitError, periodLimitError } from './exportLimits.ts';

type TagKeys = Pick<Tenant, 'cost_allocation_tags'>;

/** No ledger has records before this date. */
const EARLIEST = Date.parse('2015-01-01T00:00:00Z');

const columnErrors = (
  { columns = [], focus_version: version }: ExportTerms,
  within: string,
): FieldError[] => {
  const unknown = new Set(unknownColumns(version, columns));
  return columns.flatMap((name, index) =>
    unknown.has(name)
      ? [
          {
            pointer: `${within}/columns/${index}`,
            detail: `must be a column of FOCUS ${version} or a custom column (x_)`,
          },
        ]
      : [],
  );
};

const throwIfRejected = (errors: readonly FieldError[], excess: LimitError | null, within = ''): void => {
  if (errors.length > 0) {
    throw new ProblemError('VALIDATION_FAILED', 'The export request is invalid.', { errors });
  }
  if (excess === null) return;
  const { pointer, detail } = excess;
  throw new ProblemError('EXPORT_TOO_LARGE', detail, { errors: [{ pointer: within + pointer, detail }] });
};

/** Rows cannot be grouped by a tag that was never in force. */
const tagErrors = (
  { tags = [] }: ExportTerms,
  { cost_allocation_tags }: TagKeys,
  within: string,
): FieldError[] => {
  const keys = new Set(cost_allocation_tags.flatMap((set) => set.keys));
  return tags.flatMap((key, index) =>
    keys.has(key)
      ? []
      : [{ pointer: `${within}/tags/${index}`, detail: 'must be a cost allocation tag of the tenant' }],
  );
};

/** Cohorts have sums of whole minutes. Another bound would move calls into the period or out of it. */
const minuteErrors = (request: ExportRequest, basis: ExportBasis): FieldError[] =>
  Object.entries(exportPeriodOf(request)).flatMap(([name, at]) =>
    basis === 'cohorts' && at % MINUTE_MS !== 0
      ? [
          {
            pointer: `/period/${name}`,
            detail: `must be on a whole minute: only an export with ${RECORDS_SCOPE} can divide one`,
          },
        ]
      : [],
  );

/** A closed month has sums of whole days. */
const closedErrors = (request: ExportRequest, closings: Closings): FieldError[] => {
  const { from, to } = exportPeriodOf(request);
  const bounds = [
    { name: 'from', at: from, month: monthOf(from) },
    { name: 'to', at: to, month: monthOf(to - 1) },
  ];
  return bounds.flatMap(({ name, at, month }) =>
    at % DAY_MS !== 0 && closingOf(closings, month) !== undefined
      ? [{ pointer: `/period/${name}`, detail: `must be midnight UTC: the period ${month} is closed` }]
      : [],
  );
};

/**
 * Checks a request for an export with this basis at `now` (epoch milliseconds). Throws VALIDATION_FAILED or
 * EXPORT_TOO_LARGE.
 */
export const requireFeasible = (
  request: ExportRequest,
  basis: ExportBasis,
  tenant: TagKeys,
  closings: Closings,
  now: number,
): void => {
  const { from } = exportPeriodOf(request);
  const pointer = '/period/from';
  throwIfRejected(
    [
      ...(from < EARLIEST ? [{ pointer, detail: 'must not be before 2015' }] : []),
      ...(from > now ? [{ pointer, detail: 'must not be in the future' }] : []),
      ...minuteErrors(request, basis),
      ...closedErrors(request, closings),
      ...columnErrors(request, ''),
      ...tagErrors(request, tenant, ''),
    ],
    periodLimitError(request) ?? groupByLimitError(request),
  );
};

/** Checks the terms of a schedule, which have no period yet. Throws VALIDATION_FAILED or EXPORT_TOO_LARGE. */
export const requireFeasibleTerms = (terms: ExportTerms, tenant: TagKeys): void =>
  throwIfRejected(
    [...columnErrors(terms, '/request'), ...tagErrors(terms, tenant, '/request')],
    groupByLimitError(terms),
    '/request',
  );
