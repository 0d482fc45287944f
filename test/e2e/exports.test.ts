import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { CreateBucketCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { parse } from 'csv-parse/sync';
import { afterAll, expect, it, vi } from 'vitest';
import { decimal, toDecimalString } from '../../functions/platform/shared/decimal.ts';
import { startOfNextMonth } from '../../functions/platform/shared/time/month.ts';
import { utcDateOf } from '../../functions/platform/shared/time/toIso.ts';
import { ExportManifest } from '../../schemas/chargeback/exportManifest.ts';
import { ExportJobWithFiles } from '../../schemas/chargeback/exports.ts';
import { call, someEvent } from '../support/client.ts';
import { localClient } from '../support/localAws.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const instance = await sharedInstance();
const key = instance.credentials.tenants[0]?.api_keys.admin ?? '';
afterAll(() => instance.stop());

const DAY = 24 * 60 * 60 * 1_000;

/** Sends calls over two days by `persons` users of one team. */
const sendCalls = async (persons: number): Promise<void> => {
  const now = Date.now();
  for (let index = 0; index < 2 * persons; index += 1) {
    const body = {
      ...someEvent(),
      ingestion_timestamp: new Date(now - (index % 2) * DAY).toISOString(),
      attributed_identity: `person-${index % persons}`,
      attributed_service: 'ranking',
      estimated_cost_usd: `0.${String(index + 1).padStart(12, '0')}`,
    };
    expect((await call(instance.baseUrl, '/api/v1/invocations', { key, body })).status).toBe(202);
  }
  await instance.runtime.idle();
};

const finished = (location: string): Promise<ExportJobWithFiles> =>
  vi.waitFor(
    async () => {
      const { body } = await call(instance.baseUrl, location, { key });
      const job = ExportJobWithFiles.parse(body);
      expect(['queued', 'running']).not.toContain(job.status);
      return job;
    },
    { timeout: 180_000, interval: 200 },
  );

it('writes all ledger records to files that are readable through presigned URLs', async () => {
  await sendCalls(6);
  const period = { from: utcDateOf(Date.now() - 2 * DAY), to: utcDateOf(Date.now() + DAY) };

  const posted = await call(instance.baseUrl, '/v1/exports/focus', {
    key,
    body: { format: 'focus', period, granularity: 'hour' },
  });
  const job = await finished(posted.headers.get('location') ?? '');

  expect([posted.status, job.status, job.error]).toEqual([202, 'succeeded', null]);
  const urls = job.result_urls ?? [];
  const files = await Promise.all(
    urls.map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())),
  );
  const rows = files.flatMap((file) =>
    parse<Record<string, string>>(gunzipSync(file).toString('utf8'), { columns: true }),
  );
  const billed = rows.reduce((sum, row) => sum.plus(decimal(row['BilledCost'] ?? '')), decimal('0'));
  const manifest = ExportManifest.parse(await (await fetch(job.manifest_url ?? '')).json());
  const query = `from=${period.from}&to=${period.to}`;
  // Totals are summed after a delay.
  await instance.runtime.idle({ delayed: true });
  const report = await call(instance.baseUrl, `/v1/reports/usage?${query}`, { key });
  expect(rows).toHaveLength(job.result?.row_count ?? -1);
  expect(toDecimalString(billed)).toBe(manifest.totals.costs[0]?.billed_cost);
  expect(manifest.ledger).toMatchObject({
    records: 12,
    cost_usd: Object(report.body['totals']).cost_usd,
  });
  expect((await fetch(job.metadata_url ?? '')).status).toBe(200);
});

it('lists a finished export, and returns 409 on its cancellation', async () => {
  const { body } = await call(instance.baseUrl, '/v1/exports', { key });
  const [listed] = Array.isArray(body['data']) ? body['data'] : [];

  const cancelled = await call(instance.baseUrl, `/api/v1/jobs/${listed.job_id}/cancel`, {
    key,
    method: 'POST',
  });

  expect(listed).toMatchObject({ status: 'succeeded', type: 'focus_export' });
  expect(cancelled.body).toMatchObject({ status: 409, error_code: 'CONFLICT' });
});

it('puts a finished export into the bucket of a destination, after a check of the destination', async () => {
  const { baseUrl, credentials, runtime } = instance;
  const bucket = 'example-finance';
  const s3 = new S3Client({
    ...localClient(credentials.endpoints['s3'], credentials.aws_credentials),
    forcePathStyle: true,
  });
  const destination = {
    name: 'Finance',
    location: `s3://${bucket}/ai`,
    region: 'us-east-1',
    role_arn: 'arn:aws:iam::111122223333:role/attribution-exports-finance',
  };
  const { body: created } = await call(baseUrl, '/v1/exports/destinations', { key, body: destination });
  const path = `/v1/exports/destinations/${created['id']}`;
  const checked = async () => {
    await call(baseUrl, `${path}/check`, { key, method: 'POST' });
    await runtime.runSchedule('WorkersExportDelivery');
    return Object((await call(baseUrl, path, { key })).body['check']);
  };
  const before = await checked();
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  const after = await checked();

  const month = utcDateOf(Date.now()).slice(0, 7);
  const period = { from: `${month}-01`, to: utcDateOf(startOfNextMonth(month)) };
  const delivery = { destination_id: created['id'], name: 'chargeback' };
  const posted = await call(baseUrl, '/v1/exports/focus', { key, body: { period, delivery } });
  const location = posted.headers.get('location') ?? '';
  await finished(location);
  await runtime.runSchedule('WorkersExportDelivery');

  const { delivery: delivered } = await finished(location);
  const read = async (Key: string) =>
    (await s3.send(new GetObjectCommand({ Bucket: bucket, Key }))).Body?.transformToByteArray();
  const current = `ai/chargeback/metadata/BILLING_PERIOD=${month}/chargeback-Manifest.json`;
  const manifest = JSON.parse(Buffer.from((await read(current)) ?? []).toString());
  expect([before.state, before.error, after.state]).toEqual(['failing', 'no_such_bucket', 'working']);
  expect(created['external_id']).toBe(created['id']);
  expect(delivered).toMatchObject({ state: 'delivered', version: 1, supersedes: null });
  for (const { key: file, sha256 } of manifest.files) {
    expect(
      createHash('sha256')
        .update((await read(file)) ?? '')
        .digest('hex'),
    ).toBe(sha256);
  }
  expect(manifest.files).not.toEqual([]);
  expect(manifest.delivered).toMatchObject({ bucket, billing_period: month, version: 1 });
  s3.destroy();
});
