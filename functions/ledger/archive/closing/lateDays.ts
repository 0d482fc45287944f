import * as z from 'zod';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { NOT_CLOSED } from '../../../../schemas/ledger/archive.ts';
import { log } from '../../../platform/shared/log.ts';
import type { Day } from '../archivedDay.ts';

/** A day is late this long after its end. It is closed one day after its end, and tried again every day. */
export const LATE_AFTER_MS = 3 * DAY_MS;

export const logLate = (
  tenantId: string,
  day: Day,
  reason: 'sums differ' | 'no files' | 'rows expire soon',
): void => log({ level: 'error', message: NOT_CLOSED, reason, tenant_id: tenantId, day });

/** The turn of a day whose rows may expire soon. `written` is the day on which the rows were written. */
export const LateDay = z.object({ tenant_id: z.string(), late_day: z.string(), written: z.string() });
export type LateDay = z.infer<typeof LateDay>;
