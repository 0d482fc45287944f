import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { heartbeatRecorder } from '../../../functions/insight/coverage/captureHeartbeats.ts';
import type { Capture } from '../../../functions/insight/coverage/heartbeat.store.ts';
import { SLOT_MS } from '../../../functions/insight/coverage/timeSlot.ts';
import { anEvent, aTenant } from '../../attribution/engine/events.ts';

const NOW = Date.parse('2026-05-01T12:03:00Z');
const tenant = aTenant({ residency: ['eu'] });
const arrived = (receivedAt = NOW, residency: string | null = null) => ({ receivedAt, residency });

let added: { capture: Capture; slot: number }[];
let isDown: boolean;
let recordHeartbeat: ReturnType<typeof heartbeatRecorder>;

beforeEach(() => {
  vi.stubEnv('BASE_URL', 'https://api.example.com');
  added = [];
  isDown = false;
  recordHeartbeat = heartbeatRecorder({
    add: async (_tenant, capture, slot) => {
      if (isDown) throw new Error('no table');
      added.push({ capture, slot });
    },
  });
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

describe('heartbeatRecorder', () => {
  it('writes once per layer, source system, lane and time slot', async () => {
    const events = [
      anEvent(),
      anEvent({ source_system: 'litellm' }),
      anEvent({ ingestion_layer: 'proxy' }),
      anEvent({ pathway_category: 'agent_workflow' }),
    ];

    for (const at of [NOW, NOW + 1, NOW + SLOT_MS]) {
      for (const event of [...events, ...events]) await recordHeartbeat(tenant, event, arrived(at));
      await recordHeartbeat(tenant, anEvent(), arrived(at, 'us'));
    }

    expect(added).toHaveLength(2 * 5);
    expect(added[0]).toEqual({
      capture: {
        pathway_category: 'gateway_mediated',
        ingestion_layer: 'gateway',
        source_system: null,
        residency: 'eu',
      },
      slot: Date.parse('2026-05-01T12:00:00Z'),
    });
  });

  it('writes once for concurrent events', async () => {
    await Promise.all(Array.from({ length: 50 }, () => recordHeartbeat(tenant, anEvent(), arrived())));

    expect(added).toHaveLength(1);
  });

  it('does not throw when the table is down, and writes with the next event', async () => {
    isDown = true;
    await recordHeartbeat(tenant, anEvent(), arrived());
    isDown = false;

    await recordHeartbeat(tenant, anEvent(), arrived());

    expect(added).toHaveLength(1);
  });

  it('writes at most 64 captures per tenant and time slot', async () => {
    for (let index = 0; index < 500; index += 1) {
      await recordHeartbeat(tenant, anEvent({ source_system: `system-${index}` }), arrived());
    }

    expect(added).toHaveLength(64);
  });
});
