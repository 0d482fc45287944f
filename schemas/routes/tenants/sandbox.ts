import * as z from 'zod';
import {
  LIVE_EVENTS_PER_MINUTE,
  LIVE_TRAFFIC_DAYS,
  SAMPLE_DAYS,
  SAMPLE_EVENTS,
  Sandbox,
} from '../../tenants/sandbox.ts';
import { route } from '../route.ts';

const SANDBOX_BYTES_MAXIMUM = 1_024;

const ONLY_A_SANDBOX =
  'Only for a tenant that the operator created as a sandbox. Any other tenant gets CONFLICT, and nothing changes.';

const LiveTraffic = z.boolean().meta({
  description: `Whether ${LIVE_EVENTS_PER_MINUTE} synthetic calls arrive each minute, for the next ${LIVE_TRAFFIC_DAYS} days`,
});

const common = {
  unit: 'settings',
  access: 'admin:config',
  discloses: 'none',
} as const;

export const getSandbox = route({
  ...common,
  method: 'GET',
  path: '/api/v1/sandbox',
  operation: 'getSandbox',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  summary: 'Read the live traffic and the newest reset of a sandbox',
  description: ONLY_A_SANDBOX,
  rate: 'read',
  needs: ['sandbox.read'],
  refuses: ['CONFLICT'],
  replies: { 200: { description: 'The sandbox', body: Sandbox } },
});

export const resetSandbox = route({
  ...common,
  method: 'POST',
  path: '/api/v1/sandbox/reset',
  operation: 'resetSandbox',
  authority: { effect: 'deletion', reveals: [], lanes: 'all' },
  summary: 'Delete the data of a sandbox and load the synthetic data set',
  description: `Runs in the background for about ten minutes. It deletes records, reports, models, jobs, exports, bills, budgets, mappings, anomalies and notifications, and what running work writes meanwhile. Then it creates identity mappings and budgets, loads ${SAMPLE_EVENTS} calls of the last ${SAMPLE_DAYS} days with two anomalies, and opens disputes. The calls and event ids are the same each time, and their times follow the request. Credentials, users, settings, webhooks, the audit log and rate limits stay. A request during a reset returns that reset. ${ONLY_A_SANDBOX}`,
  rate: 'bulk',
  needs: ['sandbox.write'],
  body: {
    kind: 'json',
    optional: true,
    schema: z
      .strictObject({ live_traffic: LiveTraffic.default(true) })
      .meta({ id: 'SandboxResetRequest', example: { live_traffic: false } }),
    maxBytes: SANDBOX_BYTES_MAXIMUM,
  },
  audit: 'sandbox.reset',
  refuses: ['CONFLICT'],
  replies: {
    202: {
      description: 'The reset, which may have been requested before',
      body: Sandbox,
      headers: { Location: 'URL of the job of the reset' },
    },
  },
});

export const updateSandbox = route({
  ...common,
  method: 'PATCH',
  path: '/api/v1/sandbox',
  operation: 'updateSandbox',
  authority: { effect: 'settings', reveals: [], lanes: 'all' },
  summary: 'Switch the live traffic of a sandbox on or off',
  description: `Takes effect within a minute. Calls that already arrived stay. ${ONLY_A_SANDBOX}`,
  rate: 'write',
  needs: ['sandbox.write'],
  body: {
    kind: 'json',
    schema: z
      .strictObject({ live_traffic: LiveTraffic })
      .meta({ id: 'SandboxChange', example: { live_traffic: false } }),
    maxBytes: SANDBOX_BYTES_MAXIMUM,
  },
  audit: 'sandbox.update',
  refuses: ['CONFLICT'],
  replies: { 200: { description: 'The changed sandbox', body: Sandbox } },
});
