import { Diagnostics } from '../../tenants/diagnostics.ts';
import { route } from '../route.ts';

export const getDiagnostics = route({
  method: 'GET',
  path: '/api/v1/diagnostics',
  operation: 'getDiagnostics',
  authority: {
    effect: 'none',
    reveals: [],
    withholds: ['read:attribution'],
    internal: ['read:reporting'],
    lanes: 'all',
  },
  unit: 'reconciliation',
  summary: 'Read ingestion, freshness and job diagnostics of the tenant',
  description:
    'Counts of repeated, dropped and dead-lettered events, the freshness of the figures, and the running jobs. All values are of this tenant only. Waiting times of the shared queues are not included; the alarms of the operator cover them.',
  access: 'admin:config',
  alternative: 'read:reporting',
  discloses: 'operation',
  rate: 'read',
  needs: ['counters.read', 'jobs.list', 'models.list', 'rollups.groups', 'rollups.read'],
  replies: { 200: { description: 'The diagnostics', body: Diagnostics } },
});
