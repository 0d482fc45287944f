import * as z from 'zod';
import { filterParameters } from '../../filters.ts';
import {
  EXAMINED_MAXIMUM,
  UNOWNED_SERVICES_DEFAULT,
  UNOWNED_SERVICES_MAXIMUM,
  UnownedReport,
} from '../../insight/unowned.ts';
import { label, queryInteger } from '../../values.ts';
import { route } from '../route.ts';
import { reportRange } from './reportRange.ts';

const UnownedQuery = z.strictObject({
  ...reportRange,
  ...filterParameters({ service: { value: label(256), operators: ['exists'] } }),
  suggestions: z.enum(['true', 'false']).optional().meta({
    description: 'false: amounts only. `groups` and `examined` are null. Default: true',
  }),
  top: queryInteger(1, UNOWNED_SERVICES_MAXIMUM, UNOWNED_SERVICES_DEFAULT)
    .optional()
    .meta({
      description: `The most expensive services. The others are one row, of kind other. Default: ${UNOWNED_SERVICES_DEFAULT}`,
    }),
});
export type UnownedQuery = z.infer<typeof UnownedQuery>;

export const getUnownedReport = route({
  method: 'GET',
  path: '/v1/reports/unowned',
  operation: 'getUnownedReport',
  authority: {
    effect: 'none',
    reveals: [],
    withholds: ['read:attribution'],
    internal: ['admin:config'],
    lanes: 'own',
  },
  unit: 'mappings',
  summary: 'List services whose calls have no confirmed owner, with suggestions',
  description: `Amounts are sums of the usage report: of calls that it hides, only the maximum is known. Rows sum to \`totals\`, highest cost first. A caller with read:attribution also gets the groups in which calls can be mapped, with suggestions for their owner, from the newest ${EXAMINED_MAXIMUM} records of the period. With \`service\`, its newest records are examined too. A suggestion is no answer: create an identity mapping from it, after a dry run, and reprocess the period.`,
  access: 'read:reporting',
  discloses: 'cohorts_or_records',
  rate: 'read',
  needs: ['archive.read', 'identity.list', 'ledger.read', 'progress.read', 'rollups.read'],
  query: UnownedQuery,
  replies: { 200: { description: 'The services, and how their calls can be mapped', body: UnownedReport } },
});
