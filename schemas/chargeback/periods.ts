import * as z from 'zod';
import { Difference } from '../ledger/rollup.ts';
import { ExportSums } from './exportSums.ts';

/** A UTC month, as bills and exports have them. */
export const BillingMonth = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/);

export const PeriodState = z.enum(['open', 'closed', 'adjusted']).meta({
  id: 'PeriodState',
  description:
    'open: figures follow the records. closed: its exports always have the figures of the close. adjusted: closed, and records have changed since. The difference is in the exports of a later period',
});
export type PeriodState = z.infer<typeof PeriodState>;

const Month = z.string().meta({ description: 'UTC month', example: '2026-10' });

/** What reports say of a billing period. */
export const PeriodStatus = z
  .object({
    period: Month,
    state: PeriodState,
    adjustment_usd: Difference.nullable().meta({
      description:
        'Cost of the whole period today, less its cost at the close. 0 unless it is adjusted. Null for a credential that is bound to a residency lane, if it is adjusted',
    }),
  })
  .meta({ id: 'PeriodStatus' });
export type PeriodStatus = z.infer<typeof PeriodStatus>;

export const PeriodStatuses = z.array(PeriodStatus).meta({
  id: 'PeriodStatuses',
  description: 'The billing periods (UTC months) that the answer overlaps',
});

export const Period = z
  .object({
    period: Month,
    state: PeriodState,
    closed: z
      .object({
        at: z.iso.datetime(),
        by: z.string(),
        as_of: z.iso.datetime().meta({ description: 'Its exports show the records as of this instant' }),
        sums: ExportSums,
      })
      .nullable(),
    adjustments: z.array(z.object({ booked_in: Month, sums: ExportSums })).meta({
      description:
        'What its records have changed by since the close, by the period whose exports have it as corrections. In the open period this follows the records',
    }),
  })
  .meta({ id: 'Period' });
export type Period = z.infer<typeof Period>;

const PeriodEventBase = z.object({ period: Month, by: z.string() });

/** Event data of a close. It has no figures: `GET /api/v1/periods` has them. */
export const PeriodClosedData = PeriodEventBase.extend({
  closed_at: z.iso.datetime(),
  as_of: z.iso
    .datetime()
    .meta({ description: 'The exports of the period show the records as of this instant' }),
});

/** Event data of a reopening: exports of the period follow the records again, and files of its close are not final. */
export const PeriodReopenedData = PeriodEventBase.extend({
  reopened_at: z.iso.datetime(),
  reason: z.string(),
});

/** The state of a month that a close fixes. */
const StoredBook = z.object({
  month: BillingMonth,
  /** Names the copy of its totals. */
  copy: z.string(),
  /** What its totals were made from. */
  versions: z.int(),
  digest: z.string(),
  /** Digest of what nobody used of own nodes. */
  idle: z.string(),
  sums: ExportSums,
});
export type StoredBook = z.infer<typeof StoredBook>;

/** A close fixes its own month, and again those before it whose records have changed. */
export const StoredClosing = z.object({
  month: BillingMonth,
  as_of: z.iso.datetime(),
  closed_at: z.iso.datetime(),
  closed_by: z.string(),
  books: z.array(StoredBook),
});
export type StoredClosing = z.infer<typeof StoredClosing>;

/** The closes of a tenant, in order. Months follow each other without a gap. */
export const StoredClosings = z.object({ closings: z.array(StoredClosing) });
export type StoredClosings = z.infer<typeof StoredClosings>;
