import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { DEFAULT_THRESHOLDS as thresholds } from '../../../schemas/insight/budgets.ts';
import { call, listAllRecords, someEvent } from '../../support/client.ts';
import type { AdminInstance } from '../adminInstance.ts';
import { sideBySide, type Traffic, trafficTenant } from './traffic.ts';

const REQUESTS = 4;
const EVENTS = 5;

/** A batch of calls that belong to one trace. */
const aBatch = (): Record<string, unknown>[] => {
  const trace_id = randomUUID().replaceAll('-', '');
  return Array.from({ length: EVENTS }, () =>
    someEvent({ trace_id, span_id: randomUUID().replaceAll('-', '').slice(0, 16) }),
  );
};

const inOrder = (values: readonly unknown[]): string[] => values.map(String).sort();

/** Batches of calls, which become records and totals. */
export const callTraffic = async (api: AdminInstance): Promise<Traffic> => {
  const { key, post } = await trafficTenant(api, 'calls');
  const sent: unknown[] = [];
  return {
    send: async () => {
      await sideBySide(REQUESTS, async () => {
        const events = aBatch();
        await post('/api/v1/invocations/batch', { events });
        sent.push(...events.map(({ event_id }) => event_id));
      });
    },
    check: async () => {
      const records = await listAllRecords(api.baseUrl, key);
      expect(inOrder(records.map(({ event_id }) => event_id))).toEqual(inOrder(sent));
      const report = await call(api.baseUrl, '/v1/reports/usage', { key });
      expect(report.body['totals'], report.text).toMatchObject({ invocations: sent.length });
    },
  };
};

/** Calls against a budget each. Each call crosses all thresholds of its budget. */
export const budgetTraffic = async (api: AdminInstance): Promise<Traffic> => {
  const { tenant, post, list } = await trafficTenant(api, 'budgets');
  const budgets: unknown[] = [];
  return {
    send: async () => {
      await sideBySide(2, async () => {
        const terms = { name: randomUUID(), ceiling_usd: '0.000001', period: 'month', scope: {} };
        budgets.push((await post('/api/v1/budgets', terms))['id']);
        await post('/api/v1/invocations', someEvent());
      });
    },
    check: async () => {
      const listed = await list('/api/v1/budgets');
      expect(inOrder(listed.map(({ id }) => id))).toEqual(inOrder(budgets));
      const crossings = (await api.events()).filter(
        ({ tenant_id, type }) => tenant_id === tenant.tenant_id && type === 'budget.threshold.crossed',
      );
      const crossed = crossings.map(({ data }) => `${data['budget_id']} ${data['threshold']}`);
      expect(inOrder(crossed)).toEqual(
        inOrder(budgets.flatMap((id) => thresholds.map((percent) => `${id} ${percent}`))),
      );
      const notifications = await list('/api/v1/notifications');
      expect(inOrder(notifications.map(({ link }) => link))).toEqual(
        inOrder(budgets.flatMap((id) => thresholds.map(() => `/api/v1/budgets/${id}`))),
      );
    },
  };
};
