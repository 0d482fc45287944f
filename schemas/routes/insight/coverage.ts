import { CoverageExpectations, CoverageMap } from '../../insight/coverage.ts';
import { route } from '../route.ts';

const EXPECTATIONS_BYTES_MAXIMUM = 16 * 1_024;

export const getCoverage = route({
  method: 'GET',
  path: '/api/v1/coverage',
  operation: 'getCoverage',
  // Of the counters of diagnostics it shows unread telemetry alone, to callers without a lane.
  authority: { effect: 'none', reveals: [], internal: ['admin:config'], lanes: 'own' },
  unit: 'reconciliation',
  summary: 'Read the coverage map: active and missing capture layers of each pathway',
  description:
    'States are evaluated every hour and on every read. A pathway that is no longer active emits coverage.degraded once. A pathway that is active again emits coverage.restored once. Between active and not active, a state lasts at least one hour, so an unstable layer does not cause repeated events. A caller bound to a residency lane sees only the captures of that lane and the states derived from them.',
  access: 'read:attribution',
  discloses: 'records',
  rate: 'read',
  needs: ['counters.read', 'coverage.evaluate', 'outbox.append'],
  replies: { 200: { description: 'The coverage map', body: CoverageMap } },
});

export const getCoverageExpectations = route({
  method: 'GET',
  path: '/api/v1/coverage/expectations',
  operation: 'getCoverageExpectations',
  authority: { effect: 'none', reveals: [], internal: ['read:attribution'], lanes: 'all' },
  unit: 'reconciliation',
  summary: 'Read the required capture layers of each pathway',
  description: 'The coverage map shows them too, beside the layers that are live.',
  access: 'admin:config',
  discloses: 'none',
  rate: 'read',
  needs: ['coverage.evaluate'],
  replies: { 200: { description: 'The current expectations', body: CoverageExpectations } },
});

export const putCoverageExpectations = route({
  method: 'PUT',
  path: '/api/v1/coverage/expectations',
  operation: 'putCoverageExpectations',
  authority: { effect: 'settings', reveals: [], internal: ['read:attribution'], lanes: 'all' },
  unit: 'reconciliation',
  summary: 'Set the required capture layers of each pathway',
  description:
    'Replaces all earlier expectations. A pathway with expected layers is active while all of them are live. A pathway without expectations is active while any layer is live. The coverage map shows the expectations.',
  access: 'admin:config',
  discloses: 'none',
  rate: 'write',
  needs: ['coverage.writeExpectations'],
  body: { kind: 'json', schema: CoverageExpectations, maxBytes: EXPECTATIONS_BYTES_MAXIMUM },
  audit: 'coverage.expectations',
  replies: { 200: { description: 'The current expectations', body: CoverageExpectations } },
});
