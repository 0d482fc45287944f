import { Diagnostics } from '../diagnostics.ts';
import { route } from './route.ts';

export const getDiagnostics = route({
  method: 'GET',
  path: '/api/v1/diagnostics',
  operation: 'getDiagnostics',
  unit: 'coverage',
  summary: 'Read how the service does for this tenant',
  description:
    'What was repeated, dropped and set aside, how fresh the figures are, and what runs. Of this tenant alone: how long events wait in the queues that all tenants share is watched by the operator’s alarms.',
  access: 'admin:config',
  rate: 'read',
  needs: ['counters.read', 'jobs.read', 'models.list', 'rollups.read'],
  replies: { 200: { description: 'The diagnostics', body: Diagnostics } },
});
