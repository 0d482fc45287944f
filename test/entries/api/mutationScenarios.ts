import { idOf } from '../../../functions/platform/shared/ids.ts';
import { ulidOf } from '../../../functions/platform/shared/ulid.ts';
import { EXAMPLE_DELIVERY } from '../../platform/apiDocs/contract/requests.ts';
import { seedModels } from '../../support/models.ts';
import { SILENT_RECEIVER } from '../../support/webhooks.ts';
import {
  anomalyOf,
  DAY_MS,
  finishedExport,
  HOUR_MS,
  recordOf,
  type ScenarioContext,
  type Sent,
  verifiedEndpoint,
} from './mutationSubjects.ts';

/** A call, and what another caller does between its crash and its retry. */
interface Scenario {
  readonly call: Sent;
  readonly between: Sent;
}

type Scenarios = Readonly<Record<string, (context: ScenarioContext) => Promise<Scenario>>>;

/** The creation, change and deletion of resources of one kind. */
const resource = (
  noun: string,
  changes: readonly [call: object, between: object],
  others: readonly [call: object, between: object] = [{ name: 'one' }, { name: 'other' }],
): Scenarios => {
  const creation = (body: object): Sent => ({ operation: `create${noun}`, body });
  const [call, between] = changes;
  return {
    [`create${noun}`]: async () => ({ call: creation(others[0]), between: creation(others[1]) }),
    [`update${noun}`]: async ({ create }) => {
      const id = await create(creation(others[0]));
      const update = (body: object): Sent => ({ operation: `update${noun}`, id, body });
      return { call: update(call), between: update(between) };
    },
    [`delete${noun}`]: async ({ create }) => ({
      call: { operation: `delete${noun}`, id: await create(creation(others[0])) },
      between: creation(others[1]),
    }),
  };
};

/** Two calls of an operation with different bodies. */
const twice =
  (operation: string, call: object, between: object, id?: (context: ScenarioContext) => Promise<string>) =>
  async (context: ScenarioContext): Promise<Scenario> => {
    const at = id === undefined ? {} : { id: await id(context) };
    return { call: { operation, body: call, ...at }, between: { operation, body: between, ...at } };
  };

const billOf = (cost: string, now: number) => {
  const day = new Date(now - DAY_MS).toISOString().slice(0, 10);
  const period = { ChargePeriodStart: `${day}T00:00:00Z`, ChargePeriodEnd: `${day}T01:00:00Z` };
  const row = { BilledCost: cost, BillingCurrency: 'USD', ProviderName: 'OpenAI', ...period };
  // Without the delivery of the example.
  return { delivery: undefined, complete: undefined, rows: [row] };
};
const deliveryOf = (id: string, now: number) => {
  const [from, to] = [now - DAY_MS, now].map((at) => new Date(at).toISOString().slice(0, 10));
  return { ...billOf('1', now), delivery: { id, provider: 'OpenAI', from, to }, complete: true };
};
const exportAt = (now: number): Sent => {
  const [from, to] = [now - 2 * DAY_MS, now - DAY_MS].map((at) => new Date(at).toISOString().slice(0, 10));
  return { operation: 'createFocusExport', body: { period: { from, to } } };
};
const url = (path: string) => ({ url: `https://${SILENT_RECEIVER}/${path}` });

/** The creation, rotation and end of credentials of one kind. */
const credential = (noun: string, end: string): Scenarios => {
  const creation: Sent = { operation: `create${noun}` };
  const rotation = (id: string): Sent => ({ operation: `rotate${noun}`, id, body: { overlap_seconds: 60 } });
  return {
    [`create${noun}`]: twice(`create${noun}`, { name: 'one' }, { name: 'other' }),
    [`rotate${noun}`]: async ({ create }) => {
      const id = await create(creation);
      return { call: rotation(id), between: rotation(id) };
    },
    [`${end}${noun}`]: async ({ create }) => {
      const id = await create(creation);
      return { call: { operation: `${end}${noun}`, id }, between: rotation(id) };
    },
  };
};

