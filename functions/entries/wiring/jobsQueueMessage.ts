import * as z from 'zod';
import { LateDay } from '../../ledger/archive/closing/lateDays.ts';
import { TracePass } from '../../ledger/records/trace/tracePass.aws.ts';
import { JobMessage } from '../../platform/jobs/job.store.ts';
import { Continuation, Tick, Turn } from '../../platform/schedule/scheduleMessage.ts';

/** The turn of an export that has not ended. */
const OpenExport = z.object({ tenant_id: z.string(), export_id: z.string() });

/** The messages of the schedule in the queue of jobs. */
const ScheduledWork = z.union([LateDay, OpenExport, Turn, Continuation, Tick]);
export type ScheduledWork = z.infer<typeof ScheduledWork>;

export const JobsQueueMessage = z.union([JobMessage, TracePass, ScheduledWork]);
