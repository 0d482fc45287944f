import { afterAll, expect, it } from 'vitest';
import { anAnomaly, seedAnomalies } from '../support/anomalies.ts';
import { deploymentOf } from '../support/localService.ts';
import { startAdminInstance } from './adminInstance.ts';

const ANOMALIES = '/api/v1/anomalies';
const HOUR = 60 * 60 * 1_000;

const api = await startAdminInstance();
afterAll(() => api.stop());

it('GET /api/v1/anomalies returns each anomaly once, newest first, across pages', async () => {
  const { tenant, key } = await api.newTenant('paging');
  const deployment = await deploymentOf(api.instance);
  const findings = [1, 2, 3, 4, 5].map((index) => anAnomaly(tenant.tag, index * HOUR));
  await seedAnomalies(deployment, tenant, findings);

  const listed: unknown[] = [];
  let query = '?limit=2';
  for (let pages = 0; pages < 3; pages += 1) {
    const { data, page } = Object((await api.send(`${ANOMALIES}${query}`, { key })).body);
    listed.push(...data);
    query = `?limit=2&cursor=${encodeURIComponent(page.next_cursor)}`;
    expect(page.has_more).toBe(pages < 2);
  }

  expect(listed).toEqual(findings.toReversed().map((finding) => ({ ...finding, muted_until: null })));
});

it('GET /api/v1/anomalies returns only the anomalies of the lane a key is bound to', async () => {
  const { tenant, key } = await api.newTenant('anomaly-lanes', { residency: ['eu', 'us'] });
  const deployment = await deploymentOf(api.instance);
  const findings = ['eu', 'us', 'eu'].map((residency, index) =>
    anAnomaly(tenant.tag, (index + 1) * HOUR, { residency }),
  );
  await seedAnomalies(deployment, tenant, findings);
  const bound = await api.keys.create({ scopes: ['read:reporting'], residency: 'eu' }, { key });

  const visibleLanes = async (reader: string) => {
    const { data } = (await api.send(ANOMALIES, { key: reader })).body;
    return Array.isArray(data) ? data.map(({ residency }) => residency) : [];
  };

  expect(await visibleLanes(bound.secret)).toEqual(['eu', 'eu']);
  expect(await visibleLanes(key)).toEqual(['eu', 'us', 'eu']);
});

it('PUT and DELETE /api/v1/anomalies/{id}/mute mute and unmute the series', async () => {
  const { tenant, key } = await api.newTenant('muting');
  const anomaly = anAnomaly(tenant.tag, HOUR);
  await seedAnomalies(await deploymentOf(api.instance), tenant, [anomaly]);
  const path = `${ANOMALIES}/${anomaly.id}/mute`;
  const mutedUntil = async () => Object((await api.send(ANOMALIES, { key })).body).data[0].muted_until;

  const muted = await api.send(path, { key, method: 'PUT', body: { days: 7, reason: 'Migration' } });
  const during = await mutedUntil();
  const unmuted = await api.send(path, { key, method: 'DELETE' });

  expect([muted.status, unmuted.status]).toEqual([200, 204]);
  expect(muted.body).toMatchObject({ value: anomaly.value, reason: 'Migration', until: during });
  expect(await mutedUntil()).toBeNull();
});