/** A scenario for every mutation of the route table. */
export const scenarios: Scenarios = {
  ...resource('IdentityMapping', [{ owner: 'team-a' }, { owner: 'team-b', position: 7 }]),
  // The spend of the tenant crosses thresholds of the new budgets. The changed one has none: its alerts follow the newest
  // state of the budget, so they differ with the order of changes.
  ...resource('Budget', [{}, {}], [{ ceiling_usd: '100' }, { ceiling_usd: '40' }]),
  updateBudget: twice(
    'updateBudget',
    { ceiling_usd: '50', forecast_thresholds: [120] },
    { name: 'renamed', ceiling_usd: '70', forecast_thresholds: [] },
    ({ create }) => create({ operation: 'createBudget', body: { scope: { owner: 'nobody' } } }),
  ),
  ...resource('ExportSchedule', [{ every: 'month' }, { every: 'day' }], [{}, {}]),
  createReportSubscription: twice('createReportSubscription', {}, { every: 'month' }),
  deleteReportSubscription: async ({ create }) => ({
    call: {
      operation: 'deleteReportSubscription',
      id: await create({ operation: 'createReportSubscription' }),
    },
    between: { operation: 'createReportSubscription', body: { every: 'month' } },
  }),
  ...resource('ExportDestination', [{ name: 'mine' }, { name: 'theirs' }]),
  checkExportDestination: async ({ create }) => {
    const id = await create({ operation: 'createExportDestination' });
    return {
      call: { operation: 'checkExportDestination', id },
      between: { operation: 'updateExportDestination', id, body: { name: 'theirs' } },
    };
  },
  ...resource('BillSource', [{ name: 'mine' }, { paused: true }], [{ account: 'one' }, { account: 'other' }]),
  ...resource('Webhook', [{ description: 'mine' }, url('moved')], [url('one'), url('other')]),

  postInvocation: twice('postInvocation', {}, { requested_model: 'gpt-4o-mini' }),
  postPartnerInvocation: twice('postPartnerInvocation', {}, { requested_model: 'gpt-4o-mini' }),
  postInvocationBatch: twice('postInvocationBatch', {}, {}),
  postEvents: twice('postEvents', { id: 'one' }, { id: 'other' }),
  postPartnerEvents: twice('postPartnerEvents', {}, {}),
  putPartnerHealth: twice('putPartnerHealth', { status: 'failed' }, { status: 'degraded' }),

  overrideAttribution: twice(
    'overrideAttribution',
    { owner: 'team-a', reason: 'ours' },
    { owner: 'team-b', reason: 'no, ours' },
    (context) => recordOf(context),
  ),
  disputeAttribution: async (context) => {
    const id = await recordOf(context);
    return {
      call: { operation: 'disputeAttribution', id, body: { reason: 'not ours' } },
      between: { operation: 'overrideAttribution', id, body: { owner: 'team-b', reason: 'resolved' } },
    };
  },
  confirmCost: async (context) => {
    const id = await recordOf(context, '123456');
    return {
      call: { operation: 'confirmCost', id },
      between: { operation: 'overrideAttribution', id, body: { owner: 'team-b', reason: 'ours' } },
    };
  },
  dryRunIdentityMapping: async () => ({
    call: { operation: 'dryRunIdentityMapping' },
    between: { operation: 'createBudget' },
  }),
  reprocessRecords: twice(
    'reprocessRecords',
    { from: '2026-03-01T00:00:00Z' },
    { from: '2026-03-02T00:00:00Z' },
  ),
  trainModel: twice('trainModel', {}, {}),
  recallModel: async ({ tenant, deployment }) => {
    await seedModels(deployment, tenant, 3);
    const recall = (time: number): Sent => ({
      operation: 'recallModel',
      id: idOf('mdl', tenant.tag, ulidOf(time, new Uint8Array(10))),
    });
    return { call: recall(3), between: recall(2) };
  },

  muteAnomaly: async (context) => {
    const id = await anomalyOf(context);
    await context.create({ operation: 'muteAnomaly', id, body: { days: 3 } });
    return {
      call: { operation: 'muteAnomaly', id, body: { days: 7 } },
      between: { operation: 'unmuteAnomaly', id },
    };
  },
  unmuteAnomaly: async (context) => {
    const id = await anomalyOf(context);
    await context.create({ operation: 'muteAnomaly', id, body: { days: 3 } });
    return {
      call: { operation: 'unmuteAnomaly', id },
      between: { operation: 'muteAnomaly', id, body: { days: 7 } },
    };
  },
  postBusinessMetric: twice('postBusinessMetric', {}, { numbers: [{ date: '2026-11-02', value: '7' }] }),
  deleteBusinessMetric: async ({ create }) => ({
    call: { operation: 'deleteBusinessMetric', id: await create({ operation: 'postBusinessMetric' }) },
    between: { operation: 'postBusinessMetric', body: { name: 'other' } },
  }),
  createSavedView: twice('createSavedView', {}, { name: 'Other' }),
  deleteSavedView: async ({ create }) => ({
    call: { operation: 'deleteSavedView', id: await create({ operation: 'createSavedView' }) },
    between: { operation: 'createSavedView', body: { name: 'Other' } },
  }),
  createAnnotation: twice('createAnnotation', {}, { text: 'Other' }),
  deleteAnnotation: async ({ create }) => ({
    call: { operation: 'deleteAnnotation', id: await create({ operation: 'createAnnotation' }) },
    between: { operation: 'createAnnotation', body: { text: 'Other' } },
  }),
  dismissSaving: twice('dismissSaving', {}, { reason: 'Not this year', high_usd: '7' }),
  restoreSaving: async ({ create }) => ({
    call: { operation: 'restoreSaving', id: await create({ operation: 'dismissSaving' }) },
    between: { operation: 'dismissSaving', body: { service: 'other' } },
  }),
  putCoverageExpectations: twice(
    'putCoverageExpectations',
    { expectations: [{ pathway_category: 'application_direct', layers: ['application'] }] },
    { expectations: [] },
  ),
  putContractPrices: twice('putContractPrices', {}, { prices: [] }),
  putNodePools: twice('putNodePools', {}, { pools: [] }),
  postBills: async ({ now }) => ({
    call: { operation: 'postBills', body: billOf('1', now) },
    between: { operation: 'postBills', body: billOf('2', now) },
  }),
  deleteBill: async ({ create, now }) => {
    const deliver = (id: string): Sent => ({ operation: 'postBills', body: deliveryOf(id, now) });
    await create(deliver(EXAMPLE_DELIVERY));
    return { call: { operation: 'deleteBill' }, between: deliver('other') };
  },

  closePeriod: async () => ({ call: { operation: 'closePeriod' }, between: { operation: 'reopenPeriod' } }),
  reopenPeriod: async ({ create }) => {
    await create({ operation: 'closePeriod' });
    return { call: { operation: 'reopenPeriod' }, between: { operation: 'closePeriod' } };
  },

  createFocusExport: async ({ now }) => ({ call: exportAt(now), between: exportAt(now) }),
  deliverExport: async (context) => {
    const destination_id = await context.create({ operation: 'createExportDestination' });
    const id = await finishedExport(context);
    const delivery: Sent = { operation: 'deliverExport', id, body: { destination_id, name: 'chargeback' } };
    return {
      call: delivery,
      between: { operation: 'updateExportDestination', id: destination_id, body: { name: 'theirs' } },
    };
  },
  cancelJob: async ({ create, now }) => {
    const cancellation: Sent = { operation: 'cancelJob', id: await create(exportAt(now)) };
    return { call: cancellation, between: cancellation };
  },

  verifyWebhook: async ({ create }) => {
    const id = await create({ operation: 'createWebhook' });
    return {
      call: { operation: 'verifyWebhook', id, body: {} },
      between: { operation: 'updateWebhook', id, body: { enabled: false } },
    };
  },
  rotateWebhookSecret: async (context) => {
    const id = await verifiedEndpoint(context);
    const rotation: Sent = { operation: 'rotateWebhookSecret', id, body: { overlap_seconds: 60 } };
    return { call: rotation, between: rotation };
  },
  testWebhook: async (context) => {
    const id = await verifiedEndpoint(context);
    return {
      call: { operation: 'testWebhook', id },
      between: { operation: 'updateWebhook', id, body: { description: 'other' } },
    };
  },
  replayToWebhook: async (context) => {
    const id = await verifiedEndpoint(context);
    const key = await context.create({ operation: 'createApiKey' });
    const rotate: Sent = { operation: 'rotateApiKey', id: key };
    await context.create(rotate);
    await context.create({ operation: 'updateWebhook', id, body: { events: ['apikey.rotated'] } });
    const [from, to] = [context.now - HOUR_MS, context.now + HOUR_MS].map((at) => new Date(at).toISOString());
    return { call: { operation: 'replayToWebhook', id, body: { from, to } }, between: rotate };
  },
  markNotificationsRead: async ({ now }) => {
    const readUntil = (at: number) => ({ until: new Date(at).toISOString() });
    return {
      call: { operation: 'markNotificationsRead', body: readUntil(now - HOUR_MS) },
      between: { operation: 'markNotificationsRead', body: readUntil(now) },
    };
  },

  updateTenant: async ({ tenant, deployment }) => {
    await seedModels(deployment, tenant, 1);
    return {
      call: { operation: 'updateTenant', body: { stage_b: 'disabled' } },
      between: { operation: 'updateTenant', body: { stage_b: 'enabled', key_lifetime_days: 30 } },
    };
  },
  resetSandbox: async () => ({
    call: { operation: 'resetSandbox', bySandbox: true },
    between: { operation: 'updateSandbox', body: { live_traffic: true }, bySandbox: true },
  }),
  updateSandbox: async () => ({
    call: { operation: 'updateSandbox', body: { live_traffic: false }, bySandbox: true },
    between: { operation: 'updateSandbox', body: { live_traffic: true }, bySandbox: true },
  }),

  createUser: twice('createUser', { email: 'one@example.org' }, { email: 'other@example.org' }),
  updateUser: async ({ create }) => {
    const id = await create({ operation: 'createUser', body: { email: 'one@example.org', role: 'viewer' } });
    const update = (role: string): Sent => ({ operation: 'updateUser', id, body: { role } });
    return { call: update('finops'), between: update('admin') };
  },
  removeUser: async ({ create }) => {
    const user: Sent = { operation: 'createUser', body: { email: 'one@example.org' } };
    return { call: { operation: 'removeUser', id: await create(user) }, between: user };
  },

  ...credential('ApiKey', 'revoke'),
  ...credential('OAuthClient', 'delete'),
};
