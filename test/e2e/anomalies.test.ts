import { afterAll, beforeAll, expect, it } from 'vitest';
import { findDeployment } from '../../tools/operator/deployment.ts';
import { anAnomaly, seedAnomalies } from '../support/anomalies.ts';
import { type AdminInstance, startAdminInstance } from './adminInstance.ts';

const ANOMALIES = '/api/v1/anomalies';
const HOUR = 60 * 60 * 1_000;

let at: AdminInstance;
beforeAll(async () => {
  at = await startAdminInstance();
});
afterAll(() => at?.stop());

it('findings are listed newest first, a page at a time, each once', async () => {
  const { tenant, key } = await at.newTenant('found');
  const deployment = await findDeployment({ stack: undefined, dataDir: at.instance.dataDir });
  const findings = [1, 2, 3, 4, 5].map((index) => anAnomaly(tenant.tag, index * HOUR));
  await seedAnomalies(deployment, tenant, findings);

  const found: unknown[] = [];
  let query = '?limit=2';
  for (let pages = 0; pages < 3; pages += 1) {
    const { data, page } = Object((await at.send(`${ANOMALIES}${query}`, { key })).body);
    found.push(...data);
    query = `?limit=2&cursor=${encodeURIComponent(page.next_cursor)}`;
    expect(page.has_more).toBe(pages < 2);
  }

  expect(found).toEqual(findings.toReversed());
});

it('a credential of a lane sees the findings of that lane', async () => {
  const { tenant, key } = await at.newTenant('lanes', { residency: ['eu', 'us'] });
  const deployment = await findDeployment({ stack: undefined, dataDir: at.instance.dataDir });
  const findings = ['eu', 'us', 'eu'].map((residency, index) =>
    anAnomaly(tenant.tag, (index + 1) * HOUR, { residency }),
  );
  await seedAnomalies(deployment, tenant, findings);
  const bound = await at.keys.create({ scopes: ['read:reporting'], residency: 'eu' }, { key });

  const lanesSeen = async (reader: string) => {
    const { data } = (await at.send(ANOMALIES, { key: reader })).body;
    return Array.isArray(data) ? data.map(({ residency }) => residency) : [];
  };

  expect(await lanesSeen(bound.secret)).toEqual(['eu', 'eu']);
  expect(await lanesSeen(key)).toEqual(['eu', 'us', 'eu']);
});
