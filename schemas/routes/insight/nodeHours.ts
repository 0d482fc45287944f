import * as z from 'zod';
import { NodeHourLine } from '../../attribution/nodeHours.ts';
import { HOURLY_DAYS_MAXIMUM } from '../../insight/reports.ts';
import { DecimalString } from '../../values.ts';
import { route } from '../route.ts';
import { reportRange } from './reportRange.ts';

const NodeHours = z
  .object({
    lines: z.array(NodeHourLine).meta({ description: 'By hour and pool' }),
    totals: z.object({ cost_usd: DecimalString, charged_usd: DecimalString, idle_usd: DecimalString }),
  })
  .meta({ id: 'NodeHours' });

export const getNodeHours = route({
  method: 'GET',
  path: '/v1/reports/node-hours',
  operation: 'getNodeHours',
  authority: { effect: 'none', reveals: ['read:reporting'], lanes: 'all' },
  unit: 'reports',
  summary: 'Report what node pools cost, and how much of it is idle',
  description: `Each hour that is divided: its cost is what the calls of the pool cost and what nobody used, to the last digit. At most ${HOURLY_DAYS_MAXIMUM} days. A credential bound to a residency lane gets RESIDENCY_BLOCKED.`,
  access: 'read:attribution',
  discloses: 'records',
  rate: 'read',
  needs: ['nodeHours.read'],
  query: z.strictObject(reportRange),
  replies: { 200: { description: 'The lines, and their sums', body: NodeHours } },
});
