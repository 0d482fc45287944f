import * as z from 'zod';
import { JobStarted } from '../../jobs.ts';
import { DayOrInstant } from '../../values.ts';
import { route } from '../route.ts';

const ReprocessRequest = z
  .strictObject({
    from: DayOrInstant.meta({ description: 'Start of the period, inclusive' }),
    to: DayOrInstant.optional().meta({ description: 'End of the period, exclusive. Default: now' }),
  })
  .meta({ id: 'ReprocessRequest', example: { from: '2026-03-01T00:00:00Z' } });

export const reprocessRecords = route({
  method: 'POST',
  path: '/api/v1/identity/mappings/reprocess',
  operation: 'reprocessRecords',
  authority: { effect: 'attribution', reveals: [], lanes: 'all' },
  unit: 'settings',
  summary: 'Apply the current mappings to recorded calls',
  description:
    'A job attributes the records of the period again, newest first, by the current mappings, rules, model and prices. A record whose result changes gets a new version. Manual overrides stay. Reports follow within minutes.',
  access: 'admin:config',
  alternative: 'finance:config',
  discloses: 'none',
  rate: 'bulk',
  needs: ['jobs.create', 'jobs.send'],
  body: { kind: 'json', schema: ReprocessRequest, maxBytes: 4_096 },
  audit: 'records.reprocess',
  replies: {
    202: { description: 'The job is queued', body: JobStarted, headers: { Location: 'URL of the job' } },
  },
});
