import { expect, it } from 'vitest';
import { deliveryEvent } from '../../../../functions/chargeback/exports/delivery/deliveryEvent.ts';
import { exportFinishedEvent } from '../../../../functions/chargeback/exports/job/exportFinishedEvent.ts';
import { markFailed, markSucceeded, newExport } from '../../../../functions/chargeback/exports/job/job.ts';
import { DeliveryTarget } from '../../../../schemas/chargeback/deliveryTarget.ts';
import type { StoredDelivery } from '../../../../schemas/chargeback/exportDelivery.ts';
import { ExportRequest } from '../../../../schemas/chargeback/focus.ts';
import { NO_RESULT } from '../../../support/exports.ts';

const ULID = '01KA3Z5V7JQ2M6X9R8T4B1C0DE';
const NOW = Date.parse('2026-11-02T06:00:00Z');
const BASE = 'https://service.example';
const tenant = { tenant_id: 'acme', tag: 'abcdefgh' };
const delivery = DeliveryTarget.parse({
  destination_id: `dst_abcdefgh${ULID.slice(0, 26)}`,
  name: 'chargeback',
});
const request = ExportRequest.parse({
  format: 'focus',
  period: { from: '2026-10-01', to: '2026-11-01' },
  delivery,
});
const exportOf = (residency: string | null) =>
  newExport(tenant, request, { ulid: ULID, at: NOW, by: 'key_1', residency, basis: 'records' });

const pending: StoredDelivery = {
  state: 'pending',
  attempts: 1,
  last_error: 'access_denied',
  version: 1,
  supersedes: null,
  opened_at: NOW,
  due_at: NOW,
  ended_at: null,
  location: 's3://finance/chargeback/metadata/manifest.json',
  is_failure_told: false,
};
const changed = (residency: string | null, state: 'delivered' | 'failed') =>
  deliveryEvent(exportOf(residency), pending, { ...pending, state }, { baseUrl: BASE, at: NOW });

it.each([['eu'], [null]])('say that the export counts the calls of lane %s', (residency) => {
  const job = exportOf(residency);
  const events = [
    exportFinishedEvent(tenant, markSucceeded(job, NO_RESULT, NOW), BASE),
    exportFinishedEvent(tenant, markFailed(job, 'internal', NOW), BASE),
    changed(residency, 'delivered'),
    changed(residency, 'failed'),
  ];

  expect(events.map((event) => [event?.type, event?.data['residency']])).toEqual([
    ['export.completed', residency],
    ['export.failed', residency],
    ['export.delivered', residency],
    ['export.delivery.failed', residency],
  ]);
});
