import { CoverageExpectations, CoverageMap } from '../coverage.ts';
import { route } from './route.ts';

const EXPECTATIONS_BYTES_MAXIMUM = 16 * 1_024;

export const getCoverage = route({
  method: 'GET',
  path: '/api/v1/coverage',
  operation: 'getCoverage',
  unit: 'coverage',
  summary: 'Read the coverage map: which layers capture calls of each pathway, and what is missing',
  description:
    'States are judged every hour and whenever they are read. A pathway that leaves active raises coverage.degraded, one that comes back coverage.restored, once each; a state between the two lasts an hour at least, so that an unsteady layer is told of once. A caller bound to a data-residency lane sees what was seen in it, and states that follow from it alone.',
  access: 'read:attribution',
  rate: 'read',
  needs: ['coverage.watch', 'outbox.append'],
  replies: { 200: { description: 'The coverage map', body: CoverageMap } },
});

export const putCoverageExpectations = route({
  method: 'PUT',
  path: '/api/v1/coverage/expectations',
  operation: 'putCoverageExpectations',
  effect: 'settings',
  unit: 'coverage',
  summary: 'Say which capture layers each pathway must have',
  description:
    'Replaces what was expected before. Where layers are expected, a pathway is active while every one of them is live; otherwise while any layer is. Read them back in the coverage map.',
  access: 'admin:config',
  rate: 'write',
  needs: ['coverage.expect'],
  body: { kind: 'json', schema: CoverageExpectations, maxBytes: EXPECTATIONS_BYTES_MAXIMUM },
  audit: 'coverage.expectations',
  replies: { 200: { description: 'What is expected now', body: CoverageExpectations } },
});
