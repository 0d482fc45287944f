import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { AttributionDetail } from '../../schemas/routes/attribution/attribution.ts';
import { call, listAllRecords, someEvent } from '../support/client.ts';
import { startCorrectionInstance } from './correctionInstance.ts';

const service = await startCorrectionInstance();
afterAll(() => service.stop());

const OVERRIDE = { owner: 'team-ranking', reason: 'The gateway ran under the key of another team' };

describe('corrected record', () => {
  it('shows the dispute, then the override with the previous values', async () => {
    const id = await service.newRecord();
    const before = await service.read(id);

    const opened = await service.dispute(id, { reason: 'Not our traffic', proposed_owner: 'team-ranking' });
    const between = await service.listed(id);
    const resolved = await service.override(id, OVERRIDE);
    const after = await service.read(id);

    expect([opened.status, resolved.status]).toEqual([201, 201]);
    expect(opened.headers.get('location')).toBe(`/v1/attribution/${id}`);
    const { explanation: _, ...disputed } = AttributionDetail.parse(opened.body);
    expect(between).toEqual([disputed]);
    expect(disputed).toMatchObject({
      version: 2,
      owner: 'team-search',
      output_state: 'deterministically_resolved',
      dispute: {
        status: 'open',
        reason: 'Not our traffic',
        proposed_owner: 'team-ranking',
        resolved_at: null,
      },
    });
    const { explanation: told, ...record } = after;
    const { history, ...explanation } = told;
    expect(resolved.body).toEqual({ ...record, explanation });
    expect(history?.map(({ owner }) => owner)).toEqual(['team-ranking', 'team-search']);
    expect(await service.listed(id)).toEqual([record]);
    expect(record).toMatchObject({
      version: 3,
      owner: 'team-ranking',
      service: 'search',
      cost_usd: before.cost_usd,
      output_state: 'manually_overridden',
      coper: 0.95,
      interpretation: { evidence_basis: 'manual_override', export_eligibility: 'eligible' },
      dispute: { status: 'resolved', resolved_at: record.as_of },
    });
    expect(explanation.rules).toEqual(before.explanation.rules);
    expect(explanation.overrides).toMatchObject([
      { ...OVERRIDE, service: 'search', previous: { owner: 'team-search', service: 'search' } },
    ]);
  });

  it('has one audit entry and one event per correction', async () => {
    const id = await service.newRecord();

    await service.dispute(id, { reason: 'Not our traffic' });
    await service.override(id, OVERRIDE);

    const { audited, raised } = await service.traceOf(id);
    expect(audited).toEqual([
      ['attribution.dispute', 'succeeded'],
      ['attribution.override', 'succeeded'],
    ]);
    const card = { stage_origin: 'stage_a', confidence_band: 'chargeback_ready', degradation_state: 'none' };
    expect(raised).toMatchObject([
      { type: 'attribution.disputed', data: { version: 2, owner: 'team-search' }, interpretation: card },
      {
        type: 'attribution.override.applied',
        data: { version: 3, ...OVERRIDE, previous: { owner: 'team-search', service: 'search' } },
        interpretation: card,
      },
    ]);
    expect(raised[1]?.data['dispute_id']).toBe(raised[0]?.data['dispute_id']);
  });

  it('keeps the override when its event is sent again', async () => {
    const event = someEvent();
    const send = () =>
      call(service.instance.baseUrl, '/api/v1/invocations', {
        key: service.acme.api_keys.ingest,
        body: event,
      });
    await send();
    await service.instance.runtime.idle();
    const [record] = (await listAllRecords(service.instance.baseUrl, service.acme.api_keys.read)).filter(
      (one) => one['event_id'] === event['event_id'],
    );
    const id = String(record?.['id']);
    await service.override(id, OVERRIDE);

    await send();
    await service.instance.runtime.idle();

    expect(await service.listed(id)).toMatchObject([{ version: 2, owner: OVERRIDE.owner }]);
  });
});

describe('POST /v1/attribution/{id}/overrides', () => {
  it('applies an override once per idempotency key', async () => {
    const id = await service.newRecord();
    const idempotencyKey = randomUUID();

    const first = await service.override(id, OVERRIDE, { idempotencyKey });
    await service.override(id, { owner: 'team-other', reason: 'In between' });
    const again = await service.override(id, OVERRIDE, { idempotencyKey });
    const other = await service.override(id, { ...OVERRIDE, owner: 'team-b' }, { idempotencyKey });

    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(other.body).toMatchObject({ status: 422, error_code: 'IDEMPOTENCY_CONFLICT' });
    expect(await service.read(id)).toMatchObject({ version: 3, owner: 'team-other' });
  });

  it('applies concurrent overrides one after the other, each as its own version', async () => {
    const id = await service.newRecord();
    const names = Array.from({ length: 10 }, (_, index) => `team-${index}`);

    const answers = await Promise.all(names.map((owner) => service.override(id, { owner, reason: 'mine' })));

    expect(answers.map(({ status, body }) => [status, body['owner']])).toEqual(
      names.map((owner) => [201, owner]),
    );
    const versions = answers.map(({ body }) => Number(body['version'])).toSorted((a, b) => a - b);
    expect(versions).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    const { explanation, version } = await service.read(id);
    expect(version).toBe(11);
    expect(explanation.overrides?.map(({ owner }) => owner).toSorted()).toEqual(names);
    const ulid = id.slice(-26);
    const open = (await service.engines.rows('ledger')).filter(
      (item) => item['sk']?.S?.startsWith(ulid) && item['to'] === undefined,
    );
    expect(open).toHaveLength(1);
    expect((await service.traceOf(id)).raised.map(({ data }) => data['version'])).toEqual(versions);
  });

  it.each(['sort=occurred_at', 'sort=-occurred_at'])(
    'keeps every record exactly once in a pagination that started earlier (%s)',
    async (sort) => {
      const ids = await service.newRecords(9);
      const listed: unknown[][] = [];
      let cursor = '';
      for (let page = 0; ; page += 1) {
        const path = `/v1/attribution?limit=2&${sort}${cursor}`;
        const { body } = await call(service.instance.baseUrl, path, { key: service.acme.api_keys.read });
        const { data, page: pageInfo } = z
          .object({
            data: z.array(z.looseObject({ id: z.string(), owner: z.string() })),
            page: z.object({ next_cursor: z.string().nullable() }),
          })
          .parse(body);
        listed.push(...data.filter(({ id }) => ids.includes(id)).map(({ id, owner }) => [id, owner]));
        if (pageInfo.next_cursor === null) break;
        cursor = `&cursor=${encodeURIComponent(pageInfo.next_cursor)}`;
        const id = ids[page % ids.length];
        if (page < 2 * ids.length && id !== undefined) await service.override(id, OVERRIDE);
      }

      expect(listed.toSorted()).toEqual(ids.map((id) => [id, 'team-search']).toSorted());
    },
  );
});
