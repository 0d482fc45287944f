import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { utcDateOf } from '../../../functions/platform/shared/time/toIso.ts';
import { someEvent } from '../../support/client.ts';
import type { AdminInstance } from '../adminInstance.ts';
import { sideBySide, type Traffic, trafficTenant } from './traffic.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Exports of one call. */
export const exportTraffic = async (api: AdminInstance): Promise<Traffic> => {
  const { post, list } = await trafficTenant(api, 'exports');
  const jobs: unknown[] = [];
  await post('/api/v1/invocations', someEvent());
  await api.instance.runtime.idle({ delayed: true });
  return {
    send: async () => {
      const period = { from: utcDateOf(Date.now() - DAY_MS), to: utcDateOf(Date.now() + DAY_MS) };
      const { job_id } = await post('/v1/exports/focus', { format: 'focus', period });
      jobs.push(job_id);
      const stateOf = async () =>
        (await list('/v1/exports')).find((job) => job['job_id'] === job_id)?.['status'];
      await expect.poll(stateOf, { interval: 500 }).toMatch(/succeeded|failed/);
    },
    check: async () => {
      const listed = await list('/v1/exports');
      expect(listed.map(({ job_id, status }) => [job_id, status]).sort()).toEqual(
        jobs.map((id) => [id, 'succeeded']).sort(),
      );
    },
  };
};

/** Trainings. Each one ends with a model, which the gate rejects for a lack of calls. */
export const trainingTraffic = async (api: AdminInstance): Promise<Traffic> => {
  const { post, list } = await trafficTenant(api, 'training');
  let trainings = 0;
  return {
    send: async () => {
      await sideBySide(2, () => post('/api/v1/models', undefined, { method: 'POST' }));
      trainings += 2;
    },
    check: async () => {
      expect(await list('/api/v1/models')).toHaveLength(trainings);
    },
  };
};

/** CloudEvents: one that the service only keeps, and one about a provider in use. */
export const signalTraffic = async (api: AdminInstance): Promise<Traffic> => {
  const { post } = await trafficTenant(api, 'signals');
  const ids: string[] = [];
  return {
    send: async () => {
      await sideBySide(2, async () => {
        const id = randomUUID();
        const at = new Date().toISOString();
        const envelope = { specversion: '1.0', id, source: '/storm' };
        await post('/api/v1/events', { ...envelope, type: 'org.example.deployed', data: { name: 'search' } });
        await post('/api/v1/events', {
          ...envelope,
          id: `${id}-discovery`,
          type: 'discovery.signal',
          data: {
            source: 'dns',
            provider: id,
            pathway_category: 'gateway_mediated',
            first_seen: at,
            last_seen: at,
          },
        });
        ids.push(id);
      });
    },
    check: async () => {
      const stored = (await api.engines.rows('signals')).map((row) => JSON.stringify(row));
      for (const id of ids) expect(stored.filter((row) => row.includes(id))).toHaveLength(2);
      const rows = (await api.engines.rows('coverage')).map((row) => JSON.stringify(row));
      for (const id of ids) expect(rows.filter((row) => row.includes(id))).toHaveLength(1);
    },
  };
};
